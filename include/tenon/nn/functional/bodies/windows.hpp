// Windows by views: each step of a stride, each element of a kernel.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/nn/functional/windows.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/pad.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::nn::functional {

namespace detail {
struct WindowSizes {
  std::int64_t extent[2], count[2];
};
inline WindowSizes window_sizes(const char* name, std::int64_t height, std::int64_t width, IntArrayRef kernel_size,
                                IntArrayRef dilation, IntArrayRef padding, IntArrayRef stride) {
  for (IntArrayRef list : {kernel_size, dilation, padding, stride})
    TENON_CHECK(list.size() == 2, ValueError, name, "(): expected two sizes, got ", list);
  WindowSizes w;
  std::int64_t size[] = {height, width};
  for (std::size_t d = 0; d < 2; ++d) {
    TENON_CHECK(kernel_size[d] > 0 && dilation[d] > 0 && stride[d] > 0 && padding[d] >= 0, ValueError, name,
                "(): kernel_size, dilation and stride should be greater than zero and padding not negative, got ",
                kernel_size, ", ", dilation, ", ", stride, ", ", padding);
    w.extent[d] = dilation[d] * (kernel_size[d] - 1) + 1;
    std::int64_t room = size[d] + 2 * padding[d] - w.extent[d];
    TENON_CHECK(room >= 0, ValueError, name, "(): a window of ", w.extent[d], " does not fit into ", size[d],
                " padded by ", padding[d], " on both sides");
    w.count[d] = room / stride[d] + 1;
  }
  return w;
}
/// The windows of a padded (N, C, H, W) as columns.
inline Tensor columns(const Tensor& padded, const WindowSizes& w, IntArrayRef kernel_size, IntArrayRef dilation,
                      IntArrayRef stride) {
  Tensor v = ops::unfold(ops::unfold(padded, 2, w.extent[0], stride[0]), 3, w.extent[1], stride[1]);
  v = ops::slice(ops::slice(v, 4, std::nullopt, std::nullopt, dilation[0]), 5, std::nullopt, std::nullopt, dilation[1]);
  return ops::reshape(ops::permute(v, {0, 1, 4, 5, 2, 3}),
                      {padded.size(0), padded.size(1) * kernel_size[0] * kernel_size[1], w.count[0] * w.count[1]});
}
}  // namespace detail

TENON_BODY Tensor unfold(const Tensor& input, IntArrayRef kernel_size, IntArrayRef dilation, IntArrayRef padding,
                         IntArrayRef stride) {
  TENON_CHECK(input.dim() == 3 || input.dim() == 4, ValueError,
              "unfold(): expected 3D or 4D (batch mode) tensor, got shape ", input.sizes());
  bool batched = input.dim() == 4;
  Tensor x = batched ? input : ops::unsqueeze(input, 0);
  auto w = detail::window_sizes("unfold", x.size(2), x.size(3), kernel_size, dilation, padding, stride);
  Tensor padded = ops::constant_pad_nd(x, {padding[1], padding[1], padding[0], padding[0]});
  Tensor out = detail::columns(padded, w, kernel_size, dilation, stride);
  return batched ? out : ops::squeeze(out, 0);
}

TENON_BODY Tensor fold(const Tensor& input, IntArrayRef output_size, IntArrayRef kernel_size, IntArrayRef dilation,
                       IntArrayRef padding, IntArrayRef stride) {
  TENON_CHECK(input.dim() == 2 || input.dim() == 3, ValueError,
              "fold(): expected 2D or 3D (batch mode) tensor for input, got shape ", input.sizes());
  TENON_CHECK(output_size.size() == 2, ValueError, "fold(): expected two sizes, got ", output_size);
  bool batched = input.dim() == 3;
  Tensor x = batched ? input : ops::unsqueeze(input, 0);
  auto w = detail::window_sizes("fold", output_size[0], output_size[1], kernel_size, dilation, padding, stride);
  std::int64_t window = kernel_size[0] * kernel_size[1], count = w.count[0] * w.count[1];
  TENON_CHECK(x.size(1) % window == 0, ValueError,
              "Expected size of input's dimension 1 to be divisible by the product of kernel_size, but got "
              "input.size(1)=",
              x.size(1), " and kernel_size=", kernel_size);
  TENON_CHECK(x.size(2) == count, ValueError, "fold(): expected ", count, " columns for output_size ", output_size,
              ", got ", x.size(2));
  std::int64_t n = x.size(0), channels = x.size(1) / window, height = output_size[0] + 2 * padding[0],
               width = output_size[1] + 2 * padding[1];
  // Where the padded image holds what each column's elements came from.
  Tensor places = ops::reshape(ops::arange(height * width), {1, 1, height, width});
  places = ops::reshape(detail::columns(places, w, kernel_size, dilation, stride), {window * count});
  Tensor image = ops::index_add(ops::new_zeros(x, {n, channels, height * width}), 2, places,
                                ops::reshape(x, {n, channels, window * count}));
  image = ops::narrow(ops::narrow(ops::reshape(image, {n, channels, height, width}), 2, padding[0], output_size[0]), 3,
                      padding[1], output_size[1]);
  return batched ? image : ops::squeeze(image, 0);
}

}  // namespace tenon::nn::functional
