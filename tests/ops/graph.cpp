// W27: a trace to a graph and its interpreter, as a user writes them.
#include "../../examples/graph.hpp"

#include <cmath>

#include "../registry_support.hpp"
#include "support.hpp"

using namespace test;
using graph::Graph;

namespace {

Tensor waves(IntArrayRef sizes) { return ops::sin(counted(sizes) * 0.7); }
std::vector<std::string> names(const Graph& g) {
  std::vector<std::string> list;
  for (const graph::Node& node : g.nodes) list.emplace_back(node.op.name());
  return list;
}
using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("W27: a graph of a network's calls computes what the network does, and its gradients", "[ops][walkthrough]") {
  nn::Conv2d conv{2, 3, 3};
  nn::BatchNorm2d norm{3};
  nn::Linear linear{12, 4};
  nn::eval(norm);
  auto net = [&](const Tensor& x) {
    Tensor y = ops::relu(norm(conv(x)));
    return linear(ops::max_pool2d(y, 2).flatten(1));
  };
  Graph g = graph::trace(net, waves({2, 2, 6, 6}));
  Tensor a = waves({5, 2, 6, 6}).requires_grad_(), b = a.detach().requires_grad_();
  Tensor ours = g({a}), eager = net(b);
  CHECK(values(ours) == values(eager));
  ops::sum(ours * ours).backward();
  Tensor weights = conv.weight.grad().clone();
  nn::zero_grad(conv);
  ops::sum(eager * eager).backward();
  CHECK(values(a.grad()) == values(b.grad()));
  CHECK(values(weights) == values(conv.weight.grad()));
}

TEST_CASE("W27: every call comes to the kernel at Tracer, factories and composites whole", "[ops][walkthrough]") {
  Graph g;
  auto lines = support::steps([&] {
    g = graph::trace([](const Tensor& x) { return ops::matmul(x, ops::ones({3})); }, waves({2, 3}));
  });
  CHECK(names(g) == Names{"aten::ones", "aten::matmul"});
  CHECK(std::count(lines.begin(), lines.end(), "[call] aten::matmul Tracer") == 1);
  for (const std::string& line : lines)
    if (line.ends_with(" Tracer")) CHECK((line == "[call] aten::matmul Tracer" || line == "[call] aten::ones Tracer"));
  CHECK(graph::to_string(g).ends_with("\n%2 = aten::matmul(%0, %1)\nreturn %2"));
}

TEST_CASE("W27: views, writes and lists are calls as others", "[ops][walkthrough]") {
  auto f = [](const Tensor& x, const Tensor& y) {
    Tensor z = x.clone();
    z.select(0, 1).add_(y);
    std::vector<Tensor> parts = ops::split(z, 1);
    return ops::cat({parts[1], parts[0], parts[1]});
  };
  Graph g = graph::trace(f, waves({2, 3}), waves({3}));
  CHECK(names(g) == Names{"aten::clone", "aten::select.int", "aten::add_.Tensor", "aten::split.Tensor", "aten::cat"});
  Tensor x = counted({2, 4}), y = counted({4}) * 10;
  CHECK(values(g({x, y})) == values(f(x, y)));
  CHECK(values(x) == values(counted({2, 4})));
  // The write stays, though nobody reads what it returns.
  g.remove_dead();
  CHECK(g.nodes.size() == 5);
}

TEST_CASE("W27: numbers that a function makes are made anew at each run", "[ops][walkthrough]") {
  auto f = [](const Tensor& x) {
    Tensor total = tensor({1.0, 2.0});
    total.add_(x);
    return total;
  };
  Graph g = graph::trace(f, waves({2}));
  // How the numbers came into their memory is no part of it.
  CHECK(names(g) == Names{"aten::lift_fresh_copy", "aten::detach_", "aten::add_.Tensor"});
  Tensor x = tensor({10.0, 20.0});
  CHECK(values(g({x})) == Numbers{11, 22});
  CHECK(values(g({x})) == Numbers{11, 22});
}

TEST_CASE("W27: what nobody reads is taken out, and a call may become another", "[ops][walkthrough]") {
  Tensor weight = waves({3});
  Graph g = graph::trace(
      [&](const Tensor& x) {
        (void)(ops::exp(x) * weight);
        return ops::cos(x);
      },
      waves({3}));
  CHECK(g.constants.size() == 1);
  g.remove_dead();
  CHECK(names(g) == Names{"aten::cos"});
  CHECK(g.constants.empty());
  CHECK(graph::to_string(g) == "%4 = aten::cos(%0)\nreturn %4");
  g.nodes[0].op = support::op("aten::sin");
  CHECK(values(g({weight})) == values(ops::sin(weight)));
}

TEST_CASE("W27: what a graph cannot hold is refused", "[ops][walkthrough]") {
  Tensor x = waves({3});
  auto same = [](const Tensor& a, const Tensor& b) { return a + b; };
  CHECK_ERROR(graph::trace(same, x, x), ValueError, "graph: two inputs are one tensor; give clones");
  Graph g = graph::trace(same, x, x.clone());
  CHECK_ERROR(g({x}), ValueError, "graph: expected 2 inputs, got 1");
  CHECK_ERROR(graph::trace([](const Tensor& a) { return ops::is_nonzero(a.sum()) ? a : -a; }, x), NotImplementedError,
              "graph: aten::is_nonzero gives True, which later runs would keep; compute with tensors instead");
  CHECK_ERROR(graph::trace([](const Tensor& a) { return a * a.sum().item(); }, tensor({1.5, 2.0})), NotImplementedError,
              "graph: aten::_local_scalar_dense gives 3.5, which later runs would keep; compute with tensors instead");
  auto inside = [](const Tensor& a) {
    Tensor leaf = ops::exp(a).detach().requires_grad_();
    ops::sum(ops::exp(leaf)).backward();
    return leaf.grad() * a;
  };
  CHECK_THROWS_AS(graph::trace(inside, x), NotImplementedError);
  // Nothing of a refused trace stays: calls go their usual way.
  CHECK(values(ops::exp(x))[0] == Approx(1));
  CHECK(names(graph::trace([](const Tensor& a) { return -a; }, x)) == Names{"aten::neg"});
}
