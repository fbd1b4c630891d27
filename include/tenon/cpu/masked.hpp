// Writing where a mask is set, on the CPU.
#pragma once
#include <tenon/base/checked_element.hpp>
#include <tenon/composite/masked.hpp>
#include <tenon/cpu/detail/index_lines.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::cpu::detail {

inline void masked_fill_cpu(const Tensor& self, const Tensor& mask, const Scalar& value, const Tensor& out) {
  if (!out.is_same(self)) copy_elements(out, self);
  if (out.numel() == 0) return;
  DimVector sizes = composite::at_least_1d(out.sizes()), o = strides_1d(out), m(sizes.size(), 0);
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
    // By one thread where threads would meet in one place.
    std::int64_t lines = line_count(sizes, last_dim), grain = has_internal_overlap(out) ? lines : (1 << 15) / n + 1;
    parallel_for(0, lines, grain, [&](std::int64_t first, std::int64_t last) {
      each_line(sizes, last_dim, {IntArrayRef(o), IntArrayRef(m)}, first, last,
                [&](const std::int64_t* at, std::int64_t) {
                  for (std::int64_t k = 0; k < n; ++k)
                    if (chosen[at[1] + k * b]) y[at[0] + k * a] = v;
                });
    });
  });
}
inline void masked_fill_tensor_cpu(const Tensor& self, const Tensor& mask, const Tensor& value, const Tensor& out) {
  masked_fill_cpu(self, mask, value.item(), out);
}
/// The elements in row-major order that a mask selects: f(offset in `t`) for each.
template <class F>
void each_selected(const Tensor& t, const Tensor& mask, F f) {
  if (t.numel() == 0) return;
  DimVector sizes = composite::at_least_1d(t.sizes()), s = strides_1d(t), m(sizes.size(), 0);
  for (std::size_t i = 0; i < mask.sizes().size(); ++i) {
    std::size_t from = mask.sizes().size() - 1 - i;
    if (mask.sizes()[from] != 1) m[sizes.size() - 1 - i] = mask.strides()[from];
  }
  auto chosen = static_cast<const bool*>(mask.data_ptr());
  auto last = static_cast<std::int64_t>(sizes.size()) - 1;
  std::int64_t n = sizes.back(), a = s.back(), b = m.back();
  each_line(sizes, last, {IntArrayRef(s), IntArrayRef(m)}, 0, line_count(sizes, last),
            [&](const std::int64_t* at, std::int64_t) {
              for (std::int64_t k = 0; k < n; ++k)
                if (chosen[at[1] + k * b]) f(at[0] + k * a);
            });
}
inline void masked_scatter_cpu(const Tensor& self, const Tensor& mask, const Tensor& source, const Tensor& out) {
  Tensor from = row_major(source);
  // What is read may be what is written.
  Tensor chosen = memory_overlap(out, mask) == Overlap::None ? mask : row_major(ops::clone(mask));
  if (memory_overlap(out, from) != Overlap::None) from = ops::clone(from);
  if (!out.is_same(self)) copy_elements(out, self);
  std::int64_t n = from.numel();
  visit_item_size(out.element_size(), [&]<class T>(type_tag<T>) {
    auto x = static_cast<const T*>(from.data_ptr()), end = x + n;
    auto y = static_cast<T*>(out.data_ptr());
    each_selected(out, chosen, [&](std::int64_t at) {
      TENON_CHECK(x != end, ValueError, "Number of elements of source < number of ones in mask");
      y[at] = *x++;
    });
  });
}
/// The selected elements in order, then zeros.
inline Tensor masked_scatter_backward_cpu(const Tensor& grad, const Tensor& mask, IntArrayRef sizes) {
  composite::check_selects(grad, mask);
  Tensor out = make_tensor(sizes, {}, grad.dtype());
  Tensor wide = ops::expand(grad, IntArrayRef(broadcast_shapes(grad.sizes(), mask.sizes())));
  std::int64_t n = out.numel(), at = 0;
  visit_item_size(out.element_size(), [&]<class T>(type_tag<T>) {
    auto x = static_cast<const T*>(wide.data_ptr());
    auto y = static_cast<T*>(out.data_ptr());
    each_selected(wide, mask, [&](std::int64_t from) {
      TENON_CHECK(at < n, ValueError, "shape '", sizes, "' is invalid for more than ", n, " selected elements");
      y[at++] = x[from];
    });
    for (; at < n; ++at) y[at] = T{};
  });
  return out;
}

}  // namespace tenon::cpu::detail

namespace tenon::cpu {

TENON_LIBRARY_FRAGMENT(aten, m) { install_kernels<&KernelTables::copy>(); }
TENON_LIBRARY_IMPL(aten, CPU, m) { m.impl<ops::masked_scatter_backward_base, &detail::masked_scatter_backward_cpu>(); }

}  // namespace tenon::cpu

namespace tenon::ops {

TENON_STRUCTURED_KERNEL(masked_fill_Scalar, CPU, cpu::detail::masked_fill_cpu);
TENON_STRUCTURED_KERNEL(masked_fill_Tensor, CPU, cpu::detail::masked_fill_tensor_cpu);
TENON_STRUCTURED_KERNEL(masked_scatter_base, CPU, cpu::detail::masked_scatter_cpu);

}  // namespace tenon::ops
