// Invertible maps, by operators.
#pragma once
#include <tenon/distributions/detail/univariate.hpp>
#include <tenon/distributions/transforms.hpp>
#include <tenon/ops/pad.hpp>
#include <tenon/ops/scan.hpp>

namespace tenon::distributions {

namespace detail {

TENON_BODY Tensor beside(const Parameter& parameter, const Tensor& x) {
  if (parameter.number()) return full_beside(x, {}, *parameter.number());
  return parameter;
}
TENON_BODY bool same(const Parameter& a, const Parameter& b) {
  if (a.number() && b.number()) return *a.number() == *b.number();
  if (a.number()) return same(b, a);
  NoGradGuard no_grad;
  if (b.number()) return (a == *b.number()).all().item<bool>();
  return a.sizes() == b.sizes() && (a == b).all().item<bool>();
}
inline DimVector sizes_of(const Parameter& parameter) {
  return parameter.number() ? DimVector() : DimVector(parameter.sizes());
}
TENON_BODY Tensor sum_of(const Tensor& a, const Tensor& b) { return a + b; }
TENON_BODY Tensor negative(const Tensor& t) { return -t; }
/// Off both ends, so that the inverse is finite.
inline Tensor clamped_part(const Tensor& x) {
  finfo limits(x.dtype());
  return x.clamp(limits.tiny, 1 - limits.eps);
}
inline Tensor turned_by(const Tensor& sign, const Tensor& probability) { return sign * (probability - 0.5) + 0.5; }
inline DimVector broadcast_shape(IntArrayRef a, IntArrayRef b) {
  DimVector shape(std::max(a.size(), b.size()), 1);
  for (std::size_t i = 0; i < shape.size(); ++i) {
    std::int64_t x = i < a.size() ? a[a.size() - 1 - i] : 1, y = i < b.size() ? b[b.size() - 1 - i] : 1;
    TENON_CHECK(x == y || x == 1 || y == 1, ValueError, "transform: expected shapes that broadcast, got ", a, " and ",
                b);
    shape[shape.size() - 1 - i] = x == 1 ? y : x;
  }
  return shape;
}
/// n, n - 1, .. 1: by how much the middle of a stick's rest is moved, so that zeros give equal pieces.
inline Tensor pieces_left(const Tensor& like, std::int64_t n) {
  return ops::arange(n, 0, -1, like.options().requires_grad(false));
}

}  // namespace detail

TENON_BODY Tensor ExpTransform::operator()(const Tensor& x) const { return x.exp(); }
TENON_BODY Tensor ExpTransform::inverse(const Tensor& y) const { return y.log(); }
TENON_BODY Tensor ExpTransform::log_abs_det_jacobian(const Tensor& x, const Tensor&) const { return x; }
TENON_BODY Constraint ExpTransform::codomain() const { return constraints::positive(); }
TENON_BODY Tensor ExpTransform::falling(const Tensor& probability) const { return probability; }

TENON_BODY Tensor IdentityTransform::operator()(const Tensor& x) const { return x; }
TENON_BODY Tensor IdentityTransform::inverse(const Tensor& y) const { return y; }
TENON_BODY Tensor IdentityTransform::log_abs_det_jacobian(const Tensor& x, const Tensor&) const {
  return ops::zeros_like(x);
}
TENON_BODY Constraint IdentityTransform::codomain() const { return constraints::real(); }
TENON_BODY Tensor IdentityTransform::falling(const Tensor& probability) const { return probability; }

TENON_BODY Tensor AbsTransform::operator()(const Tensor& x) const { return x.abs(); }
TENON_BODY Tensor AbsTransform::inverse(const Tensor& y) const { return y; }
TENON_BODY Constraint AbsTransform::codomain() const { return constraints::positive(); }

TENON_BODY Tensor SoftmaxTransform::operator()(const Tensor& x) const { return x.softmax(-1); }
TENON_BODY Tensor SoftmaxTransform::inverse(const Tensor& y) const { return y.log(); }
TENON_BODY Constraint SoftmaxTransform::codomain() const { return constraints::simplex(); }

TENON_BODY Tensor SigmoidTransform::operator()(const Tensor& x) const { return detail::clamped_part(x.sigmoid()); }
TENON_BODY Tensor SigmoidTransform::inverse(const Tensor& y) const {
  Tensor p = detail::clamped_part(y);
  return p.log() - (-p).log1p();
}
TENON_BODY Tensor SigmoidTransform::log_abs_det_jacobian(const Tensor& x, const Tensor&) const {
  return -ops::softplus(-x) - ops::softplus(x);
}
TENON_BODY Constraint SigmoidTransform::codomain() const { return constraints::unit_interval(); }
TENON_BODY Tensor SigmoidTransform::falling(const Tensor& probability) const { return probability; }

TENON_BODY Tensor SoftplusTransform::operator()(const Tensor& x) const { return ops::softplus(x); }
TENON_BODY Tensor SoftplusTransform::inverse(const Tensor& y) const { return (-(-y).expm1()).log() + y; }
TENON_BODY Tensor SoftplusTransform::log_abs_det_jacobian(const Tensor& x, const Tensor&) const {
  return -ops::softplus(-x);
}
TENON_BODY Constraint SoftplusTransform::codomain() const { return constraints::positive(); }
TENON_BODY Tensor SoftplusTransform::falling(const Tensor& probability) const { return probability; }

TENON_BODY Tensor TanhTransform::operator()(const Tensor& x) const { return x.tanh(); }
TENON_BODY Tensor TanhTransform::inverse(const Tensor& y) const { return y.atanh(); }
TENON_BODY Tensor TanhTransform::log_abs_det_jacobian(const Tensor& x, const Tensor&) const {
  return 2 * (std::numbers::ln2 - x - ops::softplus(-2 * x));
}
TENON_BODY Constraint TanhTransform::codomain() const {
  return constraints::interval(ops::full({}, -1.0), ops::full({}, 1.0));
}
TENON_BODY Tensor TanhTransform::falling(const Tensor& probability) const { return probability; }

TENON_BODY Tensor AffineTransform::operator()(const Tensor& x) const {
  return detail::beside(loc, x) + detail::beside(scale, x) * x;
}
TENON_BODY Tensor AffineTransform::inverse(const Tensor& y) const {
  return (y - detail::beside(loc, y)) / detail::beside(scale, y);
}
TENON_BODY Tensor AffineTransform::log_abs_det_jacobian(const Tensor& x, const Tensor&) const {
  return detail::beside(scale, x).abs().log().expand(x.sizes());
}
TENON_BODY Constraint AffineTransform::codomain() const { return constraints::real(); }
TENON_BODY Tensor AffineTransform::falling(const Tensor& probability) const {
  return detail::turned_by(detail::beside(scale, probability).sign(), probability);
}
TENON_BODY DimVector AffineTransform::forward_shape(IntArrayRef shape) const {
  return detail::broadcast_shape(detail::broadcast_shape(shape, detail::sizes_of(loc)), detail::sizes_of(scale));
}

TENON_BODY bool AffineTransform::operator==(const AffineTransform& other) const {
  return detail::same(loc, other.loc) && detail::same(scale, other.scale);
}

TENON_BODY Tensor PowerTransform::operator()(const Tensor& x) const { return x.pow(detail::beside(exponent, x)); }
TENON_BODY Tensor PowerTransform::inverse(const Tensor& y) const { return y.pow(1 / detail::beside(exponent, y)); }
TENON_BODY Tensor PowerTransform::log_abs_det_jacobian(const Tensor& x, const Tensor& y) const {
  return (detail::beside(exponent, x) * y / x).abs().log();
}
TENON_BODY Constraint PowerTransform::codomain() const { return constraints::positive(); }
TENON_BODY Tensor PowerTransform::falling(const Tensor& probability) const {
  return detail::turned_by(detail::beside(exponent, probability).sign(), probability);
}
TENON_BODY DimVector PowerTransform::forward_shape(IntArrayRef shape) const {
  return detail::broadcast_shape(shape, detail::sizes_of(exponent));
}

TENON_BODY bool PowerTransform::operator==(const PowerTransform& other) const {
  return detail::same(exponent, other.exponent);
}

TENON_BODY Tensor StickBreakingTransform::operator()(const Tensor& x) const {
  Tensor z = detail::clamped_part((x - detail::pieces_left(x, x.size(-1)).log()).sigmoid());
  return ops::constant_pad_nd(z, {0, 1}, 1) * ops::constant_pad_nd((1 - z).cumprod(-1), {1, 0}, 1);
}
TENON_BODY Tensor StickBreakingTransform::inverse(const Tensor& y) const {
  std::int64_t n = y.size(-1) - 1;
  Tensor pieces = y.narrow(-1, 0, n), rest = (1 - pieces.cumsum(-1)).clamp_min(finfo(y.dtype()).tiny);
  return pieces.log() - rest.log() + detail::pieces_left(y, n).log();
}
TENON_BODY Tensor StickBreakingTransform::log_abs_det_jacobian(const Tensor& x, const Tensor& y) const {
  std::int64_t n = x.size(-1);
  Tensor z = x - detail::pieces_left(x, n).log();
  return (-z + ops::log_sigmoid(z) + y.narrow(-1, 0, n).log()).sum(-1);
}
TENON_BODY Constraint StickBreakingTransform::codomain() const { return constraints::simplex(); }
TENON_BODY DimVector StickBreakingTransform::forward_shape(IntArrayRef shape) const {
  DimVector longer = shape;
  ++longer.back();
  return longer;
}
TENON_BODY DimVector StickBreakingTransform::inverse_shape(IntArrayRef shape) const {
  DimVector shorter = shape;
  --shorter.back();
  return shorter;
}

}  // namespace tenon::distributions
