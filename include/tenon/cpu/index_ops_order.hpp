// Masks, rotations and sorting on the CPU.
#pragma once
#include <algorithm>
#include <cstdint>

#include <tenon/base/checked_element.hpp>
#include <tenon/cpu/detail/sort_line.hpp>
#include <tenon/cpu/index_ops_scatter.hpp>
#include <tenon/ops/arrange.hpp>
#include <tenon/ops/sort.hpp>
#include <tenon/tensor/allocator.hpp>

namespace tenon::cpu::detail {

struct masked_fill_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, const Tensor& mask, const Scalar&) const {
    TENON_CHECK(mask.dtype() == kBool, TypeError, "masked_fill_ only supports boolean masks, but got mask with dtype ",
                mask.dtype());
    dims_t<Int> sizes = broadcast_shapes(sizes_of<Int>(self), sizes_of<Int>(mask));
    out.set_output_raw_strided(0, sizes, {}, self.dtype(), self.device());
    if (out.form() != StructuredForm::Functional) check_no_partial_overlap(out[0], mask);
  }
};
inline void masked_fill_cpu(const Tensor& self, const Tensor& mask, const Scalar& value, const Tensor& out) {
  if (!out.is_same(self)) copy_elements(out, self);
  if (out.numel() == 0) return;
  DimVector sizes = at_least_1d(out.sizes()), o = strides_1d(out), m(sizes.size(), 0);
  for (std::size_t i = 0; i < mask.sizes().size(); ++i) {
    std::size_t from = mask.sizes().size() - 1 - i;
    if (mask.sizes()[from] != 1) m[sizes.size() - 1 - i] = mask.strides()[from];
  }
  auto last_dim = static_cast<std::int64_t>(sizes.size()) - 1;
  std::int64_t n = sizes.back(), a = o.back(), b = m.back();
  auto chosen = static_cast<const bool*>(mask.data_ptr());
  visit_scalar_type(out.dtype(), [&]<class T>(type_tag<T>) {
    const T v = checked_element<T>(value);
    auto y = static_cast<T*>(out.data_ptr());
    parallel_for(0, line_count(sizes, last_dim), (1 << 15) / n + 1, [&](std::int64_t first, std::int64_t last) {
      each_line(sizes, last_dim, {IntArrayRef(o), IntArrayRef(m)}, first, last,
                [&](const std::int64_t* at, std::int64_t) {
                  for (std::int64_t k = 0; k < n; ++k)
                    if (chosen[at[1] + k * b]) y[at[0] + k * a] = v;
                });
    });
  });
}
struct masked_fill_tensor_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, const Tensor& mask, const Tensor& value) const {
    TENON_CHECK(value.dim() == 0, ValueError,
                "masked_fill_ only supports a 0-dimensional value tensor, but got tensor with ", value.dim(),
                " dimension(s).");
    masked_fill_meta{}.operator()<Int>(out, self, mask, Scalar(0));
  }
};
inline void masked_fill_tensor_cpu(const Tensor& self, const Tensor& mask, const Tensor& value, const Tensor& out) {
  masked_fill_cpu(self, mask, value.item(), out);
}

struct roll_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, SymIntArrayRef shifts, IntArrayRef dims) const {
    TENON_CHECK(!shifts.empty(), ValueError, "`shifts` required");
    TENON_CHECK(shifts.size() == dims.size() || (dims.empty() && shifts.size() == 1), ValueError,
                "shifts and dimensions must align. shifts: ", shifts.size(), ", dims:", dims.size());
    for (std::int64_t d : dims) wrap_dim(d, self.dim(), false);
    out.set_output_raw_strided(0, sizes_of<Int>(self), {}, self.dtype(), self.device());
  }
};
inline void roll_cpu(const Tensor& self, IntArrayRef shifts, IntArrayRef dims, const Tensor& out) {
  if (self.numel() == 0) return;
  auto once = [](const Tensor& from, std::int64_t shift, std::int64_t dim, const Tensor& to) {
    std::int64_t n = from.sizes()[dim], start = ((n - shift) % n + n) % n;
    copy_elements(narrowed(to, dim, 0, n - start), narrowed(from, dim, start, n - start));
    if (start) copy_elements(narrowed(to, dim, n - start, start), narrowed(from, dim, 0, start));
  };
  if (self.dim() == 0) return copy_elements(out, self);
  if (dims.empty()) {
    std::int64_t n = self.numel(), one = 1;
    Tensor flat = row_major(self), to = make_tensor(n, {}, self.dtype());
    once(make_alias(flat, n, one, flat.storage_offset()), shifts[0], 0, to);
    return copy_elements(out, make_alias(to, self.sizes(), contiguous_strides(self.sizes()), 0));
  }
  Tensor from = self;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    Tensor to = i + 1 == dims.size() ? out : make_tensor(self.sizes(), {}, self.dtype());
    once(from, shifts[i], wrap_dim(dims[i], self.dim()), to);
    from = to;
  }
}

/// The dimension counted from the front, of a tensor whose elements have an order.
inline std::int64_t sorted_dim(const Tensor& self, std::int64_t dim, const char* who) {
  dim = wrap_dim(dim, self.dim());
  TENON_CHECK(!self.is_complex(), NotImplementedError, who, " currently does not support complex dtypes on CPU");
  return dim;
}
struct sort_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, std::int64_t dim, bool) const {
    sorted_dim(self, dim, "Sort");
    out.set_output_raw_strided(0, sizes_of<Int>(self), {}, self.dtype(), self.device());
    out.set_output_raw_strided(1, sizes_of<Int>(self), {}, kLong, self.device());
  }
};
/// Writes the first elements of every line, as many as `values` has, once `arrange(line)` has brought them to its
/// front.
template <class Key, class Place, class F>
void write_lines(const Tensor& self, std::int64_t dim, bool descending, const Tensor& values, const Tensor& indices,
                 F arrange) {
  DimVector sizes = at_least_1d(self.sizes()), s = strides_1d(self), v = strides_1d(values), w = strides_1d(indices);
  std::int64_t n = sizes[dim], k = at_least_1d(values.sizes())[dim];
  const KeyOf<Key> key(self.dtype(), descending);
  auto x = static_cast<const Key*>(self.data_ptr());
  auto y = static_cast<Key*>(values.data_ptr());
  auto p = static_cast<std::int64_t*>(indices.data_ptr());
  parallel_for(0, line_count(sizes, dim), (1 << 12) / n + 1, [&](std::int64_t first, std::int64_t last) {
    using Item = Sorted<Key, Place>;
    DataPtr memory = allocator(DeviceType::CPU).allocate(2 * static_cast<std::size_t>(n) * sizeof(Item));
    SortedLine<Key, Place> line{static_cast<Item*>(memory.get()), static_cast<Item*>(memory.get()) + n,
                                static_cast<std::size_t>(n)};
    each_line(sizes, dim, {IntArrayRef(s), IntArrayRef(v), IntArrayRef(w)}, first, last,
              [&](const std::int64_t* at, std::int64_t) {
                Item* item = line.items;
                for (std::int64_t i = 0; i < n; ++i) item[i] = {key(x[at[0] + i * s[dim]]), static_cast<Place>(i)};
                arrange(line);
                item = line.items;
                // All values of the line are read before one is written: the output may be the input.
                for (std::int64_t i = 0; i < k; ++i)
                  item[i].key = x[at[0] + static_cast<std::int64_t>(item[i].place) * s[dim]];
                for (std::int64_t i = 0; i < k; ++i) {
                  y[at[1] + i * v[dim]] = item[i].key;
                  p[at[2] + i * w[dim]] = static_cast<std::int64_t>(item[i].place);
                }
              });
  });
}
template <class F>
void write_arranged(const Tensor& self, std::int64_t dim, bool descending, const Tensor& values, const Tensor& indices,
                    F arrange) {
  if (values.numel() == 0) return;
  dim = wrap_dim(dim, self.dim());
  visit_item_size(self.element_size(), [&]<class Key>(type_tag<Key>) {
    // Places of 32 bits halve what is moved.
    if constexpr (!std::is_integral_v<Key>)
      return;  // no order for complex numbers
    else if (self.numel() <= UINT32_MAX)
      write_lines<Key, std::uint32_t>(self, dim, descending, values, indices, arrange);
    else
      write_lines<Key, std::uint64_t>(self, dim, descending, values, indices, arrange);
  });
}
/// Equal elements keep their order.
inline void sort_cpu(const Tensor& self, std::int64_t dim, bool descending, const Tensor& values,
                     const Tensor& indices) {
  if (!has_arithmetic(self.dtype())) not_implemented_for("sorting_kernel_method_name", self.dtype());
  write_arranged(self, dim, descending, values, indices, [](auto& line) { sort_line(line); });
}
struct sort_stable_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, std::optional<bool>, std::int64_t dim, bool descending) const {
    sort_meta{}.operator()<Int>(out, self, dim, descending);
  }
};
inline void sort_stable_cpu(const Tensor& self, std::optional<bool>, std::int64_t dim, bool descending,
                            const Tensor& values, const Tensor& indices) {
  sort_cpu(self, dim, descending, values, indices);
}
inline Tensor argsort(const Tensor& self, std::int64_t dim, bool descending) {
  return std::get<1>(ops::sort(self, dim, descending));
}
struct argsort_stable_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, bool, std::int64_t dim, bool) const {
    sorted_dim(self, dim, "Sort");
    out.set_output_raw_strided(0, sizes_of<Int>(self), {}, kLong, self.device(), OutputCast::Allowed);
  }
};
inline void argsort_stable_cpu(const Tensor& self, bool, std::int64_t dim, bool descending, const Tensor& out) {
  copy_elements(out, ops::argsort(self, dim, descending));
}

struct topk_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, Int k, std::int64_t dim, bool, bool) const {
    dim = sorted_dim(self, dim, "topk");
    TENON_CHECK(k >= 0 && k <= (self.dim() ? sizes_of<Int>(self)[dim] : Int(1)), ValueError,
                "selected index k out of range");
    dims_t<Int> sizes(sizes_of<Int>(self));
    if (!sizes.empty()) sizes[dim] = k;
    out.set_output_raw_strided(0, sizes, {}, self.dtype(), self.device());
    out.set_output_raw_strided(1, sizes, {}, kLong, self.device());
  }
};
/// The steps of PyTorch's kernel, which decide the order among equal elements: a heap for few of many, else a
/// selection.
inline void topk_cpu(const Tensor& self, std::int64_t, std::int64_t dim, bool largest, bool sorted,
                     const Tensor& values, const Tensor& indices) {
  if (!has_arithmetic(self.dtype())) not_implemented_for("topk_cpu", self.dtype());
  std::int64_t k = values.dim() ? values.sizes()[wrap_dim(dim, self.dim())] : 1;
  write_arranged(self, dim, largest, values, indices, [=](auto& line) {
    auto begin = line.items, end = begin + line.size;
    if (k * 64 <= end - begin) {
      std::partial_sort(begin, begin + k, end);
    } else {
      std::nth_element(begin, begin + k - 1, end);
      if (sorted) std::sort(begin, begin + k - 1);
    }
  });
}

}  // namespace tenon::cpu::detail

namespace tenon::cpu {

TENON_LIBRARY_FRAGMENT(aten, m) {
  m.def<ops::argsort_base>();
  m.impl<ops::argsort_base, &detail::argsort>();
}

}  // namespace tenon::cpu

namespace tenon::ops {

TENON_STRUCTURED_OF(masked_fill_Scalar, cpu::detail::masked_fill_meta);
TENON_STRUCTURED_KERNEL(masked_fill_Scalar, CPU, cpu::detail::masked_fill_cpu);
TENON_STRUCTURED_OF(masked_fill_Tensor, cpu::detail::masked_fill_tensor_meta);
TENON_STRUCTURED_KERNEL(masked_fill_Tensor, CPU, cpu::detail::masked_fill_tensor_cpu);
TENON_STRUCTURED_OF(roll_base, cpu::detail::roll_meta);
TENON_STRUCTURED_KERNEL(roll_base, CPU, cpu::detail::roll_cpu);
TENON_STRUCTURED_OF(sort_base, cpu::detail::sort_meta);
TENON_STRUCTURED_KERNEL(sort_base, CPU, cpu::detail::sort_cpu);
TENON_STRUCTURED_OF(sort_stable, cpu::detail::sort_stable_meta);
TENON_STRUCTURED_KERNEL(sort_stable, CPU, cpu::detail::sort_stable_cpu);
TENON_STRUCTURED_OF(topk_base, cpu::detail::topk_meta);
TENON_STRUCTURED_KERNEL(topk_base, CPU, cpu::detail::topk_cpu);
TENON_STRUCTURED_OF(argsort_stable, cpu::detail::argsort_stable_meta);
TENON_STRUCTURED_KERNEL(argsort_stable, CPU, cpu::detail::argsort_stable_cpu);

}  // namespace tenon::ops
