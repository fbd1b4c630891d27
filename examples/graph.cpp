// A function as a graph of calls: printed, shortened, edited and run again with other inputs.
#include <cstdio>

#include "graph.hpp"

using namespace tenon;

int main() {
  Tensor weight = tensor({{1.0, -2.0}, {0.5, 1.0}});
  auto layer = [&](const Tensor& x) {
    Tensor hidden = ops::linear(x, weight);
    (void)ops::exp(hidden);  // nobody reads it
    return ops::relu(hidden) + 1;
  };
  graph::Graph g = graph::trace(layer, ops::ones({3, 2}));
  g.remove_dead();
  std::printf("%s\n", graph::to_string(g).c_str());

  Tensor x = tensor({{1.0, 1.0}, {2.0, -1.0}}).requires_grad_();
  std::printf("%s\n", to_string(g({x}).detach()).c_str());
  std::printf("as the function: %s\n", ops::equal(g({x}), layer(x)) ? "yes" : "no");

  // Gradients are those of the calls; and a graph is data, in which a call may become another one.
  g({x}).sum().backward();
  std::printf("%s\n", to_string(x.grad()).c_str());
  for (graph::Node& node : g.nodes)
    if (node.op.name() == "aten::relu") node.op = Registry::get().find_schema_or_throw("aten::neg", "");
  std::printf("%s\n", to_string(g({x}).detach()).c_str());
}

// Prints:
// %1 = float32 [2, 2]
// %2 = aten::linear(%0, %1, None)
// %4 = aten::relu(%2)
// %5 = aten::add.Scalar(%4, 1, 1)
// return %5
// tensor([[1.0000, 2.5000],
//         [5.0000, 1.0000]])
// as the function: yes
// tensor([[ 0.5000,  1.0000],
//         [ 1.0000, -2.0000]])
// tensor([[ 2.0000, -0.5000],
//         [-3.0000,  1.0000]])
