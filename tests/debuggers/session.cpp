// A program for a session in a debugger: an operator of its own and one of the library's, each called once.
#include <cstdio>

#include <tenon/autograd/derivative.hpp>
#include <tenon/library/library.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/operators.hpp>
#include <tenon/ops/tensor_of.hpp>

namespace session {
using namespace tenon;

TENON_OPERATORS_PLAIN(twice, "session::twice(Tensor self) -> Tensor");

Tensor twice_kernel(const Tensor& self) { return self + self; }

TENON_LIBRARY(session, m) { m.def<twice_base>(); }
TENON_LIBRARY_IMPL(session, CPU, m) { m.impl<twice_base, &twice_kernel>(); }
TENON_DERIVATIVE(twice_base, TENON_WRT((self), (grad), grad + grad));
}  // namespace session

int main(int argc, char**) {
  if (argc > 1) {  // for a debugger to attach to
    std::puts("waiting");
    std::fflush(stdout);
    std::getchar();
  }
  tenon::Tensor a = tenon::tensor({1.0, 1.0}).requires_grad_();
  tenon::Tensor c = session::twice(a);
  return c.sizes()[0] == 2 ? 0 : 1;
}
