// The gradient of the weight of a convolution of small images: one dot product over padded planes for each tap, and no
// unfolding.
#pragma once

namespace tenon::cpu::detail {

/// Planes lie as in PlaneConvolution: the gradient of a result at (oh, ow) is at oh * row + ow, zeros between the rows,
/// and its product with the planes of x at a fixed distance is summed for each tap. Sixteen sums side by side, joined
/// by a tree, the images in double: bits depend on the set only where it lacks fused products.
template <class T, class Arch>
class PlaneWeightGradient {
 public:
  /// Two-dimensional, step 1, and so narrow that the zeros between the rows cost little.
  static bool fits(const ConvolutionCall& c) {
    return c.in[0] == 1 && c.kernel[0] == 1 && c.padding[0] == 0 && c.stride[1] == 1 && c.stride[2] == 1 &&
           c.out[2] <= kWidest && c.taps() > 1 && is_finite(c);
  }
  PlaneWeightGradient(const ConvolutionCall& call, T* to)
      : c(call),
        weight(to),
        row(c.in[2] + 2 * c.padding[2]),
        plane(row * (c.in[1] + 2 * c.padding[1])),
        length(((c.out[1] - 1) * row + c.out[2] + kLanes - 1) / kLanes * kLanes) {}
  void run() const {
    constexpr std::int64_t kPart = 8;
    std::int64_t parts = (c.out_channels + kPart - 1) / kPart;
    parallel_for(0, c.groups * parts, 1, [&](std::int64_t first, std::int64_t last) {
      // Neighbouring parts of a group share its planes.
      for (std::int64_t end; first < last; first = end) {
        std::int64_t g = first / parts, from = first % parts * kPart;
        end = (g + 1) * parts < last ? (g + 1) * parts : last;
        channels(g, from, std::min(c.out_channels, from + (end - first) * kPart));
      }
    });
  }

 private:
  using V = vec<T, Arch>;
  // Sums that registers hold beside what they are made from.
  static constexpr bool kMany = std::is_same_v<Arch, avx512> || std::is_same_v<Arch, neon64>;
  static constexpr int W = V::size, kLanes = W > 16 ? W : 16, R = kLanes / W, kSums = kMany ? 8 : 4,
                       N = R < kSums ? kSums / R : 1, kTaps = 3, kTurned = 64;
  static constexpr std::int64_t kWidest = 64, kRun = 2048, kNear = 24 << 10;

  /// Zeros between the rows would spread what is not finite.
  static bool is_finite(const ConvolutionCall& c) {
    auto x = static_cast<const T*>(c.x);
    std::int64_t n = c.batch * c.groups * c.in_channels * c.in_positions(), i = 0;
    V sum = V(T(0));
    for (; i + W <= n; i += W) {
      V v = V::load(x + i);
      sum += v - v;
    }
    T rest = hsum(sum);
    for (; i < n; ++i) rest += x[i] - x[i];
    return rest == T(0);
  }
  void channels(std::int64_t g, std::int64_t first, std::int64_t last) const {
    const std::int64_t count = last - first, whole = (count + N - 1) / N * N, depth = c.in_channels * c.taps(),
                       // Behind the planes lies what the last vectors read beside their results.
        planes = (c.in_channels * plane + kLanes + row + kLanes - 1) / kLanes * kLanes, gradients = whole * length,
                       most = std::clamp<std::int64_t>(kRun / length, 1, c.batch),
                       // The gradients of so many images stay in the nearest cache while all taps are summed.
        few = std::clamp<std::int64_t>(kNear / (N * length * static_cast<std::int64_t>(sizeof(T))), 1, most);
    AlignedBlock<T> memory(most * (planes + gradients) + (whole * depth + kTurned) * kLanes);
    T *const by = memory.data + most * planes, *const lanes = by + most * gradients;
    std::fill_n(memory.data, most * (planes + gradients), T(0));
    std::vector<double> sums(static_cast<std::size_t>(count * depth), 0.0);
    for (std::int64_t image = 0; image < c.batch; image += most) {
      const std::int64_t images = std::min(most, c.batch - image);
      for (std::int64_t i = 0; i < images; ++i) {
        const std::int64_t at = (image + i) * c.groups + g;
        auto x = static_cast<const T*>(c.x) + at * c.in_channels * c.in_positions();
        auto y = static_cast<const T*>(c.y) + (at * c.out_channels + first) * c.out_positions();
        for (std::int64_t ch = 0; ch < c.in_channels; ++ch)
          for (std::int64_t h = 0; h < c.in[1]; ++h, x += c.in[2])
            copy(memory.data + i * planes + ch * plane + (h + c.padding[1]) * row + c.padding[2], x, c.in[2]);
        for (std::int64_t ch = 0; ch < count; ++ch)
          for (std::int64_t h = 0; h < c.out[1]; ++h, y += c.out[2])
            copy(by + i * gradients + ch * length + h * row, y, c.out[2]);
      }
      for (std::int64_t i = 0; i < images; i += few)
        for (std::int64_t ch = 0; ch < c.in_channels; ++ch)
          for (std::int64_t o = 0; o < count; o += N)
            for (std::int64_t kh = 0; kh < c.kernel[1]; ++kh)
              for (std::int64_t kw = 0; kw < c.kernel[2]; kw += kTaps) {
                const Runs runs{memory.data + i * planes + ch * plane + kh * c.dilation[1] * row + kw * c.dilation[2],
                                planes,
                                by + i * gradients + o * length,
                                gradients,
                                std::min(few, images - i),
                                i > 0};
                T* to = lanes + (o * depth + (ch * c.kernel[1] + kh) * c.kernel[2] + kw) * kLanes;
                std::int64_t left = c.kernel[2] - kw;
                if (left >= 3)
                  taps<3>(runs, to, depth);
                else if (left == 2)
                  taps<2>(runs, to, depth);
                else
                  taps<1>(runs, to, depth);
              }
      join(lanes, sums);
    }
    for (std::int64_t k = 0; k < count * depth; ++k)
      weight[(g * c.out_channels + first) * depth + k] = static_cast<T>(sums[static_cast<std::size_t>(k)]);
  }
  static void copy(T* to, const T* from, std::int64_t n) {
    std::int64_t j = 0;
    for (; j + W <= n; j += W) V::load(from + j).store(to + j);
    if (j < n) V::load_partial(from + j, static_cast<int>(n - j)).store_partial(to + j, static_cast<int>(n - j));
  }
  /// Planes of x and of N gradients in some images, each a step behind the last.
  struct Runs {
    const T* x;
    std::int64_t x_step;
    const T* gradients;
    std::int64_t gradient_step, images;
    bool more;  ///< there are sums already
  };
  /// The products of N gradients with x at K taps side by side, summed by lanes.
  template <int K>
  void taps(const Runs& runs, T* lanes, std::int64_t depth) const {
    V sum[N][K][R];
    _Pragma("GCC unroll 8") for (int o = 0; o < N; ++o) _Pragma("GCC unroll 4") for (int k = 0; k < K; ++k)
        _Pragma("GCC unroll 8") for (int r = 0; r < R; ++r) sum[o][k][r] =
            runs.more ? V::load(lanes + (o * depth + k) * kLanes + r * W) : V(T(0));
    for (std::int64_t i = 0; i < runs.images; ++i) {
      const T *x = runs.x + i * runs.x_step, *gradients = runs.gradients + i * runs.gradient_step;
      for (std::int64_t at = 0; at < length; at += kLanes) _Pragma("GCC unroll 8") for (int r = 0; r < R; ++r) {
          V part[K];
          _Pragma("GCC unroll 4") for (int k = 0; k < K; ++k) part[k] = V::load(x + at + r * W + k * c.dilation[2]);
          _Pragma("GCC unroll 8") for (int o = 0; o < N; ++o) {
            V by = V::load(gradients + o * length + at + r * W);
            _Pragma("GCC unroll 4") for (int k = 0; k < K; ++k) sum[o][k][r] = fma(by, part[k], sum[o][k][r]);
          }
        }
    }
    _Pragma("GCC unroll 8") for (int o = 0; o < N; ++o) _Pragma("GCC unroll 4") for (int k = 0; k < K; ++k)
        _Pragma("GCC unroll 8") for (int r = 0; r < R; ++r) sum[o][k][r]
            .store(lanes + (o * depth + k) * kLanes + r * W);
  }
  /// Adds what the lanes of each sum are together.
  void join(const T* lanes, std::vector<double>& sums) const {
    const auto n = static_cast<std::int64_t>(sums.size());
    alignas(64) T turned[kLanes * kTurned];
    for (std::int64_t at = 0; at < n; at += kTurned) {
      Gemm<T, Arch>::turn_over(turned, kTurned, lanes + at * kLanes, kLanes, kLanes, kTurned);
      for (int width = kLanes / 2; width > 0; width /= 2)
        for (int i = 0; i < width * kTurned; i += W)
          (V::load(turned + i) + V::load(turned + width * kTurned + i)).store(turned + i);
      for (std::int64_t i = 0; i < std::min<std::int64_t>(kTurned, n - at); ++i)
        sums[static_cast<std::size_t>(at + i)] += static_cast<double>(turned[i]);
    }
  }

  const ConvolutionCall& c;
  T* weight;
  std::int64_t row, plane, length;
};

}  // namespace tenon::cpu::detail
