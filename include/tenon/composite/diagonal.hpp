// Diagonals as matrices and of them, made of views; the places on one side of one.
#pragma once
#include <algorithm>

#include <tenon/autograd/derivative.hpp>
#include <tenon/composite/options.hpp>
#include <tenon/composite/out_by_copy.hpp>
#include <tenon/ops/diagonal.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/ops/view_copy.hpp>
#include <tenon/tensor/view_geometry.hpp>

namespace tenon::composite {

inline Tensor diag_embed(const Tensor& self, std::int64_t offset, std::int64_t dim1, std::int64_t dim2) {
  std::int64_t n = self.dim() + 1;
  std::int64_t a = wrap_dim(dim1, n), b = wrap_dim(dim2, n);
  TENON_CHECK(a != b, ValueError, "diagonal dimensions cannot be identical ", dim1, ", ", dim2);
  TENON_CHECK(self.dim() > 0, IndexError, "Dimension out of range (expected to be in range of [-1, 0], but got ",
              std::min(dim1, dim2), ")");
  AutoDispatchBelowADInplaceOrView guard;
  SymDimVector sizes(self.sym_sizes());
  SymInt side = sizes.back() + (offset < 0 ? -offset : offset);
  sizes.pop_back();
  sizes.insert(static_cast<std::size_t>(std::min(a, b)), side);
  sizes.insert(static_cast<std::size_t>(std::max(a, b)), side);
  Tensor out = ops::new_zeros(self, SymIntArrayRef(sizes)), at = ops::diagonal(out, offset, a, b);
  ops::copy_(at, self);
  return out;
}
inline void check_diag(const Tensor& self) {
  TENON_CHECK(self.dim() == 1 || self.dim() == 2, ValueError, "diag(): Supports 1D or 2D tensors. Got ", self.dim(),
              "D");
}
inline Tensor diag(const Tensor& self, std::int64_t offset) {
  check_diag(self);
  return self.dim() == 1 ? Tensor(ops::diag_embed(self, offset)) : Tensor(ops::diagonal_copy(self, offset));
}
inline Tensor& diag_out(const Tensor& self, std::int64_t offset, Tensor& out) {
  check_diag(self);
  if (self.dim() == 1)
    ops::diag_embed(self, offset, "out"_a = out);
  else
    ops::diagonal_copy(self, offset, "out"_a = out);
  return out;
}
inline Tensor diagflat(const Tensor& self, std::int64_t offset) { return ops::diag(ops::reshape(self, {-1}), offset); }

/// The sum of clamp(row + offset + 1, 0, columns) over the rows: a triangle, and rows of all columns below it.
inline std::int64_t count_lower(std::int64_t rows, std::int64_t columns, std::int64_t offset) {
  const std::int64_t begin = std::clamp<std::int64_t>(-offset, 0, rows),
                     whole = std::clamp(columns - 1 - offset, begin, rows);
  return (whole - begin) * (begin + whole + 2 * offset + 1) / 2 + (rows - whole) * columns;
}
/// Columns [first, end) of each row that lie on the side asked for.
template <bool Lower>
struct Side {
  std::int64_t first, end;
  Side(std::int64_t row, std::int64_t columns, std::int64_t offset) {
    auto within = [=](std::int64_t c) { return std::clamp<std::int64_t>(c, 0, columns); };
    first = Lower ? 0 : within(row + offset);
    end = Lower ? within(row + offset + 1) : columns;
  }
};
template <bool Lower>
Tensor side_indices(std::int64_t rows, std::int64_t columns, std::int64_t offset, std::optional<ScalarType> dtype,
                    std::optional<Layout> layout, std::optional<Device> device, std::optional<bool>) {
  TENON_CHECK(rows >= 0, ValueError, "row must be non-negative, got", rows);
  TENON_CHECK(columns >= 0, ValueError, "col must be non-negative, got", columns);
  TENON_CHECK(layout.value_or(Layout::Strided) == Layout::Strided, ValueError,
              "only support layout=torch.strided, got ", *layout);
  ScalarType type = dtype.value_or(kLong);
  if (type != kLong && type != kInt) not_implemented_for(Lower ? "tril_indices" : "triu_indices", type);
  std::int64_t count = 0, begin = 0, end = 0;  // the rows that have elements on the side, and how many these are
  if (rows != 0 && columns != 0) {
    constexpr std::int64_t most = std::int64_t{1} << 60;
    TENON_CHECK(rows <= most / columns, OutOfMemoryError, "Storage size calculation overflowed with row=", rows,
                " and col=", columns);
    offset = std::clamp(offset, -rows, columns);  // no diagonal lies further away
    begin = Lower ? std::clamp<std::int64_t>(-offset, 0, rows) : 0;
    end = Lower ? rows : std::clamp<std::int64_t>(columns - offset, 0, rows);
    count = Lower ? count_lower(rows, columns, offset) : rows * columns - count_lower(rows, columns, offset - 1);
  }
  Tensor places = make_tensor({2, count}, {}, kLong);
  auto p = static_cast<std::int64_t*>(places.data_ptr());
  for (std::int64_t r = begin; r < end; ++r)
    for (Side<Lower> side(r, columns, offset); side.first < side.end; ++side.first, ++p) {
      p[0] = r;
      p[count] = side.first;
    }
  return places.to(device.value_or(kCPU), type);
}
template <bool Lower>
Tensor& side_indices_out(std::int64_t rows, std::int64_t columns, std::int64_t offset, Tensor& out) {
  return copy_to_out(side_indices<Lower>(rows, columns, offset, out.dtype(), {}, out.device(), {}), out);
}

TENON_LIBRARY_FRAGMENT(aten, m) {
  constexpr DispatchKey all = DispatchKey::CompositeExplicitAutograd;
  define_forms(m, ops::diag_embed_base);
  define_forms(m, ops::diag_base);
  define_forms(m, ops::tril_indices_base);
  define_forms(m, ops::triu_indices_base);
  m.def<ops::diagflat_base>();
  m.impl<ops::diag_embed_base, &diag_embed>(all);
  m.impl<ops::diag_base, &diag>().impl<ops::diag_base_out, &diag_out>().impl<ops::diagflat_base, &diagflat>();
  m.impl<ops::tril_indices_base, &side_indices<true>>(all).impl<ops::tril_indices_base_out, &side_indices_out<true>>(
      all);
  m.impl<ops::triu_indices_base, &side_indices<false>>(all);
  m.impl<ops::triu_indices_base_out, &side_indices_out<false>>(all);
  implement_out_by_copy<ops::diag_embed_base_op>(m, CallSite::now());
}

}  // namespace tenon::composite

namespace tenon::ops {

TENON_DERIVATIVE(diag_embed_base, TENON_WRT((self), (grad, offset, dim1, dim2), diagonal(grad, offset, dim1, dim2)));

}  // namespace tenon::ops
