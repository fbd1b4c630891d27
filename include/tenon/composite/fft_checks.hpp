// What the three transforms that torch.fft is made of refuse, and the sizes and strides of their results.
#pragma once
#include <cmath>

#include <algorithm>
#include <utility>

#include <tenon/structured/structured.hpp>
#include <tenon/tensor/symbolic.hpp>

namespace tenon::composite {

inline void check_fft_complex(const Tensor& self) {
  TENON_CHECK(self.is_complex(), TypeError, "Only supports complex dtypes, but found: ", enumerator_name(self.dtype()));
}
inline void check_fft_real(const Tensor& self) {
  TENON_CHECK(self.is_floating_point(), TypeError,
              "Only supports floating-point dtypes, but found: ", enumerator_name(self.dtype()));
}
inline void check_fft_dtype(ScalarType type) {
  TENON_CHECK(type == kFloat || type == kDouble, NotImplementedError, "Unsupported dtype ", enumerator_name(type));
}
inline DimVector fft_dims(const Tensor& self, IntArrayRef dim) {
  DimVector out;
  for (std::int64_t d : dim) {
    std::int64_t at = wrap_dim(d, self.dim(), false);
    for (std::int64_t before : out) TENON_CHECK(before != at, ValueError, "FFT dims must be unique");
    out.push_back(at);
  }
  return out;
}
inline void check_fft_any(const DimVector& dims) {
  TENON_CHECK(!dims.empty(), ValueError, "a Fourier transform of real numbers needs a dimension, got none");
}
/// The sizes of the result of a transform to the first half, or from it to `last` points.
template <class Int>
dims_t<Int> half_sizes(const Tensor& self, const DimVector& dims, bool onesided) {
  dims_t<Int> sizes(sizes_of<Int>(self));
  auto at = static_cast<std::size_t>(dims.back());
  if (onesided) sizes[at] = sizes[at] / Int(2) + Int(1);
  return sizes;
}
template <class Int>
dims_t<Int> whole_sizes(const Tensor& self, const DimVector& dims, const Int& last) {
  dims_t<Int> sizes(sizes_of<Int>(self));
  auto at = static_cast<std::size_t>(dims.back());
  TENON_CHECK(last >= Int(1), ValueError, "Invalid number of data points (", last, ") specified");
  TENON_CHECK(sizes[at] == last / Int(2) + Int(1), ValueError, "_fft_c2r: expected ", last / Int(2) + Int(1),
              " numbers along dimension ", dims.back(), " for ", last, " points, got ", sizes[at]);
  sizes[at] = last;
  return sizes;
}

// --- how results lie ---

/// Numbers that order the dimensions of `t` as its strides do, which a symbolic tensor in row-major order need not ask.
template <class Int>
dims_t<Int> fft_order(const Tensor& t) {
  dims_t<Int> order(strides_of<Int>(t));
  if constexpr (std::is_same_v<Int, SymInt>)
    if (t.is_symbolic() && t.is_contiguous())
      for (std::size_t d = 0; d < order.size(); ++d) order[d] = static_cast<std::int64_t>(order.size() - d);
  return order;
}
/// Orders the first `count` dimensions by their numbers, the largest first; equal ones stay as they are.
template <class Dims>
void fft_sort(DimVector& dims, std::size_t count, const Dims& order) {
  for (std::size_t i = 1; i < count; ++i)
    for (std::size_t j = i;
         j > 0 && order[static_cast<std::size_t>(dims[j - 1])] < order[static_cast<std::size_t>(dims[j])]; --j)
      std::swap(dims[j - 1], dims[j]);
}
/// The strides of what one pass along `dims` writes: these innermost, in the order given, around them the others in the
/// order of the operand.
template <class Dims>
Dims fft_strides(const Dims& sizes, const DimVector& dims, const Dims& order) {
  for (const auto& size : sizes)
    if (size == 0) return contiguous_strides(sizes);
  auto transformed = [&](std::int64_t d) {
    for (std::int64_t t : dims)
      if (t == d) return true;
    return false;
  };
  DimVector places;
  for (std::size_t d = 0; d < sizes.size(); ++d) places.push_back(static_cast<std::int64_t>(d));
  // The others come first by exchanges with the last that fits: so PyTorch's do, as dimensions with equal strides show.
  std::size_t first = 0, last = places.size();
  for (;; ++first) {
    while (first != last && !transformed(places[first])) ++first;
    while (first != last && transformed(places[last - 1])) --last;
    if (first == last) break;
    std::swap(places[first], places[--last]);
  }
  fft_sort(places, first, order);
  std::copy(dims.begin(), dims.end(), places.begin() + static_cast<std::ptrdiff_t>(first));
  Dims strides(sizes);
  typename Dims::value_type step(1);
  for (std::size_t i = places.size(); i-- > 0;) {
    auto at = static_cast<std::size_t>(places[i]);
    strides[at] = step;
    step = step * sizes[at];
  }
  return strides;
}
/// The same for a transform of complex numbers, which takes its dimensions in the order of the operand.
template <class Dims>
Dims fft_c2c_strides(const Dims& sizes, DimVector& dims, const Dims& order) {
  fft_sort(dims, dims.size(), order);
  return fft_strides(sizes, dims, order);
}
/// From real numbers: the last dimension stays last.
template <class Dims>
Dims fft_r2c_strides(const Dims& sizes, DimVector& dims, const Dims& order) {
  fft_sort(dims, dims.size() - 1, order);
  return fft_strides(sizes, dims, order);
}
/// To real numbers: what the transforms along the other dimensions have left, in whose strides `dims` become sorted,
/// goes along the last.
template <class Int>
dims_t<Int> fft_c2r_strides(const Tensor& self, const dims_t<Int>& sizes, DimVector& dims) {
  dims_t<Int> order = fft_order<Int>(self);
  if (dims.size() > 1) {
    DimVector others(dims.begin(), dims.end() - 1);
    order = fft_c2c_strides(dims_t<Int>(sizes_of<Int>(self)), others, order);
    std::copy(others.begin(), others.end(), dims.begin());
  }
  return fft_strides(sizes, DimVector{dims.back()}, order);
}
/// The factor of a normalisation: 0 none, 1 by the root of the number of points, 2 by that number.
inline double fft_scale(std::int64_t normalization, IntArrayRef sizes, const DimVector& dims) {
  TENON_CHECK(normalization >= 0 && normalization <= 2, ValueError, "Unsupported normalization type ", normalization);
  double points = 1;
  for (std::int64_t d : dims) points *= static_cast<double>(sizes[static_cast<std::size_t>(d)]);
  return normalization == 0 ? 1 : 1 / (normalization == 1 ? std::sqrt(points) : points);
}

}  // namespace tenon::composite
