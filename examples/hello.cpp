// A tensor, an operator, a gradient: one step of learning by one unit of a network.
#include <iostream>

#include <tenon/tenon.hpp>

using namespace tenon;

int main() {
  Tensor x = tensor({1.0, 2.0, 3.0});
  Tensor weight = tensor({{0.2, 0.3, 0.25}}).requires_grad_();
  Tensor bias = tensor({0.189}).requires_grad_();
  Tensor target = tensor({1.0});

  Tensor y = ops::sigmoid(ops::linear(x, weight, bias));
  Tensor loss = ops::mse_loss(y, target);
  std::cout << y << "\n" << loss << "\n";

  loss.backward();
  std::cout << weight.grad() << "\n";

  NoGradGuard no_grad;
  weight -= 0.5 * weight.grad();
  bias -= 0.5 * bias.grad();
  std::cout << ops::mse_loss(ops::sigmoid(x.matmul(weight.t()) + bias), target) << "\n";
}

// Prints:
// tensor([0.8506], grad_fn=<SigmoidBackward0>)
// tensor(0.0223, grad_fn=<MseLossBackward0>)
// tensor([[-0.0380, -0.0760, -0.1140]])
// tensor(0.0136)
