// Activations made of other operators.
#include <tenon/autograd/engine.hpp>

#include "../ops/support.hpp"

using namespace test;

TEST_CASE("a rectifier has one slope or one for each channel", "[composite][activation]") {
  Tensor x = ops::reshape(tensor({-1.0, 2.0, -3.0, 4.0, -5.0, -6.0}), {2, 3});
  CHECK(values(ops::prelu(x, tensor({0.5}))) == Numbers{-0.5, 2, -1.5, 4, -2.5, -3});
  Tensor weight = tensor({1.0, 2.0, 3.0}).requires_grad_();
  Tensor y = ops::prelu(x, weight);
  CHECK(values(y.detach()) == Numbers{-1, 2, -9, 4, -10, -18});
  y.sum().backward();
  CHECK(values(weight.grad()) == Numbers{-1, -5, -9});
  auto [grad, grad_weight] = ops::_prelu_kernel_backward(ops::ones_like(x), x, tensor({1.0, 2.0, 3.0}));
  CHECK(values(grad) == Numbers{1, 1, 3, 1, 2, 3});
  CHECK(values(grad_weight) == Numbers{-1, 0, -3, 0, -5, -6});
  CHECK_ERROR(
      ops::prelu(x, tensor({1.0, 2.0})), ValueError,
      "Mismatch of parameter numbers and input channel size. Found parameter numbers = 2 and channel size = 3.");
  CHECK_ERROR(ops::prelu(x, tensor({1.0}).to(kDouble)), TypeError,
              "prelu: Type promoting not supported. Got Float and Double");
  CHECK_ERROR(ops::prelu(tensor({1.0})[0], tensor({1.0, 2.0})), ValueError, "Not allow zero-dim input tensor.");
}

TEST_CASE("a gated unit halves a dimension", "[composite][activation]") {
  Tensor x = tensor({1.0, 2.0, 0.0, 0.0});
  CHECK(values(ops::glu(x)) == Numbers{0.5, 1});
  CHECK(values(ops::glu(ops::reshape(x, {2, 2}).to(kHalf), 0)) == Numbers{0.5, 1});
  CHECK(values(ops::glu_backward(ops::ones({2}), x, 0)) == Numbers{0.5, 0.5, 0.25, 0.5});
  CHECK_ERROR(ops::glu(tensor({1.0, 2.0, 3.0})), ValueError,
              "Halving dimension must be even, but dimension 0 is size 3");
  CHECK_ERROR(ops::glu(x[0]), ValueError, "glu does not support scalars because halving size must be even");
  CHECK_ERROR_CONTAINS(ops::glu(x.to(kLong)), NotImplementedError, "Long");
}
