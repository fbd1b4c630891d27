// Maps onto matrices, by operators.
#pragma once
#include <tenon/distributions/detail/triangle.hpp>
#include <tenon/distributions/matrix_transforms.hpp>
#include <tenon/ops/diagonal.hpp>
#include <tenon/ops/factorization.hpp>
#include <tenon/ops/linalg.hpp>
#include <tenon/ops/pad.hpp>
#include <tenon/ops/scan.hpp>

namespace tenon::distributions {

namespace detail {
/// How many rows a matrix has with `count` numbers below its diagonal.
inline std::int64_t rows_for(std::int64_t count) {
  auto n = static_cast<std::int64_t>(std::llround(std::sqrt(0.25 + 2 * static_cast<double>(count)) + 0.5));
  TENON_CHECK(n * (n - 1) / 2 == count, ValueError,
              "CorrCholeskyTransform: expected n (n - 1) / 2 numbers for some n, got ", count);
  return n;
}
/// Each row moved by one to the right, after a 1.
inline Tensor after_one(const Tensor& t) { return ops::constant_pad_nd(t.narrow(-1, 0, t.size(-1) - 1), {1, 0}, 1); }
inline Tensor rest_of_squares(const Tensor& y) { return 1 - (y * y).cumsum(-1); }
}  // namespace detail

TENON_BODY Tensor CorrCholeskyTransform::operator()(const Tensor& x) const {
  double eps = finfo(x.dtype()).eps;
  Tensor r = detail::triangle_from(x.tanh().clamp(-1 + eps, 1 - eps), detail::rows_for(x.size(-1)));
  Tensor rest = (1 - r.pow(2)).sqrt().cumprod(-1);
  return (r + ops::eye(r.size(-1), r.options().requires_grad(false))) * detail::after_one(rest);
}
TENON_BODY Tensor CorrCholeskyTransform::inverse(const Tensor& y) const {
  Tensor rest = detail::after_one(detail::rest_of_squares(y));
  Tensor t = detail::triangle_of(y, -1) / detail::triangle_of(rest, -1).sqrt();
  return (t.log1p() - (-t).log1p()) / 2;
}
TENON_BODY Tensor CorrCholeskyTransform::log_abs_det_jacobian(const Tensor& x, const Tensor& y) const {
  Tensor broken = 0.5 * detail::triangle_of(detail::rest_of_squares(y), -2).log().sum(-1);
  return broken - 2 * (x + ops::softplus(-2 * x) - std::numbers::ln2).sum(-1);
}
TENON_BODY Constraint CorrCholeskyTransform::codomain() const { return constraints::corr_cholesky(); }
TENON_BODY DimVector CorrCholeskyTransform::forward_shape(IntArrayRef shape) const {
  TENON_CHECK(!shape.empty(), ValueError, "CorrCholeskyTransform: expected at least 1 dimension");
  DimVector matrices = shape;
  matrices.back() = detail::rows_for(shape.back());
  matrices.push_back(matrices.back());
  return matrices;
}
TENON_BODY DimVector CorrCholeskyTransform::inverse_shape(IntArrayRef shape) const {
  TENON_CHECK(shape.size() >= 2 && shape.back() == shape[shape.size() - 2], ValueError,
              "CorrCholeskyTransform: expected square matrices, got shape ", shape);
  DimVector vectors = shape.slice(0, shape.size() - 1);
  vectors.back() = vectors.back() * (vectors.back() - 1) / 2;
  return vectors;
}

TENON_BODY Tensor LowerCholeskyTransform::operator()(const Tensor& x) const {
  return x.tril(-1) + ops::diag_embed(x.diagonal(0, -2, -1).exp());
}
TENON_BODY Tensor LowerCholeskyTransform::inverse(const Tensor& y) const {
  return y.tril(-1) + ops::diag_embed(y.diagonal(0, -2, -1).log());
}
TENON_BODY Constraint LowerCholeskyTransform::codomain() const { return constraints::lower_cholesky(); }

TENON_BODY Tensor PositiveDefiniteTransform::operator()(const Tensor& x) const {
  Tensor l = LowerCholeskyTransform()(x);
  return ops::matmul(l, l.transpose(-2, -1));
}
TENON_BODY Tensor PositiveDefiniteTransform::inverse(const Tensor& y) const {
  return LowerCholeskyTransform().inverse(ops::linalg_cholesky(y));
}
TENON_BODY Constraint PositiveDefiniteTransform::codomain() const { return constraints::positive_definite(); }

}  // namespace tenon::distributions
