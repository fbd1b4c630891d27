// Convolution of step 1 as matrix products: in a padded copy of a tile of the input, a tap reads the same elements for
// all positions, further on, so that panels are unfolded by whole vectors in the cache.
#pragma once

namespace tenon::cpu::detail {

/// Columns are the positions of the padded images behind each other; those where a window leaves its row or its image
/// are computed and dropped. The sums are those of PackedConvolution, in the same order.
template <class T, class Arch>
class ShiftedConvolution {
 public:
  explicit ShiftedConvolution(const ConvolutionCall& call) : c(call), g(call) {}
  static bool fits(const ConvolutionCall& call) {
    if (call.taps() == 1) return false;
    for (int d = 0; d < 3; ++d)
      if (call.stride[d] != 1) return false;
    // Unfolding where it lies takes the time of about 20 rows; the columns that are dropped must not take more.
    const Geometry geometry(call);
    const std::int64_t columns = call.batch * geometry.image;
    return call.out_positions() > 0 &&
           (geometry.image - call.out_positions()) * call.out_channels <= 20 * call.out_positions() &&
           columns * call.groups >= 2 * NR * std::max(2, get_num_threads());
  }
  void run() {
    if (c.out_channels == 0 || c.batch == 0) return;
    const std::int64_t depth = c.in_channels * c.taps(), threads = in_parallel_region() ? 1 : get_num_threads();
    const PackedWeights<T, Arch> weights(c, depth);
    const std::int64_t columns = c.batch * g.image, wanted = (columns * c.groups + 4 * threads - 1) / (4 * threads);
    std::int64_t tile = std::min({std::max<std::int64_t>(kInput / (c.in_channels * item), g.reach),
                                  std::max<std::int64_t>(kResult / (c.out_channels * item), 2 * NR),
                                  std::max<std::int64_t>(wanted, 2 * NR)});
    tile = (tile + NR - 1) / NR * NR;
    // Lines of the same place in all channels would share few sets of the caches if they lay a power of two apart.
    channel = (tile + g.reach + 63) / 64 * 64 + 16;
    const std::vector<std::int64_t> steps = tap_steps(depth);
    const std::int64_t tiles = (columns + tile - 1) / tile, panels = weights.panels();
    parallel_for(0, c.groups * tiles, 1, [&](std::int64_t first, std::int64_t last) {
      AlignedBlock<T> result(panels * MR * tile), copy(c.in_channels * channel + 2 * NR),
          panel((std::min(depth, G::KC) + 16) * NR);
      std::vector<Run> runs;
      for (std::int64_t i = first; i < last; ++i) {
        const std::int64_t group = i / tiles, from = i % tiles * tile, width = std::min(tile, columns - from),
                           wide = (width + NR - 1) / NR * NR;
        find_runs(runs, from, wide + g.reach);
        pad(copy.data, runs, group, wide + g.reach);
        for (std::int64_t at = 0, kc; at < depth; at += kc) {
          kc = G::next_depth(depth - at);
          for (std::int64_t j = 0; j < wide; j += NR) {
            if (dropped(from + j)) continue;
            for (std::int64_t k = 0; k < kc; ++k) {
              const T* x = copy.data + j + steps[static_cast<std::size_t>(at + k)];
              for (int v = 0; v < NR; v += W) V::load(x + v).store(panel.data + k * NR + v);
            }
            for (std::int64_t p = 0; p < panels; ++p) {
              const int height = static_cast<int>(std::min<std::int64_t>(MR, c.out_channels - p * MR));
              const typename G::Tile t{weights.panel(group, p, at, kc),
                                       1,
                                       AP,
                                       panel.data,
                                       NR,
                                       result.data + p * MR * wide + j,
                                       wide,
                                       height,
                                       NR,
                                       T(1),
                                       at == 0 ? T(0) : T(1)};
              G::template choose<true>(height, NR)(kc, t);
            }
          }
        }
        store(result.data, group, from, width, wide);
      }
    });
  }

 private:
  using G = Gemm<T, Arch>;
  using V = typename G::V;
  static constexpr int W = V::size, MR = G::MR, NR = G::NR, AP = G::AP;
  static constexpr std::int64_t item = sizeof(T), kInput = 256 << 10, kResult = 512 << 10;

  /// Padded images: rows, planes and images in elements of a channel, and how far a window reaches.
  struct Geometry {
    std::int64_t row, plane, image, reach;
    explicit Geometry(const ConvolutionCall& c) {
      row = c.in[2] + 2 * c.padding[2];
      plane = (c.in[1] + 2 * c.padding[1]) * row;
      image = (c.in[0] + 2 * c.padding[0]) * plane;
      reach = (c.kernel[0] - 1) * c.dilation[0] * plane + (c.kernel[1] - 1) * c.dilation[1] * row +
              (c.kernel[2] - 1) * c.dilation[2];
    }
  };

  /// Where each product's right factor lies behind the position of its column.
  std::vector<std::int64_t> tap_steps(std::int64_t depth) const {
    std::vector<std::int64_t> steps(static_cast<std::size_t>(depth));
    const std::int64_t taps = c.taps();
    for (std::int64_t k = 0; k < depth; ++k) {
      const std::int64_t of = c.channels_last ? k % c.in_channels : k / taps,
                         tap = c.channels_last ? k / c.in_channels : k % taps, kw = tap % c.kernel[2],
                         kh = tap / c.kernel[2] % c.kernel[1], kd = tap / c.kernel[2] / c.kernel[1];
      steps[static_cast<std::size_t>(k)] =
          of * channel + kd * c.dilation[0] * g.plane + kh * c.dilation[1] * g.row + kw * c.dilation[2];
    }
    return steps;
  }
  /// Whether all columns of a panel lie below the last row of the output.
  bool dropped(std::int64_t column) const {
    const std::int64_t inside = column % g.plane;
    return inside / g.row >= c.out[1] && inside + NR <= g.plane;
  }
  /// Elements that lie side by side in the input and in the copy: where, in a channel of each.
  struct Run {
    std::int64_t at, image, place, length;
  };
  /// The runs of `count` positions behind `from`.
  void find_runs(std::vector<Run>& runs, std::int64_t from, std::int64_t count) const {
    runs.clear();
    for (std::int64_t at = 0; at < count;) {
      const std::int64_t image = (from + at) / g.image, inside = (from + at) % g.image,
                         d = inside / g.plane - c.padding[0], h = inside % g.plane / g.row - c.padding[1],
                         w = inside % g.row, end = std::min(count, at + g.row - w);
      if (image >= c.batch) return;
      const std::int64_t left = std::max<std::int64_t>(c.padding[2] - w, 0), column = w + left - c.padding[2],
                         length = std::min(c.in[2] - column, end - at - left);
      if (d >= 0 && d < c.in[0] && h >= 0 && h < c.in[1] && length > 0)
        runs.push_back({at + left, image, (d * c.in[1] + h) * c.in[2] + column, length});
      at = end;
    }
  }
  /// The positions of a tile in every channel of a group, zeros where there is no input.
  void pad(T* to, const std::vector<Run>& runs, std::int64_t group, std::int64_t count) const {
    const std::int64_t channels = c.groups * c.in_channels, positions = c.in_positions();
    auto x = static_cast<const T*>(c.x);
    for (std::int64_t of = 0; of < c.in_channels; ++of) {
      T* line = to + of * channel;
      std::fill_n(line, count, T(0));
      if (!c.channels_last)
        for (const Run& r : runs) {
          const T* from = x + (r.image * channels + group * c.in_channels + of) * positions + r.place;
          std::copy_n(from, r.length, line + r.at);
        }
    }
    if (c.channels_last)
      for (const Run& r : runs)
        G::turn_over(to + r.at, channel, x + (r.image * positions + r.place) * channels + group * c.in_channels,
                     channels, c.in_channels, r.length);
  }
  /// Rows of the output that begin or go on in the tile.
  void store(const T* result, std::int64_t group, std::int64_t from, std::int64_t width, std::int64_t wide) const {
    auto y = static_cast<T*>(c.y);
    auto bias = static_cast<const T*>(c.bias);
    const std::int64_t channels = c.groups * c.out_channels, positions = c.out_positions();
    for (std::int64_t at = from; at < from + width;) {
      const std::int64_t image = at / g.image, inside = at % g.image, od = inside / g.plane,
                         oh = inside % g.plane / g.row, ow = inside % g.row,
                         end = std::min(from + width, at + g.row - ow);
      const std::int64_t count = std::min(end - at, c.out[2] - ow);
      if (od < c.out[0] && oh < c.out[1] && count > 0) {
        const std::int64_t place = (od * c.out[1] + oh) * c.out[2] + ow;
        const T* row = result + (at - from);
        if (c.channels_last) {
          T* to = y + (image * positions + place) * channels + group * c.out_channels;
          G::turn_over(to, channels, row, wide, count, c.out_channels);
          if (bias)
            for (std::int64_t i = 0; i < count; ++i)
              for (std::int64_t of = 0; of < c.out_channels; ++of)
                to[i * channels + of] += bias[group * c.out_channels + of];
        } else {
          for (std::int64_t of = 0; of < c.out_channels; ++of) {
            T* to = y + (image * channels + group * c.out_channels + of) * positions + place;
            put(to, row + of * wide, bias ? bias[group * c.out_channels + of] : T(0), count);
          }
        }
      }
      at = end;
    }
  }
  static void put(T* to, const T* from, T bias, std::int64_t n) {
    const V b = bias;
    std::int64_t i = 0;
    for (; i + W <= n; i += W) (V::load(from + i) + b).store(to + i);
    if (int rest = static_cast<int>(n - i)) (V::load_partial(from + i, rest) + b).store_partial(to + i, rest);
  }

  const ConvolutionCall& c;
  const Geometry g;
  std::int64_t channel = 0;  ///< elements between channels of a tile's copy
};

}  // namespace tenon::cpu::detail
