// Maps whose elements have more dimensions, and maps by distributions.
#pragma once
#include <tenon/distributions/transforms.hpp>

namespace tenon::distributions {

/// A map whose elements have `reinterpreted_batch_ndims` dimensions more, over which `log_abs_det_jacobian` is summed:
/// `IndependentTransform{ExpTransform{}, 1}` maps vectors.
/// Source: torch.distributions.IndependentTransform of PyTorch 2.15.
template <mapping T>
struct IndependentTransform {
  T base_transform;
  std::int64_t reinterpreted_batch_ndims;
  std::int64_t domain_dim = base_transform.domain_dim + reinterpreted_batch_ndims;
  std::int64_t codomain_dim = base_transform.codomain_dim + reinterpreted_batch_ndims;

  Tensor operator()(const Tensor& x) const { return base_transform(x); }
  Tensor inverse(const Tensor& y) const { return base_transform.inverse(y); }
  Tensor log_abs_det_jacobian(const Tensor& x, const Tensor& y) const requires transform<T> {
    return detail::sum_rightmost(base_transform.log_abs_det_jacobian(x, y), reinterpreted_batch_ndims);
  }
  Constraint codomain() const { return constraints::independent(base_transform.codomain(), reinterpreted_batch_ndims); }
  Tensor falling(const Tensor& probability) const { return base_transform.falling(probability); }
  DimVector forward_shape(IntArrayRef shape) const { return detail::forward_shape(base_transform, shape); }
  DimVector inverse_shape(IntArrayRef shape) const { return detail::inverse_shape(base_transform, shape); }
  bool operator==(const IndependentTransform& other) const {
    return reinterpreted_batch_ndims == other.reinterpreted_batch_ndims &&
           detail::same_map(base_transform, other.base_transform);
  }
};
template <class T>
IndependentTransform(T, std::int64_t) -> IndependentTransform<T>;

/// The same numbers in another shape: `ReshapeTransform({2, 3}, {6})`, of the last dimensions. Errors: ValueError for
/// shapes of other numbers of elements, and for tensors that do not end in the shape.
/// Source: torch.distributions.ReshapeTransform of PyTorch 2.15.
class ReshapeTransform {
 public:
  ReshapeTransform(IntArrayRef in_shape, IntArrayRef out_shape);
  const DimVector& in_shape() const { return in_; }
  const DimVector& out_shape() const { return out_; }

  Tensor operator()(const Tensor& x) const;
  Tensor inverse(const Tensor& y) const;
  Tensor log_abs_det_jacobian(const Tensor& x, const Tensor& y) const;
  Constraint codomain() const { return constraints::independent(constraints::real(), codomain_dim); }
  DimVector forward_shape(IntArrayRef shape) const;
  DimVector inverse_shape(IntArrayRef shape) const;
  bool operator==(const ReshapeTransform& other) const;
  std::int64_t domain_dim, codomain_dim;

 private:
  DimVector in_, out_;
};

/// The distribution function of a distribution of numbers, as a map to [0, 1]: under it a normal vector is a Gaussian
/// copula. It has an inverse for those with `icdf`.
/// Source: torch.distributions.CumulativeDistributionTransform of PyTorch 2.15.
template <distribution D>
struct CumulativeDistributionTransform {
  D distribution;
  static constexpr std::int64_t domain_dim = 0, codomain_dim = 0;

  Tensor operator()(const Tensor& x) const { return distribution.cdf(x); }
  Tensor inverse(const Tensor& y) const { return distribution.icdf(y); }
  Tensor log_abs_det_jacobian(const Tensor& x, const Tensor&) const { return distribution.log_prob(x); }
  Constraint codomain() const { return constraints::unit_interval(); }
  Tensor falling(const Tensor& probability) const { return probability; }
};
template <class D>
CumulativeDistributionTransform(D) -> CumulativeDistributionTransform<D>;

}  // namespace tenon::distributions
