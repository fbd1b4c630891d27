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
