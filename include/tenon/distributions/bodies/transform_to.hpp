// Maps side by side, and maps onto sets.
#pragma once
#include <algorithm>
#include <functional>

#include <tenon/distributions/detail/side_by_side.hpp>
#include <tenon/distributions/detail/univariate.hpp>
#include <tenon/distributions/independent_transform.hpp>
#include <tenon/distributions/matrix_transforms.hpp>
#include <tenon/distributions/transform_to.hpp>

namespace tenon::distributions {

namespace detail {

TENON_COLD_BODY void lacks(const char* what) { fail<NotImplementedError>("Transform: the map has no ", what, "()"); }

inline std::vector<Constraint> codomains(const std::vector<Transform>& maps) {
  std::vector<Constraint> sets;
  for (const Transform& map : maps) sets.push_back(map.codomain());
  return sets;
}
inline bool all_bijective(const std::vector<Transform>& maps) {
  return std::all_of(maps.begin(), maps.end(), [](const Transform& map) { return map.bijective(); });
}
template <class Way>
std::vector<Tensor> each_by(Way way, const std::vector<Transform>& maps, std::vector<Tensor> parts) {
  for (std::size_t i = 0; i < maps.size(); ++i) parts[i] = std::invoke(way, maps[i], parts[i]);
  return parts;
}
inline std::vector<Tensor> each_jacobian(const std::vector<Transform>& maps, const std::vector<Tensor>& x,
                                         const std::vector<Tensor>& y) {
  std::vector<Tensor> sizes;
  for (std::size_t i = 0; i < maps.size(); ++i)
    sizes.push_back(sum_rightmost(maps[i].log_abs_det_jacobian(x[i], y[i]),
                                  most_of(maps, &Transform::domain_dim) - maps[i].domain_dim));
  return sizes;
}

}  // namespace detail

TENON_BODY CatTransform::CatTransform(std::vector<Transform> tseq, std::int64_t dim, std::vector<std::int64_t> lengths)
    : domain_dim(detail::most_of(tseq, &Transform::domain_dim)),
      codomain_dim(detail::most_of(tseq, &Transform::codomain_dim)),
      transforms_(std::move(tseq)),
      dim_(dim),
      lengths_(std::move(lengths)) {
  if (lengths_.empty()) lengths_.assign(transforms_.size(), 1);
  TENON_CHECK(!transforms_.empty() && lengths_.size() == transforms_.size(), ValueError,
              "CatTransform: expected a length for each map, got ", lengths_.size(), " for ", transforms_.size());
}
TENON_BODY std::vector<Tensor> CatTransform::parts(const Tensor& t) const {
  std::int64_t all = 0, start = 0;
  for (std::int64_t length : lengths_) all += length;
  detail::check_length("CatTransform", t, dim_, all);
  std::vector<Tensor> parts;
  for (std::int64_t length : lengths_) {
    parts.push_back(t.narrow(dim_, start, length));
    start += length;
  }
  return parts;
}
TENON_BODY Tensor CatTransform::operator()(const Tensor& x) const {
  return ops::cat(detail::each_by(&Transform::operator(), transforms_, parts(x)), dim_);
}
TENON_BODY Tensor CatTransform::inverse(const Tensor& y) const {
  return ops::cat(detail::each_by(&Transform::inverse, transforms_, parts(y)), dim_);
}
TENON_BODY Tensor CatTransform::log_abs_det_jacobian(const Tensor& x, const Tensor& y) const {
  std::vector<Tensor> sizes = detail::each_jacobian(transforms_, parts(x), parts(y));
  std::int64_t at = detail::place_outside(dim_, x, domain_dim);
  if (at < 0) return ops::cat(sizes, at);
  return ops::stack(sizes, 0).sum(0);
}
TENON_BODY Constraint CatTransform::codomain() const {
  return constraints::cat(detail::codomains(transforms_), dim_, lengths_);
}
TENON_BODY bool CatTransform::bijective() const { return detail::all_bijective(transforms_); }

TENON_BODY StackTransform::StackTransform(std::vector<Transform> tseq, std::int64_t dim)
    : domain_dim(detail::most_of(tseq, &Transform::domain_dim)),
      codomain_dim(detail::most_of(tseq, &Transform::codomain_dim)),
      transforms_(std::move(tseq)),
      dim_(dim) {
  TENON_CHECK(!transforms_.empty(), ValueError, "StackTransform: expected at least one map");
}
TENON_BODY std::vector<Tensor> StackTransform::parts(const Tensor& t) const {
  detail::check_length("StackTransform", t, dim_, static_cast<std::int64_t>(transforms_.size()));
  return t.unbind(dim_);
}
TENON_BODY Tensor StackTransform::operator()(const Tensor& x) const {
  return ops::stack(detail::each_by(&Transform::operator(), transforms_, parts(x)), dim_);
}
TENON_BODY Tensor StackTransform::inverse(const Tensor& y) const {
  return ops::stack(detail::each_by(&Transform::inverse, transforms_, parts(y)), dim_);
}
TENON_BODY Tensor StackTransform::log_abs_det_jacobian(const Tensor& x, const Tensor& y) const {
  std::vector<Tensor> sizes = detail::each_jacobian(transforms_, parts(x), parts(y));
  std::int64_t at = detail::place_outside(dim_, x, domain_dim);
  TENON_CHECK(at < 0, ValueError, "StackTransform: expected maps along a dimension before those of an element, got ",
              dim_, " of shape ", x.sizes());
  return ops::stack(sizes, at);
}
TENON_BODY Constraint StackTransform::codomain() const {
  return constraints::stack(detail::codomains(transforms_), dim_);
}
TENON_BODY bool StackTransform::bijective() const { return detail::all_bijective(transforms_); }

namespace detail {

inline Transform map_onto(const Constraint& c, bool one_to_one) {
  using enum Constraint::Kind;
  if (c.reinterpreted > 0) {
    Constraint base = c;
    base.reinterpreted = 0;
    return IndependentTransform{map_onto(base, one_to_one), c.reinterpreted};
  }
  auto each = [&] {
    std::vector<Transform> maps;
    for (const Constraint& part : c.parts) maps.push_back(map_onto(part, one_to_one));
    return maps;
  };
  switch (c.kind) {
    case Real: return identity_transform;
    case Positive:
    case Nonnegative: return ExpTransform{};
    case UnitInterval:
    case HalfOpenUnitInterval: return SigmoidTransform{};
    case GreaterThan:
    case GreaterThanEq: return ComposeTransform{ExpTransform{}, AffineTransform{c.low, 1}};
    case LessThan: return ComposeTransform{ExpTransform{}, AffineTransform{c.high, -1}};
    case Interval:
    case HalfOpenInterval: return ComposeTransform{SigmoidTransform{}, AffineTransform{c.low, c.high - c.low}};
    case CorrCholesky: return CorrCholeskyTransform{};
    case Cat: return CatTransform(each(), c.dim, c.lengths);
    case Stack: return StackTransform(each(), c.dim);
    case Simplex:
      if (one_to_one) return StickBreakingTransform{};
      return SoftmaxTransform{};
    case LowerCholesky:
      if (!one_to_one) return LowerCholeskyTransform{};
      break;
    case PositiveSemidefinite:
    case PositiveDefinite:
      if (!one_to_one) return PositiveDefiniteTransform{};
      break;
    default: break;
  }
  fail<NotImplementedError>(one_to_one ? "biject_to" : "transform_to", "(): there is no map onto what is ", c);
}

}  // namespace detail

TENON_BODY Transform biject_to(const Constraint& constraint) { return detail::map_onto(constraint, true); }
TENON_BODY Transform transform_to(const Constraint& constraint) { return detail::map_onto(constraint, false); }

}  // namespace tenon::distributions
