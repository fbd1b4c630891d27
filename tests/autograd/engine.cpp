// The engine: order, accumulation, freeing, asking for single gradients.
#include <cmath>

#include "support.hpp"

using namespace tenon;
using test::leaf;
using test::values;

namespace {

/// Passes its argument on, and back at most so much of each gradient.
class Clipped final : public VectorNode {
 public:
  explicit Clipped(double most) : most_(most) {}
  std::string name() const override { return "ClippedBackward"; }
  void apply(Tensor* grads, Tensor* out) override {
    if (grads[0].defined() && should_compute(0)) out[0] = grads[0].clamp(-most_, most_);
  }

 private:
  double most_;
};

Tensor clip_gradient(const Tensor& x, double most) {
  Tensor y = ops::clone(x.detach());
  if (!is_grad_enabled() || !x.requires_grad()) return y;
  auto node = make_intrusive<Clipped>(most);
  node->set_edges({autograd::gradient_edge(x)});
  autograd::set_gradient_edge(y, node, node->add_result(y));
  return y;
}

}  // namespace

TEST_CASE("a gradient reaches every leaf of a product", "[autograd][engine]") {
  Tensor a = leaf({2, 3}), b = leaf({5, 7});
  sum(mul(a, b)).backward();
  CHECK(values(a.grad()) == std::vector<double>{5, 7});
  CHECK(values(b.grad()) == std::vector<double>{2, 3});
}

TEST_CASE("gradients of several uses add up, and of several runs too", "[autograd][engine]") {
  Tensor a = leaf({2, 3});
  sum(add(mul(a, a), a)).backward();
  CHECK(values(a.grad()) == std::vector<double>{5, 7});
  sum(a).backward();
  CHECK(values(a.grad()) == std::vector<double>{6, 8});
}

TEST_CASE("a gradient is summed to the shape that was broadcast", "[autograd][engine]") {
  Tensor a = leaf({2, 3}), b = leaf({10});
  sum(mul(a, b)).backward();
  CHECK(values(b.grad()) == std::vector<double>{5});
  CHECK(b.grad().sizes() == IntArrayRef({1}));
}

TEST_CASE("the gradient of a leaf without gaps has its strides, that of another is row-major", "[autograd][engine]") {
  auto strides_of_gradient = [](Tensor x) {
    x.set_requires_grad(true);
    Tensor w = ops::ones(x.sizes(), "dtype"_a = kDouble);
    ops::sum(ops::mul(x, w)).backward();
    return x.grad().strides().vec();
  };
  using Ints = std::vector<std::int64_t>;
  auto memory = [](IntArrayRef sizes) { return ops::ones(sizes, "dtype"_a = kDouble); };
  CHECK(strides_of_gradient(memory({2, 3})) == Ints{3, 1});
  CHECK(strides_of_gradient(memory({2, 3}).t().detach()) == Ints{1, 3});
  CHECK(strides_of_gradient(memory({2, 3, 4}).permute({1, 2, 0}).detach()) == Ints{4, 1, 12});
  CHECK(strides_of_gradient(memory({2, 6}).narrow(1, 0, 3).detach()) == Ints{3, 1});
  CHECK(strides_of_gradient(memory({6, 2}).narrow(0, 0, 3).t().detach()) == Ints{1, 2});
  CHECK(strides_of_gradient(memory({6, 4}).narrow(1, 0, 2).t().detach()) == Ints{6, 1});
}

TEST_CASE("a graph is freed by its first run", "[autograd][engine]") {
  Tensor a = leaf({2, 3});
  Tensor y = sum(mul(a, a));
  y.backward();
  CHECK_ERROR_CONTAINS(y.backward(), AutogradError, "Trying to backward through the graph a second time");
  Tensor z = sum(mul(a, a));
  z.backward({}, true);
  z.backward();
  CHECK(values(a.grad()) == std::vector<double>{12, 18});
}

TEST_CASE("grad() leaves the leaves alone and says what was not used", "[autograd][engine]") {
  Tensor a = leaf({2, 3}), b = leaf({1, 1});
  auto g = autograd::grad(TensorList(sum(mul(a, a))), TensorList(a));
  CHECK(values(g[0]) == std::vector<double>{4, 6});
  CHECK(!a.grad().defined());
  std::vector<Tensor> both{a, b};
  CHECK_ERROR_CONTAINS(autograd::grad(TensorList(sum(a)), both), AutogradError,
                       "appears to not have been used in the graph");
  auto some = autograd::grad(TensorList(sum(a)), both, {}, std::nullopt, false, true);
  CHECK(values(some[0]) == std::vector<double>{1, 1});
  CHECK(!some[1].defined());
}

TEST_CASE("the gradient of a gradient is a gradient", "[autograd][engine]") {
  Tensor a = leaf({2, 3});
  Tensor first = autograd::grad(TensorList(sum(mul(mul(a, a), a))), TensorList(a), {}, std::nullopt, true)[0];
  CHECK(values(first) == std::vector<double>{12, 27});
  sum(first).backward();
  CHECK(values(a.grad()) == std::vector<double>{12, 18});
}

TEST_CASE("a result's own value is saved without a cycle and serves double backward", "[autograd][engine]") {
  Tensor a = leaf({0.5, 1});
  Tensor first = autograd::grad(TensorList(sum(tenon::exp(a))), TensorList(a), {}, std::nullopt, true)[0];
  Tensor second = autograd::grad(TensorList(sum(first)), TensorList(a))[0];
  CHECK(values(second)[0] == Approx(std::exp(0.5)));
}

TEST_CASE("a chain of a hundred thousand operations runs and ends without deep recursion", "[autograd][engine]") {
  Tensor a = leaf({1});
  Tensor y = a;
  for (int i = 0; i < 100000; ++i) y = add(y, a);
  sum(y).backward();
  CHECK(values(a.grad()) == std::vector<double>{100001});
}

TEST_CASE("backward restores grad mode, also after an exception", "[autograd][engine]") {
  Tensor a = leaf({1, 2});
  sum(mul(a, a)).backward();
  CHECK(is_grad_enabled());
  CHECK_THROWS_AS(mul(a, a).backward(), ValueError);
  CHECK(is_grad_enabled());
}

TEST_CASE("a node of one's own stands in the graph as the library's do", "[autograd][engine]") {
  Tensor x = leaf({1, 2, 3}), w = test::vector({0.5, -7, 7});
  Tensor y = clip_gradient(mul(x, 2), 1.5);
  CHECK(values(y) == std::vector<double>{2, 4, 6});
  CHECK(y.grad_fn()->name() == "ClippedBackward");
  sum(mul(y, w)).backward();
  CHECK(values(x.grad()) == std::vector<double>{1, -3, 3});
  // As `apply` calls operators, its gradient has a gradient: that of y * y within the bounds is that of 2y.
  Tensor z = clip_gradient(x, 5);
  Tensor first = autograd::grad({sum(mul(z, z))}, {x}, {}, std::nullopt, true)[0];
  CHECK(values(first) == std::vector<double>{2, 4, 5});
  CHECK(values(autograd::grad({sum(first)}, {x})[0]) == std::vector<double>{2, 2, 0});
  CHECK_FALSE(clip_gradient(w, 1).requires_grad());
  NoGradGuard guard;
  CHECK_FALSE(clip_gradient(x, 1).requires_grad());
}

TEST_CASE("a gradient that a node returns in another shape is refused", "[autograd][engine]") {
  struct Wrong final : tenon::detail::VectorNode {
    std::string name() const override { return "WrongBackward"; }
    void apply(Tensor*, Tensor* out) override { out[0] = ops::ones({2, 3}, "dtype"_a = kDouble); }
  };
  Tensor a = leaf({1, 2}), y = test::vector({1, 2});
  auto node = make_intrusive<Wrong>();
  node->set_edges({autograd::gradient_edge(a)});
  node->add_result(y);
  autograd::set_gradient_edge(y, node, 0);
  CHECK_ERROR_CONTAINS(sum(y).backward(), AutogradError,
                       " returned an invalid gradient: got [2, 3] but expected shape compatible with [2]");
  CHECK_THROWS_WITH(sum(y).backward(), ContainsSubstring("Function "));
}

TEST_CASE("a gradient in another shape than its tensor is refused", "[autograd][engine]") {
  Tensor y = mul(leaf({1, 2}), 2.0);
  CHECK_ERROR_CONTAINS(y.backward(ones({3}, "dtype"_a = kDouble)), ValueError,
                       "Mismatch in shape: grad_output[0] has a shape of [3] and output[0] has a shape of [2].");
  CHECK_ERROR_CONTAINS(y.backward(), ValueError, "grad can be implicitly created only for scalar outputs");
}

TEST_CASE("a complex gradient of a real tensor, and a real one of a complex tensor, are refused",
          "[autograd][engine]") {
  Tensor a = leaf({2}), complex = tensor({Complex<double>(1, 1)}, "dtype"_a = kComplexDouble);
  CHECK_ERROR(mul(a, a).backward(complex), TypeError,
              "For complex Tensors, both grad_output and output are required to have the same dtype. Mismatch in "
              "dtype: grad_output[0] has a dtype of complex128 and output[0] has a dtype of float64.");
  CHECK_FALSE(a.grad().defined());
  Tensor c = mul(a, complex);
  CHECK_ERROR_CONTAINS(autograd::grad(TensorList(c), TensorList(a), TensorList(test::vector({1}))), TypeError,
                       "grad_output[0] has a dtype of float64 and output[0] has a dtype of complex128.");
  c.backward(complex);
  CHECK(values(a.grad()) == std::vector<double>{2});
}

TEST_CASE("gradients are as many as their tensors, or none", "[autograd][engine]") {
  Tensor a = leaf({2});
  std::vector<Tensor> both{mul(a, a), mul(a, 3.0)}, ones{test::vector({1}), test::vector({1})};
  CHECK_ERROR(autograd::grad(both, TensorList(a), TensorList(ones[0])), ValueError, "got 2 tensors and 1 gradients");
  CHECK_ERROR(autograd::backward(TensorList(both[0]), ones), ValueError, "got 1 tensors and 2 gradients");
  CHECK(values(autograd::grad(both, TensorList(a), ones, true)[0]) == std::vector<double>{7});
  CHECK(values(autograd::grad(both, TensorList(a))[0]) == std::vector<double>{7});
}

TEST_CASE("a tensor that needs no gradient has nothing to run", "[autograd][engine]") {
  Tensor x = sum(ones({2}));
  CHECK_ERROR(x.backward(), AutogradError, "element 0 of tensors does not require grad and does not have a grad_fn");
}

TEST_CASE("gradients of a broadcast operand are summed before they are added", "[autograd][engine]") {
  Tensor x = leaf({3});
  Tensor y = mul(x, 1.0), z = ops::cat({y, y}, 0);
  sum(add(z, y)).backward();
  CHECK(values(x.grad()) == std::vector<double>{4});
}

TEST_CASE("gradients of no tensor are refused", "[autograd][engine]") {
  Tensor x = leaf({1});
  CHECK_ERROR(autograd::grad({mul(x, 2.0)}, {}), ValueError, "`inputs` argument to `grad()` cannot be empty.");
}

TEST_CASE("a leaf that got another shape gives graphs that know it its old one", "[autograd][engine]") {
  Tensor x = leaf({1, 2, 3});
  Tensor y = mul(x, 2.0);
  {
    NoGradGuard guard;
    x.unsqueeze_(0);
  }
  Tensor g = autograd::grad({add(sum(y), sum(x))}, {x})[0];
  CHECK(g.sizes() == IntArrayRef({3}));
  CHECK(values(g) == std::vector<double>{3, 3, 3});
}

TEST_CASE("chains that split, join and have several results run each node once, with its whole gradient",
          "[autograd][engine]") {
  // One node waits at a time; its gradient comes in two parts.
  Tensor a = leaf({2, 3});
  Tensor doubled = mul(a, 2);
  sum(mul(doubled, doubled)).backward();
  CHECK(values(a.grad()) == std::vector<double>{16, 24});
  // The second part comes by a longer way.
  Tensor b = leaf({2, 3}), y = mul(b, 2);
  sum(mul(y, mul(mul(y, y), 3))).backward();
  CHECK(values(b.grad()) == std::vector<double>{18 * 4 * 4, 18 * 6 * 6});
  // A node with several results lies in the chain.
  Tensor c = leaf({2, 3});
  std::vector<Tensor> parts = unbind(mul(c, c));
  mul(parts[1], 5).backward();
  CHECK(values(c.grad()) == std::vector<double>{0, 30});
  // Two roots, one behind the other.
  Tensor d = leaf({2, 3}), first = mul(d, 2), second = mul(first, 3);
  autograd::backward(std::vector<Tensor>{first, second}, std::vector<Tensor>{ones_like(d), ones_like(d)}, true);
  CHECK(values(d.grad()) == std::vector<double>{8, 8});
}

TEST_CASE("a result ends with its history, whoever else knows its memory", "[autograd][engine]") {
  Tensor a = leaf({2, 3});
  Tensor y = mul(a, a);
  intrusive_ptr<Node> node = y.grad_fn();
  CHECK(node->use_count() == 2);
  y = Tensor();
  CHECK(node->use_count() == 1);
  // The memory is known to a view, to a node that saved it, or to a handle alone.
  y = mul(a, a);
  node = y.grad_fn();
  Tensor view = y.detach();
  y = Tensor();
  CHECK(node->use_count() == 1);
  CHECK(values(view) == std::vector<double>{4, 9});
  y = ops::exp(a);
  node = y.grad_fn();
  Storage memory = y.storage();
  y = Tensor();
  CHECK(node->use_count() == 1);
  CHECK(memory.use_count() == 2);  // and the node's
  node.reset();
  CHECK(memory.use_count() == 1);
  CHECK(static_cast<const double*>(memory.data())[0] == Approx(std::exp(2.0)));
}

TEST_CASE("a product keeps its factors alone, and is right beside zeros and not-a-numbers", "[autograd][engine]") {
  double no = std::numeric_limits<double>::quiet_NaN();
  Tensor x = ops::to(tensor({2.0, 3.0, 5.0}), kDouble).requires_grad_(), y = ops::prod(x);
  y.mul_(2);
  y.backward();
  CHECK(ops::equal(x.grad(), ops::to(tensor({30.0, 20.0, 12.0}), kDouble)));
  Tensor z = ops::to(tensor({no, 3.0, 0.0}), kDouble).requires_grad_();
  ops::prod(z).backward();
  CHECK(z.grad().select(0, 0).item<double>() == 0);
  CHECK(std::isnan(z.grad().select(0, 1).item<double>()));
}

TEST_CASE("a gradient edge stands for its tensor, as a root and as what is asked for", "[autograd][engine]") {
  using autograd::get_gradient_edge;
  Tensor x = leaf({1, 1}), y = mul(x, 2), z = sum(mul(y, y)), w = leaf({1, 1});
  CHECK(values(autograd::grad({get_gradient_edge(z)}, {get_gradient_edge(y)}, {}, true)[0]) ==
        std::vector<double>{4, 4});
  CHECK(values(autograd::grad({get_gradient_edge(z)}, {get_gradient_edge(x)}, {}, true)[0]) ==
        std::vector<double>{8, 8});
  CHECK(values(autograd::grad({get_gradient_edge(y)}, {get_gradient_edge(x)}, {test::vector({1, 3})}, true)[0]) ==
        std::vector<double>{2, 6});
  CHECK_ERROR_CONTAINS(autograd::grad({get_gradient_edge(y)}, {get_gradient_edge(x)}), ValueError,
                       "grad can be implicitly created only for scalar outputs");
  CHECK_ERROR_CONTAINS(
      autograd::grad({get_gradient_edge(z)}, {get_gradient_edge(w)}, {}, true), AutogradError,
      "The differentiated Tensor at index 0 appears to not have been used in the graph. Set allow_unused=True if this");
  CHECK(!autograd::grad({get_gradient_edge(z)}, {get_gradient_edge(w)}, {}, true, false, true)[0].defined());
  CHECK_ERROR_CONTAINS(get_gradient_edge(test::vector({1})), AutogradError,
                       "It is not possible to get the gradient edge for a Tensor that does not require gradients");
  // What is written into a tensor later has another edge.
  autograd::GradientEdge before = get_gradient_edge(y);
  y.mul_(3);
  Tensor last = sum(y);
  CHECK(values(autograd::grad({get_gradient_edge(last)}, {before}, {}, true)[0]) == std::vector<double>{3, 3});
  autograd::backward({get_gradient_edge(last)});
  CHECK(values(x.grad()) == std::vector<double>{6, 6});
  Tensor sum_of_w = sum(mul(w, 5));
  autograd::GradientEdge root = get_gradient_edge(sum_of_w);
  sum_of_w = Tensor();  // the edge keeps the graph
  autograd::backward({root}, {test::vector({2}).view(IntArrayRef())}, true, false, {w});
  CHECK(values(w.grad()) == std::vector<double>{10, 10});
}
