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
        length(((c.out[1] - 1) * row + c.out[2] + W - 1) / W * W) {}
  void run() {
    if (c.batch == 0 || c.out_channels == 0 || c.out_positions() == 0) return;
    AlignedBlock<T> weights(c.groups * c.out_channels * depth());
    pack(weights.data);
    std::int64_t work = c.in_channels * c.taps() * c.out_channels * c.out_positions();
    parallel_for(0, c.batch * c.groups, 65536 / (work + 1) + 1, [&](std::int64_t first, std::int64_t last) {
      // Behind the planes lies what the last vectors read beside their results.
      std::int64_t planes = c.in_channels * plane + 3 * W + row;
      AlignedBlock<T> memory(planes + kChannels * length + W);
      std::fill_n(memory.data, planes, T(0));
      for (std::int64_t i = first; i < last; ++i) image(i, memory.data, weights.data, memory.data + planes);
    });
  }

 private:
  using V = vec<T, Arch>;
  // Sums that registers hold beside what they are made from.
  static constexpr bool kMany = std::is_same_v<Arch, avx512> || std::is_same_v<Arch, neon64>;
  static constexpr int W = V::size, kChannels = kMany ? 8 : 4, kVectors = kMany ? 3 : 2;
  static constexpr std::int64_t kWidest = 32, kDeepest = 288;

  /// Calls f(channel, tag of how many) for the channels that are computed side by side.
  template <class F>
  void each_block(F f) const {
    std::int64_t ch = 0;
    for (; ch + kChannels <= c.out_channels; ch += kChannels) f(ch, std::integral_constant<int, kChannels>());
    if constexpr (kChannels > 4)
      for (; ch + 4 <= c.out_channels; ch += 4) f(ch, std::integral_constant<int, 4>());
    for (; ch + 2 <= c.out_channels; ch += 2) f(ch, std::integral_constant<int, 2>());
    for (; ch < c.out_channels; ++ch) f(ch, std::integral_constant<int, 1>());
  }
  /// The weights of such channels side by side.
  void pack(T* to) const {
    auto from = static_cast<const T*>(c.weight);
    for (std::int64_t g = 0; g < c.groups; ++g, from += c.out_channels * depth())
      each_block([&](std::int64_t ch, auto count) {
        for (std::int64_t k = 0; k < depth(); ++k)
          for (int n = 0; n < count; ++n) *to++ = from[(ch + n) * depth() + k];
      });
  }
  void image(std::int64_t i, T* planes, const T* weights, T* results) const {
    auto x = static_cast<const T*>(c.x) + i * c.in_channels * c.in_positions();
    weights += i % c.groups * c.out_channels * depth();
    for (std::int64_t ch = 0; ch < c.in_channels; ++ch)
      for (std::int64_t h = 0; h < c.in[1]; ++h)
        copy(planes + ch * plane + (h + c.padding[1]) * row + c.padding[2], x + (ch * c.in[1] + h) * c.in[2]);
    each_block([&](std::int64_t ch, auto count) { channels<count>(i, ch, planes, weights + ch * depth(), results); });
  }
  std::int64_t depth() const { return c.in_channels * c.taps(); }

  /// A row of the image. The zeros beyond it lie where zeros do, or where what comes later writes.
  void copy(T* to, const T* from) const {
    std::int64_t j = 0;
    for (; j + W <= c.in[2]; j += W) V::load(from + j).store(to + j);
    if (j < c.in[2]) V::load_partial(from + j, static_cast<int>(c.in[2] - j)).store(to + j);
  }

  /// B vectors of the results of N channels.
  template <int N, int B>
  void strip(const T* line, const T* w, T* results) const {
    V sum[N][B];
    _Pragma("GCC unroll 8") for (int n = 0; n < N; ++n) _Pragma("GCC unroll 4") for (int b = 0; b < B; ++b) sum[n][b] =
        V(T(0));
    for (std::int64_t p = 0; p < c.in_channels; ++p, line += plane) {
      const T* from = line;
      for (std::int64_t kh = 0; kh < c.kernel[1]; ++kh, from += c.dilation[1] * row) {
        const T* x = from;
        for (std::int64_t kw = 0; kw < c.kernel[2]; ++kw, w += N, x += c.dilation[2]) {
          V part[B];
          _Pragma("GCC unroll 4") for (int b = 0; b < B; ++b) part[b] = V::load(x + b * W);
          _Pragma("GCC unroll 8") for (int n = 0; n < N; ++n) {
            V factor = w[n];
            _Pragma("GCC unroll 4") for (int b = 0; b < B; ++b) sum[n][b] = fma(factor, part[b], sum[n][b]);
          }
        }
      }
    }
    _Pragma("GCC unroll 8") for (int n = 0; n < N; ++n) _Pragma("GCC unroll 4") for (int b = 0; b < B; ++b) sum[n][b]
        .store(results + n * length + b * W);
  }
  template <int N>
  void channels(std::int64_t i, std::int64_t ch, const T* planes, const T* weight, T* results) const {
    std::int64_t at = 0;
    for (; at + kVectors * W <= length; at += kVectors * W) strip<N, kVectors>(planes + at, weight, results + at);
    if constexpr (kVectors > 2)
      for (; at + 2 * W <= length; at += 2 * W) strip<N, 2>(planes + at, weight, results + at);
    for (; at < length; at += W) strip<N, 1>(planes + at, weight, results + at);
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
