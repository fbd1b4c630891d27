// Elementwise operators that are made of others, for every back end.
#pragma once
#include <tenon/autograd/derivative.hpp>
#include <tenon/autograd/derivatives/factors.hpp>
#include <tenon/composite/round_decimals.hpp>
#include <tenon/composite/alias.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/bits.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/structured/pointwise.hpp>
#include <tenon/structured/structured.hpp>

namespace tenon::composite {

/// A real tensor is its own conjugate: no copy is made of it.
inline Tensor conj_physical(const Tensor& self) { return self.is_complex() ? ops::_conj_physical(self) : self; }
inline Tensor& conj_physical_(Tensor& self) {
  return self.is_complex() ? ops::_conj_physical_base_out(self, self) : self;
}
inline Tensor square(const Tensor& self) { return ops::pow_Tensor_Scalar(self, 2); }
inline Tensor& square_(Tensor& self) { return ops::pow_Tensor_Scalar_(self, 2); }
inline Tensor& square_out(const Tensor& self, Tensor& out) { return ops::pow_Tensor_Scalar_out(self, 2, out); }
inline Tensor where_ScalarOther(const Tensor& condition, const Tensor& self, const Scalar& other) {
  return ops::where_self(condition, self, wrapped_scalar_tensor(other));
}
inline Tensor where_ScalarSelf(const Tensor& condition, const Scalar& self, const Tensor& other) {
  return ops::where_self(condition, wrapped_scalar_tensor(self), other);
}
inline Tensor where_Scalar(const Tensor& condition, const Scalar& self, const Scalar& other) {
  return ops::where_self(condition, wrapped_scalar_tensor(self), wrapped_scalar_tensor(other));
}
inline Tensor positive(const Tensor& self) {
  TENON_CHECK(self.dtype() != kBool, TypeError, "The `+` operator, on a bool tensor is not supported.");
  return self;
}

/// The overload whose first operand is a number, by that of two tensors.
template <auto Target>
Tensor number_first(const Scalar& self, const Tensor& other) {
  return Target(wrapped_scalar_tensor(self), other);
}
template <auto Target>
Tensor& number_first_out(const Scalar& self, const Tensor& other, Tensor& out) {
  return Target(wrapped_scalar_tensor(self), other, out);
}
template <auto Op, auto Target>
void add_number_first(Library& m) {
  define_forms(m, Op);
  m.impl<Op, &number_first<Target>>();
  m.impl<typename std::remove_const_t<decltype(Op)>::out{},
         &number_first_out<typename std::remove_const_t<decltype(Target)>::out{}>>();
}

}  // namespace tenon::composite

TENON_LIBRARY_FRAGMENT(aten, m) {
  namespace ops = tenon::ops;
  namespace c = tenon::composite;
  m.def<ops::conj_physical_base>().def<ops::conj_physical_base_>().def<ops::positive_base>();
  m.impl<ops::conj_physical_base, &c::conj_physical>().impl<ops::positive_base, &c::positive>();
  m.impl<ops::conj_physical_base_, &c::conj_physical_>(tenon::DispatchKey::CompositeExplicitAutograd);
  define_forms(m, ops::square_base);
  m.impl<ops::square_base, &c::square>()
      .impl<ops::square_base_, &c::square_>()
      .impl<ops::square_base_out, &c::square_out>();
  m.def<ops::where_ScalarOther>().def<ops::where_ScalarSelf>().def<ops::where_Scalar>();
  m.impl<ops::where_ScalarOther, &c::where_ScalarOther>()
      .impl<ops::where_ScalarSelf, &c::where_ScalarSelf>()
      .impl<ops::where_Scalar, &c::where_Scalar>();
  c::add_alias<ops::multiply_Tensor, ops::mul_Tensor>(m);
  c::add_alias<ops::subtract_Tensor, ops::sub_Tensor>(m);
  c::add_alias<ops::divide_Tensor, ops::div_Tensor>(m);
  c::add_alias<ops::divide_Tensor_mode, ops::div_Tensor_mode>(m);
  c::add_alias<ops::true_divide_Tensor, ops::div_Tensor>(m);
  c::add_alias<ops::multiply_Scalar, ops::mul_Scalar>(m);
  c::add_alias<ops::subtract_Scalar, ops::sub_Scalar>(m);
  c::add_alias<ops::divide_Scalar, ops::div_Scalar>(m);
  c::add_alias<ops::divide_Scalar_mode, ops::div_Scalar_mode>(m);
  c::add_alias<ops::true_divide_Scalar, ops::div_Scalar>(m);
  c::add_alias<ops::greater_Tensor, ops::gt_Tensor>(m);
  c::add_alias<ops::greater_Scalar, ops::gt_Scalar>(m);
  c::add_alias<ops::greater_equal_Tensor, ops::ge_Tensor>(m);
  c::add_alias<ops::greater_equal_Scalar, ops::ge_Scalar>(m);
  c::add_alias<ops::less_Tensor, ops::lt_Tensor>(m);
  c::add_alias<ops::less_Scalar, ops::lt_Scalar>(m);
  c::add_alias<ops::less_equal_Tensor, ops::le_Tensor>(m);
  c::add_alias<ops::less_equal_Scalar, ops::le_Scalar>(m);
  c::add_alias<ops::not_equal_Tensor, ops::ne_Tensor>(m);
  c::add_alias<ops::not_equal_Scalar, ops::ne_Scalar>(m);
  c::add_number_first<ops::bitwise_and_Scalar_Tensor, ops::bitwise_and_Tensor>(m);
  c::add_number_first<ops::bitwise_or_Scalar_Tensor, ops::bitwise_or_Tensor>(m);
  c::add_number_first<ops::bitwise_xor_Scalar_Tensor, ops::bitwise_xor_Tensor>(m);
  c::add_number_first<ops::bitwise_left_shift_Scalar_Tensor, ops::bitwise_left_shift_Tensor>(m);
  c::add_number_first<ops::bitwise_right_shift_Scalar_Tensor, ops::bitwise_right_shift_Tensor>(m);
  c::add_number_first<ops::remainder_Scalar_Tensor, ops::remainder_Tensor>(m);
}

namespace tenon::ops {

TENON_STRUCTURED_KERNEL(round_decimals, CPU, &composite::round_decimals);
TENON_DERIVATIVE(round_decimals, TENON_WRT((self), (grad), (zeros_like(grad))));
TENON_DERIVATIVE(square_base, TENON_WRT((self), (grad, self), (mul(grad, derivatives::conj_of(mul(self, 2))))));
TENON_DERIVATIVE(conj_physical_base_, TENON_WRT((self), (grad), (derivatives::conj_of(grad))));

}  // namespace tenon::ops
