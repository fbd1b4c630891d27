// Elements and rows without repetitions, on the CPU.
#pragma once
#include <algorithm>
#include <numeric>
#include <tuple>

#include <tenon/composite/unique.hpp>
#include <tenon/composite/unique_checks.hpp>
#include <tenon/cpu/detail/element_order.hpp>
#include <tenon/cpu/detail/tensor_support.hpp>
#include <tenon/ops/axes.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/sort.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::cpu::detail {

using ThreeTensors = std::tuple<Tensor, Tensor, Tensor>;

inline Tensor long_tensor(IntArrayRef sizes) { return make_tensor(sizes, {}, kLong); }
inline Tensor long_tensor(std::int64_t size) { return long_tensor(IntArrayRef(size)); }
/// Where runs of equal items begin, of `n` items; `same(i)` says whether item i equals the one before it.
template <class F>
std::vector<std::int64_t> run_starts(std::int64_t n, F same) {
  std::vector<std::int64_t> starts(static_cast<std::size_t>(n));
  std::size_t found = 0;
  // Every place is written where the next start belongs: a branch would be guessed wrong half the time.
  for (std::int64_t i = 0; i < n; ++i) {
    starts[found] = i;
    found += i == 0 || !same(i);
  }
  starts.resize(found);
  return starts;
}
/// For each item the number of its run; `place(i)` says where item i stood.
template <class F>
void number_runs(const std::vector<std::int64_t>& starts, std::int64_t n, const Tensor& inverse, const Tensor& counts,
                 F place) {
  auto p = static_cast<std::int64_t*>(inverse.data_ptr()), c = static_cast<std::int64_t*>(counts.data_ptr());
  for (std::size_t r = 0; r < starts.size(); ++r) {
    std::int64_t end = r + 1 < starts.size() ? starts[r + 1] : n;
    if (counts.numel() > 0) c[r] = end - starts[r];
    if (inverse.numel() > 0)
      for (std::int64_t i = starts[r]; i < end; ++i) p[place(i)] = static_cast<std::int64_t>(r);
  }
}
/// The elements of `flat` that differ from the one before, of which `order` (if it is defined) says where they stood.
inline ThreeTensors unique_runs(const Tensor& self, const Tensor& flat, const Tensor& order, bool return_inverse,
                                bool return_counts) {
  std::int64_t n = flat.numel();
  Tensor values, inverse, counts;
  auto p = order.defined() ? static_cast<const std::int64_t*>(order.data_ptr()) : nullptr;
  visit_scalar_type(flat.dtype(), [&]<class T>(type_tag<T>) {
    auto x = static_cast<const T*>(flat.data_ptr());
    auto starts = run_starts(n, [&](std::int64_t i) { return x[i] == x[i - 1]; });
    auto count = static_cast<std::int64_t>(starts.size());
    values = make_tensor(IntArrayRef(count), {}, flat.dtype());
    auto y = static_cast<T*>(values.data_ptr());
    for (std::size_t r = 0; r < starts.size(); ++r) y[r] = x[starts[r]];
    inverse = return_inverse ? long_tensor(self.sizes()) : long_tensor(0);
    counts = long_tensor(return_counts ? count : 0);
    number_runs(starts, n, inverse, counts, [&](std::int64_t i) { return p ? p[i] : i; });
  });
  return {values, inverse, counts};
}
inline ThreeTensors unique2_cpu(const Tensor& self, bool, bool return_inverse, bool return_counts) {
  composite::check_unique(self);
  Tensor flat = row_major(self);
  auto [values, order] = ops::sort(make_alias(flat, {flat.numel()}, {1}, flat.storage_offset()));
  return unique_runs(self, values, order, return_inverse, return_counts);
}
inline std::tuple<Tensor, Tensor> unique_cpu(const Tensor& self, bool sorted, bool return_inverse) {
  auto [values, inverse, counts] = unique2_cpu(self, sorted, return_inverse, false);
  return {values, inverse};
}

/// The slices along a dimension; inverse and counts are always given.
inline ThreeTensors unique_slices(const Tensor& self, std::int64_t dim, bool sort) {
  composite::check_unique(self);
  const std::int64_t n = composite::count_slices(self, dim);
  if (n == 0) return {make_tensor(self.sizes(), {}, self.dtype()), long_tensor(0), long_tensor(0)};
  Tensor moved = ops::movedim(self, dim, 0), rows = row_major(moved);
  std::int64_t width = rows.numel() / n;
  ThreeTensors out;
  visit_scalar_type(self.dtype(), [&]<class T>(type_tag<T>) {
    if constexpr (!is_complex_v<T>) {
      auto x = static_cast<const T*>(rows.data_ptr());
      std::vector<std::int64_t> order(static_cast<std::size_t>(n));
      std::iota(order.begin(), order.end(), std::int64_t{0});
      auto row = [&](std::int64_t i) { return x + order[static_cast<std::size_t>(i)] * width; };
      if (sort)
        std::sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
          auto before = [&](std::int64_t i, std::int64_t j) {
            return std::lexicographical_compare(x + i * width, x + (i + 1) * width, x + j * width, x + (j + 1) * width,
                                                before_element<T>);
          };
          return before(a, b) || (a < b && !before(b, a));
        });
      auto starts = run_starts(n, [&](std::int64_t i) { return std::equal(row(i), row(i) + width, row(i - 1)); });
      auto count = static_cast<std::int64_t>(starts.size());
      DimVector sizes(moved.sizes());
      sizes[0] = count;
      Tensor values = make_tensor(sizes, {}, self.dtype());
      auto y = static_cast<T*>(values.data_ptr());
      for (std::int64_t start : starts) y = std::copy_n(row(start), width, y);
      Tensor inverse = long_tensor(n), counts = long_tensor(count);
      number_runs(starts, n, inverse, counts, [&](std::int64_t i) { return order[static_cast<std::size_t>(i)]; });
      out = {ops::movedim(values, 0, dim), inverse, counts};
    }
  });
  return out;
}
inline ThreeTensors unique_dim_cpu(const Tensor& self, std::int64_t dim, bool, bool, bool) {
  return unique_slices(self, dim, true);
}
inline ThreeTensors unique_dim_consecutive_cpu(const Tensor& self, std::int64_t dim, bool, bool) {
  return unique_slices(self, dim, false);
}
inline ThreeTensors unique_consecutive_cpu(const Tensor& self, bool return_inverse, bool return_counts,
                                           std::optional<std::int64_t> dim) {
  if (dim && !(*dim == 0 && self.dim() == 1)) return unique_slices(self, *dim, false);
  composite::check_unique(self);
  return unique_runs(self, row_major(self), Tensor(), return_inverse, return_counts);
}

}  // namespace tenon::cpu::detail

namespace tenon::cpu {

TENON_LIBRARY_IMPL(aten, CPU, m) {
  m.impl<ops::_unique_base, &detail::unique_cpu>()
      .impl<ops::_unique2_base, &detail::unique2_cpu>()
      .impl<ops::unique_consecutive_base, &detail::unique_consecutive_cpu>()
      .impl<ops::unique_dim_base, &detail::unique_dim_cpu>()
      .impl<ops::unique_dim_consecutive_base, &detail::unique_dim_consecutive_cpu>();
}

}  // namespace tenon::cpu
