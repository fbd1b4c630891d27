// For those who read memory: elements as operators see them.
#pragma once
#include <tenon/tensor/tensor.hpp>

namespace tenon::detail {

/// The tensor itself, or without history a copy of one that shows its memory conjugated or negated, or that has none
/// for its zeros.
Tensor in_memory(const Tensor& t);

}  // namespace tenon::detail
