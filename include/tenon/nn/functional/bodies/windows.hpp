// Windows by their operators.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/nn/functional/windows.hpp>
#include <tenon/ops/columns.hpp>

namespace tenon::nn::functional {

TENON_BODY Tensor unfold(const Tensor& input, IntArrayRef kernel_size, IntArrayRef dilation, IntArrayRef padding,
                         IntArrayRef stride) {
  return ops::im2col(input, kernel_size, dilation, padding, stride);
}
TENON_BODY Tensor fold(const Tensor& input, IntArrayRef output_size, IntArrayRef kernel_size, IntArrayRef dilation,
                       IntArrayRef padding, IntArrayRef stride) {
  return ops::col2im(input, output_size, kernel_size, dilation, padding, stride);
}

}  // namespace tenon::nn::functional
