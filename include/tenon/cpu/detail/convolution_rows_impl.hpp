// Convolution whose left factors are rows of positions by channels: a window's row is one run of memory, read in place.
#pragma once

#define TENON_INTERNAL_UNROLL _Pragma("GCC unroll 16")

namespace tenon::cpu::detail {

/// Bands of output rows; each is the sum of a product per row of the window (or per tap, where taps lie apart) with the
/// weights of that row as right factors. Nothing is unfolded; a band of the input is copied only to pad it, to gather a
/// group, or to bring channels side by side. The order of an element's sum does not depend on the bands.
template <class T, class Arch>
class RowConvolution {
 public:
  explicit RowConvolution(const ConvolutionCall& call) : c(call), channels(c.groups * c.in_channels) {
    row = c.in[2] + 2 * c.padding[2];
    together = c.dilation[2] == 1;
    run_length = together ? c.kernel[2] * c.in_channels : c.in_channels;
    in_place = c.channels_last && c.groups == 1 && c.padding[0] + c.padding[1] + c.padding[2] == 0;
  }
  static bool fits(const ConvolutionCall& call) {
    const RowConvolution r(call);
    // Short products spend their time on the sums in memory, few channels leave lanes empty; rows are turned over
    // twice.
    return r.run_length >= (call.channels_last ? 24 : 48) && call.in_channels >= (call.channels_last ? 4 : 16) &&
           call.out_channels >= W && call.out[2] >= 4;
  }
  void run() {
    if (c.batch == 0 || c.out_positions() == 0) return;
    const std::int64_t depth = c.in_channels * c.taps(), panels = (c.out_channels + NR - 1) / NR,
                       threads = in_parallel_region() ? 1 : get_num_threads();
    AlignedBlock<T> weights(c.groups * panels * depth * NR);
    pack(weights.data, depth, panels);
    const std::int64_t all = c.groups * c.batch * c.out[0] * c.out[1], wanted = (all + 4 * threads - 1) / (4 * threads),
                       of_row = c.kernel[0] * c.stride[1] * row * c.in_channels * item,
                       of_result = c.out[2] * c.out_channels * item,
                       rows = std::max<std::int64_t>(std::min({kInput / of_row, kResult / of_result, wanted, c.out[1]}),
                                                     1),
                       bands = (c.out[1] + rows - 1) / rows;
    parallel_for(0, c.groups * c.batch * c.out[0] * bands, 1, [&](std::int64_t first, std::int64_t last) {
      AlignedBlock<T> copy(in_place ? 0 : c.kernel[0] * input_rows(rows) * row * c.in_channels);
      AlignedBlock<T> result(c.channels_last ? 0 : rows * c.out[2] * c.out_channels);
      for (std::int64_t i = first; i < last; ++i) {
        const Band b{i / bands / c.out[0] / c.batch, i / bands / c.out[0] % c.batch, i / bands % c.out[0],
                     i % bands * rows, std::min(rows, c.out[1] - i % bands * rows)};
        compute(b, weights.data + b.group * panels * depth * NR, depth, copy.data, result.data);
      }
    });
  }

 private:
  using G = Gemm<T, Arch>;
  using V = typename G::V;
  static constexpr int W = V::size, MR = G::MR, NV = G::NV, NR = G::NR;
  static constexpr std::int64_t item = sizeof(T), kInput = 256 << 10, kResult = 512 << 10;

  struct Band {
    std::int64_t group, image, depth, first, rows;  ///< of the output
  };

  std::int64_t input_rows(std::int64_t rows) const {
    return (rows - 1) * c.stride[1] + (c.kernel[1] - 1) * c.dilation[1] + 1;
  }
  /// Panels of NR output channels, each with the weights in the order of a window: tap, channel.
  void pack(T* to, std::int64_t depth, std::int64_t panels) const {
    auto w = static_cast<const T*>(c.weight);
    parallel_for(
        0, c.groups * panels, std::max<std::int64_t>(1, 65536 / (depth * NR)),
        [&](std::int64_t first, std::int64_t last) {
          for (std::int64_t i = first; i < last; ++i) {
            const std::int64_t at = i % panels * NR, count = std::min<std::int64_t>(NR, c.out_channels - at);
            const T* from = w + (i / panels * c.out_channels + at) * depth;
            T* panel = to + i * depth * NR;
            if (c.channels_last) {
              G::pack_b(panel, {from, 1, depth}, depth, count);
            } else {
              for (std::int64_t tap = 0; tap < c.taps(); ++tap)
                G::pack_b(panel + tap * c.in_channels * NR, {from + tap, c.taps(), depth}, c.in_channels, count);
            }
          }
        });
  }
  /// The input below a band, padded: planes of the window, rows, columns, channels.
  void fill(const Band& b, T* to) const {
    auto x = static_cast<const T*>(c.x);
    const std::int64_t positions = c.in_positions(), rows = input_rows(b.rows), line = row * c.in_channels,
                       left = c.padding[2] * c.in_channels, width = c.in[2] * c.in_channels;
    for (std::int64_t k = 0; k < c.kernel[0]; ++k)
      for (std::int64_t i = 0; i < rows; ++i, to += line) {
        const std::int64_t d = b.depth * c.stride[0] - c.padding[0] + k * c.dilation[0],
                           h = b.first * c.stride[1] - c.padding[1] + i;
        if (d < 0 || d >= c.in[0] || h < 0 || h >= c.in[1]) {
          std::fill_n(to, line, T(0));
          continue;
        }
        const std::int64_t place = (d * c.in[1] + h) * c.in[2];
        std::fill_n(to, left, T(0));
        std::fill_n(to + left + width, left, T(0));
        if (!c.channels_last) {
          const T* from = x + (b.image * channels + b.group * c.in_channels) * positions + place;
          G::turn_over(to + left, c.in_channels, from, positions, c.in[2], c.in_channels);
        } else {
          const T* from = x + (b.image * positions + place) * channels + b.group * c.in_channels;
          if (c.groups == 1)
            std::copy_n(from, width, to + left);
          else
            for (std::int64_t j = 0; j < c.in[2]; ++j)
              std::copy_n(from + j * channels, c.in_channels, to + left + j * c.in_channels);
        }
      }
  }
  void compute(const Band& b, const T* weights, std::int64_t depth, T* copy, T* result) const {
    const std::int64_t outs = c.groups * c.out_channels, plane = (in_place ? c.in[1] : input_rows(b.rows)) * row,
                       place = (b.depth * c.out[1] + b.first) * c.out[2];
    const T* from = copy;
    std::int64_t plane_step = 1;
    if (in_place) {
      from = static_cast<const T*>(c.x) +
             (b.image * c.in_positions() + b.depth * c.stride[0] * plane + b.first * c.stride[1] * row) * channels;
      plane_step = c.dilation[0];
    } else {
      fill(b, copy);
    }
    T* to = c.channels_last
                ? static_cast<T*>(c.y) + (b.image * c.out_positions() + place) * outs + b.group * c.out_channels
                : result;
    const std::int64_t to_row = c.channels_last ? outs : c.out_channels;
    const T* bias = c.bias ? static_cast<const T*>(c.bias) + b.group * c.out_channels : nullptr;
    for (std::int64_t n = 0; n < c.out_channels; n += NR, weights += depth * NR) {
      const int width = static_cast<int>(std::min<std::int64_t>(NR, c.out_channels - n));
      const std::int64_t steps = c.taps() * c.in_channels / run_length;
      for (std::int64_t s = 0; s < steps; ++s) {
        const std::int64_t tap = together ? s * c.kernel[2] : s, kw = tap % c.kernel[2],
                           kh = tap / c.kernel[2] % c.kernel[1], kd = tap / c.kernel[2] / c.kernel[1];
        const T* x = from + ((kd * plane_step * plane) + kh * c.dilation[1] * row + kw * c.dilation[2]) * c.in_channels;
        for (std::int64_t at = 0, kc; at < run_length; at += kc) {
          kc = G::next_depth(run_length - at);
          const Product p{x + at,
                          c.stride[2] * c.in_channels,
                          weights + (s * run_length + at) * NR,
                          to + n,
                          to_row,
                          kc,
                          width,
                          s + at == 0,
                          s + 1 == steps && at + kc == run_length && bias ? bias + n : nullptr};
          for (std::int64_t r = 0; r < b.rows; ++r)
            multiply(p, r * c.stride[1] * row * c.in_channels, r * c.out[2] * to_row);
        }
      }
    }
    if (c.channels_last) return;
    T* y = static_cast<T*>(c.y) + (b.image * outs + b.group * c.out_channels) * c.out_positions() + place;
    G::turn_over(y, c.out_positions(), result, c.out_channels, c.out_channels, b.rows * c.out[2]);
  }

  /// What the products of one part of the window share.
  struct Product {
    const T* a;
    std::int64_t a_row;
    const T* b;
    T* c;
    std::int64_t c_row, depth;
    int columns;
    bool first;     ///< nothing is in the result yet
    const T* bias;  ///< to be added with the last part
  };
  /// The positions of one row.
  void multiply(const Product& p, std::int64_t a, std::int64_t to) const {
    for (std::int64_t i = 0; i < c.out[2];) {
      const std::int64_t left = c.out[2] - i;
      const T* x = p.a + a + i * p.a_row;
      T* y = p.c + to + i * p.c_row;
      p.columns <= W ? rows_of<1>(p, left, x, y, i) : rows_of<NV>(p, left, x, y, i);
    }
  }
  template <int N>
  static void rows_of(const Product& p, std::int64_t left, const T* x, T* y, std::int64_t& i) {
    if (left >= MR) return kernel<MR, N>(p, x, y), void(i += MR);
    if constexpr (MR > 8)
      if (left >= 8) return kernel<8, N>(p, x, y), void(i += 8);
    if (left >= 4) return kernel<4, N>(p, x, y), void(i += 4);
    if (left >= 2) return kernel<2, N>(p, x, y), void(i += 2);
    kernel<1, N>(p, x, y), void(i += 1);
  }
  /// M positions by N vectors of output channels. Rows are reached from every fourth one, which leaves registers free.
  template <int M, int N>
  static void kernel(const Product& p, const T* x, T* y) {
    V sum[M][N];
    TENON_INTERNAL_UNROLL
    for (int i = 0; i < M; ++i) TENON_INTERNAL_UNROLL
    for (int j = 0; j < N; ++j) sum[i][j] = V(T(0));
    constexpr int fourths = (M + 3) / 4;
    const T* a[fourths];
    TENON_INTERNAL_UNROLL
    for (int i = 0; i < fourths; ++i) a[i] = x + 4 * i * p.a_row;
    const std::int64_t step = p.a_row, step3 = 3 * p.a_row;
    const T* b = p.b;
    for (std::int64_t k = 0; k < p.depth; ++k, b += NR) {
      V column[N];
      TENON_INTERNAL_UNROLL
      for (int j = 0; j < N; ++j) column[j] = V::load(b + j * W);
      TENON_INTERNAL_UNROLL
      for (int i = 0; i < M; ++i) {
        const T* at = a[i / 4];
        V v = i % 4 == 3 ? at[k + step3] : at[k + i % 4 * step];
        TENON_INTERNAL_UNROLL
        for (int j = 0; j < N; ++j) sum[i][j] = fma(v, column[j], sum[i][j]);
      }
    }
    TENON_INTERNAL_UNROLL
    for (int i = 0; i < M; ++i) TENON_INTERNAL_UNROLL
    for (int j = 0; j < N; ++j) {
      T* to = y + i * p.c_row + j * W;
      const int left = p.columns - j * W;
      if (left <= 0) break;
      V r = sum[i][j];
      if (left >= W) {
        if (!p.first) r = V::load(to) + r;
        if (p.bias) r = r + V::load(p.bias + j * W);
        r.store(to);
      } else {
        if (!p.first) r = V::load_partial(to, left) + r;
        if (p.bias) r = r + V::load_partial(p.bias + j * W, left);
        r.store_partial(to, left);
      }
    }
  }

  const ConvolutionCall& c;
  std::int64_t channels, row, run_length;
  bool together, in_place;
};

}  // namespace tenon::cpu::detail

#undef TENON_INTERNAL_UNROLL
