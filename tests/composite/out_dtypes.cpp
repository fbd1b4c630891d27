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
