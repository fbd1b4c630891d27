// Windows by their operators.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/nn/functional/windows.hpp>
#include <tenon/ops/columns.hpp>

namespace tenon::nn::functional {

TENON_BODY Tensor unfold(const Tensor& input, const Sizes<2>& kernel_size, const Sizes<2>& dilation,
                         const Sizes<2>& padding, const Sizes<2>& stride) {
  return ops::im2col(input, kernel_size, dilation, padding, stride);
}
TENON_BODY Tensor fold(const Tensor& input, const Sizes<2>& output_size, const Sizes<2>& kernel_size,
                       const Sizes<2>& dilation, const Sizes<2>& padding, const Sizes<2>& stride) {
  return ops::col2im(input, IntArrayRef(output_size), kernel_size, dilation, padding, stride);
}

}  // namespace tenon::nn::functional
