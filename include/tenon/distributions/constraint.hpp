// Sets that parameters and values of distributions lie in.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include <tenon/tensor/tensor.hpp>

namespace tenon::distributions {

/// A set of numbers, or of vectors or matrices along the last dimensions. Made by the functions in `constraints`.
struct Constraint {
  enum class Kind : std::uint8_t {
    Real,
    Positive,
    Nonnegative,
    UnitInterval,
    HalfOpenUnitInterval,
    HalfOpenInterval,
    Boolean,
    NonnegativeInteger,
    PositiveInteger,
    Interval,
    IntegerInterval,
    GreaterThan,
    GreaterThanEq,
    LessThan,
    Simplex,
    OneHot,
    Counts,
    LowerTriangular,
    LowerCholesky,
    CorrCholesky,
    Square,
    Symmetric,
    PositiveSemidefinite,
    PositiveDefinite,
    Cat,
    Stack,
  };
  Kind kind;
  Tensor low = {}, high = {};          ///< bounds, where the kind has them
  std::int64_t reinterpreted = 0;      ///< how many dimensions before those of an event are part of it
  std::vector<Constraint> parts = {};  ///< of `cat` and `stack`, which lie along `dim`
  std::int64_t dim = 0;
  std::vector<std::int64_t> lengths = {};

  /// How many of the last dimensions are one element of the set.
  std::int64_t event_dim() const;
  /// Which elements of `value` lie in the set. Shapes: (.., event) to (..). NaN lies in none.
  Tensor check(const Tensor& value) const;
};
/// What an element is, in words: "positive", "in [0, 1]".
std::string to_string(const Constraint& constraint);

/// PyTorch's sets, by its names.
namespace constraints {

inline Constraint real() { return {Constraint::Kind::Real}; }
inline Constraint positive() { return {Constraint::Kind::Positive}; }
inline Constraint nonnegative() { return {Constraint::Kind::Nonnegative}; }
inline Constraint unit_interval() { return {Constraint::Kind::UnitInterval}; }
inline Constraint half_open_unit_interval() { return {Constraint::Kind::HalfOpenUnitInterval}; }
inline Constraint boolean() { return {Constraint::Kind::Boolean}; }
inline Constraint nonnegative_integer() { return {Constraint::Kind::NonnegativeInteger}; }
inline Constraint positive_integer() { return {Constraint::Kind::PositiveInteger}; }
/// `low` is part of it, `high` is not.
inline Constraint half_open_interval(const Tensor& low, const Tensor& high) {
  return {Constraint::Kind::HalfOpenInterval, low, high};
}
/// Both bounds are part of it.
inline Constraint interval(const Tensor& low, const Tensor& high) { return {Constraint::Kind::Interval, low, high}; }
/// Integers from 0 to `high`, both part of it.
inline Constraint integer_interval(const Tensor& high) { return {Constraint::Kind::IntegerInterval, {}, high}; }
inline Constraint greater_than(const Tensor& low) { return {Constraint::Kind::GreaterThan, low}; }
inline Constraint greater_than_eq(const Tensor& low) { return {Constraint::Kind::GreaterThanEq, low}; }
inline Constraint less_than(const Tensor& high) { return {Constraint::Kind::LessThan, {}, high}; }
/// Vectors of nonnegative numbers whose sum is 1 within 1e-6.
inline Constraint simplex() { return {Constraint::Kind::Simplex}; }
inline Constraint one_hot() { return {Constraint::Kind::OneHot}; }
/// Vectors of nonnegative integers whose sum is `total`.
inline Constraint multinomial(const Tensor& total) { return {Constraint::Kind::Counts, {}, total}; }
inline Constraint lower_triangular() { return {Constraint::Kind::LowerTriangular}; }
/// Lower triangular matrices with a positive diagonal.
inline Constraint lower_cholesky() { return {Constraint::Kind::LowerCholesky}; }
/// Those of them whose rows have length 1, within ten times the rounding of a row.
inline Constraint corr_cholesky() { return {Constraint::Kind::CorrCholesky}; }
inline Constraint square() { return {Constraint::Kind::Square}; }
/// Matrices, symmetric within 1e-6; so are the next two.
inline Constraint symmetric() { return {Constraint::Kind::Symmetric}; }
inline Constraint positive_semidefinite() { return {Constraint::Kind::PositiveSemidefinite}; }
inline Constraint positive_definite() { return {Constraint::Kind::PositiveDefinite}; }
/// The set whose elements have `dims` more dimensions, all of which lie in `base`.
inline Constraint independent(Constraint base, std::int64_t dims) {
  base.reinterpreted += dims;
  return base;
}
inline Constraint real_vector() { return independent(real(), 1); }
/// Sets side by side along `dim`, each as many elements as `lengths` says, one by default: what cat() makes of tensors.
/// Errors: ValueError for no parts and for other than as many lengths.
Constraint cat(std::vector<Constraint> parts, std::int64_t dim = 0, std::vector<std::int64_t> lengths = {});
/// The same for stack(): one set for each index along `dim`. Errors: ValueError for no parts.
Constraint stack(std::vector<Constraint> parts, std::int64_t dim = 0);

}  // namespace constraints
}  // namespace tenon::distributions
