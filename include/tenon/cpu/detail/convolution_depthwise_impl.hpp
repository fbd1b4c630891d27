// Convolutions whose groups have one channel each: no product of matrices, one pass over a padded plane.
#pragma once

namespace tenon::cpu::detail {

/// A plane of the input with its padding, columns sorted by their remainder by the stride, so that what a tap reads for
/// a row of results is contiguous.
template <class T, class Arch>
void convolve_plane(const ConvolutionCall& c, const T* x, const T* weight, T bias, T* y, T* padded) {
  using V = vec<T, Arch>;
  constexpr int W = V::size;
  std::int64_t step = c.stride[2], rows = c.in[1] + 2 * c.padding[1], depth = c.in[0] + 2 * c.padding[0],
               part = (c.in[2] + 2 * c.padding[2] + step - 1) / step + W, row_size = part * step;
  std::fill_n(padded, depth * rows * row_size, T(0));
  for (std::int64_t d = 0; d < c.in[0]; ++d)
    for (std::int64_t h = 0; h < c.in[1]; ++h) {
      const T* from = x + (d * c.in[1] + h) * c.in[2];
      T* to = padded + ((d + c.padding[0]) * rows + h + c.padding[1]) * row_size;
      if (step == 1)
        std::copy_n(from, c.in[2], to + c.padding[2]);
      else
        for (std::int64_t w = 0; w < c.in[2]; ++w)
          to[(w + c.padding[2]) % step * part + (w + c.padding[2]) / step] = from[w];
    }
  for (std::int64_t od = 0; od < c.out[0]; ++od)
    for (std::int64_t oh = 0; oh < c.out[1]; ++oh) {
      T* to = y + (od * c.out[1] + oh) * c.out[2];
      const T* corner = padded + (od * c.stride[0] * rows + oh * c.stride[1]) * row_size;
      for (std::int64_t ow = 0; ow < c.out[2]; ow += W) {
        V sum = bias;
        const T* w = weight;
        for (std::int64_t kd = 0; kd < c.kernel[0]; ++kd)
          for (std::int64_t kh = 0; kh < c.kernel[1]; ++kh) {
            const T* line = corner + (kd * c.dilation[0] * rows + kh * c.dilation[1]) * row_size + ow;
            for (std::int64_t kw = 0; kw < c.kernel[2]; ++kw) {
              std::int64_t at = kw * c.dilation[2];
              sum = fma(V(*w++), V::load(line + (step == 1 ? at : at % step * part + at / step)), sum);
            }
          }
        if (std::int64_t left = c.out[2] - ow; left >= W)
          sum.store(to + ow);
        else
          sum.store_partial(to + ow, static_cast<int>(left));
      }
    }
}

/// Channels last: vectors of channels, the weight turned to [taps, channels].
template <class T, class Arch>
void convolve_positions(const ConvolutionCall& c, const T* turned, std::int64_t image, std::int64_t od,
                        std::int64_t oh) {
  using V = vec<T, Arch>;
  constexpr int W = V::size;
  std::int64_t channels = c.groups;
  auto x = static_cast<const T*>(c.x) + image * c.in_positions() * channels;
  auto bias = static_cast<const T*>(c.bias);
  T* y = static_cast<T*>(c.y) + (image * c.out_positions() + (od * c.out[1] + oh) * c.out[2]) * channels;
  auto first = [&](int d, std::int64_t at) {  // the first tap inside
    return at < 0 ? (-at + c.dilation[d] - 1) / c.dilation[d] : 0;
  };
  auto last = [&](int d, std::int64_t at) {
    return at >= c.in[d] ? 0 : std::min(c.kernel[d], (c.in[d] - 1 - at) / c.dilation[d] + 1);
  };
  std::int64_t d0 = od * c.stride[0] - c.padding[0], h0 = oh * c.stride[1] - c.padding[1];
  for (std::int64_t ow = 0; ow < c.out[2]; ++ow, y += channels) {
    std::int64_t w0 = ow * c.stride[2] - c.padding[2], kw0 = first(2, w0), kw1 = last(2, w0);
    for (std::int64_t ch = 0; ch < channels; ch += W) {
      int left = channels - ch < W ? static_cast<int>(channels - ch) : W;
      auto load = [&](const T* p) { return left == W ? V::load(p) : V::load_partial(p, left); };
      V sum = bias ? load(bias + ch) : V(T(0));
      for (std::int64_t kd = first(0, d0), kd1 = last(0, d0); kd < kd1; ++kd)
        for (std::int64_t kh = first(1, h0), kh1 = last(1, h0); kh < kh1; ++kh) {
          const T* line = x + ((d0 + kd * c.dilation[0]) * c.in[1] + h0 + kh * c.dilation[1]) * c.in[2] * channels + ch;
          const T* w = turned + (kd * c.kernel[1] + kh) * c.kernel[2] * channels + ch;
          for (std::int64_t kw = kw0; kw < kw1; ++kw)
            sum = fma(load(w + kw * channels), load(line + (w0 + kw * c.dilation[2]) * channels), sum);
        }
      left == W ? sum.store(y + ch) : sum.store_partial(y + ch, left);
    }
  }
}

template <class T, class Arch>
void convolve_depthwise(const ConvolutionCall& c) {
  std::int64_t taps = c.taps(), channels = c.groups * c.out_channels;
  auto weight = static_cast<const T*>(c.weight);
  if (c.out_positions() == 0 || c.batch == 0 || channels == 0) return;
  if (c.channels_last) {
    T* turned = static_cast<T*>(::operator new(static_cast<std::size_t>(taps * channels) * sizeof(T)));
    for (std::int64_t k = 0; k < taps; ++k)
      for (std::int64_t ch = 0; ch < channels; ++ch) turned[k * channels + ch] = weight[ch * taps + k];
    std::int64_t lines = c.out[0] * c.out[1];
    parallel_for(0, c.batch * lines, 32768 / (taps * channels * c.out[2] + 1) + 1,
                 [&](std::int64_t first, std::int64_t last) {
                   for (std::int64_t i = first; i < last; ++i)
                     convolve_positions<T, Arch>(c, turned, i / lines, i % lines / c.out[1], i % lines % c.out[1]);
                 });
    ::operator delete(turned);
    return;
  }
  std::int64_t row = ((c.in[2] + 2 * c.padding[2] + c.stride[2] - 1) / c.stride[2] + vec<T, Arch>::size) * c.stride[2],
               padded = (c.in[0] + 2 * c.padding[0]) * (c.in[1] + 2 * c.padding[1]) * row + vec<T, Arch>::size;
  parallel_for(0, c.batch * channels, 32768 / (taps * c.out_positions() + 1) + 1,
               [&](std::int64_t first, std::int64_t last) {
                 T* memory = static_cast<T*>(::operator new(static_cast<std::size_t>(padded) * sizeof(T)));
                 for (std::int64_t i = first; i < last; ++i) {
                   std::int64_t image = i / channels, ch = i % channels;
                   convolve_plane<T, Arch>(
                       c, static_cast<const T*>(c.x) + (image * c.groups + ch / c.out_channels) * c.in_positions(),
                       weight + ch * taps, c.bias ? static_cast<const T*>(c.bias)[ch] : T(0),
                       static_cast<T*>(c.y) + i * c.out_positions(), memory);
                 }
                 ::operator delete(memory);
               });
}

}  // namespace tenon::cpu::detail
