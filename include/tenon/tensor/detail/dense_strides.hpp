// Strides without gaps for an order of dimensions that a comparison decides.
#pragma once
#include <utility>

#include <tenon/base/dim_vector.hpp>
#include <tenon/tensor/detail/shapes.hpp>

namespace tenon::detail {

/// Dense strides of `sizes`. compare(a, b) is 1 if dimension a belongs further out than b, -1 further in, 0 if nothing
/// tells: then they keep the row-major order. As PyTorch's iterator sorts. `collapses`: outside a size of 0 strides are
/// 0, unless the order is row-major; else it counts as 1.
template <class Int, class Compare>
dims_t<Int> dense_strides_by(ArrayRef<Int> sizes, Compare compare, bool collapses = false) {
  std::size_t n = sizes.size();
  DimVector order(n);
  dims_t<Int> strides(n);
  for (std::size_t i = 0; i < n; ++i) order[i] = static_cast<std::int64_t>(n - 1 - i);  // the innermost comes first
  for (std::size_t i = 1; i < n; ++i) {
    std::size_t at = i;
    for (std::size_t j = i; j-- > 0;) {
      int c = compare(order[j], order[at]);
      if (c > 0) {
        std::swap(order[j], order[at]);
        at = j;
      } else if (c < 0)
        break;
    }
  }
  bool row_major = true;
  for (std::size_t i = 0; i < n; ++i) row_major = row_major && order[i] == static_cast<std::int64_t>(n - 1 - i);
  Int step = 1;
  for (std::size_t i = 0; i < n; ++i) {
    std::int64_t d = order[i];
    strides[d] = step;
    if (i + 1 < n) step = step * (collapses && !row_major ? sizes[d] : Shapes<Int>::factor(sizes[d]));
  }
  return strides;
}

}  // namespace tenon::detail
