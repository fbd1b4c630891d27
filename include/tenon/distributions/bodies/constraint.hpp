// Checking values against sets.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/distributions/constraint.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/bits.hpp>
#include <tenon/ops/closeness.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/diagonal.hpp>
#include <tenon/ops/factorization.hpp>
#include <tenon/ops/matrix.hpp>
#include <tenon/ops/linalg.hpp>
#include <tenon/ops/operators.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::distributions {

namespace detail {

inline Tensor elements_in(const Constraint& c, const Tensor& x) {
  using enum Constraint::Kind;
  switch (c.kind) {
    case Real: return x == x;
    case Positive: return x > 0;
    case Nonnegative: return x >= 0;
    case UnitInterval: return (x >= 0) & (x <= 1);
    case HalfOpenUnitInterval: return (x >= 0) & (x < 1);
    case Boolean: return (x == 0) | (x == 1);
    case NonnegativeInteger: return (x % 1 == 0) & (x >= 0);
    case Interval: return (x >= c.low) & (x <= c.high);
    case IntegerInterval: return (x % 1 == 0) & (x >= 0) & (x <= c.high);
    case GreaterThan: return x > c.low;
    case GreaterThanEq: return x >= c.low;
    case Simplex: return (x >= 0).all(-1) & ((x.sum(-1) - 1).abs() < 1e-6);
    case OneHot: return ((x == 0) | (x == 1)).all(-1) & (x.sum(-1) == 1);
    case Counts: return ((x % 1 == 0) & (x >= 0)).all(-1) & (x.sum(-1) == c.high);
    case LowerCholesky: return (x.tril() == x).flatten(-2).all(-1) & (x.diagonal(0, -2, -1) > 0).all(-1);
    case PositiveDefinite: {
      Tensor symmetric = ops::isclose(x, x.transpose(-2, -1), 1e-5, 1e-6).flatten(-2).all(-1);
      return symmetric & (std::get<1>(ops::linalg_cholesky_ex(x)) == 0);
    }
  }
  TENON_INTERNAL_ASSERT(false, "no such constraint");
}
inline std::string bound(const Tensor& t) { return t.numel() == 1 ? concat(t.item<double>()) : "its bound"; }

}  // namespace detail

TENON_BODY std::int64_t Constraint::event_dim() const {
  switch (kind) {
    case Kind::Simplex:
    case Kind::OneHot:
    case Kind::Counts: return reinterpreted + 1;
    case Kind::LowerCholesky:
    case Kind::PositiveDefinite: return reinterpreted + 2;
    default: return reinterpreted;
  }
}
TENON_BODY Tensor Constraint::check(const Tensor& value) const {
  Tensor in = detail::elements_in(*this, value);
  for (std::int64_t i = 0; i < reinterpreted; ++i) in = in.all(-1);
  return in;
}
TENON_COLD_BODY std::string to_string(const Constraint& c) {
  using enum Constraint::Kind;
  switch (c.kind) {
    case Real: return "real";
    case Positive: return "positive";
    case Nonnegative: return "nonnegative";
    case UnitInterval: return "in [0, 1]";
    case HalfOpenUnitInterval: return "in [0, 1)";
    case Boolean: return "0 or 1";
    case NonnegativeInteger: return "a nonnegative integer";
    case Interval: return concat("in [", detail::bound(c.low), ", ", detail::bound(c.high), "]");
    case IntegerInterval: return concat("an integer in [0, ", detail::bound(c.high), "]");
    case GreaterThan: return concat("greater than ", detail::bound(c.low));
    case GreaterThanEq: return concat("at least ", detail::bound(c.low));
    case Simplex: return "nonnegative with sum 1";
    case OneHot: return "one-hot";
    case Counts: return concat("nonnegative integers with sum ", detail::bound(c.high));
    case LowerCholesky: return "lower triangular with a positive diagonal";
    case PositiveDefinite: return "positive definite";
  }
  return {};
}

}  // namespace tenon::distributions
