// Kernels for symbolic tensors, under the key that these carry.
#pragma once
#include <tenon/library/library.hpp>
#include <tenon/tensor/symbolic.hpp>

/// Kernels for symbolic tensors: TENON_LIBRARY_IMPL with the key of these.
#define TENON_SYMBOLIC_LIBRARY_IMPL(NS, M)                                                                           \
  TENON_INTERNAL_LIBRARY(                                                                                            \
      ::tenon::detail::static_library_t<::tenon::is_selected(TENON_SELECTED_KEYS, ::tenon::kSymbolicKey)>, Impl, NS, \
      ::tenon::kSymbolicKey, M, __COUNTER__)
