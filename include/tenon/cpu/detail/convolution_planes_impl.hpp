// Convolution of small images with few channels: one pass over padded planes laid out as one long row, and no
// unfolding.
#pragma once

namespace tenon::cpu::detail {

/// With step 1 the result at (oh, ow) reads the padded planes at fixed distances from oh * row + ow, `row` being the
/// width of a padded row: so all results of a channel are one run of vectors, of which those between the end of one row
/// and the begin of the next are dropped. An element is a sum in the order of channels and taps.
template <class T, class Arch>
class PlaneConvolution {
 public:
  /// Two-dimensional, step 1, and so narrow that unfolding would copy rows of a vector or two.
  static bool fits(const ConvolutionCall& c) {
    return !c.channels_last && c.in[0] == 1 && c.kernel[0] == 1 && c.padding[0] == 0 && c.stride[1] == 1 &&
           c.stride[2] == 1 && c.out[2] <= kWidest && c.taps() > 1 && c.in_channels * c.taps() <= kDeepest;
  }
  explicit PlaneConvolution(const ConvolutionCall& call)
      : c(call),
        row(c.in[2] + 2 * c.padding[2]),
        plane(row * (c.in[1] + 2 * c.padding[1])),
        length(((c.out[1] - 1) * row + c.out[2] + 2 * W - 1) / (2 * W) * (2 * W)) {}
  void run() {
    if (c.batch == 0 || c.out_channels == 0 || c.out_positions() == 0) return;
    std::int64_t work = c.in_channels * c.taps() * c.out_channels * c.out_positions();
    parallel_for(0, c.batch * c.groups, 65536 / (work + 1) + 1, [&](std::int64_t first, std::int64_t last) {
      // Behind the planes lies what the last vectors read beside their results.
      std::int64_t planes = c.in_channels * plane + 3 * W + row;
      AlignedBlock<T> memory(planes + kChannels * length + W);
      std::fill_n(memory.data, planes, T(0));
      for (std::int64_t i = first; i < last; ++i) image(i, memory.data, memory.data + planes);
    });
  }

 private:
  using V = vec<T, Arch>;
  static constexpr int W = V::size, kChannels = 4;
  static constexpr std::int64_t kWidest = 32, kDeepest = 288;

  void image(std::int64_t i, T* planes, T* results) const {
    auto x = static_cast<const T*>(c.x) + i * c.in_channels * c.in_positions();
    auto weight = static_cast<const T*>(c.weight) + i % c.groups * c.out_channels * depth();
    for (std::int64_t ch = 0; ch < c.in_channels; ++ch)
      for (std::int64_t h = 0; h < c.in[1]; ++h)
        copy(planes + ch * plane + (h + c.padding[1]) * row + c.padding[2], x + (ch * c.in[1] + h) * c.in[2]);
    std::int64_t ch = 0;
    for (; ch + 4 <= c.out_channels; ch += 4) channels<4>(i, ch, planes, weight, results);
    for (; ch + 2 <= c.out_channels; ch += 2) channels<2>(i, ch, planes, weight, results);
    for (; ch < c.out_channels; ++ch) channels<1>(i, ch, planes, weight, results);
  }
  std::int64_t depth() const { return c.in_channels * c.taps(); }

  /// A row of the image. The zeros beyond it lie where zeros do, or where what comes later writes.
  void copy(T* to, const T* from) const {
    std::int64_t j = 0;
    for (; j + W <= c.in[2]; j += W) V::load(from + j).store(to + j);
    if (j < c.in[2]) V::load_partial(from + j, static_cast<int>(c.in[2] - j)).store(to + j);
  }

  template <int N>
  void channels(std::int64_t i, std::int64_t ch, const T* planes, const T* weight, T* results) const {
    const T* w[N];
    for (int n = 0; n < N; ++n) w[n] = weight + (ch + n) * depth();
    for (std::int64_t at = 0; at < length; at += 2 * W) {
      V sum[N][2];
      _Pragma("GCC unroll 4") for (int n = 0; n < N; ++n) sum[n][0] = sum[n][1] = V(T(0));
      std::int64_t k = 0;
      for (std::int64_t p = 0; p < c.in_channels; ++p)
        for (std::int64_t kh = 0; kh < c.kernel[1]; ++kh) {
          const T* line = planes + p * plane + kh * c.dilation[1] * row + at;
          for (std::int64_t kw = 0; kw < c.kernel[2]; ++kw, ++k, line += c.dilation[2]) {
            V a = V::load(line), b = V::load(line + W);
            _Pragma("GCC unroll 4") for (int n = 0; n < N; ++n) {
              V factor = w[n][k];
              sum[n][0] = fma(factor, a, sum[n][0]);
              sum[n][1] = fma(factor, b, sum[n][1]);
            }
          }
        }
      _Pragma("GCC unroll 4") for (int n = 0; n < N; ++n) {
        sum[n][0].store(results + n * length + at);
        sum[n][1].store(results + n * length + at + W);
      }
    }
    std::int64_t all = c.groups * c.out_channels, channel = i % c.groups * c.out_channels + ch,
                 positions = c.out_positions();
    for (int n = 0; n < N; ++n) {
      T* to = static_cast<T*>(c.y) + (i / c.groups * all + channel + n) * positions;
      V bias = c.bias ? static_cast<const T*>(c.bias)[channel + n] : T(0);
      for (std::int64_t oh = 0; oh < c.out[1]; ++oh)
        for (std::int64_t ow = 0; ow < c.out[2]; ow += W) {
          V v = V::load(results + n * length + oh * row + ow) + bias;
          std::int64_t p = oh * c.out[2] + ow;
          // What goes beyond the row is written by the next one.
          if (p + W <= positions)
            v.store(to + p);
          else
            v.store_partial(to + p, static_cast<int>(std::min(positions - p, c.out[2] - ow)));
        }
    }
  }

  ConvolutionCall c;
  std::int64_t row, plane, length;
};

}  // namespace tenon::cpu::detail
