// Convolution as one blocked matrix product whose right operand is unfolded into packed panels, tile by tile.
#pragma once

namespace tenon::cpu::detail {

/// Aligned memory of one call.
template <class T>
struct AlignedBlock {
  explicit AlignedBlock(std::int64_t count)
      : data(static_cast<T*>(
            ::operator new (static_cast<std::size_t>(count > 0 ? count : 1) * sizeof(T), std::align_val_t{4096}))) {}
  AlignedBlock(const AlignedBlock&) = delete;
  ~AlignedBlock() { ::operator delete (data, std::align_val_t{4096}); }
  T* data;
};

/// The weights of a convolution as the left factor of products, block by block of the depth.
template <class T, class Arch>
class PackedWeights {
  using G = Gemm<T, Arch>;

 public:
  PackedWeights(const ConvolutionCall& c, std::int64_t depth)
      : depth_(depth),
        panels_((c.out_channels + G::MR - 1) / G::MR),
        memory_(c.groups * panels_ * G::AP * depth + G::AP) {
    auto w = static_cast<const T*>(c.weight);
    parallel_for(0, c.groups * panels_, std::max<std::int64_t>(1, 65536 / (depth * G::MR)),
                 [&](std::int64_t first, std::int64_t last) {
                   for (std::int64_t i = first; i < last; ++i) {
                     std::int64_t g = i / panels_, row = i % panels_ * G::MR,
                                  height = std::min<std::int64_t>(G::MR, c.out_channels - row);
                     for (std::int64_t at = 0, kc; at < depth; at += kc) {
                       kc = G::next_depth(depth - at);
                       G::pack_a(panel(g, i % panels_, at, kc), {w + (g * c.out_channels + row) * depth + at, depth, 1},
                                 height, kc, 0);
                     }
                   }
                 });
  }
  std::int64_t panels() const { return panels_; }
  /// Panels of one block of the depth lie behind each other.
  T* panel(std::int64_t g, std::int64_t panel, std::int64_t at, std::int64_t kc) const {
    return memory_.data + g * panels_ * G::AP * depth_ + at * panels_ * G::AP + panel * G::AP * kc;
  }

 private:
  std::int64_t depth_, panels_;
  AlignedBlock<T> memory_;
};

/// Rows are the output channels of a group, columns the output positions of the whole batch. A column's elements are in
/// the order of the weight's: channel, tap; for channels last: tap, channel. An element of the result is a sum in the
/// order of blocks of KC products, whatever the tiles are.
template <class T, class Arch>
class PackedConvolution {
 public:
  explicit PackedConvolution(const ConvolutionCall& call) : c(call) {
    bool plain = c.taps() == 1;
    // An output_padding leaves a transposed convolution positions that no tap has written.
    for (int d = 0; d < 3; ++d) plain = plain && c.stride[d] == 1 && c.padding[d] == 0 && c.in[d] == c.out[d];
    if (plain) {  // every image is one row
      c.in[2] = c.out[2] = c.in_positions();
      c.in[0] = c.in[1] = c.out[0] = c.out[1] = 1;
    }
    positions = c.out_positions();
    columns = c.batch * positions;
    depth = c.in_channels * c.taps();
    panels = (c.out_channels + MR - 1) / MR;
  }
  void run() {
    if (columns == 0 || c.out_channels == 0) return;
    const PackedWeights<T, Arch> packed(c, depth);
    weights = &packed;
    // Tiles that stay in the L2 cache, and at least four per thread. Neither changes a result.
    std::int64_t threads = in_parallel_region() ? 1 : get_num_threads(), kc = std::min(depth, KC),
                 wanted = (columns * c.groups + 4 * threads - 1) / (4 * threads);
    tile = std::min({std::max<std::int64_t>(kPanelBytes / (kc * item), NR),
                     std::max<std::int64_t>(kResultBytes / (c.out_channels * item), NR),
                     std::max<std::int64_t>(wanted, 2 * NR), columns});
    tile = (tile + NR - 1) / NR * NR;
    std::int64_t tiles = (columns + tile - 1) / tile, parts = 1;
    while (tiles * c.groups * parts < threads && panels / (2 * parts) >= 4) parts *= 2;
    std::int64_t per_part = (panels + parts - 1) / parts;
    parallel_for(0, c.groups * tiles * parts, 1, [&](std::int64_t first, std::int64_t last) {
      Scratch s(*this, kc, per_part * MR);
      for (std::int64_t i = first; i < last; ++i) {
        std::int64_t part = i % parts, panel = part * per_part;
        if (panel >= panels) continue;
        run_tile(s, i / parts / tiles, i / parts % tiles * tile, panel, std::min(per_part, panels - panel));
      }
    });
  }

 private:
  using G = Gemm<T, Arch>;
  using V = typename G::V;
  static constexpr int W = V::size, MR = G::MR, NR = G::NR, AP = G::AP;
  static constexpr std::int64_t KC = G::KC, item = sizeof(T), kPanelBytes = 256 << 10, kResultBytes = 512 << 10;

  /// Columns of one panel that lie side by side in one row of an image; `image` is -1 for columns behind the last.
  struct Run {
    std::int64_t image, depth, row,
        column;      ///< where the first tap of the first column reads, before padding is tested
    int at, length;  ///< in the tile
  };
  struct Scratch {
    Scratch(const PackedConvolution& p, std::int64_t kc, std::int64_t rows)
        : panel(p.tile * kc + 16 * NR), result(rows * p.tile), runs(new Run[static_cast<std::size_t>(p.tile)]) {}
    Scratch(const Scratch&) = delete;
    ~Scratch() { delete[] runs; }
    AlignedBlock<T> panel, result;
    Run* runs;
    int n_runs = 0;
  };

  void run_tile(Scratch& s, std::int64_t g, std::int64_t first, std::int64_t panel, std::int64_t count) const {
    std::int64_t width = std::min(tile, columns - first), wide = (width + NR - 1) / NR * NR, row = panel * MR,
                 rows = std::min(count * MR, c.out_channels - row);
    find_runs(s, first, width, wide);
    for (std::int64_t at = 0, kc; at < depth; at += kc) {
      kc = G::next_depth(depth - at);
      c.channels_last ? unfold_last(s, g, at, kc) : unfold(s, g, at, kc);
      for (std::int64_t j = 0; j < wide; j += NR)
        for (std::int64_t i = 0; i < count; ++i) {
          int height = static_cast<int>(std::min<std::int64_t>(MR, rows - i * MR));
          typename G::Tile t{weights->panel(g, panel + i, at, kc),
                             1,
                             AP,
                             s.panel.data + j * kc,
                             NR,
                             s.result.data + i * MR * wide + j,
                             wide,
                             height,
                             NR,
                             T(1),
                             at == 0 ? T(0) : T(1)};
          G::template choose<true>(height, NR)(kc, t);
        }
    }
    store(s, g, first, width, wide, row, rows);
  }

  void find_runs(Scratch& s, std::int64_t first, std::int64_t width, std::int64_t wide) const {
    s.n_runs = 0;
    std::int64_t p = first % positions, image = first / positions, ow = p % c.out[2], oh = p / c.out[2] % c.out[1],
                 od = p / c.out[2] / c.out[1];
    for (std::int64_t at = 0; at < width;) {
      std::int64_t length = std::min({c.out[2] - ow, NR - at % NR, width - at});
      s.runs[s.n_runs++] = {image,
                            od * c.stride[0] - c.padding[0],
                            oh * c.stride[1] - c.padding[1],
                            ow * c.stride[2] - c.padding[2],
                            static_cast<int>(at),
                            static_cast<int>(length)};
      at += length;
      if ((ow += length) < c.out[2]) continue;
      ow = 0;
      if (++oh < c.out[1]) continue;
      oh = 0;
      if (++od < c.out[0]) continue;
      od = 0;
      ++image;
    }
    if (width < wide) s.runs[s.n_runs++] = {-1, 0, 0, 0, static_cast<int>(width), static_cast<int>(wide - width)};
  }
  static bool inside(std::int64_t i, std::int64_t size) {
    return static_cast<std::uint64_t>(i) < static_cast<std::uint64_t>(size);
  }
  /// The columns [lo, hi) of a run whose tap lies inside the row.
  std::pair<int, int> reach(const Run& r, std::int64_t column) const {
    std::int64_t step = c.stride[2], lo = column < 0 ? (-column + step - 1) / step : 0,
                 hi = column >= c.in[2] ? 0 : (c.in[2] - 1 - column) / step + 1;
    lo = std::min<std::int64_t>(lo, r.length);
    return {static_cast<int>(lo), static_cast<int>(std::clamp<std::int64_t>(hi, lo, r.length))};
  }

  void unfold(Scratch& s, std::int64_t g, std::int64_t at, std::int64_t kc) const {
    auto x = static_cast<const T*>(c.x);
    std::int64_t plane = c.in_positions(), taps = c.taps(), images = c.groups * c.in_channels * plane;
    for (std::int64_t k = at; k < at + kc; ++k) {
      std::int64_t channel = g * c.in_channels + k / taps, tap = k % taps, kw = tap % c.kernel[2] * c.dilation[2],
                   kh = tap / c.kernel[2] % c.kernel[1] * c.dilation[1],
                   kd = tap / c.kernel[2] / c.kernel[1] * c.dilation[0];
      for (int i = 0; i < s.n_runs; ++i) {
        const Run& r = s.runs[i];
        T* to = s.panel.data + r.at / NR * NR * kc + (k - at) * NR + r.at % NR;
        if (r.image < 0 || !inside(r.depth + kd, c.in[0]) || !inside(r.row + kh, c.in[1])) {
          std::fill_n(to, r.length, T(0));
          continue;
        }
        std::int64_t column = r.column + kw;
        const T* from =
            x + r.image * images + channel * plane + ((r.depth + kd) * c.in[1] + r.row + kh) * c.in[2] + column;
        if (c.stride[2] == 1 && r.length == NR && column >= 0 && column + NR <= c.in[2]) {
          for (int v = 0; v < NR; v += W) V::load(from + v).store(to + v);
          continue;
        }
        auto [lo, hi] = reach(r, column);
        for (int j = 0; j < lo; ++j) to[j] = T(0);
        if (c.stride[2] == 1) {
          int j = lo;
          for (; j + W <= hi; j += W) V::load(from + j).store(to + j);
          for (; j < hi; ++j) to[j] = from[j];
        } else {
          for (int j = lo; j < hi; ++j) to[j] = from[j * c.stride[2]];
        }
        for (int j = hi; j < r.length; ++j) to[j] = T(0);
      }
    }
  }
  /// Channels are side by side: blocks of positions by channels are turned over.
  void unfold_last(Scratch& s, std::int64_t g, std::int64_t at, std::int64_t kc) const {
    std::int64_t step = c.groups * c.in_channels, positions_in = c.in_positions();
    auto x = static_cast<const T*>(c.x) + g * c.in_channels;
    for (std::int64_t k = at; k < at + kc;) {
      std::int64_t tap = k / c.in_channels, channel = k % c.in_channels,
                   count = std::min(c.in_channels - channel, at + kc - k), kw = tap % c.kernel[2] * c.dilation[2],
                   kh = tap / c.kernel[2] % c.kernel[1] * c.dilation[1],
                   kd = tap / c.kernel[2] / c.kernel[1] * c.dilation[0];
      for (int i = 0; i < s.n_runs; ++i) {
        const Run& r = s.runs[i];
        T* to = s.panel.data + r.at / NR * NR * kc + (k - at) * NR + r.at % NR;
        std::int64_t column = r.column + kw;
        bool empty = r.image < 0 || !inside(r.depth + kd, c.in[0]) || !inside(r.row + kh, c.in[1]);
        auto [lo, hi] = empty ? std::pair(0, 0) : reach(r, column);
        if (lo > 0 || hi < r.length)
          for (std::int64_t q = 0; q < count; ++q) {
            for (int j = 0; j < lo; ++j) to[q * NR + j] = T(0);
            for (int j = hi; j < r.length; ++j) to[q * NR + j] = T(0);
          }
        if (lo == hi) continue;
        const T* from =
            x + channel +
            (r.image * positions_in + ((r.depth + kd) * c.in[1] + r.row + kh) * c.in[2] + column + lo * c.stride[2]) *
                step;
        G::turn_over(to + lo, NR, from, c.stride[2] * step, count, hi - lo);
      }
      k += count;
    }
  }

  void store(Scratch& s, std::int64_t g, std::int64_t first, std::int64_t width, std::int64_t wide, std::int64_t row,
             std::int64_t rows) const {
    auto y = static_cast<T*>(c.y);
    auto bias = static_cast<const T*>(c.bias);
    std::int64_t channel = g * c.out_channels + row, channels = c.groups * c.out_channels;
    if (c.channels_last) {
      if (bias)
        for (std::int64_t i = 0; i < rows; ++i) {
          V b = bias[channel + i];
          for (std::int64_t j = 0; j < wide; j += W)
            (V::load(s.result.data + i * wide + j) + b).store(s.result.data + i * wide + j);
        }
      return G::turn_over(y + first * channels + channel, channels, s.result.data, wide, width, rows);
    }
    for (std::int64_t i = 0; i < rows; ++i) {
      const V b = bias ? bias[channel + i] : T(0);
      for (std::int64_t j = 0; j < width;) {
        std::int64_t image = (first + j) / positions, p = (first + j) % positions,
                     length = std::min(positions - p, width - j);
        T* to = y + (image * channels + channel + i) * positions + p;
        const T* from = s.result.data + i * wide + j;
        std::int64_t q = 0;
        for (; q + W <= length; q += W) (V::load(from + q) + b).store(to + q);
        if (q < length)
          (V::load_partial(from + q, static_cast<int>(length - q)) + b)
              .store_partial(to + q, static_cast<int>(length - q));
        j += length;
      }
    }
  }

  ConvolutionCall c;
  std::int64_t positions, columns, depth, panels, tile = 0;
  const PackedWeights<T, Arch>* weights = nullptr;
};

}  // namespace tenon::cpu::detail
