// Sorting, convolutions and Fourier transforms by libraries of the vendor: what they are asked for. Products have
// cuda/products.hpp.
#pragma once
#include <atomic>
#include <cstdint>
#include <limits>
#include <optional>

#include <tenon/cuda/calls.hpp>

namespace tenon::cuda {

/// Writes each of `lines` runs of `size` items in the order of their keys, of which bits below `first_bit` do not
/// count; equal keys stay as they are.
struct LibrarySort {
  const SortItem* items;
  SortItem* sorted;
  std::int64_t lines, size;
  int first_bit;
};
/// A library sorts one line after the other, so that it is asked for few and long ones alone. `sorted` items in a row
/// are in order.
inline std::optional<LibrarySort> library_sort(const SortCall& c, std::int64_t sorted, int first_bit) {
  constexpr std::int64_t most = 8, least = 1 << 14;
  const LinesCall& l = c.lines;
  if (l.size <= sorted || l.size < least || l.lines.count > most) return std::nullopt;
  return LibrarySort{c.items[0], c.items[1], l.lines.count, l.size, first_bit};
}

/// A convolution of row-major tensors of two or three spatial dimensions: the sizes of x, of weight and of y, with the
/// channels of all groups in x and y.
struct LibraryConvolution {
  Convolution what;
  ScalarType dtype;
  int spatial, groups;
  int x[5], weight[5], y[5], padding[3], stride[3], dilation[3];
  void *x_data, *weight_data, *y_data;
  const void* bias;
};
/// None where the library does not take the dtype, a size or the elements of a tensor are more than an int holds, or
/// nothing is to be done. Of one spatial dimension the other has one place.
inline std::optional<LibraryConvolution> library_convolution(const ConvolutionCall& c, Convolution what) {
  if (!is_floating_type(c.dtype) || item_size(c.dtype) < 2) return std::nullopt;
  bool flat = c.in[0] == 1 && c.out[0] == 1 && c.kernel[0] == 1 && c.padding[0] == 0;
  LibraryConvolution l{};
  l.what = what, l.dtype = c.dtype, l.spatial = flat ? 2 : 3;
  l.x_data = c.x, l.weight_data = c.weight, l.y_data = c.y, l.bias = c.bias;
  bool fits = true;
  auto put = [&](int& to, std::int64_t value, std::int64_t least = 1) {
    fits = fits && value >= least && value <= std::numeric_limits<int>::max();
    to = fits ? static_cast<int>(value) : 0;
  };
  put(l.groups, c.groups);
  put(l.x[0], c.batch), put(l.y[0], c.batch);
  put(l.x[1], c.groups * c.in_channels), put(l.y[1], c.groups * c.out_channels);
  put(l.weight[0], c.groups * c.out_channels), put(l.weight[1], c.in_channels);
  for (int d = 0; d < l.spatial; ++d) {
    int from = 3 - l.spatial + d;
    put(l.x[2 + d], c.in[from]), put(l.y[2 + d], c.out[from]), put(l.weight[2 + d], c.kernel[from]);
    put(l.stride[d], c.stride[from]), put(l.dilation[d], c.dilation[from]), put(l.padding[d], c.padding[from], 0);
  }
  for (const int* sizes : {l.x, l.weight, l.y}) {
    std::int64_t elements = 1;
    for (int d = 0; d < l.spatial + 2 && fits; ++d) {
      elements *= sizes[d];
      fits = elements <= std::numeric_limits<int>::max();
    }
  }
  return fits ? std::optional(l) : std::nullopt;
}

/// Complex transforms of `lines` lines of n numbers side by side, the backward ones without a factor.
struct LibraryTransform {
  ScalarType dtype;
  std::int64_t n, lines;
  void *in, *out;  ///< `in` may be written
  bool backward;
};

/// The libraries of the program, or null. Each says false to what it does not take, which kernels then compute.
struct Libraries {
  std::atomic<bool (*)(const LibrarySort&, void* stream)> sort{nullptr};
  std::atomic<bool (*)(const LibraryConvolution&, void* stream)> convolution{nullptr};
  std::atomic<bool (*)(const LibraryTransform&, void* stream)> transform{nullptr};
};
inline Libraries& libraries() {
  static Libraries all;
  return all;
}

}  // namespace tenon::cuda
