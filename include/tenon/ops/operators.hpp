// Arithmetic and comparison of tensors in C++'s own signs; each is the operator of that name.
#pragma once
#include <tenon/tensor/tensor.hpp>

namespace tenon {

#define TENON_INTERNAL_BINARY(SIGN)                       \
  Tensor operator SIGN(const Tensor& a, const Tensor& b); \
  Tensor operator SIGN(const Tensor& a, const Scalar& b);
TENON_INTERNAL_BINARY(+)
TENON_INTERNAL_BINARY(-)
TENON_INTERNAL_BINARY(*)
TENON_INTERNAL_BINARY(/)
TENON_INTERNAL_BINARY(%)
TENON_INTERNAL_BINARY(&)
TENON_INTERNAL_BINARY(|)
TENON_INTERNAL_BINARY(^)
TENON_INTERNAL_BINARY(<<)
TENON_INTERNAL_BINARY(>>)
TENON_INTERNAL_BINARY(==)
TENON_INTERNAL_BINARY(!=)
TENON_INTERNAL_BINARY(<)
TENON_INTERNAL_BINARY(<=)
TENON_INTERNAL_BINARY(>)
TENON_INTERNAL_BINARY(>=)
#undef TENON_INTERNAL_BINARY

Tensor operator+(const Scalar& a, const Tensor& b);
Tensor operator*(const Scalar& a, const Tensor& b);
Tensor operator-(const Scalar& a, const Tensor& b);
Tensor operator/(const Scalar& a, const Tensor& b);
Tensor operator%(const Scalar& a, const Tensor& b);
Tensor operator<<(const Scalar& a, const Tensor& b);
Tensor operator>>(const Scalar& a, const Tensor& b);
Tensor operator-(const Tensor& a);
Tensor operator~(const Tensor& a);
Tensor operator!(const Tensor& a);
inline Tensor operator&(const Scalar& a, const Tensor& b) { return b & a; }
inline Tensor operator|(const Scalar& a, const Tensor& b) { return b | a; }
inline Tensor operator^(const Scalar& a, const Tensor& b) { return b ^ a; }
inline Tensor operator==(const Scalar& a, const Tensor& b) { return b == a; }
inline Tensor operator!=(const Scalar& a, const Tensor& b) { return b != a; }
inline Tensor operator<(const Scalar& a, const Tensor& b) { return b > a; }
inline Tensor operator<=(const Scalar& a, const Tensor& b) { return b >= a; }
inline Tensor operator>(const Scalar& a, const Tensor& b) { return b < a; }
inline Tensor operator>=(const Scalar& a, const Tensor& b) { return b <= a; }

#define TENON_INTERNAL_ASSIGN(SIGN)                                             \
  Tensor& operator SIGN(Tensor& a, const Tensor& b);                            \
  Tensor& operator SIGN(Tensor& a, const Scalar& b);                            \
  /* What a call returned, `x.select(0, 1) += 1`: a view most often. */         \
  inline Tensor operator SIGN(Tensor&& a, const Tensor& b) { return a SIGN b; } \
  inline Tensor operator SIGN(Tensor&& a, const Scalar& b) { return a SIGN b; }
TENON_INTERNAL_ASSIGN(+=)
TENON_INTERNAL_ASSIGN(-=)
TENON_INTERNAL_ASSIGN(*=)
TENON_INTERNAL_ASSIGN(/=)
TENON_INTERNAL_ASSIGN(%=)
TENON_INTERNAL_ASSIGN(&=)
TENON_INTERNAL_ASSIGN(|=)
TENON_INTERNAL_ASSIGN(^=)
TENON_INTERNAL_ASSIGN(<<=)
TENON_INTERNAL_ASSIGN(>>=)
#undef TENON_INTERNAL_ASSIGN

}  // namespace tenon
