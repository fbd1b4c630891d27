// Unfolding and folding of row-major images, and the convolutions of every dtype that are made of them.
#pragma once
#include <algorithm>
#include <cstring>
#include <vector>

#include <tenon/cpu/detail/convolution_geometry.hpp>
#include <tenon/cpu/detail/multiply.hpp>
#include <tenon/math/arithmetic.hpp>

namespace tenon::cpu::detail {

/// Walks the taps of `channels` planes for the positions [first, first + count): calls
/// `line(offset in the planes or -1, column where the first position reads, row of the unfolding, position, length)`
/// for each stretch of positions in one row.
template <class F>
void each_stretch(const ConvolutionCall& c, std::int64_t channels, std::int64_t first, std::int64_t count, F line) {
  std::int64_t plane = c.in_positions(), row = 0;
  for (std::int64_t ch = 0; ch < channels; ++ch)
    for (std::int64_t kd = 0; kd < c.kernel[0]; ++kd)
      for (std::int64_t kh = 0; kh < c.kernel[1]; ++kh)
        for (std::int64_t kw = 0; kw < c.kernel[2]; ++kw, ++row)
          for (std::int64_t p = first, length; p < first + count; p += length) {
            std::int64_t ow = p % c.out[2], oh = p / c.out[2] % c.out[1], od = p / c.out[2] / c.out[1];
            length = std::min(c.out[2] - ow, first + count - p);
            std::int64_t d = od * c.stride[0] - c.padding[0] + kd * c.dilation[0],
                         h = oh * c.stride[1] - c.padding[1] + kh * c.dilation[1],
                         w = ow * c.stride[2] - c.padding[2] + kw * c.dilation[2];
            bool inside = d >= 0 && d < c.in[0] && h >= 0 && h < c.in[1];
            line(inside ? ch * plane + (d * c.in[1] + h) * c.in[2] : -1, w, row, p - first, length);
          }
}
/// The positions [lo, hi) of a stretch that read inside a row.
inline std::pair<std::int64_t, std::int64_t> inside_row(std::int64_t w, std::int64_t step, std::int64_t size,
                                                        std::int64_t length) {
  std::int64_t lo = std::min(w < 0 ? (-w + step - 1) / step : 0, length);
  return {lo, std::clamp(w >= size ? 0 : (size - 1 - w) / step + 1, lo, length)};
}
/// to[row, position] of `width` columns.
template <class T>
void unfold(const ConvolutionCall& c, const T* x, std::int64_t channels, std::int64_t first, std::int64_t count, T* to,
            std::int64_t width) {
  each_stretch(c, channels, first, count,
               [&](std::int64_t at, std::int64_t w, std::int64_t row, std::int64_t p, std::int64_t length) {
                 T* line = to + row * width + p;
                 auto [lo, hi] =
                     at < 0 ? std::pair<std::int64_t, std::int64_t>(0, 0) : inside_row(w, c.stride[2], c.in[2], length);
                 std::fill_n(line, lo, T(0));
                 if (c.stride[2] == 1)
                   std::copy_n(x + at + w + lo, hi - lo, line + lo);
                 else
                   for (std::int64_t j = lo; j < hi; ++j) line[j] = x[at + w + j * c.stride[2]];
                 std::fill_n(line + hi, length - hi, T(0));
               });
}
/// Adds what `unfold` would have read to where it lies.
template <class T>
void fold_add(const ConvolutionCall& c, T* x, std::int64_t channels, std::int64_t first, std::int64_t count,
              const T* from, std::int64_t width) {
  each_stretch(c, channels, first, count,
               [&](std::int64_t at, std::int64_t w, std::int64_t row, std::int64_t p, std::int64_t length) {
                 if (at < 0) return;
                 const T* line = from + row * width + p;
                 auto [lo, hi] = inside_row(w, c.stride[2], c.in[2], length);
                 T* to = x + at + w;
                 for (std::int64_t j = lo; j < hi; ++j) to[j * c.stride[2]] = math::plus(to[j * c.stride[2]], line[j]);
               });
}

constexpr std::int64_t kUnfoldedBytes = 512 << 10;
/// Positions of a tile, and channels whose taps are unfolded together. Fixed: results do not depend on threads.
inline std::int64_t positions_per_tile(std::int64_t rows, std::int64_t item, std::int64_t positions) {
  return std::clamp<std::int64_t>(kUnfoldedBytes / (rows * item) / 16 * 16, 64, std::max<std::int64_t>(positions, 64));
}
inline std::int64_t channels_per_block(const ConvolutionCall& c) {
  return std::min(c.in_channels, std::max<std::int64_t>(1, 256 / c.taps()));
}

/// y = convolution of x, of the dtypes without packed panels.
template <class T>
void convolve_by_unfolding(const ConvolutionCall& c) {
  std::int64_t positions = c.out_positions(), depth = c.in_channels * c.taps(),
               tile = positions_per_tile(depth, sizeof(T), positions), tiles = (positions + tile - 1) / tile;
  parallel_for(0, c.batch * c.groups * tiles, 1, [&](std::int64_t begin, std::int64_t end) {
    std::vector<T> unfolded(static_cast<std::size_t>(depth * tile));
    for (std::int64_t i = begin; i < end; ++i) {
      std::int64_t image = i / tiles / c.groups, g = i / tiles % c.groups, first = i % tiles * tile,
                   count = std::min(tile, positions - first), from = image * c.groups + g;
      unfold(c, static_cast<const T*>(c.x) + from * c.in_channels * c.in_positions(), c.in_channels, first, count,
             unfolded.data(), tile);
      T* y = static_cast<T*>(c.y) + from * c.out_channels * positions + first;
      if (c.bias)
        for (std::int64_t m = 0; m < c.out_channels; ++m)
          std::fill_n(y + m * positions, count, static_cast<const T*>(c.bias)[g * c.out_channels + m]);
      multiply<T>(c.out_channels, count, depth,
                  matrix(static_cast<const T*>(c.weight) + g * c.out_channels * depth, depth, 1),
                  matrix<T>(unfolded.data(), tile, 1), c.bias ? T(1) : T(0), matrix<T>(y, positions, 1));
    }
  });
}
/// x, zero before, += what a convolution from x to y passes back from y.
template <class T>
void convolve_back(const ConvolutionCall& c, T* x, const T* weight, const T* y) {
  std::int64_t positions = c.out_positions(), taps = c.taps(), depth = c.in_channels * taps,
               block = channels_per_block(c), blocks = (c.in_channels + block - 1) / block,
               tile = positions_per_tile(block * taps, sizeof(T), positions);
  parallel_for(0, c.batch * c.groups * blocks, 1, [&](std::int64_t begin, std::int64_t end) {
    std::vector<T> unfolded(static_cast<std::size_t>(block * taps * tile));
    for (std::int64_t i = begin; i < end; ++i) {
      std::int64_t from = i / blocks, g = from % c.groups, channel = i % blocks * block,
                   channels = std::min(block, c.in_channels - channel);
      T* planes = x + (from * c.in_channels + channel) * c.in_positions();
      for (std::int64_t first = 0; first < positions; first += tile) {
        std::int64_t count = std::min(tile, positions - first);
        multiply<T>(channels * taps, count, c.out_channels,
                    matrix(weight + g * c.out_channels * depth + channel * taps, 1, depth),
                    matrix(y + from * c.out_channels * positions + first, positions, 1), T(0),
                    matrix<T>(unfolded.data(), tile, 1));
        fold_add(c, planes, channels, first, count, unfolded.data(), tile);
      }
    }
  });
}
/// In multiplications of a tile; computed by plain loops.
inline constexpr std::int64_t kSmallProduct = 1 << 16;
/// The gradient of the weight of a convolution from x to y. The sums of tiles are added in double for float, as are the
/// products of small tiles: without fused products they would lose the digit that PyTorch has.
template <class T>
void convolution_weight_gradient(const ConvolutionCall& c, const T* x, T* weight, const T* y) {
  using Sum = std::conditional_t<std::is_same_v<T, float>, double, T>;
  std::int64_t positions = c.out_positions(), taps = c.taps(), depth = c.in_channels * taps,
               block = channels_per_block(c), blocks = (c.in_channels + block - 1) / block, most = block * taps,
               tile = std::min<std::int64_t>(positions_per_tile(most, sizeof(T), positions), 512);
  parallel_for(0, c.groups * blocks, 1, [&](std::int64_t begin, std::int64_t end) {
    std::vector<T> unfolded(static_cast<std::size_t>(most * tile)),
        product(static_cast<std::size_t>(c.out_channels * most));
    std::vector<Sum> sum;
    for (std::int64_t i = begin; i < end; ++i) {
      std::int64_t g = i / blocks, channel = i % blocks * block, channels = std::min(block, c.in_channels - channel),
                   columns = channels * taps;
      sum.assign(static_cast<std::size_t>(c.out_channels * columns), Sum(0));
      for (std::int64_t image = 0; image < c.batch; ++image)
        for (std::int64_t first = 0; first < positions; first += tile) {
          std::int64_t count = std::min(tile, positions - first), from = image * c.groups + g;
          unfold(c, x + (from * c.in_channels + channel) * c.in_positions(), channels, first, count, unfolded.data(),
                 tile);
          const T* rows = y + from * c.out_channels * positions + first;
          if (std::is_same_v<T, float> && c.out_channels * columns * count <= kSmallProduct) {
            for (std::int64_t o = 0; o < c.out_channels; ++o)
              for (std::int64_t k = 0; k < columns; ++k) {
                Sum s(0);
                for (std::int64_t p = 0; p < count; ++p)
                  s = static_cast<Sum>(s + static_cast<Sum>(rows[o * positions + p]) *
                                               static_cast<Sum>(unfolded[static_cast<std::size_t>(k * tile + p)]));
                auto& total = sum[static_cast<std::size_t>(o * columns + k)];
                total = static_cast<Sum>(total + s);
              }
            continue;
          }
          multiply<T>(c.out_channels, columns, count, matrix(rows, positions, 1), matrix<T>(unfolded.data(), 1, tile),
                      T(0), matrix<T>(product.data(), columns, 1));
          for (std::size_t k = 0; k < sum.size(); ++k) sum[k] = math::plus(sum[k], static_cast<Sum>(product[k]));
        }
      T* to = weight + g * c.out_channels * depth + channel * taps;
      for (std::int64_t o = 0; o < c.out_channels; ++o)
        for (std::int64_t k = 0; k < columns; ++k)
          to[o * depth + k] = static_cast<T>(sum[static_cast<std::size_t>(o * columns + k)]);
    }
  });
}

}  // namespace tenon::cpu::detail
