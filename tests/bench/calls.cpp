// Calls on small tensors that programs make most, beside those of the other parts.
#include <tenon/tenon.hpp>

#include "row.hpp"

using namespace tenon;
using bench::keep;
using bench::row;

BENCH_PART(calls) {
  manual_seed(0);
  Tensor a = ops::rand({8, 8}), b = ops::rand({8, 8}), bias = ops::rand({8});
  Tensor classes = ops::randint(8, {8}), places = ops::randint(8, {4});
  row("small/select", [&] { keep(a.select(0, 1)); });
  row("small/index_number", [&] { keep(a[1]); });
  row("small/unsqueeze", [&] { keep(a.unsqueeze(0)); });
  row("small/permute", [&] { keep(a.permute({1, 0})); });
  row("small/reshape", [&] { keep(a.reshape({64})); });
  row("small/stack", [&] { keep(ops::stack({a, b})); });
  row("small/cat", [&] { keep(ops::cat({a, b})); });
  row("small/linear", [&] { keep(ops::linear(a, b, bias)); });
  row("small/cross_entropy", [&] { keep(ops::cross_entropy_loss(a, classes)); });
  row("small/softmax", [&] { keep(a.softmax(1)); });
  row("small/index_select", [&] { keep(a.index_select(0, places)); });
  row("small/rand", [&] { keep(ops::rand({8, 8})); });
  row("small/gt_number", [&] { keep(a > 0); });
  row("small/mul_number", [&] { keep(a * 2); });
  row("small/clone", [&] { keep(a.clone()); });
  row("small/to_double", [&] { keep(a.to(kDouble)); });
  row("small/sum_dim", [&] { keep(a.sum(1)); });
  row("small/mean", [&] { keep(a.mean()); });
}
