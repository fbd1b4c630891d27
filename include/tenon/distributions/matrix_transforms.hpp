// Maps onto matrices of a kind, by which their numbers are learned.
#pragma once
#include <tenon/distributions/transforms.hpp>

namespace tenon::distributions {

/// Vectors of n (n - 1) / 2 numbers to Cholesky factors of correlation matrices of n rows: lower triangles with rows of
/// length 1. The numbers fill the triangle below the diagonal row by row, and each row breaks a stick with signs.
/// `log_abs_det_jacobian` is that of the part below the diagonal. Errors of shapes: ValueError for another count of
/// numbers, and for matrices that are not square. Source: torch.distributions.CorrCholeskyTransform of PyTorch 2.15.
struct CorrCholeskyTransform {
  static constexpr std::int64_t domain_dim = 1, codomain_dim = 2;
  Tensor operator()(const Tensor& x) const;
  Tensor inverse(const Tensor& y) const;
  Tensor log_abs_det_jacobian(const Tensor& x, const Tensor& y) const;
  Constraint codomain() const;
  DimVector forward_shape(IntArrayRef shape) const;
  DimVector inverse_shape(IntArrayRef shape) const;
};

/// The lower triangle of square matrices, with exp() of the diagonal; what is above is left out, so that there is no
/// derivative. Source: torch.distributions.LowerCholeskyTransform of PyTorch 2.15.
struct LowerCholeskyTransform {
  static constexpr std::int64_t domain_dim = 2, codomain_dim = 2;
  Tensor operator()(const Tensor& x) const;
  Tensor inverse(const Tensor& y) const;
  Constraint codomain() const;
};

/// l @ l^T for what LowerCholeskyTransform makes of a matrix.
/// Source: torch.distributions.PositiveDefiniteTransform of PyTorch 2.15.
struct PositiveDefiniteTransform {
  static constexpr std::int64_t domain_dim = 2, codomain_dim = 2;
  Tensor operator()(const Tensor& x) const;
  Tensor inverse(const Tensor& y) const;
  Constraint codomain() const;
};

}  // namespace tenon::distributions
