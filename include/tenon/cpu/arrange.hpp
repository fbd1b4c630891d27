// Turning and rolling tensors on the CPU.
#pragma once
#include <tenon/composite/arrange.hpp>
#include <tenon/cpu/detail/tensor_support.hpp>

namespace tenon::cpu::detail {

inline void flip_cpu(const Tensor& self, IntArrayRef dims, const Tensor& out) {
  if (self.dim() == 0 || self.numel() == 0) return copy_elements(out, self);
  std::uint64_t mask = composite::flipped_dims(self, dims);
  DimVector strides(self.strides());
  std::int64_t start = 0, last_dim = self.dim() - 1, n = self.sizes().back();
  for (std::int64_t d = 0; d < self.dim(); ++d)
    if (mask >> d & 1) {
      start += (self.sizes()[d] - 1) * strides[d];
      strides[d] = -strides[d];
    }
  visit_item_size(self.element_size(), [&]<class T>(type_tag<T>) {
    auto x = static_cast<const T*>(self.data_ptr()) + start;
    auto y = static_cast<T*>(out.data_ptr());
    std::int64_t a = strides.back(), b = out.strides().back();
    parallel_for(0, line_count(self.sizes(), last_dim), (1 << 15) / n + 1, [&](std::int64_t first, std::int64_t last) {
      each_line(self.sizes(), last_dim, {IntArrayRef(strides), out.strides()}, first, last,
                [&](const std::int64_t* at, std::int64_t) {
                  for (std::int64_t k = 0; k < n; ++k) y[at[1] + k * b] = x[at[0] + k * a];
                });
    });
  });
}
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

}  // namespace tenon::cpu::detail

namespace tenon::cpu {

TENON_LIBRARY_FRAGMENT(aten, m) { install_kernels<&KernelTables::copy>(); }

}  // namespace tenon::cpu

namespace tenon::ops {

TENON_STRUCTURED_KERNEL(flip_base, CPU, cpu::detail::flip_cpu);
TENON_STRUCTURED_KERNEL(roll_base, CPU, cpu::detail::roll_cpu);

}  // namespace tenon::ops
