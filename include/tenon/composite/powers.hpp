// Powers that are made of others: in double precision, and of two.
#pragma once
#include <utility>

#include <tenon/library/library.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/math.hpp>
#include <tenon/structured/structured.hpp>

namespace tenon::composite {

inline bool is_complex_operand(const Tensor& t) { return t.is_complex(); }
inline bool is_complex_operand(const Scalar& s) { return s.is_complex(); }
/// An operand of float_power: all of them become doubles, or complex doubles if one is complex.
inline Tensor as_power_operand(const Tensor& t, ScalarType type) { return ops::to(t, type); }
inline Scalar as_power_operand(const Scalar& s, ScalarType type) {
  return type == kDouble ? Scalar(s.to_double()) : Scalar(s.to<Complex<double>>());
}
template <class A, class B>
ScalarType power_type(const A& base, const B& exponent) {
  return is_complex_operand(base) || is_complex_operand(exponent) ? kComplexDouble : kDouble;
}
template <class A, class B>
Tensor float_power(const A& base, const B& exponent) {
  ScalarType type = power_type(base, exponent);
  return ops::pow(as_power_operand(base, type), as_power_operand(exponent, type));
}
template <class A, class B>
Tensor& float_power_out(const A& base, const B& exponent, Tensor& out) {
  ScalarType type = power_type(base, exponent);
  TENON_CHECK(out.dtype() == type, TypeError, "the output given to float_power has dtype ",
              enumerator_name(out.dtype()), " but the operation's result requires dtype ", enumerator_name(type));
  return ops::pow(as_power_operand(base, type), as_power_operand(exponent, type), "out"_a = out);
}
template <class B>
Tensor& float_power_(Tensor& self, const B& exponent) {
  ScalarType type = power_type(self, exponent);
  TENON_CHECK(self.dtype() == type, TypeError, "the base given to float_power_ has dtype ",
              enumerator_name(self.dtype()), " but the operation's result requires dtype ", enumerator_name(type));
  return ops::pow_(self, as_power_operand(exponent, type));
}

/// The two factors of ldexp. Integers scale a floating number in its own dtype: by two powers that float64 has, so that
/// what fits is neither infinite nor 0 on the way.
inline std::pair<Tensor, Tensor> ldexp_factors(const Tensor& self, const Tensor& other) {
  if (!self.is_floating_point() || !is_integral_type(other.dtype(), false)) return {self, ops::pow(Scalar(2.0), other)};
  Tensor half = ops::floor_divide(other, Scalar(2)), rest = ops::sub(other, half);
  auto power = [](const Tensor& n) { return ops::pow(Scalar(2.0), ops::to(n, kDouble)); };
  return {ops::mul(ops::to(self, kDouble), power(half)), power(rest)};
}
inline Tensor ldexp(const Tensor& self, const Tensor& other) {
  auto [scaled, factor] = ldexp_factors(self, other);
  Tensor out = ops::mul(scaled, factor);
  return scaled.is_same(self) ? out : ops::to(out, self.dtype());
}
inline Tensor& ldexp_(Tensor& self, const Tensor& other) {
  auto [scaled, factor] = ldexp_factors(self, other);
  return scaled.is_same(self) ? ops::mul_(self, factor) : ops::copy_(self, ops::mul(scaled, factor));
}
inline Tensor& ldexp_out(const Tensor& self, const Tensor& other, Tensor& out) {
  auto [scaled, factor] = ldexp_factors(self, other);
  return ops::mul(scaled, factor, "out"_a = out);
}

}  // namespace tenon::composite

TENON_LIBRARY_FRAGMENT(aten, m) {
  namespace ops = tenon::ops;
  namespace c = tenon::composite;
  using tenon::Scalar, tenon::Tensor;
  define_forms(m, ops::float_power_Tensor_Tensor);
  define_forms(m, ops::float_power_Tensor_Scalar);
  define_forms(m, ops::float_power_Scalar);
  define_forms(m, ops::ldexp_Tensor);
  m.impl<ops::float_power_Tensor_Tensor, &c::float_power<Tensor, Tensor>>()
      .impl<ops::float_power_Tensor_Tensor_, &c::float_power_<Tensor>>()
      .impl<ops::float_power_Tensor_Tensor_out, &c::float_power_out<Tensor, Tensor>>();
  m.impl<ops::float_power_Tensor_Scalar, &c::float_power<Tensor, Scalar>>()
      .impl<ops::float_power_Tensor_Scalar_, &c::float_power_<Scalar>>()
      .impl<ops::float_power_Tensor_Scalar_out, &c::float_power_out<Tensor, Scalar>>();
  m.impl<ops::float_power_Scalar, &c::float_power<Scalar, Tensor>>()
      .impl<ops::float_power_Scalar_out, &c::float_power_out<Scalar, Tensor>>();
  m.impl<ops::ldexp_Tensor, &c::ldexp>()
      .impl<ops::ldexp_Tensor_, &c::ldexp_>()
      .impl<ops::ldexp_Tensor_out, &c::ldexp_out>();
}
