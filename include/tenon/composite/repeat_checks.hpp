// What counts of repetitions are refused of, for every back end.
#pragma once
#include <tenon/base/error.hpp>
#include <tenon/tensor/tensor.hpp>

namespace tenon::composite {

/// `kernel` names the one that lacks a dtype.
inline void check_repeats(const char* kernel, const Tensor& repeats) {
  if (repeats.dtype() != kLong && repeats.dtype() != kInt) not_implemented_for(kernel, repeats.dtype());
  TENON_CHECK(repeats.dim() == 1, ValueError, "repeat_interleave only accept 1D vector as repeat");
}

}  // namespace tenon::composite
