// Errors of a program that name the lines which they come out of.
#include <cstdio>

#include <tenon/autograd/graph/anomaly.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

Tensor hidden_layer(const Tensor& x, const Tensor& w) {
  return x.matmul(w);  // refused
}

int main() {
  Tensor x = ops::ones({2, 3});
  try {
    hidden_layer(x, x);
  } catch (const Error& e) { std::puts(e.what()); }
  try {
    x + ops::ones({4});  // refused
  } catch (const Error& e) { std::puts(e.what()); }
  // In anomaly mode a gradient that is no number names the line of its forward call.
  autograd::DetectAnomaly anomaly;
  Tensor root = ops::sqrt(ops::zeros({2}).requires_grad_());  // refused
  try {
    (root * 0).sum().backward();
  } catch (const Error& e) { std::puts(e.what()); }
}
