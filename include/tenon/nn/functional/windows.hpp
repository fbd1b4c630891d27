// Windows of images as columns, and back.
#pragma once
#include <tenon/tensor/tensor.hpp>

namespace tenon::nn::functional {

/// The windows of (N, C, H, W) or (C, H, W) as columns: (N, C kh kw, L). Each list has two sizes, rows first.
/// Errors: ValueError for windows that do not fit.
Tensor unfold(const Tensor& input, IntArrayRef kernel_size, IntArrayRef dilation, IntArrayRef padding,
              IntArrayRef stride);
/// The sum of columns at the places of their windows: (N, C kh kw, L) or (C kh kw, L) to (N, C, H, W).
Tensor fold(const Tensor& input, IntArrayRef output_size, IntArrayRef kernel_size, IntArrayRef dilation,
            IntArrayRef padding, IntArrayRef stride);

}  // namespace tenon::nn::functional
