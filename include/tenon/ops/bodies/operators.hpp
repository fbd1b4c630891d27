// What C++'s signs do with tensors: they call the operators of those names.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/bits.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/operators.hpp>

namespace tenon {

#define TENON_INTERNAL_BINARY(SIGN, NAME)                                                                \
  TENON_BODY Tensor operator SIGN(const Tensor& a, const Tensor& b) { return ops::NAME##_Tensor(a, b); } \
  TENON_BODY Tensor operator SIGN(const Tensor& a, const Scalar& b) { return ops::NAME##_Scalar(a, b); }
TENON_INTERNAL_BINARY(+, add)
TENON_INTERNAL_BINARY(-, sub)
TENON_INTERNAL_BINARY(*, mul)
TENON_INTERNAL_BINARY(/, div)
TENON_INTERNAL_BINARY(%, remainder)
TENON_INTERNAL_BINARY(&, bitwise_and)
TENON_INTERNAL_BINARY(|, bitwise_or)
TENON_INTERNAL_BINARY(^, bitwise_xor)
TENON_INTERNAL_BINARY(==, eq)
TENON_INTERNAL_BINARY(!=, ne)
TENON_INTERNAL_BINARY(<, lt)
TENON_INTERNAL_BINARY(<=, le)
TENON_INTERNAL_BINARY(>, gt)
TENON_INTERNAL_BINARY(>=, ge)
#undef TENON_INTERNAL_BINARY

TENON_BODY Tensor operator<<(const Tensor& a, const Tensor& b) { return ops::bitwise_left_shift_Tensor(a, b); }
TENON_BODY Tensor operator<<(const Tensor& a, const Scalar& b) { return ops::bitwise_left_shift_Tensor_Scalar(a, b); }
TENON_BODY Tensor operator>>(const Tensor& a, const Tensor& b) { return ops::bitwise_right_shift_Tensor(a, b); }
TENON_BODY Tensor operator>>(const Tensor& a, const Scalar& b) { return ops::bitwise_right_shift_Tensor_Scalar(a, b); }

TENON_BODY Tensor operator+(const Scalar& a, const Tensor& b) { return ops::add_Scalar(b, a); }
TENON_BODY Tensor operator*(const Scalar& a, const Tensor& b) { return ops::mul_Scalar(b, a); }
TENON_BODY Tensor operator-(const Scalar& a, const Tensor& b) { return ops::add_Scalar(ops::neg(b), a); }
TENON_BODY Tensor operator/(const Scalar& a, const Tensor& b) { return ops::mul_Scalar(ops::reciprocal(b), a); }
TENON_BODY Tensor operator%(const Scalar& a, const Tensor& b) { return ops::remainder_Scalar_Tensor(a, b); }
TENON_BODY Tensor operator<<(const Scalar& a, const Tensor& b) { return ops::bitwise_left_shift_Scalar_Tensor(a, b); }
TENON_BODY Tensor operator>>(const Scalar& a, const Tensor& b) { return ops::bitwise_right_shift_Scalar_Tensor(a, b); }
TENON_BODY Tensor operator-(const Tensor& a) { return ops::neg(a); }
TENON_BODY Tensor operator~(const Tensor& a) { return ops::bitwise_not(a); }
TENON_BODY Tensor operator!(const Tensor& a) { return ops::logical_not(a); }

#define TENON_INTERNAL_ASSIGN(SIGN, NAME)                                                            \
  TENON_BODY Tensor& operator SIGN(Tensor& a, const Tensor& b) { return ops::NAME##_Tensor_(a, b); } \
  TENON_BODY Tensor& operator SIGN(Tensor& a, const Scalar& b) { return ops::NAME##_Scalar_(a, b); }
TENON_INTERNAL_ASSIGN(+=, add)
TENON_INTERNAL_ASSIGN(-=, sub)
TENON_INTERNAL_ASSIGN(*=, mul)
TENON_INTERNAL_ASSIGN(/=, div)
TENON_INTERNAL_ASSIGN(%=, remainder)
TENON_INTERNAL_ASSIGN(&=, bitwise_and)
TENON_INTERNAL_ASSIGN(|=, bitwise_or)
TENON_INTERNAL_ASSIGN(^=, bitwise_xor)
#undef TENON_INTERNAL_ASSIGN

TENON_BODY Tensor& operator<<=(Tensor& a, const Tensor& b) { return ops::bitwise_left_shift_Tensor_(a, b); }
TENON_BODY Tensor& operator<<=(Tensor& a, const Scalar& b) { return ops::bitwise_left_shift_Tensor_Scalar_(a, b); }
TENON_BODY Tensor& operator>>=(Tensor& a, const Tensor& b) { return ops::bitwise_right_shift_Tensor_(a, b); }
TENON_BODY Tensor& operator>>=(Tensor& a, const Scalar& b) { return ops::bitwise_right_shift_Tensor_Scalar_(a, b); }

}  // namespace tenon
