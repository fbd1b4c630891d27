// The shapes of a network for all batch sizes at once, and what they rest on: Meta tensors of symbolic sizes.
#include <cstdio>
#include <iomanip>
#include <iostream>

#include <tenon/tenon.hpp>

using namespace tenon;

int main() {
  auto meta = [](SymIntList sizes) { return ops::empty(sizes.ref, "device"_a = kMeta); };
  auto show = [](const char* what, const Tensor& t) {
    std::cout << std::left << std::setw(9) << what << t.sym_sizes() << ", strides " << t.sym_strides() << '\n';
  };
  auto env = make_intrusive<SymEnv>();
  SymInt n = env->symbol(32), m = env->symbol(32);  // s0 and s1, 32 while this is traced

  Tensor images = meta({n, 28, 28});
  Tensor hidden = ops::relu(ops::linear(images.flatten(1), meta({128, 784}), meta({128})));
  Tensor scores = ops::linear(hidden, meta({10, 128}), meta({10}));
  show("scores", scores);
  show("halves", hidden.view({n * 2, 64}).t());
  show("joined", ops::cat({scores, meta({m, 10})}));
  show("sum", scores + meta({m, 1}));  // only if m is n

  for (const auto& guard : env->guards()) std::printf("assumes  %s\n", guard.text.c_str());
  std::printf("batches of 7 and 7: %d, of 7 and 8: %d\n", env->holds_for({7, 7}), env->holds_for({7, 8}));
  try {
    scores.sizes();
  } catch (const TypeError& e) { std::printf("%s\n", e.what()); }
}

// clang-format off
// Prints:
// scores   [s0, 10], strides [10, 1]
// halves   [64, 2*s0], strides [1, 64]
// joined   [s0 + s1, 10], strides [10, 1]
// sum      [s0, 10], strides [10, 1]
// assumes  s0 > 0
// assumes  s1 > 0
// assumes  s0 == s1
// batches of 7 and 7: 1, of 7 and 8: 0
// sizes(): expected a tensor of plain sizes, strides and offset, got one of sizes [s0, 10], strides [10, 1]; use sym_sizes()
