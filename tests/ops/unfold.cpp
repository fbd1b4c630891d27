// Sliding windows. Expected geometries and words are PyTorch 2.15's.
#include <tenon/autograd/gradcheck.hpp>

#include "symbolic.hpp"

using namespace test;

TEST_CASE("windows along a dimension are a view", "[ops][unfold]") {
  Tensor x = counted({3, 4});
  CHECK(seen(x.unfold(1, 2, 1)) == Seen{{3, 3, 2}, {4, 1, 1}, 0});
  CHECK(seen(x.unfold(0, 2, 2)) == Seen{{1, 4, 2}, {8, 1, 4}, 0});
  CHECK(seen(x.select(1, 2).unfold(0, 3, 1)) == Seen{{1, 3}, {4, 4}, 2});
  CHECK(x.unfold(1, 2, 1).storage() == x.storage());
  CHECK(seen(tensor(1.).unfold(0, 1, 1)) == Seen{{1}, {1}, 0});
  CHECK(seen(tensor(1.).unfold(0, 0, 1)).sizes == Ints{0});
  CHECK_ERROR(x.unfold(1, 5, 1), ValueError, "maximum size for tensor at dimension 1 is 4 but size is 5");
  CHECK_ERROR(x.unfold(1, 2, 0), ValueError, "step is 0 but must be > 0");
  CHECK_ERROR(x.unfold(1, -2, 0), ValueError, "size is -2 but must be >= 0");
  CHECK_ERROR(x.unfold(3, 2, 1), IndexError, "Dimension out of range (expected to be in range of [-2, 1], but got 3)");
  CHECK_ERROR(tensor(1.).unfold(0, 2, 1), ValueError, "maximum size for tensor at dimension 0 is 1 but size is 2");
}

TEST_CASE("the gradient of windows adds where they overlap", "[ops][unfold][autograd]") {
  CHECK(values(ops::unfold_backward(ops::ones({3, 3, 2}), {3, 4}, 1, 2, 1)) ==
        Numbers{1, 2, 2, 1, 1, 2, 2, 1, 1, 2, 2, 1});
  CHECK(values(ops::unfold_backward(counted({2, 2}), {5}, 0, 2, 3)) == Numbers{0, 1, 0, 2, 3});
  CHECK(values(ops::unfold_backward(ops::ones({1}), {}, 0, 1, 1)) == Numbers{1});
  CHECK_ERROR(ops::unfold_backward(ops::ones({3, 2}), {3, 4}, 1, 2, 1), ValueError,
              "unfold_backward(): argument 1 'grad_in': expected 3 dimensions, got shape [3, 2]");
  CHECK_ERROR(ops::unfold_backward(ops::ones({3, 1, 2}), {3, 4}, 1, 2, 1), ValueError,
              "unfold_backward(): argument 1 'grad_in': got shape [3, 1, 2], which windows of 2 elements do not have");
  Tensor out = ops::zeros({0});
  ops::unfold_backward(counted({2, 2}), Ints{5}, 0, 2, 3, "out"_a = out);
  CHECK(values(out) == Numbers{0, 1, 0, 2, 3});
  using List = std::vector<Tensor>;
  Tensor x = counted({2, 5}, kDouble).requires_grad_(), scalar = tensor(2.).to(kDouble).requires_grad_();
  autograd::gradcheck([](const List& a) { return a[0].unfold(1, 3, 1).pow(2); }, {x});
  autograd::gradcheck([](const List& a) { return a[0].unfold(1, 2, 3).pow(2); }, {x});
  autograd::gradcheck([](const List& a) { return a[0].unfold(0, 1, 1).pow(2); }, {scalar});
  autograd::gradcheck(
      [](const List& a) {
        EnableGradGuard on;
        return autograd::grad(TensorList(a[0].unfold(1, 3, 1).pow(3).sum()), TensorList(a), {}, std::nullopt, true)[0];
      },
      {x});
  // A change of the windows is a change of the base.
  Tensor y = x * 1, windows = y.unfold(1, 2, 2);
  windows.mul_(3);
  y.sum().backward();
  CHECK(values(x.grad()) == Numbers{3, 3, 3, 3, 1, 3, 3, 3, 3, 1});
}

TEST_CASE("symbolic tensors have windows", "[ops][unfold][symbolic]") {
  Trace t;
  Tensor windows = traced(t, [](SymInt n, SymInt m) { return ops::unfold(meta({n, m}), 0, 2, 2); });
  CHECK(shape(windows) == "[((s0 - 2)//2) + 1, s1, 2]");
  CHECK(strides(windows) == "[2*s1, 1, s1]");
  CHECK(shape(traced(t, [](SymInt n, SymInt m) {
          return ops::unfold_backward(meta({n, m - 1, 2}), SymDimVector{n, m}, 1, 2, 1);
        })) == "[s0, s1]");
}
