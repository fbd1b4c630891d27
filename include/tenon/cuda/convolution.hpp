// Convolutions as products of matrices whose factors are gathered while they are read: no buffer holds an unfolded
// image.
#pragma once
#include <cstdint>

#include <tenon/cuda/calls.hpp>
#include <tenon/cuda/gemm.hpp>

namespace tenon::cuda {

/// A place in a space of three dimensions, from its number in row-major order.
struct Place3 {
  std::int64_t at[3];
  TENON_HOST_DEVICE Place3(std::int64_t i, const std::int64_t (&size)[3]) {
    at[2] = i % size[2];
    at[1] = i / size[2] % size[1];
    at[0] = i / size[2] / size[1];
  }
};
TENON_HOST_DEVICE inline std::int64_t volume(const std::int64_t (&size)[3]) { return size[0] * size[1] * size[2]; }
/// The place in x that a place of y reads by a tap of the kernel; below zero in the padding.
TENON_HOST_DEVICE inline std::int64_t read_place(const ConvolutionCall& c, const Place3& y, const Place3& tap) {
  std::int64_t at = 0;
  for (int d = 0; d < 3; ++d) {
    std::int64_t i = y.at[d] * c.stride[d] - c.padding[d] + tap.at[d] * c.dilation[d];
    if (i < 0 || i >= c.in[d]) return -1;
    at = at * c.in[d] + i;
  }
  return at;
}
/// The place in y that reads a place of x by a tap; below zero if none does.
TENON_HOST_DEVICE inline std::int64_t reading_place(const ConvolutionCall& c, const Place3& x, const Place3& tap) {
  std::int64_t at = 0;
  for (int d = 0; d < 3; ++d) {
    std::int64_t i = x.at[d] + c.padding[d] - tap.at[d] * c.dilation[d];
    if (i < 0 || i % c.stride[d] != 0 || i / c.stride[d] >= c.out[d]) return -1;
    at = at * c.out[d] + i / c.stride[d];
  }
  return at;
}

template <class T, class S>
struct convolve_tiles {
  using Tile = ProductTile<S>;
  /// Tiles of a product, and the products of a call.
  struct Geometry {
    std::int64_t m, n, k, products;
    TENON_HOST_DEVICE Geometry(const ConvolutionCall& c, Convolution what) {
      std::int64_t taps = volume(c.kernel), from = volume(c.in), to = volume(c.out);
      m = what == Convolution::Back ? c.in_channels : c.out_channels;
      n = what == Convolution::Forward ? to : what == Convolution::Back ? from : c.in_channels * taps;
      k = what == Convolution::Forward ? c.in_channels * taps
          : what == Convolution::Back  ? c.out_channels * taps
                                       : c.batch * to;
      products = what == Convolution::WeightGradient ? c.groups : c.batch * c.groups;
    }
    TENON_HOST_DEVICE std::int64_t tiles() const { return Tile::tiles(m) * Tile::tiles(n); }
  };
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const ConvolutionCall& c, Convolution what) const {
    Geometry g(c, what);
    std::int64_t product = lane.block() / g.tiles(), tile = lane.block() % g.tiles(), group = product % c.groups;
    std::int64_t taps = volume(c.kernel), from = volume(c.in), to = volume(c.out);
    // Of the image and the group; a gradient of the weight goes over all images.
    T *x = static_cast<T*>(c.x) + product * c.in_channels * from,
      *y = static_cast<T*>(c.y) + product * c.out_channels * to;
    T* w = static_cast<T*>(c.weight) + group * c.out_channels * c.in_channels * taps;
    auto bias = [&](std::int64_t channel) {
      return c.bias ? cast<S>(static_cast<const T*>(c.bias)[group * g.m + channel]) : S(0.0f);
    };
    if (what == Convolution::Forward)
      Tile::run(
          lane, tile, g.m, g.n, g.k, [&](std::int64_t o, std::int64_t k) { return cast<S>(w[o * g.k + k]); },
          [&](std::int64_t k, std::int64_t place) {
            std::int64_t at = read_place(c, Place3(place, c.out), Place3(k % taps, c.kernel));
            return at < 0 ? S(0.0f) : cast<S>(x[k / taps * from + at]);
          },
          [&](std::int64_t o, std::int64_t place, S sum) { y[o * to + place] = cast<T>(sum + bias(o)); });
    else if (what == Convolution::Back)
      Tile::run(
          lane, tile, g.m, g.n, g.k,
          [&](std::int64_t i, std::int64_t k) { return cast<S>(w[(k / taps * c.in_channels + i) * taps + k % taps]); },
          [&](std::int64_t k, std::int64_t place) {
            std::int64_t at = reading_place(c, Place3(place, c.in), Place3(k % taps, c.kernel));
            return at < 0 ? S(0.0f) : cast<S>(y[k / taps * to + at]);
          },
          [&](std::int64_t i, std::int64_t place, S sum) { x[i * from + place] = cast<T>(sum + bias(i)); });
    else
      Tile::run(
          lane, tile, g.m, g.n, g.k,
          [&](std::int64_t o, std::int64_t k) {
            return cast<S>(y[(k / to * c.groups * c.out_channels + o) * to + k % to]);
          },
          [&](std::int64_t k, std::int64_t column) {
            std::int64_t at = read_place(c, Place3(k % to, c.out), Place3(column % taps, c.kernel));
            return at < 0 ? S(0.0f) : cast<S>(x[(k / to * c.groups * c.in_channels + column / taps) * from + at]);
          },
          [&](std::int64_t o, std::int64_t column, S sum) { w[o * g.n + column] = cast<T>(sum); });
  }
};

}  // namespace tenon::cuda
