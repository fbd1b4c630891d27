// Places in sorted sequences by bisection, and membership, on the CPU.
#pragma once
#include <algorithm>

#include <tenon/autograd/derivative.hpp>
#include <tenon/composite/search.hpp>
#include <tenon/cpu/detail/element_order.hpp>
#include <tenon/cpu/detail/tensor_support.hpp>

namespace tenon::cpu::detail {

/// A tensor of no dimensions that holds a number.
inline Tensor tensor_of_number(const Scalar& value, ScalarType dtype) {
  Tensor t = make_tensor(IntArrayRef(), {}, dtype);
  fill_elements(t, value);
  return t;
}
inline void check_in_range(const Tensor& places, std::int64_t n) {
  auto p = static_cast<const std::int64_t*>(places.data_ptr());
  for (std::int64_t i = 0; i < places.numel(); ++i)
    TENON_CHECK(p[i] >= 0 && p[i] < n, IndexError, "torch.searchsorted(): sorter index out of range");
}
/// Both in the dtype `common`; not-a-numbers stand behind all others.
inline void search(const Tensor& boundaries, const Tensor& self, ScalarType common, bool right,
                   const std::optional<Tensor>& sorter, const Tensor& out) {
  if (!has_arithmetic(common) || common == kBool || is_complex_type(common))
    not_implemented_for("searchsorted_out_cpu", common);
  if (out.numel() == 0) return;
  Tensor from = row_major(boundaries, common), sought = row_major(self, common),
         to = out.is_contiguous() ? out : make_tensor(out.sizes(), {}, out.dtype()), order;
  std::int64_t n = boundaries.sizes().back();
  if (sorter && sorter->defined()) {
    order = row_major(*sorter);
    check_in_range(order, n);
  }
  auto p = order.defined() ? static_cast<const std::int64_t*>(order.data_ptr()) : nullptr;
  std::int64_t per_line = boundaries.dim() == 1 ? out.numel() : self.sizes().back();
  visit_scalar_type(common, [&]<class T>(type_tag<T>) {
    if constexpr (!is_complex_v<T>) {
      auto x = static_cast<const T*>(from.data_ptr());
      auto q = static_cast<const T*>(sought.data_ptr());
      parallel_for(0, out.numel(), 1 << 10, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t i = first; i < last; ++i) {
          std::int64_t base = boundaries.dim() == 1 ? 0 : i / per_line * n, low = 0, high = n;
          auto value = static_cast<compute_t<T>>(q[i]);
          while (low < high) {
            std::int64_t middle = low + (high - low) / 2;
            auto there = static_cast<compute_t<T>>(x[base + (p ? p[base + middle] : middle)]);
            if (right ? there > value : there >= value)
              high = middle;
            else
              low = middle + 1;
          }
          if (to.dtype() == kInt)
            static_cast<std::int32_t*>(to.data_ptr())[i] = static_cast<std::int32_t>(low);
          else
            static_cast<std::int64_t*>(to.data_ptr())[i] = low;
        }
      });
    }
  });
  copy_elements(out, to);
}
inline void searchsorted_cpu(const Tensor& boundaries, const Tensor& self, bool, bool right,
                             std::optional<std::string_view> side, const std::optional<Tensor>& sorter,
                             const Tensor& out) {
  search(boundaries, self, result_type(boundaries, self), composite::from_the_right(right, side), sorter, out);
}
inline void searchsorted_scalar_cpu(const Tensor& boundaries, const Scalar& self, bool, bool right,
                                    std::optional<std::string_view> side, const std::optional<Tensor>& sorter,
                                    const Tensor& out) {
  ScalarType common = result_type(boundaries, self);
  search(boundaries, tensor_of_number(self, common), common, composite::from_the_right(right, side), sorter, out);
}
inline void bucketize_cpu(const Tensor& self, const Tensor& boundaries, bool, bool right, const Tensor& out) {
  search(boundaries, self, result_type(boundaries, self), right, {}, out);
}
inline void bucketize_scalar_cpu(const Scalar& self, const Tensor& boundaries, bool, bool right, const Tensor& out) {
  ScalarType common = result_type(boundaries, self);
  search(boundaries, tensor_of_number(self, common), common, right, {}, out);
}

inline void find_members(const Tensor& elements, const Tensor& tests, ScalarType common, bool invert,
                         const Tensor& out) {
  if (out.numel() == 0) return;
  Tensor x = row_major(elements, common), set = row_major(tests, common),
         to = out.is_contiguous() ? out : make_tensor(out.sizes(), {}, kBool);
  visit_scalar_type(common, [&]<class T>(type_tag<T>) {
    if constexpr (!is_complex_v<T>) {
      using C = compute_t<T>;
      auto s = static_cast<const T*>(set.data_ptr());
      std::vector<C> sorted;
      for (std::int64_t i = 0; i < set.numel(); ++i)
        if (!is_nan_element(s[i])) sorted.push_back(static_cast<C>(s[i]));
      std::sort(sorted.begin(), sorted.end());
      auto p = static_cast<const T*>(x.data_ptr());
      auto y = static_cast<bool*>(to.data_ptr());
      // A few are held against each element, without a guess.
      const bool few = sorted.size() <= 8;
      parallel_for(0, out.numel(), 1 << 11, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t i = first; i < last && few; ++i) {
          bool there = false;
          for (const C& v : sorted) there |= static_cast<C>(p[i]) == v;
          y[i] = there != invert;
        }
        for (std::int64_t i = first; i < last && !few; ++i) {
          bool there = !is_nan_element(p[i]) && std::binary_search(sorted.begin(), sorted.end(), static_cast<C>(p[i]));
          y[i] = there != invert;
        }
      });
    }
  });
  copy_elements(out, to);
}
inline void isin_cpu(const Tensor& elements, const Tensor& tests, bool, bool invert, const Tensor& out) {
  find_members(elements, tests, result_type(elements, tests), invert, out);
}
inline void isin_tensor_scalar_cpu(const Tensor& elements, const Scalar& test, bool, bool invert, const Tensor& out) {
  ScalarType common = result_type(elements, test);
  find_members(elements, tensor_of_number(test, common), common, invert, out);
}
inline void isin_scalar_tensor_cpu(const Scalar& element, const Tensor& tests, bool, bool invert, const Tensor& out) {
  ScalarType common = result_type(tests, element);
  find_members(tensor_of_number(element, common), tests, common, invert, out);
}

}  // namespace tenon::cpu::detail

namespace tenon::ops {

TENON_STRUCTURED_KERNEL(searchsorted_Tensor, CPU, cpu::detail::searchsorted_cpu);
TENON_STRUCTURED_KERNEL(searchsorted_Scalar, CPU, cpu::detail::searchsorted_scalar_cpu);
TENON_STRUCTURED_KERNEL(bucketize_Tensor, CPU, cpu::detail::bucketize_cpu);
TENON_STRUCTURED_KERNEL(bucketize_Scalar, CPU, cpu::detail::bucketize_scalar_cpu);
TENON_STRUCTURED_KERNEL(isin_Tensor_Tensor, CPU, cpu::detail::isin_cpu);
TENON_STRUCTURED_KERNEL(isin_Tensor_Scalar, CPU, cpu::detail::isin_tensor_scalar_cpu);
TENON_STRUCTURED_KERNEL(isin_Scalar_Tensor, CPU, cpu::detail::isin_scalar_tensor_cpu);
TENON_NOT_DIFFERENTIABLE(searchsorted_Tensor);
TENON_NOT_DIFFERENTIABLE(searchsorted_Scalar);
TENON_NOT_DIFFERENTIABLE(bucketize_Tensor);
TENON_NOT_DIFFERENTIABLE(bucketize_Scalar);
TENON_NOT_DIFFERENTIABLE(isin_Tensor_Tensor);
TENON_NOT_DIFFERENTIABLE(isin_Tensor_Scalar);
TENON_NOT_DIFFERENTIABLE(isin_Scalar_Tensor);

}  // namespace tenon::ops
