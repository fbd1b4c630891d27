// Hooks of tensors, leaves and nodes; retained gradients; callbacks; threads that share leaves.
#include <tenon/autograd/graph/anomaly.hpp>
#include <tenon/autograd/graph/callback.hpp>
#include <tenon/autograd/graph/dot.hpp>
#include <tenon/autograd/graph/hooks.hpp>
#include <tenon/autograd/graph/metadata.hpp>

#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <typeinfo>
#include <vector>

#include "../support.hpp"

using namespace tenon;
using test::leaf;
using test::values;

TEST_CASE("tensor hooks run in the order in which they came, and each gets what the one before gave",
          "[autograd][graph][hooks]") {
  Tensor x = leaf({1, 2}), y = mul(x, 2);
  std::vector<double> seen;
  y.register_hook([&](const Tensor& g) {
    seen.push_back(values(g)[0]);
    return mul(g, 3);
  });
  y.register_hook([&](const Tensor& g) { seen.push_back(values(g)[0]); });
  x.register_hook([&](const Tensor& g) { seen.push_back(values(g)[0]); });
  sum(y).backward();
  CHECK(seen == std::vector<double>{1, 3, 6});
  CHECK(values(x.grad()) == std::vector<double>{6, 6});
}

TEST_CASE("hooks of several results run one result after another", "[autograd][graph][hooks]") {
  Tensor x = leaf({1, 2});
  std::vector<Tensor> y = unbind(mul(x, 2));
  std::vector<int> seen;
  for (int i : {1, 0, 1})
    y[static_cast<std::size_t>(i)].register_hook([&seen, i](const Tensor&) { seen.push_back(i); });
  add(y[0], y[1]).backward();
  CHECK(seen == std::vector<int>{1, 1, 0});
}

TEST_CASE("a removed hook does not run; a handle outlives its graph", "[autograd][graph][hooks]") {
  Tensor x = leaf({1, 2});
  int calls = 0;
  RemovableHandle handle;
  {
    Tensor y = mul(x, 2);
    handle = y.register_hook([&](const Tensor&) { ++calls; });
    sum(y).backward({}, true);
    handle.remove();
    sum(y).backward();
  }
  CHECK(calls == 1);
  handle.remove();
  // A hook may take itself away.
  RemovableHandle own;
  own = x.register_hook([&](const Tensor&) {
    ++calls;
    own.remove();
  });
  sum(x).backward();
  sum(x).backward();
  CHECK(calls == 2);
}

TEST_CASE("a hook may add and remove hooks of the tensor that it runs for", "[autograd][graph][hooks]") {
  Tensor x = leaf({1, 2}), y = mul(x, 2);
  std::string seen;
  RemovableHandle itself, next;
  itself = y.register_hook([&](const Tensor&) {
    seen += 'a';
    itself.remove();
    next.remove();
    y.register_hook([&](const Tensor&) { seen += 'd'; });
  });
  next = y.register_hook([&](const Tensor&) { seen += 'b'; });
  y.register_hook([&](const Tensor&) { seen += 'c'; });
  sum(y).backward({}, true);
  CHECK(seen == "ac");
  sum(y).backward({}, true);
  CHECK(seen == "accd");
}

TEST_CASE("what a hook holds ends once nobody can call it", "[autograd][graph][hooks]") {
  Tensor x = leaf({1, 2});
  auto held = std::make_shared<int>(1);
  auto add = [&] { return x.register_hook([held](const Tensor&) {}); };
  add().remove();
  CHECK(held.use_count() == 1);
  // Removed while it runs, it ends with a later change.
  RemovableHandle itself;
  itself = x.register_hook([held, &itself](const Tensor&) { itself.remove(); });
  sum(x).backward();
  CHECK(held.use_count() == 2);
  add().remove();
  CHECK(held.use_count() == 1);
  add();
  x = Tensor();
  CHECK(held.use_count() == 1);
}

TEST_CASE("a hook may know its own node weakly, and ends with it", "[autograd][graph][hooks]") {
  auto captured = std::make_shared<int>();
  {
    Tensor x = mul(leaf({1, 2}), 2);
    weak_intrusive_ptr<Node> node(autograd::gradient_edge(x).node);
    x.register_hook([captured, node](const Tensor&) { *captured += !node.expired(); });
    sum(x).backward();
    CHECK(*captured == 1);
    CHECK(captured.use_count() == 2);
  }
  CHECK(captured.use_count() == 1);
}

TEST_CASE("hooks that change the size or type of a gradient are refused", "[autograd][graph][hooks]") {
  Tensor x = leaf({1, 2}), y = mul(x, 2);
  auto handle = y.register_hook([](const Tensor&) { return ones({3}, "dtype"_a = kDouble); });
  CHECK_ERROR_CONTAINS(sum(y).backward({}, true), AutogradError,
                       "a hook has changed the size of value (was [2] got [3])");
  handle.remove();
  y.register_hook([](const Tensor& g) { return g.to(kFloat); });
  CHECK_ERROR_CONTAINS(sum(y).backward(), AutogradError, "a hook has changed the type of value");
  CHECK_ERROR(ones({1}).register_hook([](const Tensor&) {}), AutogradError,
              "cannot register a hook on a tensor that doesn't require gradient");
}

TEST_CASE("a hook belongs to the value that it was put on", "[autograd][graph][hooks]") {
  Tensor x = leaf({1, 2}), y = mul(x, 2);
  std::vector<double> seen;
  y.register_hook([&](const Tensor& g) { seen.push_back(values(g)[0]); });
  y.mul_(5);
  y.register_hook([&](const Tensor& g) { seen.push_back(values(g)[0]); });
  sum(y).backward();
  CHECK(seen == std::vector<double>{1, 5});
}

TEST_CASE("a retained gradient is the one after all hooks, and that of the last value", "[autograd][graph][hooks]") {
  Tensor x = leaf({1, 2}), y = mul(x, 2);
  CHECK_FALSE(y.retains_grad());
  y.retain_grad();
  CHECK(y.retains_grad());
  y.register_hook([](const Tensor& g) { return mul(g, 3); });
  sum(mul(y, 2)).backward({}, true);
  CHECK(values(y.grad()) == std::vector<double>{6, 6});
  y.grad() = Tensor();
  y.mul_(7);
  sum(y).backward();
  CHECK(values(y.grad()) == std::vector<double>{1, 1});
  CHECK_ERROR(ones({1}).retain_grad(), AutogradError, "can't retain_grad on Tensor that has requires_grad=False");
}

TEST_CASE("post-accumulate hooks see the gradient in its leaf", "[autograd][graph][hooks]") {
  Tensor x = leaf({1, 2});
  std::vector<double> seen;
  x.register_post_accumulate_grad_hook([&](const Tensor& t) { seen.push_back(values(t.grad())[0]); });
  sum(mul(x, 2)).backward();
  sum(mul(x, 3)).backward();
  CHECK(seen == std::vector<double>{2, 5});
  CHECK_ERROR(mul(x, 2).register_post_accumulate_grad_hook([](const Tensor&) {}), AutogradError,
              "post accumulate grad hooks cannot be registered on non-leaf tensors");
}

TEST_CASE("a leaf's hooks run once its gradient is complete, before what is behind it in the order of nodes",
          "[autograd][graph][hooks]") {
  Tensor early = leaf({1}), late = leaf({2});
  std::vector<int> order;
  Tensor a = mul(early, early);
  Tensor b = mul(a, late);
  late.register_hook([&](const Tensor&) { order.push_back(1); });
  early.register_hook([&](const Tensor&) { order.push_back(3); });
  a.register_hook([&](const Tensor&) { order.push_back(2); });
  sum(b).backward();
  CHECK(order == std::vector<int>{1, 2, 3});
}

TEST_CASE("a leaf keeps its hooks when it gets another shape", "[autograd][graph][hooks]") {
  Tensor x = leaf({1, 2});
  int calls = 0;
  x.register_hook([&](const Tensor&) { ++calls; });
  {
    NoGradGuard guard;
    x.unsqueeze_(0);
  }
  sum(x).backward();
  CHECK(calls == 1);
}

TEST_CASE("node hooks see and replace what goes in and comes out", "[autograd][graph][hooks]") {
  Tensor x = leaf({1, 2}), y = mul(x, 2);
  auto before =
      autograd::register_prehook(*y.grad_fn(), [](TensorList g) { return std::vector<Tensor>{mul(g[0], 10)}; });
  double got = 0, given = 0;
  autograd::register_hook(*y.grad_fn(), [&](TensorList results, TensorList grads) {
    got = values(results[0])[0];
    given = values(grads[0])[0];
    return std::vector<Tensor>{add(results[0], 1)};
  });
  sum(y).backward({}, true);
  CHECK(given == 10);
  CHECK(got == 20);
  CHECK(values(x.grad()) == std::vector<double>{21, 21});
  before.remove();
  autograd::register_prehook(*y.grad_fn(), [](TensorList) { return std::vector<Tensor>(2); });
  CHECK_ERROR_CONTAINS(sum(y).backward(), AutogradError,
                       "a hook has returned an incorrect number of values (got 2, but expected 1)");
}

TEST_CASE("hooks are given undefined gradients too and may make something of them", "[autograd][graph][hooks]") {
  Tensor x = leaf({1, 2});
  auto parts = unbind(mul(x, 2));
  bool undefined = false;
  parts[0].register_hook([&](const Tensor& g) { undefined = !g.defined(); });
  parts[1].register_hook([](const Tensor& g) { return g; });
  sum(parts[1]).backward();
  CHECK(undefined);
  CHECK(values(x.grad()) == std::vector<double>{0, 2});
  // A leaf that nothing flows back to has no gradient afterwards, and its hook is told.
  Tensor y = leaf({1, 2}), two = mul(y, 2);
  int runs = 0;
  y.register_post_accumulate_grad_hook([&](const Tensor& t) { runs += t.grad().defined() ? 10 : 1; });
  two.register_hook([](const Tensor&) { return Tensor(); });
  autograd::register_hook(*two.grad_fn(), [](TensorList, TensorList) { return std::vector<Tensor>(1); });
  sum(two).backward();
  CHECK(runs == 1);
}

TEST_CASE("no hook makes a gradient where there is none", "[autograd][graph][hooks]") {
  Tensor x = leaf({1, 2});
  auto parts = unbind(mul(x, 2));
  auto handle = parts[0].register_hook([](const Tensor&) { return zeros({}, "dtype"_a = kDouble); });
  CHECK_ERROR_CONTAINS(sum(parts[1]).backward({}, true), AutogradError,
                       "a hook has replaced an undefined gradient by a value of size []; return an undefined tensor "
                       "where it is given one");
  handle.remove();
  parts[0].register_hook([](const Tensor& g) { return g.defined() ? mul(g, 10) : Tensor(); });
  sum(parts[1]).backward({}, true);
  CHECK(values(x.grad()) == std::vector<double>{0, 2});
  autograd::register_prehook(*parts[0].grad_fn(), [](TensorList grads) {
    return std::vector<Tensor>(grads.size(), zeros({}, "dtype"_a = kDouble));
  });
  CHECK_ERROR_CONTAINS(sum(parts[1]).backward(), AutogradError, "a hook has replaced an undefined gradient");
}

TEST_CASE("a leaf that became a result since gets no gradient", "[autograd][graph][hooks]") {
  Tensor x = leaf({1, 2}), w = leaf({3, 4}), y = mul(x, 2);
  x.detach_();
  x.mul_(w);
  CHECK_ERROR_CONTAINS(sum(y).backward({}, true), AutogradError,
                       "leaf variable has been moved into the graph interior: it was detached and written in place "
                       "since it was used; clone() it before the write");
  sum(x).backward();
  CHECK(values(w.grad()) == std::vector<double>{1, 2});
}

TEST_CASE("gradients go to chosen tensors alone, also to such as are no leaves", "[autograd][graph][hooks]") {
  Tensor a = leaf({1, 2}), b = leaf({3, 4}), y = mul(a, b);
  Tensor z = sum(mul(y, 2));
  z.backward({}, true, false, {a});
  CHECK(values(a.grad()) == std::vector<double>{6, 8});
  CHECK_FALSE(b.grad().defined());
  z.backward({}, true, false, {y, b});
  CHECK(values(y.grad()) == std::vector<double>{2, 2});
  CHECK(values(b.grad()) == std::vector<double>{2, 4});
  CHECK(values(a.grad()) == std::vector<double>{6, 8});
  CHECK_ERROR_CONTAINS(z.backward({}, true, false, {ones({1})}), AutogradError,
                       "One of the differentiated Tensors does not require grad");
  // A call that is refused marks no tensor.
  Tensor kept = mul(b, 2);
  CHECK_ERROR_CONTAINS(mul(kept, 3).backward({}, false, false, {kept}), ValueError, "only for scalar outputs");
  sum(kept).backward();
  CHECK_FALSE(kept.grad().defined());
  Tensor unused = leaf({1, 2, 3});
  auto g = autograd::grad(TensorList(z), std::vector<Tensor>{unused}, {}, true, false, false, true);
  CHECK(values(g[0]) == std::vector<double>{0, 0, 0});
}

TEST_CASE("callbacks run when the run has ended", "[autograd][graph][hooks]") {
  Tensor x = leaf({1, 2}), y = mul(x, 2);
  std::vector<int> order;
  y.register_hook([&](const Tensor&) {
    autograd::queue_callback([&] {
      order.push_back(x.grad().defined() ? 2 : -1);
      autograd::queue_callback([&] { order.push_back(3); });
    });
    order.push_back(1);
    CHECK(autograd::current_run_number() != 0);
  });
  sum(y).backward();
  CHECK(order == std::vector<int>{1, 2, 3});
  CHECK(autograd::current_run_number() == 0);
  CHECK_THROWS_AS(autograd::queue_callback([] {}), AutogradError);
}

TEST_CASE("a backward pass may run within another", "[autograd][graph][hooks]") {
  Tensor x = leaf({1, 2}), w = leaf({3, 4}), y = mul(x, 2);
  y.register_hook([&](const Tensor&) {
    EnableGradGuard grad;
    sum(mul(w, w)).backward();
  });
  sum(y).backward();
  CHECK(values(w.grad()) == std::vector<double>{6, 8});
  CHECK(values(x.grad()) == std::vector<double>{2, 2});
}

TEST_CASE("what a node throws carries its name and shapes; complete leaves have their gradient",
          "[autograd][graph][hooks]") {
  Tensor a = leaf({1, 2}), b = leaf({3, 4});
  Tensor y = mul(a, 2);
  y.register_hook([](const Tensor&) { fail<ValueError>("no"); });
  CHECK_ERROR(sum(mul(y, b)).backward(), ValueError,
              "no; in the backward pass of MulBackward1, arguments [2], results [2]");
  CHECK(values(b.grad()) == std::vector<double>{4, 8});  // the check runs it twice
  CHECK_FALSE(a.grad().defined());
}

namespace {
/// Runs a node that throws `error`; it is to come out as the same type.
template <class E>
std::string text_of(const E& error) {
  Tensor y = mul(leaf({1, 2}), 2);
  y.register_hook([&](const Tensor&) { throw error; });
  try {
    sum(y).backward();
  } catch (const std::exception& e) {
    CHECK(typeid(e) == typeid(E));
    return e.what();
  }
  return {};
}
struct OwnError : std::runtime_error {
  using std::runtime_error::runtime_error;
  int code = 3;
};
}  // namespace

TEST_CASE("exceptions of other families keep their type and name the node where they can", "[autograd][graph][hooks]") {
  constexpr const char* node = "; in the backward pass of MulBackward1, arguments [2], results [2]";
  CHECK(text_of(std::runtime_error("no")) == concat("no", node));
  CHECK(text_of(std::out_of_range("no")) == concat("no", node));
  std::vector<std::string> warnings;
  WarningGuard guard([](const std::string& text, void* to) { static_cast<decltype(warnings)*>(to)->push_back(text); },
                     &warnings);
  CHECK(text_of(OwnError("no")) == "no");
  CHECK(text_of(std::bad_alloc()) == std::bad_alloc().what());
  CHECK(warnings.empty());
  autograd::DetectAnomaly anomaly;
  CHECK(text_of(OwnError("no")) == "no");
  CHECK(text_of(std::bad_alloc()) == std::bad_alloc().what());
  Tensor z = mul(leaf({1, 2}), 2);
  z.register_hook([](const Tensor&) { throw 5; });
  CHECK_THROWS_AS(sum(z).backward(), int);
  REQUIRE(warnings.size() == 3);
  for (const std::string& text : warnings)
    CHECK_THAT(text, ContainsSubstring("Error detected in MulBackward1, arguments [2], results [2]"));
}

TEST_CASE("nodes keep metadata, and are drawn", "[autograd][graph][hooks]") {
  Tensor x = leaf({1, 2}), y = mul(x, x);
  autograd::set_metadata(*y.grad_fn(), "layer", std::string("first"));
  CHECK(std::any_cast<std::string>(autograd::metadata(*y.grad_fn(), "layer")) == "first");
  CHECK_FALSE(autograd::metadata(*y.grad_fn(), "other").has_value());
  CHECK(autograd::to_dot(sum(y)) ==
        "digraph {\n  node [shape=box];\n"
        "  n0 [label=\"SumBackward0\\n[]\"];\n  n0 -> n1;\n"
        "  n1 [label=\"MulBackward0\\n[2]\"];\n  n1 -> n2;\n  n1 -> n2;\n"
        "  n2 [label=\"AccumulateGrad\\n[2]\"];\n}\n");
}

TEST_CASE("a graph says how many bytes it keeps", "[autograd][graph][hooks]") {
  Tensor x = ones({100}, "dtype"_a = kDouble).set_requires_grad(true);
  Tensor y = tenon::exp(mul(x, 2));
  CHECK(autograd::saved_bytes(y) == 800);  // the result of exp
  Tensor z = mul(y, x);
  CHECK(autograd::saved_bytes(z) == 1600);
  CHECK(autograd::saved_bytes(z, x) == 800);
}

TEST_CASE("a graph of a million nodes is drawn and run without recursion", "[autograd][graph][hooks]") {
  Tensor x = leaf({1}), y = x;
  for (int i = 0; i < 1000000; ++i) y = add(y, x);
  std::size_t nodes = 0;
  autograd::each_node(y, [&](Node&) { ++nodes; });
  CHECK(nodes == 1000001);
  CHECK(autograd::to_dot(y).size() > 1000000 * 20);
  x.register_hook([](const Tensor&) {});
  y.backward();
  CHECK(values(x.grad()) == std::vector<double>{1000001});
}

TEST_CASE("threads run graphs that share leaves, hooks and kept nodes", "[autograd][graph][hooks][threads]") {
  Tensor w = leaf({1, 2, 3});
  Tensor shared = mul(w, w);
  Atomic<int> calls{0};
  auto handle = w.register_hook([&](const Tensor&) { calls.fetch_add(1); });
  shared.register_hook([&](const Tensor&) { calls.fetch_add(1); });
  constexpr int kThreads = 4, kRuns = 50;
  std::vector<std::thread> threads;
  Atomic<int> failed{0};
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < kRuns; ++i) {
        auto own = w.register_hook([&](const Tensor&) {});
        if (t == 0 && i % 5 == 0) {
          // One that throws takes nothing from the others.
          Tensor y = mul(w, 2);
          y.register_hook([](const Tensor&) { fail<ValueError>("no"); });
          try {
            sum(y).backward();
          } catch (const ValueError&) { failed.fetch_add(1); }
        }
        sum(mul(shared, 1)).backward({}, true);
        own.remove();
      }
    });
  for (auto& thread : threads) thread.join();
  CHECK(failed.load() == kRuns / 5);
  CHECK(calls.load() == 2 * kThreads * kRuns);
  CHECK(values(w.grad()) ==
        std::vector<double>{2.0 * kThreads * kRuns, 4.0 * kThreads * kRuns, 6.0 * kThreads * kRuns});
}
