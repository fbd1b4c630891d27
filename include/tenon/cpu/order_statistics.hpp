// Medians, modes and k-th values of lines on the CPU.
#pragma once
#include <algorithm>
#include <limits>
#include <numeric>

#include <tenon/composite/order_statistics.hpp>
#include <tenon/cpu/detail/element_order.hpp>
#include <tenon/cpu/detail/tensor_support.hpp>

namespace tenon::cpu::detail {

/// A line of elements, a stride apart.
template <class T>
struct Line {
  const T* data;
  std::int64_t step, size;
  T operator[](std::int64_t i) const { return data[i * step]; }
};
/// Writes of every line along a dimension the element at `find(line, places)` and that place; `places` is room for as
/// many numbers as a line has elements.
template <class F>
void select_from_lines(const Tensor& self, std::int64_t dim, bool keepdim, const Tensor& values, const Tensor& indices,
                       const char* name, F find) {
  if (!has_arithmetic(self.dtype()) || self.is_complex()) not_implemented_for(name, self.dtype());
  if (values.numel() == 0) return;
  dim = wrap_dim(dim, self.dim());
  DimVector sizes(self.sizes()), s(self.strides()), v, p;
  if (sizes.empty()) sizes = s = DimVector{1};
  for (std::int64_t d = 0; d < static_cast<std::int64_t>(sizes.size()); ++d) {
    bool reduced = d == dim;
    std::int64_t at = keepdim || d < dim ? d : d - 1;
    v.push_back(reduced ? 0 : values.strides()[at]);
    p.push_back(reduced ? 0 : indices.strides()[at]);
  }
  std::int64_t n = sizes[dim], step = s[dim];
  visit_scalar_type(self.dtype(), [&]<class T>(type_tag<T>) {
    if constexpr (is_complex_v<T>)
      return;
    else {
      auto x = static_cast<const T*>(self.data_ptr());
      auto y = static_cast<T*>(values.data_ptr());
      auto w = static_cast<std::int64_t*>(indices.data_ptr());
      parallel_for(0, line_count(sizes, dim), (1 << 13) / n + 1, [&](std::int64_t first, std::int64_t last) {
        std::vector<std::int64_t> places(static_cast<std::size_t>(n));
        each_line(sizes, dim, {IntArrayRef(s), IntArrayRef(v), IntArrayRef(p)}, first, last,
                  [&](const std::int64_t* at, std::int64_t) {
                    Line<T> line{x + at[0], step, n};
                    std::iota(places.begin(), places.end(), std::int64_t{0});
                    std::int64_t place = find(line, places);
                    y[at[1]] = line[place];
                    w[at[2]] = place;
                  });
      });
    }
  });
}

/// The lower of two middle elements, equal ones in the order of their places; a not-a-number is the median unless it is
/// ignored.
template <bool IgnoreNan>
void median_dim_cpu(const Tensor& self, std::int64_t dim, bool keepdim, const Tensor& values, const Tensor& indices) {
  if (self.dtype() == kBool) not_implemented_for("median_out", self.dtype());
  select_from_lines(self, dim, keepdim, values, indices, "median_out",
                    []<class T>(const Line<T>& x, std::vector<std::int64_t>& places) {
                      std::int64_t numbers = x.size;
                      for (std::int64_t i = 0; i < x.size; ++i) {
                        if (!is_nan_element(x[i])) continue;
                        if (!IgnoreNan) return i;
                        --numbers;
                      }
                      auto middle = places.begin() + (numbers > 0 ? (numbers - 1) / 2 : 0);
                      std::nth_element(places.begin(), middle, places.end(), [&](std::int64_t a, std::int64_t b) {
                        return before_element(x[a], x[b]) || (a < b && !before_element(x[b], x[a]));
                      });
                      return *middle;
                    });
}

/// The smallest of the most frequent elements, at the last of its places. A not-a-number equals no other; in short
/// lines it keeps where it stands, in longer ones it goes behind all numbers.
inline void mode_cpu(const Tensor& self, std::int64_t dim, bool keepdim, const Tensor& values, const Tensor& indices) {
  select_from_lines(self, dim, keepdim, values, indices, "mode_cpu",
                    []<class T>(const Line<T>& x, std::vector<std::int64_t>& places) {
                      if (x.size <= 16)  // by insertion, which stops at a not-a-number
                        for (std::int64_t i = 1; i < x.size; ++i) {
                          std::int64_t place = places[static_cast<std::size_t>(i)], to = i;
                          if (less_element(x[place], x[places[0]]))
                            to = 0;
                          else
                            while (less_element(x[place], x[places[static_cast<std::size_t>(to - 1)]])) --to;
                          std::move_backward(places.begin() + to, places.begin() + i, places.begin() + i + 1);
                          places[static_cast<std::size_t>(to)] = place;
                        }
                      else
                        std::sort(places.begin(), places.end(),
                                  [&](std::int64_t a, std::int64_t b) { return before_element(x[a], x[b]); });
                      std::int64_t best = places[0], most = 0, count = 0;
                      for (std::int64_t i = 0; i < x.size; ++i) {
                        auto at = static_cast<std::size_t>(i);
                        ++count;
                        if (i + 1 < x.size && x[places[at]] == x[places[at + 1]]) continue;
                        if (count > most) {
                          most = count;
                          best = places[at];
                        }
                        count = 0;
                      }
                      return best;
                    });
}

/// Moves the k-th of the places, by the elements there, to place k. Hoare's selection with the median of three as
/// pivot, which is parked at the left end (Sedgewick, Algorithms, 7): the order among equal elements is PyTorch's.
template <class T>
std::int64_t select_kth(const Line<T>& x, std::vector<std::int64_t>& places, std::int64_t k) {
  auto place = [&](std::int64_t i) -> std::int64_t& { return places[static_cast<std::size_t>(i)]; };
  auto exchange = [&](std::int64_t i, std::int64_t j) { std::swap(place(i), place(j)); };
  auto above = [&](std::int64_t i, std::int64_t j) { return before_element(x[place(j)], x[place(i)]); };
  std::int64_t low = 0, high = x.size - 1;
  while (high - low > 1) {
    exchange(low + (high - low) / 2, low + 1);
    if (above(low + 1, high)) exchange(low + 1, high);
    if (above(low, high)) exchange(low, high);
    if (above(low + 1, low)) exchange(low + 1, low);
    std::int64_t up = low + 1, down = high;
    for (;;) {
      while (above(low, ++up)) {}
      while (above(--down, low)) {}
      if (down < up) break;
      exchange(up, down);
    }
    exchange(low, down);
    if (down <= k) low = up;
    if (down >= k) high = down - 1;
  }
  if (high == low + 1 && above(low, high)) exchange(low, high);
  return place(k);
}
inline void kthvalue_cpu(const Tensor& self, std::int64_t k, std::int64_t dim, bool keepdim, const Tensor& values,
                         const Tensor& indices) {
  if (self.dtype() == kBool) not_implemented_for("kthvalue_cpu", self.dtype());
  select_from_lines(
      self, dim, keepdim, values, indices, "kthvalue_cpu",
      [k]<class T>(const Line<T>& x, std::vector<std::int64_t>& places) { return select_kth(x, places, k - 1); });
}

/// What a median of nothing is: not-a-number, as whole numbers of this machine's words have it.
template <class T>
T no_median() {
  if constexpr (is_floating_type(scalar_type_v<T>))
    return static_cast<T>(std::numeric_limits<float>::quiet_NaN());
  else if constexpr (sizeof(T) >= 4)
    return std::numeric_limits<T>::min();
  else
    return T(0);
}
template <bool IgnoreNan>
void median_cpu(const Tensor& self, const Tensor& out) {
  if (!has_arithmetic(self.dtype()) || self.is_complex() || self.dtype() == kBool)
    not_implemented_for("median_cpu", self.dtype());
  Tensor flat = row_major(self);
  visit_scalar_type(self.dtype(), [&]<class T>(type_tag<T>) {
    if constexpr (!is_complex_v<T>) {
      auto x = static_cast<const T*>(flat.data_ptr());
      std::vector<compute_t<T>> numbers;
      std::int64_t n = flat.numel();
      numbers.reserve(static_cast<std::size_t>(n));
      for (std::int64_t i = 0; i < n; ++i)
        if (!is_nan_element(x[i])) numbers.push_back(static_cast<compute_t<T>>(x[i]));
      auto count = static_cast<std::int64_t>(numbers.size());
      T& y = *static_cast<T*>(out.data_ptr());
      y = no_median<T>();
      if (count == 0 || (!IgnoreNan && count < n)) return;
      auto middle = numbers.begin() + (count - 1) / 2;
      std::nth_element(numbers.begin(), middle, numbers.end());
      y = static_cast<T>(*middle);
    }
  });
}

}  // namespace tenon::cpu::detail

namespace tenon::ops {

TENON_STRUCTURED_KERNEL(median_base, CPU, &cpu::detail::median_cpu<false>);
TENON_STRUCTURED_KERNEL(nanmedian_base, CPU, &cpu::detail::median_cpu<true>);
TENON_STRUCTURED_KERNEL(median_dim, CPU, &cpu::detail::median_dim_cpu<false>);
TENON_STRUCTURED_KERNEL(nanmedian_dim, CPU, &cpu::detail::median_dim_cpu<true>);
TENON_STRUCTURED_KERNEL(mode_base, CPU, cpu::detail::mode_cpu);
TENON_STRUCTURED_KERNEL(kthvalue_base, CPU, cpu::detail::kthvalue_cpu);

}  // namespace tenon::ops
