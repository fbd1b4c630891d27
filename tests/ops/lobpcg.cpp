// Extreme eigenvalues by conjugate gradients, beside those of PyTorch 2.15 and of linalg_eigh.
#include "support.hpp"

using namespace test;

namespace {
constexpr std::int64_t m = 24;
Tensor numbers() { return ops::arange(1, m + 1, "dtype"_a = kDouble); }
/// n^1.5 on the diagonal, a half beside it.
Tensor matrix() {
  Tensor beside = ops::diag(ops::full({m - 1}, 0.5, "dtype"_a = kDouble), 1);
  return ops::diag(ops::pow(numbers(), 1.5)) + beside + beside.t();
}
double error_of(const Tensor& E, const Numbers& expected) {
  Numbers all = values(E);
  REQUIRE(all.size() == expected.size());
  double most = 0;
  for (std::size_t i = 0; i < all.size(); ++i) most = std::max(most, std::abs(all[i] - expected[i]));
  return most;
}
}  // namespace

TEST_CASE("lobpcg finds the largest and the smallest eigenvalues", "[ops]") {
  manual_seed(0);
  Tensor A = matrix();
  auto [E, X] = ops::lobpcg(A, {.k = 3});
  CHECK(error_of(E, {117.609809046802, 110.304960759221, 103.189954717973}) < 1e-6);
  CHECK(ops::allclose(A.matmul(X), X * E, 1e-5, 1e-4));
  CHECK(ops::allclose(X.t().matmul(X), ops::eye(3, kDouble), 1e-8, 1e-8));
  auto [low, vectors] = ops::lobpcg(A, {.k = 3, .n = 5, .largest = false});
  CHECK(error_of(low, {0.868535218984, 2.854229127838, 5.212621565726}) < 1e-6);
  CHECK(list(vectors.sizes()) == Ints{m, 3});
  auto [sharp, of] = ops::lobpcg(A, {.X = ops::randn({m, 2}, kDouble), .niter = -1, .tol = 1e-13});
  CHECK(ops::allclose(A.matmul(of), of * sharp, 0, 1e-9));
  auto [one, vector] = ops::lobpcg(A.to(kFloat));
  CHECK((one.dtype() == kFloat && list(vector.sizes()) == Ints{m, 1}));
  CHECK(one.item<double>() == Approx(117.609809046802).epsilon(1e-5));
}

TEST_CASE("lobpcg weighs by a second matrix, and goes by batches", "[ops]") {
  manual_seed(1);
  Tensor A = matrix(), B = ops::diag(1 / numbers() + 1);
  auto [E, X] = ops::lobpcg(A, {.k = 2, .B = B});
  CHECK(error_of(E, {112.904519653384, 105.708800062556}) < 1e-6);
  CHECK(ops::allclose(X.t().matmul(B.matmul(X)), ops::eye(2, kDouble), 1e-8, 1e-8));
  CHECK(ops::allclose(A.matmul(X), B.matmul(X) * E, 1e-5, 1e-4));
  auto [each, vectors] = ops::lobpcg(ops::stack({A, A * 2}).unsqueeze(0), {.k = 2});
  CHECK((list(each.sizes()) == Ints{1, 2, 2} && list(vectors.sizes()) == Ints{1, 2, m, 2}));
  CHECK(error_of(each, {117.609809046802, 110.304960759221, 2 * 117.609809046802, 2 * 110.304960759221}) < 1e-5);
  CHECK(list(std::get<0>(ops::lobpcg(ops::empty({0, 9, 9}))).sizes()) == Ints{0, 1});
}

TEST_CASE("a preconditioner saves lobpcg steps, and one step is one", "[ops]") {
  Tensor A = matrix(), start = ops::ones({m, 1}, kDouble);
  auto residual = [&](std::int64_t niter, const Tensor& iK) {
    auto [E, X] = ops::lobpcg(A, {.X = start, .iK = iK, .niter = niter, .largest = false});
    return Tensor(ops::linalg_vector_norm(A.matmul(X) - X * E)).item<double>();
  };
  CHECK(residual(6, ops::inverse(A)) < 1e-3 * residual(6, {}));
  CHECK(residual(1, {}) < residual(0, {}));
  Tensor X = std::get<1>(ops::lobpcg(A, {.X = start, .niter = 0}));
  CHECK(ops::allclose(X.abs(), start / std::sqrt(double{m})));
  // A start that is an eigenvector already.
  CHECK(std::get<0>(ops::lobpcg(ops::eye(9, kDouble) * 3)).item<double>() == Approx(3));
}

TEST_CASE("lobpcg refuses what it cannot search", "[ops]") {
  Tensor A = matrix();
  CHECK_ERROR(ops::lobpcg(ops::ones({3, 2})), ValueError, "lobpcg(): A must be square, got shape [3, 2]");
  CHECK_ERROR(ops::lobpcg(ops::ones({3, 3}, kLong)), TypeError, "lobpcg(): expected float32 or float64, got int64");
  CHECK_ERROR(ops::lobpcg(A, {.B = ops::eye(3, kDouble)}), ValueError,
              "lobpcg(): A and B must have same shape, got [24, 24] vs [3, 3]");
  CHECK_ERROR(ops::lobpcg(A, {.k = 3, .n = 2}), ValueError, "lobpcg(): expected 1 <= k <= n, got k=3 and n=2");
  CHECK_ERROR(ops::lobpcg(A, {.k = 9}), ValueError,
              "lobpcg(): LOBPCG algorithm is not applicable when the number of A rows (=24) is smaller than 3 x the "
              "number of requested eigenpairs (=9)");
  CHECK_ERROR(ops::lobpcg(A, {.X = ops::ones({m}, kDouble)}), ValueError,
              "lobpcg(): expected 'X' of shape [24, 1], got [24]");
  CHECK_ERROR(ops::lobpcg(A, {.X = ops::zeros({m, 1}, kDouble)}), ValueError,
              "lobpcg(): expected an 'X' without columns of zeros");
  A.requires_grad_();
  CHECK_ERROR(ops::lobpcg(A), NotImplementedError,
              "lobpcg(): has no gradient; take linalg_eigh(), or detach the matrices");
  NoGradGuard no_grad;
  CHECK(std::get<0>(ops::lobpcg(A)).item<double>() == Approx(117.609809046802));
}
