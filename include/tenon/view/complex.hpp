// Views of complex elements as pairs of real ones, and back; views that show elements conjugated or negated.
#pragma once
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/complex.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/structured/symbolic.hpp>
#include <tenon/view/row.hpp>

namespace tenon::geometries {

/// A last dimension of two for the parts.
template <class Int>
BasicGeometry<Int> as_real(const BasicGeometryRef<Int>& self) {
  BasicGeometry<Int> g = self.copy();
  for (Int& stride : g.strides) stride = stride * 2;
  g.sizes.push_back(2);
  g.strides.push_back(1);
  g.offset = g.offset * 2;
  return g;
}
template <class Int>
BasicGeometry<Int> as_complex(const BasicGeometryRef<Int>& self) {
  BasicGeometry<Int> g = self.copy();
  TENON_CHECK(self.dim() != 0, ValueError, "Input tensor must have one or more dimensions");
  std::size_t last = g.sizes.size() - 1;
  TENON_CHECK(g.sizes[last] == 2, ValueError, "Tensor must have a last dimension of size 2");
  TENON_CHECK(g.strides[last] == 1, ValueError, "Tensor must have a last dimension with stride 1");
  g.sizes.pop_back();
  g.strides.pop_back();
  for (std::size_t d = 0; d < last; ++d) {
    TENON_CHECK(g.strides[d] % 2 == 0 || g.sizes[d] == 1, ValueError,
                "Tensor must have a stride divisible by 2 for all but last dimension");
    g.strides[d] = g.strides[d] / 2;
  }
  TENON_CHECK(g.offset % 2 == 0, ValueError, "Tensor must have a storage_offset divisible by 2");
  g.offset = g.offset / 2;
  return g;
}

}  // namespace tenon::geometries

namespace tenon::detail {

template <class Int>
Tensor view_as_real_of(const Tensor& self) {
  Tensor out = make_view(self, geometries::as_real<Int>(BasicGeometryRef<Int>(self)));
  out->set_dtype(to_real_type(self.dtype()));
  return out;
}
inline Tensor view_as_real(const Tensor& self) {
  TENON_CHECK(self.is_complex(), TypeError, "view_as_real is only supported for complex tensors");
  TENON_CHECK(
      !self.is_conj(), ValueError,
      "view_as_real doesn't work on unresolved conjugated tensors.  To resolve the conjugate tensor so you can view it as real, use self.resolve_conj(); however, be warned that the resulting tensor will NOT alias the original.");
  return self.is_symbolic() ? view_as_real_of<SymInt>(self) : view_as_real_of<std::int64_t>(self);
}
template <class Int>
Tensor view_as_complex_of(const Tensor& self) {
  Tensor out = make_view(self, geometries::as_complex<Int>(BasicGeometryRef<Int>(self)));
  out->set_dtype(to_complex_type(self.dtype()));
  return out;
}
inline Tensor view_as_complex(const Tensor& self) {
  TENON_CHECK(self.dtype() == kFloat || self.dtype() == kDouble || self.dtype() == kHalf, NotImplementedError,
              "view_as_complex is only supported for half, float and double tensors, but got a tensor of scalar type: ",
              enumerator_name(self.dtype()));
  return self.is_symbolic() ? view_as_complex_of<SymInt>(self) : view_as_complex_of<std::int64_t>(self);
}

/// The same elements with a mark more, or one less.
inline Tensor toggled(const Tensor& self, DispatchKey mark) {
  Tensor out = self.is_symbolic()
                   ? make_alias_symbolic(self, self.sym_sizes(), self.sym_strides(), self.sym_storage_offset())
                   : make_alias(self);
  out->set_keys(out.keys().has(mark) ? out.keys().without(mark) : out.keys().add(mark));
  return out;
}
inline Tensor conj_view(const Tensor& self) {
  TENON_CHECK(self.is_complex(), TypeError, "_conj(): expected a complex tensor, got one of dtype ", self.dtype(),
              "; use conj()");
  return toggled(self, DispatchKey::Conjugate);
}
inline Tensor neg_view(const Tensor& self) {
  TENON_CHECK(self.dtype() != kBool, TypeError,
              "_neg_view(): expected a tensor of numbers, got one of dtype bool; use logical_not()");
  return toggled(self, DispatchKey::Negative);
}

/// The parts of complex elements share their memory; a real tensor is its own real part.
inline Tensor real(const Tensor& self) {
  if (!self.is_complex()) return self;
  return ops::select(ops::view_as_real(self.is_conj() ? Tensor(ops::_conj(self)) : self), -1, 0);
}
inline Tensor imag(const Tensor& self) {
  TENON_CHECK(self.is_complex(), TypeError, "imag is not implemented for tensors with non-complex dtypes.");
  if (!self.is_conj()) return ops::select(ops::view_as_real(self), -1, 1);
  return ops::select(ops::_neg_view(ops::view_as_real(ops::_conj(self))), -1, 1);
}

}  // namespace tenon::detail

namespace tenon::ops {

TENON_LIBRARY_FRAGMENT(aten, m) {
  using namespace tenon::detail;
  m.def<view_as_real_base>().def<view_as_complex_base>().def<real_base>().def<imag_base>();
  m.def<_conj_base>().def<_neg_view_base>();
  m.impl<real_base, &tenon::detail::real>().impl<imag_base, &tenon::detail::imag>();
  define_by_view<view_copy_kernel>(m, view_as_real_copy_base, view_as_real_base, CallSite::now());
  define_by_view<view_copy_kernel>(m, view_as_complex_copy_base, view_as_complex_base, CallSite::now());
  define_by_view<view_copy_kernel>(m, _conj_copy_base, _conj_base, CallSite::now());
  define_by_view<view_copy_kernel>(m, _neg_view_copy_base, _neg_view_base, CallSite::now());
}
TENON_LIBRARY_IMPL(aten, CompositeExplicitAutograd, m) {
  m.impl<view_as_real_base, &tenon::detail::view_as_real>()
      .impl<view_as_complex_base, &tenon::detail::view_as_complex>();
  m.impl<_conj_base, &tenon::detail::conj_view>().impl<_neg_view_base, &tenon::detail::neg_view>();
}
TENON_DERIVATIVE(view_as_real_base, TENON_WRT((self), (grad), (view_as_complex(contiguous(grad)))));
TENON_DERIVATIVE(view_as_complex_base, TENON_WRT((self), (grad), (view_as_real(resolve_conj(contiguous(grad))))));
TENON_DERIVATIVE(_conj_base, TENON_WRT((self), (grad), (conj(grad))));
TENON_DERIVATIVE(_neg_view_base, TENON_WRT((self), (grad), (neg(grad))));
TENON_LIBRARY_FRAGMENT(aten, m) {
  tenon::detail::register_copy_derivative<view_as_real_copy_base_op, view_as_real_base_op>(m, CallSite::now());
  tenon::detail::register_copy_derivative<view_as_complex_copy_base_op, view_as_complex_base_op>(m, CallSite::now());
  tenon::detail::register_copy_derivative<_conj_copy_base_op, _conj_base_op>(m, CallSite::now());
  tenon::detail::register_copy_derivative<_neg_view_copy_base_op, _neg_view_base_op>(m, CallSite::now());
}

}  // namespace tenon::ops
