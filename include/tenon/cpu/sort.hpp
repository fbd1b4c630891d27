// Sorting and ranking on the CPU.
#pragma once
#include <algorithm>
#include <cstdint>

#include <tenon/composite/sort.hpp>
#include <tenon/cpu/detail/index_lines.hpp>
#include <tenon/cpu/detail/sort_line.hpp>
#include <tenon/tensor/allocator.hpp>

namespace tenon::cpu::detail {

/// Writes the first elements of every line, as many as `values` has, once `arrange(line)` has brought them to its
/// front.
template <class Key, class Place, class F>
void write_lines(const Tensor& self, std::int64_t dim, bool descending, const Tensor& values, const Tensor& indices,
                 F arrange) {
  DimVector sizes = composite::at_least_1d(self.sizes()), s = strides_1d(self), v = strides_1d(values),
            w = strides_1d(indices);
  std::int64_t n = sizes[dim], k = composite::at_least_1d(values.sizes())[dim];
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
inline void sort_stable_cpu(const Tensor& self, std::optional<bool>, std::int64_t dim, bool descending,
                            const Tensor& values, const Tensor& indices) {
  sort_cpu(self, dim, descending, values, indices);
}
inline void argsort_stable_cpu(const Tensor& self, bool, std::int64_t dim, bool descending, const Tensor& out) {
  copy_elements(out, ops::argsort(self, dim, descending));
}
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

TENON_LIBRARY_FRAGMENT(aten, m) { install_kernels<&KernelTables::copy>(); }

}  // namespace tenon::cpu

namespace tenon::ops {

TENON_STRUCTURED_KERNEL(sort_base, CPU, cpu::detail::sort_cpu);
TENON_STRUCTURED_KERNEL(sort_stable, CPU, cpu::detail::sort_stable_cpu);
TENON_STRUCTURED_KERNEL(argsort_stable, CPU, cpu::detail::argsort_stable_cpu);
TENON_STRUCTURED_KERNEL(topk_base, CPU, cpu::detail::topk_cpu);

}  // namespace tenon::ops
