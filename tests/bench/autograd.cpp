// Recording and running small graphs.
#include <tenon/tenon.hpp>

#include "row.hpp"

using namespace tenon;
using bench::keep;
using bench::row;

BENCH_PART(autograd) {
  Tensor b = ops::rand({8, 8}), g = ops::rand({8, 8});
  g.set_requires_grad(true);
  row("autograd/mul_forward", [&] { keep(g * b); });
  row("autograd/mul_sum_backward", [&] { (g * b).sum().backward(); });
  row("autograd/chain10_backward", [&] {
    Tensor y = g;
    for (int i = 0; i < 10; ++i) y = y * b;
    y.sum().backward();
  });
}
