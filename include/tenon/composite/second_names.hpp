// Second names of operators, and the matrices of a batch turned over.
#pragma once
#include <tenon/composite/alias.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/axes.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/complex.hpp>
#include <tenon/ops/math.hpp>
#include <tenon/ops/second_names.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::composite {

inline Tensor matrices_transposed(const Tensor& self, const char* name) {
  if (self.dim() == 0) return self;
  TENON_CHECK(self.dim() >= 2, ValueError, "tensor.", name,
              " is only supported on matrices or batches of matrices. Got ", self.dim(), "-D tensor.");
  return ops::transpose(self, -2, -1);
}
inline Tensor conjugated(const Tensor& self) { return self.is_complex() ? Tensor(ops::conj(self)) : self; }
inline Tensor mT(const Tensor& self) { return matrices_transposed(self, "mT"); }
inline Tensor mH(const Tensor& self) { return conjugated(matrices_transposed(self, "mH")); }
inline Tensor adjoint_view(const Tensor& self) { return conjugated(matrices_transposed(self, "adjoint()")); }

TENON_LIBRARY_FRAGMENT(aten, m) {
  add_alias<ops::absolute_base, ops::abs_base>(m);
  add_alias<ops::negative_base, ops::neg_base>(m);
  add_alias<ops::fix_base, ops::trunc_base>(m);
  add_alias<ops::arccos_base, ops::acos_base>(m);
  add_alias<ops::arccosh_base, ops::acosh_base>(m);
  add_alias<ops::arcsin_base, ops::asin_base>(m);
  add_alias<ops::arcsinh_base, ops::asinh_base>(m);
  add_alias<ops::arctan_base, ops::atan_base>(m);
  add_alias<ops::arctanh_base, ops::atanh_base>(m);
  add_alias<ops::arctan2_base, ops::atan2_base>(m);
  add_alias<ops::clip_base, ops::clamp_base>(m);
  add_alias<ops::clip_Tensor, ops::clamp_Tensor>(m);
  m.def<ops::mT_base>().def<ops::mH_base>().def<ops::adjoint_base>();
  m.impl<ops::mT_base, &mT>().impl<ops::mH_base, &mH>().impl<ops::adjoint_base, &adjoint_view>();
}

}  // namespace tenon::composite
