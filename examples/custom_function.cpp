// Functions with a gradient of one's own: a straight-through rounding, a stable logarithm of a sum of exponentials that
// saves its result, and one expression.
#include <cstdio>

#include <tenon/autograd/graph/function.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

namespace {

// Rounds, but lets gradients pass where the input lies within the bounds.
struct Quantize : autograd::Function<Quantize> {
  static Tensor forward(autograd::AutogradContext& ctx, const Tensor& x, double bound) {
    ctx.save_for_backward({x});
    ctx.saved_data["bound"] = bound;
    return ops::round(ops::clamp(x, -bound, bound));
  }
  static Tensor backward(autograd::AutogradContext& ctx, TensorList grads) {
    Tensor x = ctx.saved_tensors()[0];
    return grads[0] * ops::le(ops::abs(x), ctx.get<double>("bound"));
  }
};

// Two results; gradients of gradients come by themselves, since the backward pass is made of operators.
struct LogSumExp : autograd::Function<LogSumExp> {
  static std::tuple<Tensor, Tensor> forward(autograd::AutogradContext& ctx, const Tensor& x) {
    Tensor largest = ops::amax(x.detach());
    Tensor sum = ops::log(ops::sum(ops::exp(x - largest))) + largest;
    ctx.save_for_backward({x, sum});
    ctx.mark_non_differentiable({largest});
    return {sum, largest};
  }
  static Tensor backward(autograd::AutogradContext& ctx, TensorList grads) {
    auto saved = ctx.saved_tensors();
    return grads[0] * ops::exp(saved[0] - saved[1]);
  }
};

}  // namespace

int main() {
  Tensor x = tensor({-2.5, -0.25, 0.75, 1.5}).requires_grad_();
  Quantize::apply(x, 2.0).sum().backward();
  std::printf("quantized %s\ngradient  %s\n", to_string(Quantize::apply(x.detach(), 2.0)).c_str(),
              to_string(x.grad()).c_str());

  auto [total, largest] = LogSumExp::apply(x);
  Tensor softmax = autograd::grad({total}, {x}, {}, std::nullopt, true)[0];
  Tensor row = autograd::grad({softmax.select(0, 3)}, {x})[0];
  std::printf("largest   %.2f, of softmax's sum %.2f\n", largest.item<double>(), softmax.sum().item<double>());
  std::printf("its last row of second derivatives sums to %.2f\n", ops::abs(row.sum()).item<double>());

  // The same for one expression: the value, then the gradient from (grad, result, x).
  Tensor root = autograd::custom_gradient(
      [](const Tensor& t) { return ops::sqrt(t); },
      [](const Tensor& grad, const Tensor& result, const Tensor&) { return grad / (2 * result); },
      (x * x).detach().requires_grad_());
  std::printf("node      %s\n", root.grad_fn()->name().c_str());
}
// Prints:
// quantized tensor([-2., -0.,  1.,  2.])
// gradient  tensor([0., 1., 1., 1.])
// largest   1.50, of softmax's sum 1.00
// its last row of second derivatives sums to 0.00
// node      CustomGradientBackward
