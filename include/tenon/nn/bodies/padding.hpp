// Padding layers by the operator pad.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/nn/padding.hpp>
#include <tenon/ops/pad.hpp>

namespace tenon::nn::detail {

TENON_BODY Tensor padded(const Tensor& x, IntArrayRef padding, std::string_view mode, double value) {
  if (mode == "constant") return ops::pad(x, padding, mode, value);
  return ops::pad(x, padding, mode);
}

}  // namespace tenon::nn::detail
