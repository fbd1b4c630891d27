// A function that writes through a view, run without a write.
#include <iostream>

#include <tenon/tenon.hpp>

using namespace tenon;

Tensor halve_first_row(const Tensor& x) {
  Tensor y = x * 2, row = y.select(0, 0);
  row.mul_(0.25);
  x.add_(1);
  return y;
}

int main() {
  Tensor x = tensor({{1.0, 2.0}, {3.0, 4.0}});
  auto f = functionalization::functionalize(halve_first_row);
  std::cout << f(x) << "\n" << x << "\n";  // x was written as well, at the end

  // Views may go too, and gradients are those of the function.
  auto g = functionalization::functionalize(halve_first_row, functionalization::Remove::MutationsAndViews);
  Tensor w = tensor({{1.0, 2.0}, {3.0, 4.0}}).requires_grad_();
  g(w * 1).sum().backward();
  std::cout << w.grad() << "\n";

  DispatchTraceGuard trace;  // to standard error: mul, select and add on the CPU, and the select's inverse
  (void)f(x);
}

// Prints:
// tensor([[0.5000, 1.0000],
//         [6.0000, 8.0000]])
// tensor([[2., 3.],
//         [4., 5.]])
// tensor([[0.5000, 0.5000],
//         [2.0000, 2.0000]])
