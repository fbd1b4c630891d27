// Tensors in the place of elements: what a formula or a lambda says of elements becomes calls of operators, so that its
// slopes by dual numbers are recorded and have derivatives of their own.
#pragma once
#include <concepts>
#include <utility>

#include <tenon/math/dual.hpp>
#include <tenon/ops/activation.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/bits.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/math.hpp>
#include <tenon/ops/operators.hpp>
#include <tenon/ops/special.hpp>
#include <tenon/tensor/create.hpp>

namespace tenon::math {

/// All elements of a tensor, or a number that depends on none. Numbers are reckoned with at once.
class symbol {
 public:
  symbol() = default;
  template <class N>
    requires std::is_arithmetic_v<N> symbol(N n) : number_(static_cast<double>(n)) {}
    symbol(Tensor t) : tensor_(std::move(t)) {}
    /// A complex number is a tensor that takes part in no promotion.
    static symbol of(const Scalar& s) {
      return s.is_complex() ? symbol(tenon::scalar_tensor(s, kComplexDouble, true)) : symbol(s.to_double());
    }

    bool is_number() const { return !tensor_.defined(); }
    bool is(double n) const { return is_number() && number_ == n; }
    double number() const { return number_; }
    const Tensor& tensor() const { return tensor_; }

   private:
    double number_ = 0;
    Tensor tensor_;
};

namespace detail {
/// f of two symbols, of which one is a tensor, each as a Tensor or a Scalar.
template <class F>
symbol apply(const symbol& a, const symbol& b, F f) {
  if (a.is_number()) return symbol(f(Scalar(a.number()), b.tensor()));
  if (b.is_number()) return symbol(f(a.tensor(), Scalar(b.number())));
  return symbol(f(a.tensor(), b.tensor()));
}
/// The same of an operator that knows tensors alone.
template <class F>
symbol apply_tensors(const symbol& a, const symbol& b, F f) {
  auto wide = [](const symbol& s, const Tensor& like) {
    return s.is_number() ? tenon::scalar_tensor(Scalar(s.number()), like.dtype(), true) : s.tensor();
  };
  return symbol(f(wide(a, b.tensor()), wide(b, a.tensor())));
}
}  // namespace detail

// A number that changes nothing leaves the other operand as it is: most tangents are 0 or 1.
inline symbol operator+(const symbol& a, const symbol& b) {
  if (a.is_number() && b.is_number()) return a.number() + b.number();
  if (a.is(0)) return b;
  if (b.is(0)) return a;
  return detail::apply(a, b, [](const auto& x, const auto& y) { return x + y; });
}
inline symbol operator-(const symbol& a) { return a.is_number() ? symbol(-a.number()) : symbol(-a.tensor()); }
inline symbol operator-(const symbol& a, const symbol& b) {
  if (a.is_number() && b.is_number()) return a.number() - b.number();
  if (a.is(0)) return -b;
  if (b.is(0)) return a;
  return detail::apply(a, b, [](const auto& x, const auto& y) { return x - y; });
}
inline symbol operator*(const symbol& a, const symbol& b) {
  if (a.is_number() && b.is_number()) return a.number() * b.number();
  if (a.is(0) || b.is(0)) return 0;
  if (a.is(1)) return b;
  if (b.is(1)) return a;
  return detail::apply(a, b, [](const auto& x, const auto& y) { return x * y; });
}
inline symbol operator/(const symbol& a, const symbol& b) {
  if (a.is_number() && b.is_number()) return a.number() / b.number();
  if (a.is(0)) return 0;
  if (b.is(1)) return a;
  return detail::apply(a, b, [](const auto& x, const auto& y) { return x / y; });
}
#define TENON_INTERNAL_COMPARE(OP)                                                           \
  inline symbol operator OP(const symbol& a, const symbol& b) {                              \
    if (a.is_number() && b.is_number()) return a.number() OP b.number();                     \
    return detail::apply(a, b, [](const auto& x, const auto& y) { return Tensor(x OP y); }); \
  }
TENON_INTERNAL_COMPARE(<)
TENON_INTERNAL_COMPARE(<=)
TENON_INTERNAL_COMPARE(>)
TENON_INTERNAL_COMPARE(>=)
TENON_INTERNAL_COMPARE(==)
TENON_INTERNAL_COMPARE(!=)
#undef TENON_INTERNAL_COMPARE
// Truth values.
#define TENON_INTERNAL_TRUTH(OP, NAME)                                                                            \
  inline symbol operator OP(const symbol& a, const symbol& b) {                                                   \
    if (a.is_number() && b.is_number()) return int(a.number() != 0) OP int(b.number() != 0);                      \
    return detail::apply_tensors(a, b, [](const Tensor& x, const Tensor& y) { return Tensor(ops::NAME(x, y)); }); \
  }
TENON_INTERNAL_TRUTH(&, logical_and)
TENON_INTERNAL_TRUTH(|, logical_or)
TENON_INTERNAL_TRUTH(^, logical_xor)
#undef TENON_INTERNAL_TRUTH
inline symbol operator!(const symbol& a) {
  return a.is_number() ? symbol(a.number() == 0) : symbol(Tensor(ops::logical_not(a.tensor())));
}

#define TENON_INTERNAL_UNARY(NAME)                                                                 \
  inline symbol NAME(const symbol& x) {                                                            \
    return x.is_number() ? symbol(math::NAME(x.number())) : symbol(Tensor(ops::NAME(x.tensor()))); \
  }
TENON_INTERNAL_UNARY(exp)
TENON_INTERNAL_UNARY(expm1)
TENON_INTERNAL_UNARY(exp2)
TENON_INTERNAL_UNARY(log)
TENON_INTERNAL_UNARY(log1p)
TENON_INTERNAL_UNARY(log2)
TENON_INTERNAL_UNARY(log10)
TENON_INTERNAL_UNARY(sqrt)
TENON_INTERNAL_UNARY(rsqrt)
TENON_INTERNAL_UNARY(sin)
TENON_INTERNAL_UNARY(cos)
TENON_INTERNAL_UNARY(tan)
TENON_INTERNAL_UNARY(asin)
TENON_INTERNAL_UNARY(acos)
TENON_INTERNAL_UNARY(atan)
TENON_INTERNAL_UNARY(sinh)
TENON_INTERNAL_UNARY(cosh)
TENON_INTERNAL_UNARY(tanh)
TENON_INTERNAL_UNARY(asinh)
TENON_INTERNAL_UNARY(acosh)
TENON_INTERNAL_UNARY(atanh)
TENON_INTERNAL_UNARY(sigmoid)
TENON_INTERNAL_UNARY(erf)
TENON_INTERNAL_UNARY(erfc)
TENON_INTERNAL_UNARY(abs)
TENON_INTERNAL_UNARY(sign)
TENON_INTERNAL_UNARY(floor)
TENON_INTERNAL_UNARY(ceil)
TENON_INTERNAL_UNARY(trunc)
TENON_INTERNAL_UNARY(round)
TENON_INTERNAL_UNARY(isnan)
TENON_INTERNAL_UNARY(isinf)
TENON_INTERNAL_UNARY(isfinite)
#undef TENON_INTERNAL_UNARY
inline symbol ndtr(const symbol& x) {
  return x.is_number() ? symbol(math::ndtr(x.number())) : symbol(Tensor(ops::special_ndtr(x.tensor())));
}

#define TENON_INTERNAL_BINARY(NAME)                                                                               \
  inline symbol NAME(const symbol& a, const symbol& b) {                                                          \
    if (a.is_number() && b.is_number()) return math::NAME(a.number(), b.number());                                \
    return detail::apply_tensors(a, b, [](const Tensor& x, const Tensor& y) { return Tensor(ops::NAME(x, y)); }); \
  }
TENON_INTERNAL_BINARY(pow)
TENON_INTERNAL_BINARY(atan2)
TENON_INTERNAL_BINARY(hypot)
TENON_INTERNAL_BINARY(maximum)
TENON_INTERNAL_BINARY(minimum)
TENON_INTERNAL_BINARY(fmod)
TENON_INTERNAL_BINARY(remainder)
TENON_INTERNAL_BINARY(copysign)
#undef TENON_INTERNAL_BINARY

inline symbol select(const symbol& condition, const symbol& a, const symbol& b) {
  if (condition.is_number()) return condition.number() != 0 ? a : b;
  if (a.is_number() && b.is_number())
    return symbol(Tensor(ops::where(condition.tensor(), Scalar(a.number()), Scalar(b.number()))));
  return detail::apply(a, b,
                       [&](const auto& x, const auto& y) { return Tensor(ops::where(condition.tensor(), x, y)); });
}
template <class A, class B>
  requires with_dual<A, B>
auto select(const symbol& condition, const A& a, const B& b) { return detail::select_dual(condition, a, b); }

}  // namespace tenon::math

namespace tenon::pointwise {

/// The gradient of an operand from its slope, in the operand's dtype; a slope that is always 0 gives zeros.
inline Tensor gradient_of(const math::symbol& slope, const Tensor& grad) {
  if (slope.is_number()) return slope.is(1) ? grad : Tensor(ops::mul(grad, Scalar(slope.number())));
  const Tensor& s = slope.tensor();
  return ops::mul(grad, s.is_complex() ? Tensor(ops::conj_physical(s)) : s);
}

}  // namespace tenon::pointwise
