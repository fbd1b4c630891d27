#include "support.hpp"

using namespace test;

TEST_CASE("operators have the second names that PyTorch's have", "[ops][second_names]") {
  Tensor x = tensor({-0.75, -0.25, 0.5});
  CHECK(values(x.absolute()) == values(x.abs()));
  CHECK(values(ops::negative(x)) == values(-x));
  CHECK(values(ops::fix(x * 3)) == Numbers{-2, 0, 1});
  CHECK(values(x.arccos()) == values(x.acos()));
  CHECK(values(ops::arcsin(x)) == values(x.asin()));
  CHECK(values(x.arctan()) == values(x.atan()));
  CHECK(values(x.arctanh()) == values(x.atanh()));
  CHECK(values(x.arcsinh()) == values(x.asinh()));
  CHECK(values(ops::arccosh(x + 2)) == values(ops::acosh(x + 2)));
  CHECK(values(x.arctan2(x + 1)) == values(x.atan2(x + 1)));
  CHECK(values(x.clip(-0.5, 0.25)) == Numbers{-0.5, -0.25, 0.25});
  CHECK(values(ops::clip(x, tensor({0.0, 0.0, 0.0}))) == Numbers{0, 0, 0.5});
  Tensor y = x.clone(), out = ops::empty({0});
  CHECK(values(y.absolute_()) == Numbers{0.75, 0.25, 0.5});
  CHECK(values(y.clip_(0.3)) == Numbers{0.75, 0.3f, 0.5});
  CHECK(ops::negative(x, "out"_a = out).is_same(out));
  CHECK(values(out) == values(-x));
  Tensor z = x.clone().requires_grad_();
  z.clip(-0.5, 0.25).sum().backward();
  CHECK(values(z.grad()) == Numbers{0, 1, 0});
}

TEST_CASE("matrices are turned over", "[ops][second_names]") {
  Tensor x = counted({2, 3, 4});
  CHECK(list(x.mT().sizes()) == Ints{2, 4, 3});
  CHECK(x.mT().storage() == x.storage());
  CHECK(list(x.mH().sizes()) == Ints{2, 4, 3});
  Tensor z = tensor({{Complex<double>(1, 2), Complex<double>(3, 4)}});
  CHECK(values(ops::imag(ops::adjoint(z))) == Numbers{-2, -4});
  CHECK(values(ops::imag(z.mH())) == Numbers{-2, -4});
  CHECK(values(ops::imag(z.mT())) == Numbers{2, 4});
  CHECK(tensor(3).mT().dim() == 0);
  CHECK_ERROR(counted({3}).mT(), ValueError,
              "tensor.mT is only supported on matrices or batches of matrices. Got 1-D tensor.");
  CHECK_ERROR(counted({3}).adjoint(), ValueError,
              "tensor.adjoint() is only supported on matrices or batches of matrices. Got 1-D tensor.");
}

TEST_CASE("a matrix and its dimensions are turned over", "[ops][second_names]") {
  Tensor z = tensor({{Complex<double>(1, 2), Complex<double>(3, 4)}});
  CHECK(values(ops::imag(z.matrix_H())) == Numbers{-2, -4});
  CHECK(list(counted({2, 3, 4}).numpy_T().sizes()) == Ints{4, 3, 2});
  CHECK_ERROR(
      counted({2, 3, 4}).matrix_H(), ValueError,
      "tensor.H is only supported on matrices (2-D tensors). Got 3-D tensor. For batches of matrices, consider using tensor.mH");
}

TEST_CASE("Python's signs name operators on bits", "[ops][second_names]") {
  Tensor x = tensor({6, 5, 4}), y = tensor({3, 1, 2});
  CHECK(values(ops::__and__(x, y)) == Numbers{2, 1, 0});
  CHECK(values(ops::__or__(x, y)) == Numbers{7, 5, 6});
  CHECK(values(ops::__xor__(x, 1)) == Numbers{7, 4, 5});
  CHECK(values(ops::__lshift__(x, y)) == Numbers{48, 10, 16});
  CHECK(values(ops::__rshift__(x, 1)) == Numbers{3, 2, 2});
  Tensor z = x.clone(), out = ops::empty({0}, "dtype"_a = kLong);
  CHECK(ops::__iand__(z, 5).is_same(z));
  CHECK(values(z) == Numbers{4, 5, 4});
  ops::__ilshift__(z, 1);
  ops::__ior__(z, y);
  CHECK(values(z) == Numbers{11, 11, 10});
  CHECK(values(ops::__lshift__(x, 2, "out"_a = out)) == Numbers{24, 20, 16});
}
