// Dtypes that out tensors may have, in the words of torch 2.15.
#include "../ops/support.hpp"

using namespace test;

TEST_CASE("an out tensor has the dtype that PyTorch asks for", "[composite][out]") {
  Tensor a = ops::add(ops::eye(2), 0.1), row = ops::select(a, 0, 0), d = ops::empty({0}, "dtype"_a = kDouble);
  const char* same = "Expected out tensor to have dtype float32, but got float64 instead";
  CHECK_ERROR(ops::matmul_base_out(a, a, d), TypeError, same);
  CHECK_ERROR(ops::matmul_base_out(row, row, d), TypeError, "result dtype Double does not match input dtype Float");
  CHECK_ERROR(ops::matmul_base_out(a, row, d), TypeError,
              "addmv input tensors must have the same dtype, but got Double, Float, and Float");
  CHECK_ERROR(ops::linalg_norm(a, "out"_a = d), TypeError,
              "linalg.norm expected out tensor dtype Float but got: Double");
  CHECK_ERROR(ops::linalg_inv(a, "out"_a = d), TypeError, same);
  CHECK_ERROR(ops::linalg_det(a, "out"_a = d), TypeError, same);
  CHECK_ERROR(ops::linalg_solve(a, a, "out"_a = d), TypeError, same);
  CHECK_ERROR(ops::linalg_eigvalsh(a, "out"_a = d), TypeError, same);
  CHECK_ERROR(ops::linalg_matrix_power(a, 2, "out"_a = d), TypeError, same);
  CHECK(values(ops::linalg_matrix_power(a, 1, "out"_a = d)) == values(a));
  CHECK(values(ops::diff(tensor({1, 3}), "out"_a = d)) == Numbers{2});
  CHECK(ops::normal(a, 1.0, "out"_a = d).dtype() == kDouble);
}

TEST_CASE("an out form that PyTorch generates from the functional one keeps the dtype of the result",
          "[composite][out]") {
  Tensor a = ops::add(ops::eye(2), 0.1), d = ops::empty({0}, "dtype"_a = kDouble);
  const char* same = "Expected out tensor to have dtype float32, but got float64 instead";
  CHECK_ERROR(ops::rsub_Tensor_out(a, a, 1, d), TypeError, same);
  CHECK_ERROR(ops::lerp(a, a, a, "out"_a = d), TypeError, same);
  CHECK_ERROR(ops::isnan(a, "out"_a = d), TypeError, "Expected out tensor to have dtype bool, but got float64 instead");
  CHECK_ERROR(ops::var_mean_correction_out(a, std::nullopt, std::nullopt, false, d, d), TypeError, same);
  // Others cast, and so do all forms in place.
  CHECK(values(ops::pow(a, 2, "out"_a = d)) == values(ops::pow(a, 2).to(kDouble)));
  CHECK(values(ops::add(a, a, "out"_a = d)) == values(ops::add(a, a).to(kDouble)));
  // As torch.mul(a, 2, out=d), which makes a tensor of the number.
  CHECK(values(ops::mul(a, 2, "out"_a = d)) == values(ops::mul(a, 2).to(kDouble)));
  CHECK(values(ops::div(a, 2, "out"_a = d)) == values(ops::div(a, 2).to(kDouble)));
  const char* no_long = "result type float32 can't be cast to the desired output type int64";
  Tensor n = tensor({1, 2}).to(kLong);
  CHECK_ERROR(n.mul_(2.5), TypeError, no_long);
  CHECK_ERROR(n.clamp_(0.5, 1.5), TypeError, no_long);
  CHECK_ERROR(n.clamp_min_(0.5), TypeError, no_long);
}

TEST_CASE("factorizations keep the dtype of their results in out tensors", "[composite][out]") {
  Tensor a = ops::add(ops::eye(2), 0.1), d = ops::empty({0}, "dtype"_a = kDouble), e = ops::empty_like(d),
         f = ops::empty_like(d), places = ops::empty({0}, "dtype"_a = kInt), two = tensor({1, 2}).to(kInt);
  const char* same = "Expected out tensor to have dtype float32, but got float64 instead";
  CHECK_ERROR(ops::linalg_cholesky_base_out(a, false, d), TypeError, same);
  CHECK_ERROR(ops::linalg_eigh_base_out(a, "L", d, e), TypeError, same);
  CHECK_ERROR(ops::linalg_svd_base_out(a, true, std::nullopt, d, e, f), TypeError, same);
  CHECK_ERROR(ops::linalg_qr_base_out(a, "reduced", d, e), TypeError, same);
  CHECK_ERROR(ops::linalg_lu_factor_base_out(a, true, d, places), TypeError, same);
  CHECK_ERROR(ops::linalg_ldl_factor_base_out(a, false, d, places), TypeError, same);
  CHECK_ERROR(ops::linalg_slogdet_base_out(a, d, e), TypeError, same);
  CHECK_ERROR(ops::lu_unpack_base_out(a, two, true, true, d, e, f), TypeError, same);
  CHECK_ERROR(ops::lu_solve_base_out(a, a, two, d), TypeError, same);
  CHECK_ERROR(ops::linalg_matrix_exp_base_out(a, d), TypeError, same);
  CHECK_ERROR(ops::linalg_polar_base_out(a, d, e), TypeError, same);
  CHECK_ERROR(ops::linalg_solve_triangular_base_out(a, a, true, true, false, d), TypeError, same);
  CHECK_ERROR(ops::linear_base_out(a, a, std::nullopt, d), TypeError, same);
  CHECK(values(ops::cholesky_solve_base_out(a, a, false, d)) == values(ops::cholesky_solve(a, a).to(kDouble)));
  CHECK(values(ops::cholesky_inverse_base_out(a, false, d)) == values(ops::cholesky_inverse(a).to(kDouble)));
  const char* no_long = "result type float32 can't be cast to the desired output type int64";
  Tensor n = ops::empty({0}, "dtype"_a = kLong);
  CHECK_ERROR(ops::cholesky_solve_base_out(a, a, false, n), TypeError, no_long);
  CHECK_ERROR(ops::diff(a, "out"_a = n), TypeError, no_long);
}
