// Arithmetic and comparisons on tensors as C++ operators.
#pragma once
#include <tenon/ops/pointwise.hpp>
#include <tenon/tensor/create.hpp>

namespace tenon {

// Each is the operator of its name: broadcasting, promotion and gradients are those of ops::add, ops::lt and so on.
#define TENON_INTERNAL_ARITHMETIC(SIGN, NAME)                                                                                          \
  inline Tensor operator SIGN(const Tensor& a, const Tensor& b) { return ops::NAME(a, b); }                                          \
  inline Tensor operator SIGN(const Tensor& a, const Scalar& b) { return ops::NAME(a, b); }                                          \
  inline Tensor operator SIGN(const Scalar& a, const Tensor& b) { return ops::NAME(wrapped_scalar_tensor(a), b); }                   \
  inline Tensor& operator SIGN##=(Tensor& a, const Tensor& b) { return ops::NAME##_(a, b); }                                         \
  inline Tensor& operator SIGN##=(Tensor& a, const Scalar& b) { return ops::NAME##_(a, b); }
TENON_INTERNAL_ARITHMETIC(+, add)
TENON_INTERNAL_ARITHMETIC(-, sub)
TENON_INTERNAL_ARITHMETIC(*, mul)
TENON_INTERNAL_ARITHMETIC(/, div)
#undef TENON_INTERNAL_ARITHMETIC
inline Tensor operator-(const Tensor& a) { return ops::neg(a); }

// A number on the left is the mirrored comparison.
#define TENON_INTERNAL_COMPARISON(SIGN, NAME, MIRRORED)                                              \
  inline Tensor operator SIGN(const Tensor& a, const Tensor& b) { return ops::NAME(a, b); }          \
  inline Tensor operator SIGN(const Tensor& a, const Scalar& b) { return ops::NAME(a, b); }          \
  inline Tensor operator SIGN(const Scalar& a, const Tensor& b) { return ops::MIRRORED(b, a); }
TENON_INTERNAL_COMPARISON(==, eq, eq)
TENON_INTERNAL_COMPARISON(!=, ne, ne)
TENON_INTERNAL_COMPARISON(<, lt, gt)
TENON_INTERNAL_COMPARISON(<=, le, ge)
TENON_INTERNAL_COMPARISON(>, gt, lt)
TENON_INTERNAL_COMPARISON(>=, ge, le)
#undef TENON_INTERNAL_COMPARISON

}  // namespace tenon
