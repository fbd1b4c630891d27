// How convolution layers start, compute and describe themselves, for every rank.
#pragma once
#include <cmath>

#include <tenon/base/body.hpp>
#include <tenon/nn/convolution.hpp>
#include <tenon/nn/detail/start.hpp>
#include <tenon/ops/convolution.hpp>
#include <tenon/ops/pad.hpp>

namespace tenon::nn::detail {

/// What is put before and behind each dimension, the last one first, as pad() takes it.
inline std::vector<std::int64_t> pad_list(const ConvGeometry& g) {
  std::size_t n = g.kernel_size.size();
  std::vector<std::int64_t> list(2 * n, 0);
  for (std::size_t d = 0; d < n; ++d) {
    std::size_t at = 2 * (n - 1 - d);
    if (g.padding_word == "same") {
      std::int64_t total = g.dilation[d] * (g.kernel_size[d] - 1);
      list[at] = total / 2;
      list[at + 1] = total - total / 2;
    } else if (g.padding_word.empty()) {
      list[at] = list[at + 1] = g.padding[d];
    }
  }
  return list;
}

inline std::vector<std::int64_t> output_padding_for(const ConvGeometry& g, const Tensor& x, IntArrayRef output_size) {
  std::size_t n = g.kernel_size.size(), spatial = static_cast<std::size_t>(x.dim()) - n;
  if (output_size.empty()) return {g.output_padding.begin(), g.output_padding.end()};
  std::size_t extra = output_size.size() == static_cast<std::size_t>(x.dim()) ? spatial : 0;
  TENON_CHECK(output_size.size() == n + extra, ValueError, g.name, ": for ", x.dim(), "D input, output_size must have ",
              n, " or ", x.dim(), " elements (got ", output_size.size(), ")");
  std::vector<std::int64_t> padding(n);
  for (std::size_t d = 0; d < n; ++d) {
    std::int64_t least = (x.size(static_cast<std::int64_t>(d + spatial)) - 1) * g.stride[d] - 2 * g.padding[d] +
                         g.dilation[d] * (g.kernel_size[d] - 1) + 1;
    std::int64_t most = least + g.stride[d] - 1, wanted = output_size[d + extra];
    TENON_CHECK(wanted >= least && wanted <= most, ValueError, "requested an output size of ", output_size,
                ", but valid sizes range from ", least, " to ", most, " in dimension ", d, " (for an input of ",
                x.sizes(), ")");
    padding[d] = wanted - least;
  }
  return padding;
}

TENON_BODY Tensor new_parameters(const ConvGeometry& g, Parameter& bias) {
  TENON_CHECK(g.groups > 0, ValueError, "groups must be a positive integer");
  TENON_CHECK(g.in_channels % g.groups == 0, ValueError, "in_channels must be divisible by groups");
  TENON_CHECK(g.out_channels % g.groups == 0, ValueError, "out_channels must be divisible by groups");
  TENON_CHECK(g.padding_mode == "zeros" ||
                  (!g.transposed &&
                   (g.padding_mode == "reflect" || g.padding_mode == "replicate" || g.padding_mode == "circular")),
              ValueError, g.transposed ? "Only \"zeros\" padding mode is supported for " : "unknown padding_mode of ",
              g.name, ", got '", g.padding_mode, "'");
  if (!g.padding_word.empty()) {
    TENON_CHECK(g.padding_word == "same" || g.padding_word == "valid", ValueError, "Invalid padding string '",
                g.padding_word, "', should be one of {'valid', 'same'}");
    if (g.padding_word == "same")
      for (std::int64_t s : g.stride)
        TENON_CHECK(s == 1, ValueError, "padding='same' is not supported for strided convolutions");
  }
  DimVector sizes;
  sizes.push_back(g.transposed ? g.in_channels : g.out_channels);
  sizes.push_back((g.transposed ? g.out_channels : g.in_channels) / g.groups);
  for (std::int64_t k : g.kernel_size) sizes.push_back(k);
  Tensor weight = new_leaf(sizes, g.dtype);
  init::kaiming_uniform_(weight, std::sqrt(5.0));
  if (bias.wanted()) {
    std::int64_t fan = init::fan_in(weight);
    bias = uniform_leaf({g.out_channels}, fan ? 1 / std::sqrt(static_cast<double>(fan)) : 0, g.dtype);
  }
  return weight;
}

TENON_BODY Tensor convolve(const ConvGeometry& g, const Tensor& x, const Tensor& weight, const Tensor& own_bias,
                           IntArrayRef output_size) {
  std::size_t n = g.kernel_size.size();
  std::optional<Tensor> bias;
  if (own_bias.defined()) bias = own_bias;
  if (g.transposed) {
    auto output_padding = output_padding_for(g, x, output_size);
    if (n == 1)
      return ops::conv_transpose1d(x, weight, bias, g.stride, g.padding, output_padding, g.groups, g.dilation);
    if (n == 2)
      return ops::conv_transpose2d(x, weight, bias, g.stride, g.padding, output_padding, g.groups, g.dilation);
    return ops::conv_transpose3d(x, weight, bias, g.stride, g.padding, output_padding, g.groups, g.dilation);
  }
  if (g.padding_mode == "zeros" && !g.padding_word.empty()) {
    std::string_view word = g.padding_word;
    if (n == 1) return ops::conv1d(x, weight, bias, g.stride, word, g.dilation, g.groups);
    if (n == 2) return ops::conv2d(x, weight, bias, g.stride, word, g.dilation, g.groups);
    return ops::conv3d(x, weight, bias, g.stride, word, g.dilation, g.groups);
  }
  bool padded = g.padding_mode != "zeros";
  Tensor in = padded ? ops::pad(x, pad_list(g), g.padding_mode) : x;
  std::vector<std::int64_t> none(n, 0);
  IntArrayRef padding = padded ? IntArrayRef(none) : g.padding;
  if (n == 1) return ops::conv1d(in, weight, bias, g.stride, padding, g.dilation, g.groups);
  if (n == 2) return ops::conv2d(in, weight, bias, g.stride, padding, g.dilation, g.groups);
  return ops::conv3d(in, weight, bias, g.stride, padding, g.dilation, g.groups);
}

TENON_BODY std::string describe(const ConvGeometry& g, bool bias) {
  auto all = [](IntArrayRef sizes, std::int64_t value) {
    for (std::int64_t s : sizes)
      if (s != value) return false;
    return true;
  };
  Description d;
  d.value(g.in_channels).value(g.out_channels).add("kernel_size", g.kernel_size).add("stride", g.stride);
  if (!g.padding_word.empty())
    d.add("padding", g.padding_word);
  else if (!all(g.padding, 0))
    d.add("padding", g.padding);
  if (!all(g.dilation, 1)) d.add("dilation", g.dilation);
  if (!all(g.output_padding, 0)) d.add("output_padding", g.output_padding);
  if (g.groups != 1) d.add("groups", g.groups);
  if (!bias) d.add("bias", false);
  if (g.padding_mode != "zeros") d.add("padding_mode", g.padding_mode);
  return d.text;
}

}  // namespace tenon::nn::detail
