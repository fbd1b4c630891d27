// Turning and rolling tensors on the CPU.
#pragma once
#include <cstring>
#include <type_traits>
#include <utility>

#include <tenon/composite/arrange.hpp>
#include <tenon/cpu/detail/tensor_support.hpp>

namespace tenon::cpu::detail {

/// y[k] = x[-k], several elements at a time, which are exchanged in a register.
template <class T>
void reverse_line(const T* x, T* y, std::int64_t n) {
  std::int64_t k = 0;
  if constexpr (sizeof(T) == 1) {
    for (std::uint64_t eight; k + 8 <= n; k += 8) {
      std::memcpy(&eight, x - k - 7, 8);
      eight = __builtin_bswap64(eight);
      std::memcpy(y + k, &eight, 8);
    }
  } else if constexpr (constexpr int lanes = 16 / sizeof(T); lanes > 1) {
    using Item = std::conditional_t<sizeof(T) == 2, std::uint16_t,
                                    std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>;
    typedef Item Lanes [[gnu::vector_size(16)]];
    for (; k + lanes <= n; k += lanes) {
      Lanes v;
      std::memcpy(&v, x - k - (lanes - 1), 16);
      v = [&]<int... I>(std::integer_sequence<int, I...>) { return __builtin_shufflevector(v, v, (lanes - 1 - I)...); }
      (std::make_integer_sequence<int, lanes>());
      std::memcpy(y + k, &v, 16);
    }
  }
  for (; k < n; ++k) y[k] = x[-k];
}
inline void flip_cpu(const Tensor& self, IntArrayRef dims, const Tensor& out) {
  if (self.dim() == 0 || self.numel() == 0) return copy_elements(out, self);
  std::uint64_t mask = composite::flipped_dims(self, dims);
  // The dimension along which the result is dense goes last, so that lines are written from one end to the other.
  DimVector sizes(self.sizes()), from(self.strides()), to(out.strides());
  const std::size_t last = sizes.size() - 1;
  std::int64_t start = 0;
  for (std::size_t d = 0; d <= last; ++d)
    if (mask >> d & 1) {
      start += (sizes[d] - 1) * from[d];
      from[d] = -from[d];
    }
  std::size_t dense = last;
  for (std::size_t d = 0; d < last; ++d)
    if (sizes[d] > 1 && (sizes[dense] == 1 || to[d] < to[dense])) dense = d;
  for (DimVector* of : {&sizes, &from, &to}) std::swap((*of)[dense], (*of)[last]);
  const std::int64_t n = sizes[last], a = from[last], b = to[last], outer = static_cast<std::int64_t>(last);
  visit_item_size(self.element_size(), [&]<class T>(type_tag<T>) {
    auto x = static_cast<const T*>(self.data_ptr()) + start;
    auto y = static_cast<T*>(out.data_ptr());
    parallel_for(0, line_count(sizes, outer), (1 << 15) / n + 1, [&](std::int64_t first, std::int64_t end) {
      each_line(sizes, outer, {IntArrayRef(from), IntArrayRef(to)}, first, end,
                [&](const std::int64_t* at, std::int64_t) {
                  const T* p = x + at[0];
                  T* q = y + at[1];
                  if (b == 1 && a == 1)
                    std::memcpy(static_cast<void*>(q), p, static_cast<std::size_t>(n) * sizeof(T));
                  else if (b == 1 && a == -1)
                    reverse_line(p, q, n);
                  else
                    for (std::int64_t k = 0; k < n; ++k) q[k * b] = p[k * a];
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
