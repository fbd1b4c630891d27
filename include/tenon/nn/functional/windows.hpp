// Windows of images as columns, and back.
#pragma once
#include <tenon/nn/parameter.hpp>
#include <tenon/tensor/tensor.hpp>

namespace tenon::nn::functional {

/// The windows of (N, C, H, W) or (C, H, W) as columns: (N, C kh kw, L). Two sizes each, rows first, or one for
/// both.
/// Errors: ValueError for windows that do not fit.
Tensor unfold(const Tensor& input, const Sizes<2>& kernel_size, const Sizes<2>& dilation = 1,
              const Sizes<2>& padding = 0, const Sizes<2>& stride = 1);
/// The sum of columns at the places of their windows: (N, C kh kw, L) or (C kh kw, L) to (N, C, H, W).
Tensor fold(const Tensor& input, const Sizes<2>& output_size, const Sizes<2>& kernel_size, const Sizes<2>& dilation = 1,
            const Sizes<2>& padding = 0, const Sizes<2>& stride = 1);

}  // namespace tenon::nn::functional
