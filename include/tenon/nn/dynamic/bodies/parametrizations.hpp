// How parametrized weights are made, and undone.
#pragma once
#include <tenon/autograd/mode.hpp>
#include <tenon/base/body.hpp>
#include <tenon/nn/dynamic/bodies/weight_norms.hpp>
#include <tenon/nn/dynamic/parametrizations.hpp>
#include <tenon/ops/closeness.hpp>
#include <tenon/ops/complex.hpp>
#include <tenon/ops/diagonal.hpp>
#include <tenon/ops/factorization.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/join.hpp>
#include <tenon/ops/matrix.hpp>
#include <tenon/ops/random.hpp>
#include <tenon/ops/solve.hpp>
#include <tenon/tensor/type_info.hpp>

namespace tenon::nn {

namespace parametrizations {

TENON_BODY Tensor WeightNorm::operator()(const Tensor& g, const Tensor& v) const {
  return nn::detail::scaled_to(v, g, dim);
}
TENON_BODY std::pair<Tensor, Tensor> WeightNorm::right_inverse(const Tensor& weight) const {
  return {nn::detail::norm_except(weight, dim), weight};
}

namespace detail {
inline Tensor rows_of(const Tensor& weight, std::int64_t dim) {
  return nn::detail::as_matrix(weight, dim < 0 ? dim + weight.dim() : dim);
}
inline void iterate(const Tensor& matrix, const Tensor& u, const Tensor& v, std::int64_t count, double eps) {
  NoGradGuard no_grad;
  Tensor rows = u, columns = v;
  for (std::int64_t i = 0; i < count; ++i) {
    ops::copy_(rows, nn::detail::unit(ops::mv(matrix, columns), eps));
    ops::copy_(columns, nn::detail::unit(ops::mv(ops::t(matrix), rows), eps));
  }
}
}  // namespace detail

TENON_BODY void SpectralNorm::start(const Tensor& weight) {
  const std::int64_t rank = weight.dim();
  TENON_CHECK(dim < rank && dim >= -rank, IndexError, "Dimension out of range (expected to be in range of [", -rank,
              ", ", rank - 1, "] but got ", dim, ")");
  TENON_CHECK(n_power_iterations > 0, ValueError,
              "Expected n_power_iterations to be positive, but got n_power_iterations=", n_power_iterations);
  if (rank < 2) return;
  NoGradGuard no_grad;
  Tensor matrix = detail::rows_of(weight, dim);
  auto [rows, columns] = nn::detail::start_vectors(weight, dim < 0 ? dim + rank : dim, eps);
  u = rows;
  v = columns;
  detail::iterate(matrix, u, v, 15, eps);
}
TENON_BODY Tensor SpectralNorm::operator()(const Tensor& weight) const {
  if (weight.dim() < 2) return nn::detail::unit(weight, eps);
  Tensor matrix = detail::rows_of(weight, dim);
  if (training) detail::iterate(matrix, u, v, n_power_iterations, eps);
  // What the graph keeps must not change with the next call.
  Tensor left = ops::clone(u), right = ops::clone(v);
  return ops::div(weight, ops::sum(ops::mul(left, ops::mv(matrix, right))));
}

namespace detail {
inline Tensor turned(const Tensor& t) { return ops::transpose(t, -2, -1); }
inline Tensor adjoint(const Tensor& t) { return ops::conj(turned(t)); }
inline Tensor diagonal_of(const Tensor& t) { return ops::diagonal(t, 0, -2, -1); }
inline Tensor identity_like(const Tensor& t, std::int64_t n) {
  return ops::eye(n, "dtype"_a = t.dtype(), "device"_a = t.device());
}
/// Orthonormal columns that span those of a tall matrix, with a positive diagonal of the other factor.
inline Tensor orthonormal(const Tensor& a) {
  auto [x, tau] = ops::geqrf(a);
  return ops::mul(ops::linalg_householder_product(x, tau), ops::unsqueeze(ops::sgn(diagonal_of(x)), -2));
}
inline bool is_orthonormal(const Tensor& q) {
  Tensor gram = ops::matmul(adjoint(q), q);
  double eps = finfo(q.dtype()).eps * 10 * static_cast<double>(q.size(-2));
  return ops::allclose(gram, identity_like(q, q.size(-1)), 1e-5, eps);
}
/// The tall matrix with columns of zeros, or of random numbers, that make it square.
inline Tensor squared(const Tensor& x, bool random) {
  DimVector sizes(x.sizes().begin(), x.sizes().end());
  sizes[sizes.size() - 1] = x.size(-2) - x.size(-1);
  Tensor more = random ? ops::randn(sizes, "dtype"_a = x.dtype(), "device"_a = x.device())
                       : ops::zeros(sizes, "dtype"_a = x.dtype(), "device"_a = x.device());
  return ops::cat({x, more}, -1);
}
}  // namespace detail

TENON_BODY Tensor Orthogonal::operator()(const Tensor& given) const {
  const bool wide = given.size(-2) < given.size(-1);
  Tensor x = wide ? detail::turned(given) : given, q;
  const std::int64_t n = x.size(-2), k = x.size(-1);
  if (map == OrthogonalMap::Householder) {
    Tensor below = ops::tril(x, -1);
    Tensor tau = ops::div(2.0, ops::add(ops::sum(ops::mul(below, below), {-2}), 1));
    // The signs on the diagonal are no parameters.
    Tensor signs = ops::trunc(ops::detach(detail::diagonal_of(x)));
    q = ops::mul(ops::linalg_householder_product(below, tau), ops::unsqueeze(signs, -2));
  } else {
    x = ops::tril(x);
    if (n != k) x = detail::squared(x, false);
    Tensor a = ops::sub(x, detail::adjoint(x));
    if (map == OrthogonalMap::MatrixExp) {
      q = ops::matrix_exp(a);
    } else {
      Tensor one = detail::identity_like(a, n);
      q = ops::linalg_solve(ops::add(one, a, "alpha"_a = -0.5), ops::add(one, a, "alpha"_a = 0.5));
    }
    if (n != k) q = ops::narrow(q, -1, 0, k);
  }
  if (base.defined()) q = ops::matmul(base, q);
  return wide ? detail::turned(q) : q;
}
TENON_BODY Tensor Orthogonal::right_inverse(const Tensor& weight) {
  NoGradGuard no_grad;
  const bool wide = weight.size(-2) < weight.size(-1);
  Tensor q = wide ? detail::turned(weight) : weight;
  if (!use_trivialization) {
    TENON_CHECK(map == OrthogonalMap::Householder, NotImplementedError,
                "It is not possible to assign to the matrix exponential or the Cayley parametrizations when "
                "use_trivialization=False.");
    auto [x, tau] = ops::geqrf(q);
    // A positive diagonal of the other factor; where no reflection was needed its sign turns.
    Tensor diagonal = detail::diagonal_of(x), signs = ops::sign(diagonal);
    ops::copy_(diagonal, ops::where(ops::eq(tau, 0), ops::neg(signs), signs));
    return wide ? detail::turned(x) : Tensor(x);
  }
  if (q.size(-2) != q.size(-1))
    base = detail::orthonormal(detail::squared(q, true));
  else
    base = detail::is_orthonormal(q) ? Tensor(ops::clone(q)) : detail::orthonormal(q);
  Tensor start = ops::zeros_like(weight);
  ops::fill_(detail::diagonal_of(start), Scalar(-1));
  return start;
}
TENON_BODY Orthogonal orthogonal_of(const Tensor& weight, const std::optional<std::string>& map,
                                    bool use_trivialization) {
  TENON_CHECK(weight.dim() >= 2, ValueError, "Expected a matrix or batch of matrices. Got a tensor of ", weight.dim(),
              " dimensions.");
  const bool direct = weight.size(-2) == weight.size(-1) || weight.is_complex();
  const std::string word = map.value_or(direct ? "matrix_exp" : "householder");
  TENON_CHECK(word == "matrix_exp" || word == "cayley" || word == "householder", ValueError,
              "orthogonal_map has to be one of \"matrix_exp\", \"cayley\", \"householder\". Got: ", word);
  TENON_CHECK(word != "householder" || !weight.is_complex(), ValueError,
              "The householder parametrization does not support complex tensors.");
  return {word == "matrix_exp" ? OrthogonalMap::MatrixExp
          : word == "cayley"   ? OrthogonalMap::Cayley
                               : OrthogonalMap::Householder,
          use_trivialization};
}

}  // namespace parametrizations
}  // namespace tenon::nn
