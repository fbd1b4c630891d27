// One dot product, written for vectors, over a batch of them.
#include <iostream>

#include "batching.hpp"

using namespace tenon;

int main() {
  Tensor x = tensor({{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}}), y = tensor({{1.0, 0.0, 1.0}, {0.0, 2.0, 0.0}});
  Tensor dots = batching::vmap([](const Tensor& a, const Tensor& b) { return (a * b).sum(); }, x, y);
  std::cout << dots << "\n";

  DispatchTraceGuard trace;  // to standard error: the batch, then each example on the CPU
  std::cout << batching::vmap([](const Tensor& a) { return ops::sin(a); }, x) << "\n";
}

// Prints:
// tensor([ 4., 10.])
// tensor([[ 0.8415,  0.9093,  0.1411],
//         [-0.7568, -0.9589, -0.2794]])
