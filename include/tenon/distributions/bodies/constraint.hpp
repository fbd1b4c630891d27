// Checking values against sets.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/distributions/constraint.hpp>
#include <tenon/distributions/detail/side_by_side.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/bits.hpp>
#include <tenon/ops/closeness.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/diagonal.hpp>
#include <tenon/ops/factorization.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/join.hpp>
#include <tenon/ops/linalg.hpp>
#include <tenon/ops/math.hpp>
#include <tenon/ops/matrix.hpp>
#include <tenon/ops/operators.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/spectral.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/tensor/type_info.hpp>

namespace tenon::distributions {

namespace detail {

inline Tensor is_lower(const Tensor& x) { return (x.tril() == x).flatten(-2).all(-1); }
inline Tensor is_symmetric(const Tensor& x) {
  return ops::isclose(x, x.transpose(-2, -1), 1e-5, 1e-6).flatten(-2).all(-1);
}
inline Tensor is_cholesky(const Tensor& x) { return is_lower(x) & (x.diagonal(0, -2, -1) > 0).all(-1); }
inline Tensor is_square(const Tensor& x) {
  IntArrayRef batch = x.sizes().slice(0, x.sizes().size() - 2);
  return ops::full(batch, x.size(-2) == x.size(-1), "dtype"_a = kBool, "device"_a = x.device());
}
inline Tensor parts_in(const Constraint& c, const Tensor& x) {
  bool stacked = c.kind == Constraint::Kind::Stack;
  std::int64_t start = 0, expected = 0, dims = most_of(c.parts, &Constraint::event_dim);
  for (std::int64_t length : c.lengths) expected += length;
  check_length(stacked ? "stack" : "cat", x, c.dim, expected);
  std::vector<Tensor> in;
  for (std::size_t i = 0; i < c.parts.size(); start += c.lengths[i++]) {
    Tensor part = c.parts[i].check(stacked ? x.select(c.dim, start) : x.narrow(c.dim, start, c.lengths[i]));
    for (std::int64_t own = c.parts[i].event_dim(); own < dims; ++own) part = part.all(-1);
    in.push_back(part);
  }
  // Of the dimensions those of an event are gone; parts along one of them are one element.
  std::int64_t at = place_outside(c.dim, x, dims);
  if (at < 0) return stacked ? ops::stack(in, at) : ops::cat(in, at);
  return ops::stack(in, 0).all(0);
}
inline Tensor elements_in(const Constraint& c, const Tensor& x) {
  using enum Constraint::Kind;
  switch (c.kind) {
    case Real: return x == x;
    case Positive: return x > 0;
    case Nonnegative: return x >= 0;
    case UnitInterval: return (x >= 0) & (x <= 1);
    case HalfOpenUnitInterval: return (x >= 0) & (x < 1);
    case HalfOpenInterval: return (x >= c.low) & (x < c.high);
    case Boolean: return (x == 0) | (x == 1);
    case NonnegativeInteger: return (x % 1 == 0) & (x >= 0);
    case PositiveInteger: return (x % 1 == 0) & (x >= 1);
    case Interval: return (x >= c.low) & (x <= c.high);
    case IntegerInterval: return (x % 1 == 0) & (x >= 0) & (x <= c.high);
    case GreaterThan: return x > c.low;
    case GreaterThanEq: return x >= c.low;
    case LessThan: return x < c.high;
    case Simplex: return (x >= 0).all(-1) & ((x.sum(-1) - 1).abs() < 1e-6);
    case OneHot: return ((x == 0) | (x == 1)).all(-1) & (x.sum(-1) == 1);
    case Counts: return ((x % 1 == 0) & (x >= 0)).all(-1) & (x.sum(-1) == c.high);
    case LowerTriangular: return is_lower(x);
    case LowerCholesky: return is_cholesky(x);
    case CorrCholesky: {
      double error = finfo(x.dtype()).eps * static_cast<double>(x.size(-1)) * 10;
      return is_cholesky(x) & ((x.pow(2).sum(-1).sqrt() - 1).abs() <= error).all(-1);
    }
    case Square: return is_square(x);
    case Symmetric: return is_square(x).all().item<bool>() ? is_symmetric(x) : is_square(x);
    case PositiveSemidefinite: return is_symmetric(x) & (ops::linalg_eigvalsh(x) >= 0).all(-1);
    case PositiveDefinite: return is_symmetric(x) & (std::get<1>(ops::linalg_cholesky_ex(x)) == 0);
    case Cat:
    case Stack: return parts_in(c, x);
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
    case Kind::LowerTriangular:
    case Kind::LowerCholesky:
    case Kind::CorrCholesky:
    case Kind::Square:
    case Kind::Symmetric:
    case Kind::PositiveSemidefinite:
    case Kind::PositiveDefinite: return reinterpreted + 2;
    case Kind::Cat:
    case Kind::Stack: return reinterpreted + detail::most_of(parts, &Constraint::event_dim);
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
    case HalfOpenInterval: return concat("in [", detail::bound(c.low), ", ", detail::bound(c.high), ")");
    case Boolean: return "0 or 1";
    case NonnegativeInteger: return "a nonnegative integer";
    case PositiveInteger: return "a positive integer";
    case Interval: return concat("in [", detail::bound(c.low), ", ", detail::bound(c.high), "]");
    case IntegerInterval: return concat("an integer in [0, ", detail::bound(c.high), "]");
    case GreaterThan: return concat("greater than ", detail::bound(c.low));
    case GreaterThanEq: return concat("at least ", detail::bound(c.low));
    case LessThan: return concat("less than ", detail::bound(c.high));
    case Simplex: return "nonnegative with sum 1";
    case OneHot: return "one-hot";
    case Counts: return concat("nonnegative integers with sum ", detail::bound(c.high));
    case LowerTriangular: return "lower triangular";
    case LowerCholesky: return "lower triangular with a positive diagonal";
    case CorrCholesky: return "lower triangular with a positive diagonal and rows of length 1";
    case Square: return "square";
    case Symmetric: return "symmetric";
    case PositiveSemidefinite: return "positive semidefinite";
    case PositiveDefinite: return "positive definite";
    case Cat:
    case Stack: {
      std::string text;
      for (const Constraint& part : c.parts) text += (text.empty() ? "" : ", then ") + to_string(part);
      return text;
    }
  }
  return {};
}

TENON_COLD_BODY Constraint constraints::cat(std::vector<Constraint> parts, std::int64_t dim,
                                            std::vector<std::int64_t> lengths) {
  if (lengths.empty()) lengths.assign(parts.size(), 1);
  TENON_CHECK(!parts.empty() && lengths.size() == parts.size(), ValueError,
              "cat: expected a length for each part, got ", lengths.size(), " for ", parts.size());
  return {Constraint::Kind::Cat, {}, {}, 0, std::move(parts), dim, std::move(lengths)};
}
TENON_COLD_BODY Constraint constraints::stack(std::vector<Constraint> parts, std::int64_t dim) {
  TENON_CHECK(!parts.empty(), ValueError, "stack: expected at least one part");
  std::vector<std::int64_t> lengths(parts.size(), 1);
  return {Constraint::Kind::Stack, {}, {}, 0, std::move(parts), dim, std::move(lengths)};
}

}  // namespace tenon::distributions
