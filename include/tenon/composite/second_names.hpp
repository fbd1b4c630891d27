// Second names of operators, and the matrices of a batch turned over.
#pragma once
#include <tenon/composite/alias.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/axes.hpp>
#include <tenon/ops/bits.hpp>
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
inline Tensor matrix_H(const Tensor& self) {
  std::int64_t n = self.dim();
  TENON_CHECK(n == 2 || n == 0, ValueError, "tensor.H is only supported on matrices (2-D tensors). Got ", n,
              "-D tensor.", n > 2 ? " For batches of matrices, consider using tensor.mH" : "");
  return conjugated(n == 0 ? self : Tensor(ops::transpose(self, 0, 1)));
}
inline Tensor numpy_T(const Tensor& self) {
  DimVector dims;
  for (std::int64_t d = self.dim(); d-- > 0;) dims.push_back(d);
  return ops::permute(self, IntArrayRef(dims));
}

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
  // The names of Python's signs.
  add_alias<ops::__and___Tensor, ops::bitwise_and_Tensor>(m);
  add_alias<ops::__and___Scalar, ops::bitwise_and_Scalar>(m);
  add_alias<ops::__or___Tensor, ops::bitwise_or_Tensor>(m);
  add_alias<ops::__or___Scalar, ops::bitwise_or_Scalar>(m);
  add_alias<ops::__xor___Tensor, ops::bitwise_xor_Tensor>(m);
  add_alias<ops::__xor___Scalar, ops::bitwise_xor_Scalar>(m);
  add_alias<ops::__lshift___Tensor, ops::bitwise_left_shift_Tensor>(m);
  add_alias<ops::__lshift___Scalar, ops::bitwise_left_shift_Tensor_Scalar>(m);
  add_alias<ops::__rshift___Tensor, ops::bitwise_right_shift_Tensor>(m);
  add_alias<ops::__rshift___Scalar, ops::bitwise_right_shift_Tensor_Scalar>(m);
  add_alias<ops::__iand___Tensor, ops::bitwise_and_Tensor_>(m);
  add_alias<ops::__iand___Scalar, ops::bitwise_and_Scalar_>(m);
  add_alias<ops::__ior___Tensor, ops::bitwise_or_Tensor_>(m);
  add_alias<ops::__ior___Scalar, ops::bitwise_or_Scalar_>(m);
  add_alias<ops::__ixor___Tensor, ops::bitwise_xor_Tensor_>(m);
  add_alias<ops::__ixor___Scalar, ops::bitwise_xor_Scalar_>(m);
  add_alias<ops::__ilshift___Tensor, ops::bitwise_left_shift_Tensor_>(m);
  add_alias<ops::__ilshift___Scalar, ops::bitwise_left_shift_Tensor_Scalar_>(m);
  add_alias<ops::__irshift___Tensor, ops::bitwise_right_shift_Tensor_>(m);
  add_alias<ops::__irshift___Scalar, ops::bitwise_right_shift_Tensor_Scalar_>(m);
  m.def<ops::mT_base>().def<ops::mH_base>().def<ops::adjoint_base>().def<ops::matrix_H_base>().def<ops::numpy_T_base>();
  m.impl<ops::mT_base, &mT>().impl<ops::mH_base, &mH>().impl<ops::adjoint_base, &adjoint_view>();
  m.impl<ops::matrix_H_base, &matrix_H>().impl<ops::numpy_T_base, &numpy_T>();
}

}  // namespace tenon::composite
