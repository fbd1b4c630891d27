// Reading along an index on the CPU.
#pragma once
#include <cstring>

#include <tenon/cpu/detail/index_lines.hpp>

namespace tenon::cpu::detail {

inline void index_select_cpu(const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& out) {
  dim = wrap_dim(dim, self.dim());
  std::int64_t size = self.dim() ? self.sizes()[dim] : 1;
  Tensor list = checked_indices(index, size, "index out of range in self");
  if (out.numel() == 0) return;
  Tensor from = row_major(self), to = out.is_contiguous() ? out : make_tensor(out.sizes(), {}, out.dtype());
  Cut cut(from.sizes(), self.dim() ? dim : 0);
  auto p = static_cast<const std::int64_t*>(list.data_ptr());
  std::int64_t n = list.numel();
  if (cut.inner == 1) {
    visit_item_size(from.element_size(), [&]<class T>(type_tag<T>) {
      auto x = static_cast<const T*>(from.data_ptr());
      auto y = static_cast<T*>(to.data_ptr());
      parallel_for(0, cut.outer * n, 1 << 15, [&](std::int64_t a, std::int64_t b) {
        while (a < b) {
          std::int64_t o = a / n, i = a % n, m = b - a < n - i ? b - a : n - i;
          for (std::int64_t k = 0; k < m; ++k) y[a + k] = x[o * size + p[i + k]];
          a += m;
        }
      });
    });
  } else {
    auto row = static_cast<std::size_t>(cut.inner) * from.element_size();
    auto x = static_cast<const char*>(from.data_ptr());
    auto y = static_cast<char*>(to.data_ptr());
    parallel_for(0, cut.outer * n, static_cast<std::int64_t>((std::size_t{1} << 17) / row + 1),
                 [&](std::int64_t a, std::int64_t b) {
                   for (std::int64_t i = a; i < b; ++i)
                     std::memcpy(y + static_cast<std::size_t>(i) * row,
                                 x + static_cast<std::size_t>(i / n * size + p[i % n]) * row, row);
                 });
  }
  if (!to.is_same(out)) copy_elements(out, to);
}
inline void gather_cpu(const Tensor& self, std::int64_t dim, const Tensor& index, bool, const Tensor& out) {
  dim = wrap_dim(dim, self.dim());
  DimVector s = strides_1d(self), o = strides_1d(out);
  visit_item_size(self.element_size(), [&]<class T>(type_tag<T>) {
    auto x = static_cast<const T*>(self.data_ptr());
    auto y = static_cast<T*>(out.data_ptr());
    each_index(index, dim, self.dim() ? self.sizes()[dim] : 1, s, o,
               [=](std::int64_t i, std::int64_t k) { y[k] = x[i]; });
  });
}

}  // namespace tenon::cpu::detail

namespace tenon::cpu {

TENON_LIBRARY_FRAGMENT(aten, m) { install_kernels<&KernelTables::copy>(); }

}  // namespace tenon::cpu

namespace tenon::ops {

TENON_STRUCTURED_KERNEL(index_select_base, CPU, cpu::detail::index_select_cpu);
TENON_STRUCTURED_KERNEL(gather_base, CPU, cpu::detail::gather_cpu);

}  // namespace tenon::ops
