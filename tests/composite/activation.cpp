// Activations made of other operators.
#include <cmath>
#include <limits>

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

TEST_CASE("the gradients of a rectifier have gradients, whichever are asked for", "[composite][activation]") {
  Tensor x = tensor({-1.0, 0.0, 2.0}).requires_grad_(), weight = tensor({0.5}).requires_grad_();
  Tensor y = ops::prelu(x, weight), up = tensor({1.0, 10.0, 100.0});
  auto first = autograd::grad({y}, {x, weight}, {up}, true, true);
  CHECK(values(first[0].detach()) == Numbers{0.5, 5, 100});
  CHECK(values(first[1].detach()) == Numbers{-1});
  auto second = autograd::grad({first[0]}, {x, weight}, {tensor({1.0, 1.0, 1.0})}, true, false, true);
  CHECK((!second[0].defined() || values(second[0]) == Numbers{0, 0, 0}));
  CHECK(values(second[1]) == Numbers{1});
  auto mixed = autograd::grad({first[1]}, {x}, {tensor({3.0})}, true, true);
  CHECK(values(mixed[0].detach()) == Numbers{3, 0, 0});
  Tensor alone = autograd::grad({ops::prelu(x, weight.detach())}, {x}, {up}, true, true)[0];
  CHECK(alone.requires_grad());
}

TEST_CASE("a gated unit halves a dimension", "[composite][activation]") {
  Tensor x = tensor({1.0, 2.0, 0.0, 0.0});
  CHECK(values(ops::glu(x)) == Numbers{0.5, 1});
  CHECK(values(ops::glu(ops::reshape(x, {2, 2}).to(kHalf), 0)) == Numbers{0.5, 1});
  CHECK(values(ops::glu_backward(ops::ones({2}), x, 0)) == Numbers{0.5, 0.5, 0.25, 0.5});
  // The result lies in memory as the halves do.
  auto strides = [](const Tensor& t, std::int64_t dim) { return list(ops::glu(t, dim).strides()); };
  Tensor turned = ops::ones({4, 6, 8}).permute({2, 0, 1});
  CHECK(strides(turned, 0) == Ints{1, 24, 4});
  CHECK(strides(turned, 1) == Ints{1, 48, 8});
  CHECK(strides(turned, 2) == Ints{1, 24, 8});
  CHECK(strides(ops::ones({2, 4, 3, 5}).contiguous(MemoryFormat::ChannelsLast), 1) == Ints{30, 1, 10, 2});
  CHECK(strides(ops::ones({8, 6}).slice(1, 0, 6, 2), 0) == Ints{3, 1});
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

// Slopes and words of PyTorch 2.15.
TEST_CASE("in place the derivative follows from the result, which tells no negative slope", "[composite][activation]") {
  auto slopes = [](auto f) {
    Tensor leaf = tensor({-1.5, 0.0, 1.5}).to(kDouble).requires_grad_(), y = leaf * 1;
    f(y);
    y.sum().backward();
    return values(leaf.grad());
  };
  auto scaled = slopes([](Tensor& y) { ops::elu_(y, 1, -1); });
  CHECK(scaled[0] == Approx(-1));
  CHECK(scaled[1] == -1);
  CHECK(scaled[2] == Approx(-2.5));  // the result is negative, though the argument is not
  CHECK(slopes([](Tensor& y) { ops::leaky_relu_(y, 0.5); }) == Numbers{0.5, 0.5, 1});
  CHECK(slopes([](Tensor& y) { ops::rrelu_(y, 0.1, 0.3); })[0] == Approx(0.2));
  CHECK(slopes([](Tensor& y) { ops::rrelu_(y, -0.5, -0.5, true); }) == Numbers{-0.5, -0.5, 1});
  CHECK(slopes([](Tensor& y) { ops::hardtanh_(y, -1, 1); }) == Numbers{0, 1, 0});
  const char* elu =
      "In-place elu backward calculation is triggered with a negative slope which is not supported. This is caused by calling in-place forward function with a negative slope, please call out-of-place version instead.";
  const char* leaky = "In-place leakyReLu backward calculation is triggered with a negative slope";
  CHECK_ERROR_CONTAINS(slopes([](Tensor& y) { ops::elu_(y, -1); }), ValueError, elu);
  CHECK_ERROR_CONTAINS(slopes([](Tensor& y) { ops::celu_(y, -1); }), ValueError, elu);
  CHECK_ERROR_CONTAINS(slopes([](Tensor& y) { ops::leaky_relu_(y, -0.5); }), ValueError, leaky);
  CHECK_ERROR_CONTAINS(slopes([](Tensor& y) { ops::rrelu_(y, -0.5, -0.5); }), ValueError, leaky);
  // What is not in place takes any slope; a drawn one is what the noise holds, however narrow its range.
  CHECK(values(ops::leaky_relu_backward(ops::ones({2}), tensor({-1.0, 2.0}), -0.5, false)) == Numbers{-0.5, 1});
  CHECK(values(ops::rrelu_with_noise_backward(ops::ones({2}), tensor({-1.0, 2.0}), tensor({7.0, 9.0}), 0.1, 0.1, true,
                                              false)) == Numbers{7, 9});
}

// Values of PyTorch 2.15.
TEST_CASE("gradients of activations are operators", "[composite][activation]") {
  Tensor x = tensor({-1.5, 0.25, 2.0}).to(kDouble), g = tensor({1.0, 2.0, -1.0}).to(kDouble);
  auto near = [](const Tensor& t, const Numbers& expected) {
    Numbers got = values(t);
    REQUIRE(got.size() == expected.size());
    for (std::size_t i = 0; i < got.size(); ++i) CHECK(got[i] == Approx(expected[i]).epsilon(1e-13).margin(1e-15));
  };
  near(ops::gelu_backward(g, x), {-0.12746919222998, 1.39074670976727, -1.0852318010782});
  near(ops::gelu_backward(g, x, "approximate"_a = "tanh"), {-0.127710793151433, 1.39070819030212, -1.08609925662362});
  near(ops::silu_backward(g, x), {-0.0412941542991429, 1.2474200431404, -1.0907842487849});
  near(ops::mish_backward(g, x), {-0.0640978158922587, 1.50834533544119, -1.06931793427949});
  near(ops::hardswish_backward(g, x), {0, 2 * (0.25 / 3 + 0.5), -(2.0 / 3 + 0.5)});
  near(ops::softplus_backward(g, x, 2, 20), {0.0474258731775668, 1.24491866240371, -0.982013790037908});
  near(ops::logit_backward(g, x, 0.1), {0, 2 / (0.25 * 0.75), 0});
  near(ops::elu_backward(g, 1.5, 2, 1, false, x), {3 * std::exp(-1.5), 4, -2});
  near(ops::elu_backward(g, 1.5, 2, 1, true, x), {1.5, 4, -2});
  near(ops::hardtanh_backward(g, x, -1.5, 2), {0, 2, 0});
  near(ops::leaky_relu_backward(g, x, 0.5, false), {0.5, 2, -1});
  near(ops::softshrink_backward(g, x, 0.5), {1, 0, -1});
  near(ops::hardshrink_backward(g, x, 0.5), {1, 0, -1});
  auto [y, buffer] = ops::log_sigmoid_forward(x);
  CHECK(values(y) == values(ops::log_sigmoid(x)));
  near(ops::log_sigmoid_backward(g, x, buffer), values(g * ops::sigmoid(-x)));
  // At the ends of the ramp nothing of it is left, and not-a-number passes the gradient on.
  Tensor ends = tensor({-3.0, 3.0, std::nan("")});
  CHECK(values(ops::hardswish_backward(ops::ones({3}), ends)) == Numbers{0, 1, 1});
  CHECK_ERROR_CONTAINS(ops::elu_backward(g, -1, 1, 1, true, x), ValueError,
                       "In-place elu backward calculation is triggered with a negative slope");
  CHECK_ERROR_CONTAINS(ops::silu_backward(g.to(kLong), x.to(kLong)), NotImplementedError, "silu_backward_cpu");
  // Rounded once.
  Tensor h = tensor({0.3, 1.7, -2.2}).to(kBFloat16), gh = tensor({1.1, -0.7, 0.9}).to(kBFloat16);
  CHECK(values(ops::gelu_backward(gh, h)) == Numbers{0.80859375, -0.78125, -0.057373046875});
  CHECK(values(ops::silu_backward(gh, h)) == Numbers{0.71484375, -0.74609375, -0.087890625});
}

// Values of PyTorch 2.15.
TEST_CASE("16-bit activations have limits of their type and round where PyTorch's do", "[composite][activation]") {
  Tensor x = tensor({0.6171875, -0.75, 0.3}), g = tensor({1.0, 2.0, -1.0}),
         ends = tensor({0.4951171875, -0.4951171875, 0.5}), p = tensor({0.2001953125, 0.80078125, 0.3});
  CHECK(values(ops::softshrink(x.to(kHalf), 0.6)) == Numbers{0.01708984375, -0.14990234375, 0});
  CHECK(values(ops::softshrink(x.to(kBFloat16), 0.6)) == Numbers{0.015625, -0.1484375, 0});
  CHECK(values(ops::hardshrink(ends.to(kHalf), 0.4951)) == Numbers{0, 0, 0.5});
  CHECK(values(ops::hardshrink(ends.to(kBFloat16), 0.4951)) == Numbers{0.49609375, -0.49609375, 0.5});
  CHECK(values(ops::hardshrink_backward(g.to(kHalf), ends.to(kHalf), 0.4951)) == Numbers{0, 0, -1});
  CHECK(values(ops::softshrink_backward(g.to(kBFloat16), ends.to(kBFloat16), 0.4951)) == Numbers{1, 2, -1});
  CHECK(values(ops::logit_backward(g.to(kHalf), p.to(kHalf), 0.2)) == Numbers{6.2421875, 0, -4.76171875});
  CHECK(values(ops::logit_backward(g.to(kBFloat16), p.to(kBFloat16), 0.2)) == Numbers{6.25, 12.5625, -4.75});
  CHECK(values(ops::logit_backward(g.to(kHalf), p.to(kHalf))) == Numbers{6.2421875, 12.5390625, -4.76171875});
  Tensor a = tensor({0.37, -1.3}).to(kHalf), b = tensor({1.1, -0.3}).to(kHalf);
  CHECK(values(ops::infinitely_differentiable_gelu_backward(b, a)) == Numbers{0.8603515625, 0.037811279296875});
  Tensor whole = ops::infinitely_differentiable_gelu_backward(tensor({1, -3}).to(kChar), tensor({2, 1}).to(kChar));
  CHECK(whole.dtype() == kChar);
  CHECK(values(whole) == Numbers{1, -3});
  Tensor unit = tensor({0.3, 1.2, -0.7, 0.9}).to(kHalf), grad = tensor({1.1, -0.3, 0.7, 0.2}).to(kHalf),
         of_result = tensor({0.5, -0.25}).to(kHalf), moved = tensor({0.3, 0.7}).to(kHalf),
         step = tensor({0.4, 0.6, -0.9, 0.8}).to(kHalf);
  CHECK(values(ops::glu_backward_jvp(grad, of_result, unit, moved, step, 0)) ==
        Numbers{-0.56201171875, 0.428466796875, 0.2467041015625, 0.1558837890625});
  Tensor wide = ops::zeros({2});
  CHECK(values(ops::glu(unit, "out"_a = wide)) == Numbers{0.09954833984375, 0.85302734375});
}

TEST_CASE("what moves a gated unit moves its result", "[composite][activation]") {
  Tensor x = tensor({1.0, 2.0, 0.0, 0.0}), dx = tensor({1.0, 0.0, 2.0, 1.0});
  CHECK(values(ops::glu_jvp(ops::glu(x), x, dx, 0)) == Numbers{1, 0.5});
  Tensor grad = tensor({1.0, 1.0}), none = tensor({0.0, 0.0});
  CHECK(values(ops::glu_backward_jvp(ops::glu_backward(grad, x, 0), grad, x, none, dx, 0)) ==
        Numbers{0.5, 0.25, 0.25, 0});
}

TEST_CASE("masked rows of a softmax", "[composite][activation]") {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Tensor x = tensor({{1.0, 1.0, 5.0}, {2.0, 2.0, 2.0}}), mask = tensor({{false, false, true}, {true, true, true}});
  Numbers got = values(ops::_masked_softmax(x, mask, 1));
  CHECK(Numbers(got.begin(), got.begin() + 3) == Numbers{0.5, 0.5, 0});
  CHECK(std::isnan(got[3]));
  Tensor hidden = ops::masked_fill(x, mask, -infinity).requires_grad_();
  Tensor y = ops::_safe_softmax(hidden, 1);
  CHECK(values(y) == Numbers{0.5, 0.5, 0, 0, 0, 0});
  (y * tensor({1.0, 2.0, 3.0})).sum().backward();
  CHECK(values(hidden.grad()) == Numbers{-0.25, 0.25, 0, 0, 0, 0});
  CHECK_ERROR(ops::_masked_softmax(x, x, 1), TypeError, "Mask should be a boolean tensor");
  Numbers slope = values(ops::_masked_softmax_backward(tensor({1.0, 2.0, infinity}), tensor({infinity, 0.5, 0.5}),
                                                       tensor({true, false, false}), 0));
  CHECK((slope[0] == 0 && slope[1] == -infinity && std::isnan(slope[2])));
  CHECK(ops::_safe_softmax(ops::zeros({2, 0}, "dtype"_a = kInt), -1).dtype() == kInt);
}

TEST_CASE("shrinking is by what the elements can hold", "[composite][activation]") {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const Tensor x = tensor({-1.0, 0.25, 3.0}, "dtype"_a = kFloat);
  CHECK_ERROR(ops::softshrink(x.to(kHalf), -1), ValueError,
              "lambda must be in range [0, 65504] for input dtype Half, but found -1");
  CHECK_THROWS_AS(ops::softshrink(x, -1), ValueError);
  CHECK_THROWS_AS(ops::softshrink(x, infinity), ValueError);
  CHECK_THROWS_AS(ops::softshrink(x, 1e39), ValueError);
  CHECK_THROWS_AS(ops::softshrink(x.to(kHalf), 7e4), ValueError);
  CHECK(values(ops::softshrink(x, 0)) == Numbers{-1, 0.25, 3});
  // PyTorch bounds neither hard shrinking nor the gradient.
  CHECK(values(ops::hardshrink(x, -1)) == Numbers{-1, 0.25, 3});
  CHECK(values(ops::softshrink_backward(x, x, -1)) == Numbers{-1, 0.25, 3});
}
