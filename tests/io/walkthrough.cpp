// W19: the first program of the source documents, by its text.
#include <sstream>

#include <tenon/autograd/gradcheck.hpp>
#include <tenon/tenon.hpp>

#include <catch.hpp>

using namespace tenon;

TEST_CASE("W19: one unit, its loss and its gradient", "[io][walkthrough]") {
  // A unit whose sum is 1.739, with 1 for a target: what fits the two printed tensors.
  Tensor x = tensor({1.0, 2.0, 3.0}), weight = tensor({{0.2, 0.3, 0.25}}).requires_grad_();
  Tensor bias = tensor({0.189}).requires_grad_(), target = tensor({1.0});
  Tensor y = ops::sigmoid(ops::linear(x, weight, bias)), loss = ops::mse_loss(y, target);
  std::ostringstream out;
  out << y << "\n" << loss;
  CHECK(out.str() ==
        "tensor([0.8506], grad_fn=<SigmoidBackward0>)\n"
        "tensor(0.0223, grad_fn=<MseLossBackward0>)");
  loss.backward();
  // d loss / d sum = 2 (y - t) y (1 - y), and by each weight that times its input.
  double value = y.item<double>(), slope = 2 * (value - 1) * value * (1 - value);
  CHECK(bias.grad().item<double>() == Approx(slope).epsilon(1e-6));
  for (int i = 0; i < 3; ++i)
    CHECK(weight.grad().select(0, 0).select(0, i).item<double>() == Approx(slope * (i + 1)).epsilon(1e-6));
  auto loss_of = [&](const std::vector<Tensor>& in) {
    return ops::mse_loss(ops::sigmoid(ops::linear(x.to(kDouble), in[0], in[1])), target.to(kDouble));
  };
  autograd::gradcheck(loss_of,
                      {weight.detach().to(kDouble).requires_grad_(), bias.detach().to(kDouble).requires_grad_()});
}
