// Writing along an index or a mask on the CPU.
#pragma once
#include <tenon/cpu/index_ops_scatter.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/index.hpp>

namespace tenon::cpu::detail {

struct index_copy_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& source) const {
    dim = wrap_dim(dim, self.dim());
    out.set_output_raw_strided(0, sizes_of<Int>(self), {}, self.dtype(), self.device());
    if (out.form() != StructuredForm::Functional) {
      check_no_overlap(out[0], index);
      check_no_overlap(out[0], source);
    }
    TENON_CHECK(index.dim() < 2, IndexError, "index_copy_(): Index should have dimension 1 or 0 (got ", index.dim(),
                ")");
    Int count = numel_of<Int>(index);
    if (source.dim() == 0)
      TENON_CHECK(count == 1, IndexError, "index_copy_(): When source is scalar, index should have one element (got ",
                  count, ")");
    else
      TENON_CHECK(
          source.dim() == self.dim() || self.dim() == 0, IndexError,
          "index_copy_(): When source and destination are not scalars, their dimensionality must match. Source dimensionality (",
          source.dim(), "), destination dimensionality (", self.dim(), ")");
    TENON_CHECK(index.dtype() == kLong, TypeError, "index_copy_(): Expected a long tensor for index, but got ",
                index.dtype());
    TENON_CHECK(self.dtype() == source.dtype(), TypeError,
                "index_copy_(): self and source expected to have the same dtype, but got (self) ", self.dtype(),
                " and (source) ", source.dtype());
    dims_t<Int> a(sizes_of<Int>(self)), b(sizes_of<Int>(source));
    Int given = b.empty() ? Int(1) : b[dim];
    if (!a.empty()) a.erase(static_cast<std::size_t>(dim));
    if (!b.empty()) b.erase(static_cast<std::size_t>(dim));
    TENON_CHECK(ArrayRef<Int>(a) == ArrayRef<Int>(b), ValueError,
                "index_copy_(): Source/destination tensor must have same slice shapes. Destination slice shape: ", a,
                " at dimension ", dim, " and source slice shape: ", b, " at dimension 0.");
    TENON_CHECK(count == given, IndexError, "index_copy_(): Number of indices (", count,
                ") should be equal to source.size(dim) (", given, ")");
  }
};
/// Where an index is given twice the last row stays.
inline void index_copy_cpu(const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& source,
                           const Tensor& out) {
  dim = wrap_dim(dim, self.dim());
  if (!out.is_same(self)) copy_elements(out, self);
  Tensor list = row_major(index);
  auto p = static_cast<const std::int64_t*>(list.data_ptr());
  std::int64_t n = list.numel();
  DimVector sizes = at_least_1d(out.sizes()), o = strides_1d(out), s = strides_1d(source);
  if (source.dim() == 0) s = DimVector(o.size(), 0);
  std::int64_t size = sizes[dim];
  for (std::int64_t i = 0; i < n; ++i)
    TENON_CHECK(p[i] >= 0 && p[i] < size, IndexError, "index_copy_(): index ", p[i], " is out of bounds for dimension ",
                dim, " with size ", size);
  if (out.numel() == 0) return;
  // Whole rows where these are long and their elements lie closer together than those along `dim`.
  bool closer = false;
  for (std::size_t d = 0; d < sizes.size(); ++d) closer = closer || (sizes[d] > 1 && o[d] < o[dim]);
  bool rows = closer && source.dim() > 0 && out.numel() / size >= 64;
  if (rows) {
    for (std::int64_t i = 0; i < n; ++i) copy_elements(narrowed(out, dim, p[i], 1), narrowed(source, dim, i, 1));
    return;
  }
  visit_item_size(out.element_size(), [&]<class T>(type_tag<T>) {
    auto x = static_cast<const T*>(source.data_ptr());
    auto y = static_cast<T*>(out.data_ptr());
    parallel_for(0, line_count(sizes, dim), (1 << 14) / (n + 1) + 1, [&](std::int64_t first, std::int64_t last) {
      each_line(sizes, dim, {IntArrayRef(o), IntArrayRef(s)}, first, last, [&](const std::int64_t* at, std::int64_t) {
        for (std::int64_t i = 0; i < n; ++i) y[at[0] + p[i] * o[dim]] = x[at[1] + i * s[dim]];
      });
    });
  });
}

struct masked_scatter_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, const Tensor& mask, const Tensor& source) const {
    TENON_CHECK(self.dtype() == source.dtype(), TypeError,
                "masked_scatter: expected self and source to have same dtypes but got ", self.dtype(), " and ",
                source.dtype());
    TENON_CHECK(mask.dtype() == kBool, TypeError,
                "masked_scatter_ only supports boolean masks, but got mask with dtype ", mask.dtype());
    out.set_output_raw_strided(0, broadcast_shapes(sizes_of<Int>(self), sizes_of<Int>(mask)), {}, self.dtype(),
                               self.device());
  }
};
/// The elements in row-major order that a mask selects: f(offset in `t`) for each.
template <class F>
void each_selected(const Tensor& t, const Tensor& mask, F f) {
  if (t.numel() == 0) return;
  DimVector sizes = at_least_1d(t.sizes()), s = strides_1d(t), m(sizes.size(), 0);
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
inline void check_selects(const Tensor& grad, const Tensor& mask) {
  TENON_CHECK(mask.dtype() == kBool, TypeError,
              "masked_scatter_backward only supports boolean masks, but got mask with dtype ", mask.dtype());
  broadcast_shapes(grad.sym_sizes(), mask.sym_sizes());
}
/// The selected elements in order, then zeros.
inline Tensor masked_scatter_backward_cpu(const Tensor& grad, const Tensor& mask, IntArrayRef sizes) {
  check_selects(grad, mask);
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
inline Tensor masked_scatter_backward_meta(const Tensor& grad, const Tensor& mask, SymIntArrayRef sizes) {
  check_selects(grad, mask);
  return ops::new_empty(grad, sizes);
}

}  // namespace tenon::cpu::detail

namespace tenon::cpu {

TENON_LIBRARY_FRAGMENT(aten, m) {
  m.def<ops::masked_scatter_backward_base>();
  m.impl<ops::masked_scatter_backward_base, &detail::masked_scatter_backward_cpu>(DispatchKey::CPU);
  m.impl<ops::masked_scatter_backward_base, &detail::masked_scatter_backward_meta>(DispatchKey::Meta);
}

}  // namespace tenon::cpu

namespace tenon::ops {

TENON_STRUCTURED_OF(index_copy_base, cpu::detail::index_copy_meta);
TENON_STRUCTURED_KERNEL(index_copy_base, CPU, cpu::detail::index_copy_cpu);
TENON_STRUCTURED_OF(masked_scatter_base, cpu::detail::masked_scatter_meta);
TENON_STRUCTURED_KERNEL(masked_scatter_base, CPU, cpu::detail::masked_scatter_cpu);

}  // namespace tenon::ops
