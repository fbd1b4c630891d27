// Factorizations, equations, eigenvalues and singular values: identities, errors, gradients of both orders.
#include "support.hpp"

#include <cmath>

#include <tenon/autograd/gradcheck.hpp>

using namespace test;

namespace {

using List = std::vector<Tensor>;

/// Numbers without a pattern; larger on the diagonal.
Tensor matrix(DimVector sizes, double first = 0.1) {
  std::int64_t n = 1;
  for (std::int64_t s : sizes) n *= s;
  Tensor t = (ops::remainder(ops::arange(n, "dtype"_a = kDouble) * 0.618034 + first, 1.0) - 0.4).view(sizes);
  if (sizes.size() >= 2) {
    Tensor d = t.diagonal(0, -2, -1);
    ops::add_(d, ops::arange(d.sizes().back(), "dtype"_a = kDouble) * 0.3 + 1.0);
  }
  return t;
}
Tensor turned(const Tensor& t) { return t.transpose(-2, -1); }
Tensor definite(DimVector sizes, double first = 0.1) {
  Tensor t = matrix(sizes, first);
  return ops::matmul(t, turned(t));
}
double distance(const Tensor& a, const Tensor& b) {
  return a.sizes() == b.sizes() ? ops::amax(ops::abs(a - b)).item().to_double() : 1e9;
}
template <class F>
std::string refusal(F f) {
  try {
    f();
  } catch (const Error& e) { return std::string(e.summary()); }
  return "no error";
}
/// Without LAPACK there is one answer.
bool has_lapack() {
  static const bool has = refusal([] {
                            ops::linalg_inv(matrix({2, 2}));
                          }).find("configure with -Dlapack=enabled") == std::string::npos;
  return has;
}
Tensor diagonal_matrix(const Tensor& d) {
  DimVector sizes(d.sizes());
  sizes.push_back(sizes.back());
  Tensor out = ops::zeros(IntArrayRef(sizes), "dtype"_a = d.dtype());
  ops::copy_(out.diagonal(0, -2, -1), d);
  return out;
}
/// First and second derivatives of a function of matrices against finite differences.
template <class F>
void check_gradients(F f, const List& inputs) {
  List leaves;
  for (const Tensor& t : inputs) leaves.push_back(t.detach().clone().requires_grad_());
  autograd::gradcheck(f, leaves);
  // Of the gradient by the first operand: the triangle of a factor that is not read is no place to differ in.
  autograd::gradcheck(
      [&](const List& given) {
        AutoGradMode on(true);
        List x;
        for (const Tensor& t : given) x.push_back(t.requires_grad() ? t : t.detach().requires_grad_());
        Tensor y = f(x);
        Tensor weights = ops::cos(ops::arange(y.numel(), "dtype"_a = kDouble)).view(y.sizes());
        return autograd::grad({ops::sum(y * weights)}, TensorList(x), {}, std::nullopt, true)[0];
      },
      leaves);
}

}  // namespace

// As PyTorch 2.15.
TEST_CASE("the factors of a determinant are those of the transpose where the matrix lies by rows",
          "[ops][linear_algebra]") {
  if (!has_lapack()) return;
  Tensor a = tensor({{1.0, 2.0}, {3.0, 4.0}}).to(kDouble), columns = a.t().contiguous().t();
  auto [det, lu, pivots] = ops::_linalg_det(a);
  CHECK(det.item<double>() == Approx(-2));
  CHECK(values(lu.contiguous()) == Numbers{2, 4, 0.5, 1});
  CHECK(lu.strides() == IntArrayRef({1, 2}));
  Tensor others[] = {std::get<1>(ops::_linalg_det(columns)), std::get<2>(ops::_linalg_slogdet(columns)),
                     ops::real(std::get<1>(ops::_linalg_det(a.to(kComplexDouble))))};
  for (const Tensor& t : others) CHECK(values(t.contiguous())[0] == 3);
  CHECK(values(std::get<2>(ops::_linalg_slogdet(a)).contiguous()) == Numbers{2, 4, 0.5, 1});
  // Both lead to one gradient, det(A) A^-T.
  for (const Tensor& t : {a, columns}) {
    Tensor leaf = t.detach().requires_grad_();
    std::get<0>(ops::_linalg_det(leaf)).backward();
    Numbers got = values(leaf.grad().contiguous()), expected{4, -3, -2, 1};
    for (std::size_t i = 0; i < 4; ++i) CHECK(got[i] == Approx(expected[i]));
  }
}

TEST_CASE("large matrices are factored and solved by blocks as small ones are", "[ops][linear_algebra]") {
  if (!has_lapack()) return;
  // Rows exchanged far away: the largest of a column stands where its numbers say.
  auto drawn = [](DimVector sizes) {
    manual_seed(8);
    return ops::rand(IntArrayRef(sizes), "dtype"_a = kDouble) - 0.5;
  };
  for (auto [m, n] : {std::pair(64, 64), {100, 100}, {203, 77}, {77, 203}, {150, 130}}) {
    CAPTURE(m, n);
    Tensor a = drawn({2, m, n});
    auto [p, l, u] = ops::linalg_lu(a);
    CHECK(distance(ops::matmul(p, ops::matmul(l, u)), a) < 1e-12);
    CHECK(ops::abs(l).max().item<double>() == 1);
    for (const char* mode : {"reduced", "complete"}) {
      auto [q, r] = ops::linalg_qr(a, mode);
      CHECK(distance(ops::matmul(q, r), a) < 1e-12);
      CHECK(distance(ops::matmul(turned(q), q),
                     ops::eye(q.size(-1), "dtype"_a = kDouble).expand({2, q.size(-1), q.size(-1)})) < 1e-12);
      CHECK(distance(ops::triu(r), r) == 0);
    }
  }
  const std::int64_t n = 130;
  Tensor a = drawn({n, n}), b = drawn({n, 37}), d = ops::eye(n, "dtype"_a = kDouble) * 8;
  CHECK(distance(ops::matmul(a, ops::linalg_solve(a, b)), b) < 1e-10);
  CHECK(distance(ops::matmul(a, ops::linalg_inv(a)), ops::eye(n, "dtype"_a = kDouble)) < 1e-10);
  CHECK(ops::linalg_det(ops::linalg_inv(a)).item<double>() * ops::linalg_det(a).item<double>() == Approx(1));
  auto [lu, pivots] = ops::linalg_lu_factor(a);
  CHECK(distance(ops::matmul(turned(a), ops::linalg_lu_solve(lu, pivots, b, "adjoint"_a = true)), b) < 1e-10);
  CHECK(distance(ops::matmul(ops::linalg_lu_solve(lu, pivots, turned(b), "left"_a = false), a), turned(b)) < 1e-10);
  Tensor positive = ops::matmul(a, turned(a)) + d;
  for (bool upper : {false, true}) {
    Tensor factor = ops::linalg_cholesky(positive, "upper"_a = upper),
           triangle = upper ? ops::triu(a + d) : ops::tril(a + d);
    CHECK(distance(ops::matmul(positive, ops::cholesky_solve(b, factor, upper)), b) < 1e-10);
    CHECK(distance(ops::matmul(positive, ops::cholesky_inverse(factor, upper)), ops::eye(n, "dtype"_a = kDouble)) <
          1e-10);
    CHECK(distance(ops::matmul(triangle, ops::linalg_solve_triangular(triangle, b, upper)), b) < 1e-10);
    Tensor units = triangle - diagonal_matrix(triangle.diagonal()) + ops::eye(n, "dtype"_a = kDouble);
    CHECK(distance(ops::linalg_solve_triangular(triangle * 0.01, b, upper, "unitriangular"_a = true),
                   ops::linalg_solve(units * 0.01 + ops::eye(n, "dtype"_a = kDouble) * 0.99, b)) < 1e-10);
    for (bool transposed : {false, true})
      CHECK(distance(ops::matmul(transposed ? turned(triangle) : triangle,
                                 std::get<0>(ops::triangular_solve(b, triangle, upper, transposed))),
                     b) < 1e-10);
  }
  // A column of zeros is said by its number, here as of few rows.
  Tensor singular = a.clone();
  singular.select(1, 70).zero_();
  CHECK(std::get<2>(ops::linalg_lu_factor_ex(singular)).item<int>() == 71);
  CHECK_ERROR_CONTAINS(ops::linalg_solve(singular, b), Error, "singular");
  Tensor row = ops::arange(1, 71, "dtype"_a = kDouble);
  CHECK(ops::linalg_solve_triangular(ops::zeros({70, 70}, "dtype"_a = kDouble), row.unsqueeze(1), true)
            .isinf()
            .any()
            .item<bool>());
}

TEST_CASE("distances are those of each pair, for every norm", "[ops][distance]") {
  manual_seed(2);
  for (ScalarType dtype : {kFloat, kDouble})
    for (std::int64_t width : {1, 3, 8, 21}) {
      Tensor a = ops::randn({2, 7, width}, "dtype"_a = dtype), b = ops::randn({2, 6, width}, "dtype"_a = dtype);
      for (double p : {0.0, 1.0, 2.0, 3.5, std::numeric_limits<double>::infinity()}) {
        CAPTURE(width, p);
        Tensor apart = a.unsqueeze(2) - b.unsqueeze(1), each = ops::linalg_vector_norm(apart, p, {-1});
        CHECK(ops::allclose(ops::cdist(a, b, p), each, 1e-5, 1e-6));
        Tensor pairs = ops::linalg_vector_norm(a[0].unsqueeze(1) - a[0].unsqueeze(0), p, {-1});
        CHECK(ops::allclose(ops::pdist(a[0], p), pairs.masked_select(ops::triu(ops::ones({7, 7}), 1).to(kBool)), 1e-5,
                            1e-6));
      }
    }
}

TEST_CASE("the slope of a determinant of one element does not depend on it", "[ops][linear_algebra]") {
  for (ScalarType dtype : {kDouble, kComplexDouble})
    for (double x : {0.3, 0.0}) {
      CAPTURE(x);
      Tensor a = ops::full({2, 1, 1}, x, "dtype"_a = dtype).set_requires_grad(true);
      Tensor seed = ops::full({2}, 0.7, "dtype"_a = dtype).set_requires_grad(true);
      Tensor slope = autograd::grad({ops::linalg_det(a)}, {a}, {seed}, true, true)[0];
      CHECK(slope.sizes() == a.sizes());
      CHECK(slope.flatten().detach().equal(seed.detach()));
      std::vector<Tensor> second =
          autograd::grad({slope}, {a, seed}, {ops::ones_like(slope)}, std::nullopt, false, true);
      CHECK_FALSE(second[0].defined());
      CHECK(second[1].equal(ops::ones_like(seed)));
    }
}

TEST_CASE("factorizations multiply back to their matrices", "[ops][linear_algebra]") {
  if (!has_lapack()) return;
  Tensor a = definite({2, 4, 4}), l = ops::linalg_cholesky(a), u = ops::linalg_cholesky(a, "upper"_a = true);
  CHECK(distance(ops::matmul(l, turned(l)), a) < 1e-13);
  CHECK(distance(ops::matmul(turned(u), u), a) < 1e-13);
  CHECK(distance(ops::triu(l, 1), ops::zeros_like(l)) == 0);
  for (const DimVector& sizes : {DimVector{2, 3, 5}, DimVector{2, 5, 3}, DimVector{4, 4}}) {
    Tensor b = matrix(sizes);
    auto [P, L, U] = ops::linalg_lu(b);
    CHECK(distance(ops::matmul(P, ops::matmul(L, U)), b) < 1e-13);
    auto [Q, R] = ops::linalg_qr(b);
    CHECK(distance(ops::matmul(Q, R), b) < 1e-13);
    auto [Qc, Rc] = ops::linalg_qr(b, "complete");
    CHECK(distance(ops::matmul(Qc, Rc), b) < 1e-13);
    auto [W, S, Vh] = ops::linalg_svd(b, false);
    CHECK(distance(ops::matmul(W * S.unsqueeze(-2), Vh), b) < 1e-13);
    CHECK(distance(ops::linalg_svdvals(b), S) < 1e-13);
    auto [F, H] = ops::linalg_polar(b);
    CHECK(distance(ops::matmul(F, H), b) < 1e-13);
  }
  auto [values, vectors] = ops::linalg_eigh(a);
  CHECK(distance(ops::matmul(vectors * values.unsqueeze(-2), turned(vectors)), a) < 1e-13);
  Tensor root = ops::linalg_matrix_sqrth(a);
  CHECK(distance(ops::matmul(root, root), a) < 1e-13);
  Tensor below = ops::diag(tensor({4.0, -9.0}).to(kDouble));
  CHECK(distance(ops::linalg_matrix_sqrth(below), ops::diag(tensor({2.0, 0.0}).to(kDouble))) < 1e-13);
  auto [LD, pivots] = ops::linalg_ldl_factor(a);
  CHECK(distance(ops::linalg_ldl_solve(LD, pivots, matrix({2, 4, 2})), ops::linalg_solve(a, matrix({2, 4, 2}))) <
        1e-12);
}
TEST_CASE("equations are solved from the left and the right, for vectors and batches", "[ops][linear_algebra]") {
  if (!has_lapack()) return;
  Tensor a = matrix({2, 3, 3}), b = matrix({3, 4}), v = matrix({3}), r = matrix({2, 4, 3});
  CHECK(distance(ops::matmul(a, ops::linalg_solve(a, b)), ops::expand(b, {2, 3, 4})) < 1e-13);
  CHECK(distance(ops::matmul(ops::linalg_solve(a, r, "left"_a = false), a), r) < 1e-13);
  CHECK(distance(ops::matmul(a.select(0, 0), ops::linalg_solve(a.select(0, 0), v)), v) < 1e-13);
  auto [lu, pivots] = ops::linalg_lu_factor(a);
  for (bool adjoint : {false, true}) {
    Tensor op = adjoint ? turned(a) : a;
    CHECK(distance(ops::matmul(op, ops::linalg_lu_solve(lu, pivots, b, "adjoint"_a = adjoint)),
                   ops::expand(b, {2, 3, 4})) < 1e-13);
    CHECK(distance(ops::matmul(ops::linalg_lu_solve(lu, pivots, r, "left"_a = false, "adjoint"_a = adjoint), op), r) <
          1e-13);
  }
  for (bool upper : {false, true}) {
    Tensor t = upper ? ops::triu(a) : ops::tril(a);
    CHECK(distance(ops::matmul(t, ops::linalg_solve_triangular(t, b, "upper"_a = upper)), ops::expand(b, {2, 3, 4})) <
          1e-13);
    CHECK(distance(ops::matmul(ops::linalg_solve_triangular(t, r, "upper"_a = upper, "left"_a = false), t), r) < 1e-13);
  }
  Tensor p = definite({3, 3});
  CHECK(distance(ops::cholesky_solve(b, ops::linalg_cholesky(p)), ops::linalg_solve(p, b)) < 1e-12);
  CHECK(distance(ops::cholesky_inverse(ops::linalg_cholesky(p)), ops::linalg_inv(p)) < 1e-12);
  CHECK(distance(ops::linalg_pinv(matrix({5, 3})),
                 ops::matmul(ops::linalg_inv(ops::matmul(turned(matrix({5, 3})), matrix({5, 3}))),
                             turned(matrix({5, 3})))) < 1e-12);
}
TEST_CASE("complex matrices are adjoined, not transposed", "[ops][linear_algebra]") {
  if (!has_lapack()) return;
  Tensor re = matrix({3, 3}), im = matrix({3, 3}, 0.7);
  Tensor a = re.to(kComplexDouble) + im.to(kComplexDouble) * Scalar(Complex<double>(0, 1));
  Tensor adjoint = ops::conj_physical(turned(a));
  auto [lu, pivots] = ops::linalg_lu_factor(a);
  Tensor b = ops::matmul(a, a);
  for (bool left : {true, false}) {
    Tensor x = ops::linalg_lu_solve(lu, pivots, b, "left"_a = left, "adjoint"_a = true);
    CHECK(distance(left ? ops::matmul(adjoint, x) : ops::matmul(x, adjoint), b) < 1e-13);
  }
  Tensor p = ops::matmul(a, adjoint), l = ops::linalg_cholesky(p);
  CHECK(distance(ops::matmul(l, ops::conj_physical(turned(l))), p) < 1e-13);
  auto [values, vectors] = ops::linalg_eig(a);
  CHECK(distance(ops::matmul(a, vectors), vectors * values.unsqueeze(-2)) < 1e-12);
  auto [sign, log] = ops::linalg_slogdet(a);
  CHECK(distance(sign * ops::exp(log), ops::linalg_det(a)) < 1e-12);
}
TEST_CASE("matrices without an answer are told in PyTorch's words", "[ops][linear_algebra]") {
  if (!has_lapack()) return;
  Tensor bad = ops::zeros({2, 2}, "dtype"_a = kDouble), batch = matrix({2, 2, 2});
  ops::fill_(batch.select(0, 1), Scalar(0));
  CHECK(refusal([&] { ops::linalg_inv(bad); }) ==
        "linalg.inv: The diagonal element 1 is zero, the inversion could not be completed because the input matrix is "
        "singular.");
  CHECK(refusal([&] { ops::linalg_inv(batch); }) ==
        "linalg.inv: (Batch element 1): The diagonal element 1 is zero, the inversion could not be completed because "
        "the input matrix is singular.");
  CHECK_THROWS_AS(ops::linalg_inv(bad), LinAlgError);
  CHECK(refusal([&] { ops::linalg_cholesky(bad); }) ==
        "linalg.cholesky: The factorization could not be completed because the input is not positive-definite (the "
        "leading minor of order 1 is not positive-definite).");
  CHECK(refusal([&] { ops::linalg_solve(bad, bad); }) ==
        "torch.linalg.solve: The solver failed because the input matrix is singular.");
  CHECK(refusal([&] { ops::linalg_lu_factor(bad); }).find("U[1,1] is zero") != std::string::npos);
  CHECK(refusal([&] {
          ops::linalg_inv(matrix({2, 3}));
        }) == "linalg.inv: A must be batches of square matrices, but they are 2 by 3 matrices");
  CHECK(refusal([&] {
          ops::linalg_inv(ops::zeros({2, 2}, "dtype"_a = kHalf));
        }) == "linalg.inv: Low precision dtypes not supported. Got Half");
  auto [inverse, info] = ops::linalg_inv_ex(batch);
  CHECK(info.select(0, 0).item().to<int>() == 0);
  CHECK(info.select(0, 1).item().to<int>() == 1);
}
TEST_CASE("norms, condition numbers and ranks", "[ops][linear_algebra]") {
  if (!has_lapack()) return;
  Tensor a = matrix({2, 3, 4}), s = ops::linalg_svdvals(a);
  CHECK(distance(ops::linalg_matrix_norm(a, Scalar(2)), s.select(-1, 0)) < 1e-13);
  CHECK(distance(ops::linalg_matrix_norm(a, "nuc"), ops::sum(s, -1)) < 1e-13);
  CHECK(distance(ops::linalg_matrix_norm(a, Scalar(1)), ops::amax(ops::sum(ops::abs(a), -2), -1)) < 1e-13);
  CHECK(ops::linalg_matrix_norm(a, Scalar(1), "keepdim"_a = true).sizes() == IntArrayRef(DimVector{2, 1, 1}));
  Tensor no_rows = ops::zeros({0, 3}, "dtype"_a = kDouble);
  for (double p : {1.0, 2.0, HUGE_VAL}) CHECK(ops::linalg_matrix_norm(no_rows, Scalar(p)).item<double>() == 0);
  CHECK_THROWS_AS(ops::linalg_matrix_norm(no_rows, Scalar(-HUGE_VAL)), Error);
  CHECK(distance(ops::linalg_cond(a), s.select(-1, 0) / s.select(-1, 2)) < 1e-12);
  CHECK(ops::linalg_matrix_rank(ops::matmul(a, turned(a))).select(0, 0).item().to<int>() == 3);
  Tensor e = ops::linalg_matrix_exp(diagonal_matrix(matrix({3})));
  CHECK(distance(e, diagonal_matrix(ops::exp(matrix({3})))) < 1e-14);
  CHECK(distance(ops::matmul(ops::linalg_matrix_exp(a.slice(-1, 0, 3)), ops::linalg_matrix_exp(-a.slice(-1, 0, 3))),
                 ops::expand(diagonal_matrix(ops::ones({3}, "dtype"_a = kDouble)), {2, 3, 3})) < 1e-12);
}
TEST_CASE("gradients of factorizations of both orders agree with finite differences",
          "[ops][linear_algebra][autograd]") {
  if (!has_lapack()) return;
  Tensor a = matrix({3, 3});
  auto symmetric = [](const Tensor& x) {
    return ops::matmul(x, turned(x)) + diagonal_matrix(ops::ones({3}, "dtype"_a = kDouble));
  };
  check_gradients([&](const List& x) { return ops::linalg_cholesky(symmetric(x[0])); }, {a});
  check_gradients([&](const List& x) { return ops::cholesky_inverse(ops::linalg_cholesky(symmetric(x[0]))); }, {a});
  for (const DimVector& sizes : {DimVector{3, 3}, DimVector{2, 3}, DimVector{3, 2}}) {
    Tensor b = matrix(sizes);
    check_gradients([](const List& x) { return std::get<0>(ops::linalg_lu_factor(x[0])); }, {b});
    check_gradients([](const List& x) { return std::get<2>(ops::linalg_lu(x[0])); }, {b});
    check_gradients(
        [](const List& x) { return ops::matmul(std::get<0>(ops::linalg_qr(x[0])), std::get<1>(ops::linalg_qr(x[0]))); },
        {b});
    check_gradients([](const List& x) { return std::get<0>(ops::linalg_qr(x[0])); }, {b});
    check_gradients([](const List& x) { return std::get<1>(ops::linalg_qr(x[0])); }, {b});
    check_gradients([](const List& x) { return ops::linalg_svdvals(x[0]); }, {b});
    check_gradients([](const List& x) { return ops::abs(std::get<0>(ops::linalg_svd(x[0], false))); }, {b});
    check_gradients([](const List& x) { return ops::linalg_pinv(x[0]); }, {b});
  }
  check_gradients([&](const List& x) { return ops::linalg_eigvalsh(symmetric(x[0])); }, {a});
  check_gradients([&](const List& x) { return ops::abs(std::get<1>(ops::linalg_eigh(symmetric(x[0])))); }, {a});
  check_gradients([&](const List& x) { return ops::abs(ops::linalg_eigvals(x[0])); }, {a});
  check_gradients([&](const List& x) { return ops::linalg_householder_product(x[0], x[1]); }, {a, matrix({2})});
  check_gradients([&](const List& x) { return ops::ormqr(x[0], x[1], x[2]); }, {a, matrix({2}), matrix({3, 2})});
  check_gradients([&](const List& x) { return ops::ormqr(x[0], x[1], x[2], false, true); },
                  {a, matrix({2}), matrix({2, 3})});
}
TEST_CASE("gradients of solutions of both orders agree with finite differences", "[ops][linear_algebra][autograd]") {
  if (!has_lapack()) return;
  Tensor a = matrix({3, 3}), b = matrix({3, 2}), r = matrix({2, 3});
  check_gradients([](const List& x) { return ops::linalg_inv(x[0]); }, {a});
  check_gradients([](const List& x) { return ops::linalg_det(x[0]); }, {a});
  check_gradients([](const List& x) { return std::get<1>(ops::linalg_slogdet(x[0])); }, {a});
  check_gradients([](const List& x) { return ops::linalg_solve(x[0], x[1]); }, {a, b});
  check_gradients([](const List& x) { return ops::linalg_solve(x[0], x[1]); }, {a, matrix({3})});
  check_gradients([](const List& x) { return ops::linalg_solve(x[0], x[1], "left"_a = false); }, {a, r});
  check_gradients([](const List& x) { return ops::linalg_solve_triangular(x[0], x[1], "upper"_a = true); }, {a, b});
  check_gradients([](const List& x) { return std::get<0>(ops::triangular_solve(x[0], x[1], false, true)); }, {b, a});
  check_gradients([](const List& x) { return ops::cholesky_solve(x[0], ops::tril(x[1])); }, {b, a});
  Tensor pivots = std::get<1>(ops::linalg_lu_factor(a));
  check_gradients([&](const List& x) { return ops::linalg_lu_solve(x[0], pivots, x[1], "adjoint"_a = true); }, {a, b});
  check_gradients([&](const List& x) { return ops::linalg_lu_solve(x[0], pivots, x[1], "left"_a = false); }, {a, r});
  check_gradients([](const List& x) { return std::get<0>(ops::linalg_lstsq(x[0], x[1])); },
                  {matrix({4, 2}), matrix({4, 3})});
  check_gradients([](const List& x) { return ops::linalg_matrix_exp(x[0]); }, {a});
}
TEST_CASE("results are converted for out tensors of a wider dtype", "[ops][linear_algebra]") {
  if (!has_lapack()) return;
  Tensor a = matrix({3, 3}).to(kFloat), b = matrix({3, 2}).to(kFloat);
  auto wide = [](DimVector sizes, ScalarType dtype = kDouble) {
    return ops::empty(IntArrayRef(sizes), "dtype"_a = dtype);
  };
  Tensor x = wide({3, 2}), values = wide({3}, kComplexDouble), vectors = wide({3, 3}, kComplexDouble);
  Tensor square = ops::matmul(a, ops::transpose(a, 0, 1)), l = ops::linalg_cholesky(square);
  ops::cholesky_solve(b, l, "out"_a = x);
  CHECK(distance(x, ops::cholesky_solve(b, l).to(kDouble)) < 1e-6);
  ops::linalg_eig(a, "eigenvalues"_a = values, "eigenvectors"_a = vectors);
  CHECK(distance(ops::matmul(a.to(kComplexDouble), vectors), vectors * values.unsqueeze(-2)) < 1e-5);
}

TEST_CASE("large factors of Cholesky's are those of their products", "[ops]") {
  if (!has_lapack()) return;
  // From 64 rows on by halves; odd sizes leave parts of every length.
  for (std::int64_t n : {64, 65, 101, 200}) {
    Tensor a = ops::randn({2, n, n}, "dtype"_a = kDouble),
           p = ops::matmul(a, turned(a)) + ops::eye(n, "dtype"_a = kDouble), l = ops::linalg_cholesky(p);
    CHECK(distance(ops::matmul(l, turned(l)), p) < 1e-11 * static_cast<double>(n));
    CHECK(distance(ops::tril(l), l) == 0);
    CHECK(distance(l, turned(ops::linalg_cholesky(p, "upper"_a = true))) < 1e-11 * static_cast<double>(n));
    Tensor bad = p.clone();
    bad.select(0, 1).select(0, n - 2).select(0, n - 2).fill_(-1);
    Tensor info = std::get<1>(ops::linalg_cholesky_ex(bad));
    CHECK(info.select(0, 0).item().to_double() == 0);
    CHECK(info.select(0, 1).item().to_double() == static_cast<double>(n - 1));
  }
}

TEST_CASE("what a factorization resizes lies by columns, as in PyTorch 2.15", "[ops]") {
  if (!has_lapack()) return;
  auto lies = [](const Tensor& t) { return list(t.strides()); };
  auto fresh = [](ScalarType dtype = kDouble) { return ops::empty({0}, "dtype"_a = dtype); };
  Tensor a = ops::randn({2, 3, 3}, "dtype"_a = kDouble),
         p = ops::matmul(a, turned(a)) + ops::eye(3, "dtype"_a = kDouble),
         b = ops::randn({2, 3, 2}, "dtype"_a = kDouble), tall = ops::randn({2, 4, 3}, "dtype"_a = kDouble);
  Tensor l = fresh(), x = fresh(), inverse = fresh(), u = fresh(), s = fresh(), v = fresh(), lu = fresh(),
         pivots = fresh(kInt);
  CHECK(lies(ops::linalg_cholesky(p, "out"_a = l)) == Ints{9, 1, 3});
  CHECK(lies(ops::linalg_solve(p, b, "out"_a = x)) == Ints{6, 1, 3});
  CHECK(lies(ops::linalg_inv(p, "out"_a = inverse)) == Ints{9, 1, 3});
  ops::linalg_lu_factor(tall, "LU"_a = lu, "pivots"_a = pivots);
  CHECK(lies(lu) == Ints{12, 1, 4});
  ops::linalg_svd(tall, "U"_a = u, "S"_a = s, "Vh"_a = v);
  CHECK(lies(u) == Ints{16, 1, 4});
  CHECK(lies(v) == Ints{9, 1, 3});
  CHECK(distance(x, ops::linalg_solve(p, b)) == 0);
  // What need not be resized keeps its strides; powers and inverses of tensors are in row-major order.
  Tensor given = ops::empty({2, 3, 3}, "dtype"_a = kDouble), power = fresh();
  CHECK(lies(ops::linalg_inv(p, "out"_a = given)) == Ints{9, 3, 1});
  CHECK(lies(ops::linalg_matrix_power(p, -1, "out"_a = power)) == Ints{9, 3, 1});
  // A batch of vectors lies as a matrix by columns, least squares over the first rows of the right sides.
  Tensor vectors = ops::linalg_solve(p, b.select(2, 0));
  CHECK(lies(vectors) == Ints{1, 2});
  CHECK(distance(ops::matmul(p, vectors.unsqueeze(-1)).squeeze(-1), b.select(2, 0)) < 1e-12);
  Tensor right = ops::randn({2, 4, 2}, "dtype"_a = kDouble), solution = std::get<0>(ops::linalg_lstsq(tall, right));
  CHECK(lies(solution) == Ints{8, 1, 4});
  CHECK(lies(std::get<0>(ops::linalg_lstsq(tall, right.select(2, 0)))) == Ints{4, 1});
  CHECK(distance(solution, ops::matmul(ops::linalg_pinv(tall), right)) < 1e-12);
}

TEST_CASE("least squares by divide and conquer refuse what is not finite", "[ops][linear_algebra]") {
  const char* words = "torch.linalg.lstsq: driver `gelsd` expects finite elements in input, got infinity or NaN";
  Tensor ones = ops::ones({3, 1}), a = tensor({{1.0, 1.5}, {2.0, 3.5}, {1.0, 1.0}}).to(kFloat);
  auto solve = [&](const Tensor& m, const char* driver) {
    return std::get<0>(ops::linalg_lstsq(m, ones.to(m.dtype()), std::nullopt, driver));
  };
  CHECK(values(ops::isfinite(solve(a, "gelsd"))) == Numbers{1, 1});
  CHECK(values(ops::isfinite(solve(ops::complex(a, a), "gelsd"))) == Numbers{1, 1});
  for (double x : {std::numeric_limits<double>::infinity(), std::nan("")}) {
    Tensor bad = a.clone();
    bad.select(0, 1).select(0, 1).fill_(x);
    CHECK_ERROR(solve(bad, "gelsd"), ValueError, words);
    CHECK_ERROR(solve(ops::complex(a, bad), "gelsd"), ValueError, words);
  }
}
