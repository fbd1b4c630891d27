// Activations made of other operators.
#include <cmath>

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

// Values of PyTorch 2.15.
TEST_CASE("activations that are others with their numbers write in place too", "[composite][activation]") {
  Tensor x = tensor({0.5, -1.2, 2.0, 7.0}).to(kDouble);
  CHECK(values(ops::relu6(x)) == Numbers{0.5, 0, 2, 6});
  CHECK(values(ops::threshold(x, 0.5, -7)) == Numbers{-7, -7, 2, 7});
  CHECK(values(ops::celu(x, 0.5))[1] == Approx(0.5 * std::expm1(-2.4)));
  CHECK(values(ops::selu(x))[1] == Approx(1.0507009873554805 * 1.6732632423543772 * std::expm1(-1.2)));
  Tensor v = x.clone(), w = x.clone();
  CHECK(values(ops::relu6_(v)) == values(ops::relu6(x)));
  CHECK(values(ops::selu_(w)) == values(ops::selu(x)));
  Tensor y = x.clone(), z = x.clone();
  CHECK(values(ops::celu_(y, 0.5)) == values(ops::celu(x, 0.5)));
  CHECK(values(ops::threshold_(z, 0, 1)) == Numbers{0.5, 1, 2, 7});
  CHECK_ERROR(ops::celu(x, 0), ValueError, "ZeroDivisionError: alpha cannot be 0 for CELU");
  Tensor leaf = x.clone().requires_grad_();
  CHECK(values(autograd::grad(TensorList(ops::threshold(leaf, 0.5, -7).sum()), TensorList(leaf))[0]) ==
        Numbers{0, 0, 1, 1});
}
