// Functions of one's own.
#include <tenon/autograd/graph/function.hpp>

#include <string>

#include "../support.hpp"

using namespace tenon;
using autograd::AutogradContext;
using test::leaf;
using test::values;

namespace {

struct Cube : autograd::Function<Cube> {
  static Tensor forward(AutogradContext& ctx, const Tensor& x) {
    CHECK_FALSE(is_grad_enabled());
    ctx.save_for_backward({x});
    return mul(mul(x, x), x);
  }
  static Tensor backward(AutogradContext& ctx, TensorList grads) {
    Tensor x = ctx.saved_tensors()[0];
    return mul(grads[0], mul(mul(x, x), 3));
  }
};

/// Arguments of any type, an optional one, a list, several results.
struct Mixed : autograd::Function<Mixed> {
  static std::tuple<Tensor, std::string, Tensor> forward(AutogradContext& ctx, const std::string& word, const Tensor& x,
                                                         const std::optional<Tensor>& bias, std::vector<Tensor> list,
                                                         int n) {
    ctx.saved_data["n"] = n;
    ctx.saved_data["needs"] = std::vector<bool>{ctx.needs_input_grad(0), ctx.needs_input_grad(1),
                                                ctx.needs_input_grad(2), ctx.needs_input_grad(3)};
    Tensor y = mul(x, n);
    if (bias) y = add(y, *bias);
    return {y, word + "!", mul(list[0], list[1])};
  }
  static std::vector<Tensor> backward(AutogradContext& ctx, TensorList grads) {
    CHECK(ctx.get<std::vector<bool>>("needs") == std::vector<bool>{false, true, false, true});
    // One for each argument: the list has two.
    return {Tensor(), mul(grads[0], ctx.get<int>("n")), Tensor(), grads[1], mul(grads[1], 2), Tensor()};
  }
};

struct Once : autograd::Function<Once> {
  static constexpr bool once_differentiable = true;
  static Tensor forward(AutogradContext&, const Tensor& x) { return mul(x, 2); }
  static Tensor backward(AutogradContext&, TensorList grads) {
    CHECK_FALSE(is_grad_enabled());
    return mul(grads[0], 2);
  }
};

struct Parts : autograd::Function<Parts> {
  static std::array<Tensor, 2> forward(AutogradContext& ctx, const Tensor& x, bool materialize) {
    ctx.set_materialize_grads(materialize);
    return {mul(x, 2), mul(x, 3)};
  }
  static Tensor backward(AutogradContext&, TensorList grads) {
    if (!grads[1].defined()) return mul(grads[0], 100);
    return add(mul(grads[0], 2), mul(grads[1], 3));
  }
};

struct Forgets : autograd::Function<Forgets> {
  static Tensor forward(AutogradContext& ctx, const Tensor& x) {
    ctx.mark_dirty({x});
    return mul(x, 2);
  }
  static Tensor backward(AutogradContext&, TensorList grads) { return grads[0]; }
};

struct TooMany : autograd::Function<TooMany> {
  static Tensor forward(AutogradContext&, const Tensor& x) { return mul(x, 2); }
  static std::tuple<Tensor, Tensor> backward(AutogradContext&, TensorList grads) { return {grads[0], grads[0]}; }
};

struct Double : autograd::Function<Double> {
  static Tensor forward(AutogradContext& ctx, const Tensor& x) {
    Tensor written = x;
    written.mul_(2);
    ctx.mark_dirty({x});
    return x;
  }
  static Tensor backward(AutogradContext&, TensorList grads) { return mul(grads[0], 2); }
};

/// Writes to its argument, and has a gradient of its own.
struct Tenfold : autograd::Function<Tenfold> {
  static Tensor forward(AutogradContext& ctx, const Tensor& x) {
    Tensor written = x;
    written.mul_(10);
    ctx.mark_dirty({x});
    return x;
  }
  static Tensor backward(AutogradContext&, TensorList grads) { return mul(grads[0], 7); }
};

struct Same : autograd::Function<Same> {
  static Tensor forward(AutogradContext&, const Tensor& x) { return x; }
  static Tensor backward(AutogradContext&, TensorList grads) { return mul(grads[0], 5); }
};

}  // namespace

TEST_CASE("a function of one's own has its gradient, any number of times", "[autograd][graph][function]") {
  Tensor x = leaf({2, 3});
  Tensor y = Cube::apply(x);
  CHECK(y.grad_fn()->name() == "CubeBackward");
  CHECK(values(y) == std::vector<double>{8, 27});
  Tensor first = autograd::grad({sum(y)}, {x}, {}, std::nullopt, true)[0];
  CHECK(values(first) == std::vector<double>{12, 27});
  CHECK(values(autograd::grad({sum(first)}, {x})[0]) == std::vector<double>{12, 18});
  autograd::gradcheck([](const std::vector<Tensor>& in) { return Cube::apply(in[0]); }, {leaf({0.5, -1, 2})});
  NoGradGuard guard;
  CHECK_FALSE(Cube::apply(x).requires_grad());
}

TEST_CASE("a function takes arguments of any type and returns them too", "[autograd][graph][function]") {
  Tensor x = leaf({1, 2}), a = leaf({3}), b = leaf({4});
  auto [y, word, product] =
      Mixed::apply(std::string("hey"), x, std::optional<Tensor>(test::vector({1, 1})), std::vector<Tensor>{a, b}, 7);
  CHECK(word == "hey!");
  CHECK(values(y) == std::vector<double>{8, 15});
  add(sum(y), sum(product)).backward();
  CHECK(values(x.grad()) == std::vector<double>{7, 7});
  CHECK(values(a.grad()) == std::vector<double>{1});
  CHECK(values(b.grad()) == std::vector<double>{2});
}

TEST_CASE("a graph through a function is freed by its first run, and writes to what it saved are seen",
          "[autograd][graph][function]") {
  Tensor x = leaf({1, 2});
  Tensor y = sum(Cube::apply(x));
  y.backward();
  CHECK_ERROR_CONTAINS(y.backward(), AutogradError, "Trying to backward through the graph a second time");
  Tensor h = mul(x, 1), z = sum(Cube::apply(h));
  h.add_(1);
  CHECK_ERROR_CONTAINS(z.backward(), AutogradError, "has been modified by an inplace operation: [float64 [2]], which");
  Tensor again = mul(x, 1), y_again = sum(Cube::apply(again));
  again.add_(1);
  CHECK_ERROR_CONTAINS(
      y_again.backward(), AutogradError,
      " is at version 1; expected version 0 instead; saved as saved_tensors()[0] of Cube; last written by "
      "aten::add_.Scalar. Hint: clone() the tensor before the inplace operation, or apply the operation out of place.");
}

TEST_CASE("a function that is differentiable once refuses the second time", "[autograd][graph][function]") {
  Tensor x = leaf({1, 2}), c = leaf({1, 1});
  Tensor g = autograd::grad({Once::apply(x)}, {x}, {c}, std::nullopt, true)[0];
  CHECK(values(g) == std::vector<double>{2, 2});
  CHECK_ERROR_CONTAINS(sum(g).backward(), AutogradError,
                       "trying to differentiate twice a function that was marked with once_differentiable");
}

TEST_CASE("undefined gradients come as zeros unless the function wants them as they are",
          "[autograd][graph][function]") {
  Tensor x = leaf({1, 2});
  sum(Parts::apply(x, true)[0]).backward();
  CHECK(values(x.grad()) == std::vector<double>{2, 2});
  x.grad() = Tensor();
  sum(Parts::apply(x, false)[0]).backward();
  CHECK(values(x.grad()) == std::vector<double>{100, 100});
}

TEST_CASE("an argument that a function wrote is its result, one that it returns untouched is another tensor",
          "[autograd][graph][function]") {
  Tensor x = leaf({1, 2}), h = mul(x, 1);
  h.retain_grad();
  sum(h).backward({}, true);
  CHECK(h.grad().defined());
  Tensor y = Double::apply(h);
  CHECK(y.is_same(h));
  CHECK_FALSE(h.grad().defined());
  x.grad() = Tensor();
  sum(h).backward();
  CHECK(values(x.grad()) == std::vector<double>{2, 2});
  Tensor s = Same::apply(x);
  CHECK_FALSE(s.is_same(x));
  CHECK(x.is_leaf());
  x.grad() = Tensor();
  sum(s).backward();
  CHECK(values(x.grad()) == std::vector<double>{5, 5});
  // A part of a tensor: the change is one of the whole.
  Tensor whole = mul(x, 1), part = whole.narrow(0, 0, 1);
  Double::apply(part);
  x.grad() = Tensor();
  sum(whole).backward();
  CHECK(values(x.grad()) == std::vector<double>{2, 1});
}

TEST_CASE("mistakes in functions are told", "[autograd][graph][function]") {
  Tensor x = leaf({1, 2});
  CHECK_ERROR_CONTAINS(Forgets::apply(x), AutogradError,
                       "Some elements marked as dirty during the forward method were not returned as output.");
  CHECK_ERROR_CONTAINS(sum(TooMany::apply(x)).backward(), AutogradError,
                       "function TooManyBackward returned an incorrect number of gradients (expected 1, got 2)");
  CHECK_ERROR_CONTAINS(Double::apply(x), AutogradError, "a leaf Variable that requires grad");
}

TEST_CASE("a function that writes to a view has its gradient there and not elsewhere", "[autograd][graph][function]") {
  Tensor x = leaf({1, 2, 3});
  Tensor base = mul(x, 2), view = base.slice(0, 1);
  Tensor written = Tenfold::apply(view);
  CHECK(written.is_same(view));
  CHECK(values(base) == std::vector<double>{2, 40, 60});
  CHECK(view.grad_fn()->name() == "AsStridedBackward0");
  CHECK(base.grad_fn()->name() == "CopySlices");
  CHECK(values(autograd::grad({sum(view)}, {x}, {}, true)[0]) == std::vector<double>{0, 14, 14});
  CHECK(values(autograd::grad({sum(base)}, {x}, {}, true)[0]) == std::vector<double>{2, 14, 14});
  // Asked for its node in between, and written once more.
  Tenfold::apply(view);
  CHECK(values(autograd::grad({sum(view)}, {x}, {}, true)[0]) == std::vector<double>{0, 98, 98});
  CHECK(values(autograd::grad({sum(base)}, {x})[0]) == std::vector<double>{2, 98, 98});
}

TEST_CASE("one expression has a gradient of its own", "[autograd][graph][function]") {
  Tensor x = leaf({1, 4}), y = leaf({2, 3});
  Tensor z = autograd::custom_gradient(
      [](const Tensor& a, const Tensor& b) { return mul(a, b); },
      [](const Tensor& g, const Tensor&, const Tensor& b) { return std::tuple(mul(g, b), Tensor()); }, x, y);
  sum(z).backward();
  CHECK(values(x.grad()) == std::vector<double>{2, 3});
  CHECK_FALSE(y.grad().defined());
  Tensor root = autograd::custom_gradient(
      [](const Tensor& a) { return tenon::sqrt(a); },
      [](const Tensor& g, const Tensor& r, const Tensor&) { return ops::div(g, mul(r, 2)); }, x);
  Tensor first = autograd::grad({sum(root)}, {x}, {}, std::nullopt, true)[0];
  CHECK(values(first) == std::vector<double>{0.5, 0.25});
  CHECK(values(autograd::grad({sum(first)}, {x})[0])[1] == Approx(-0.25 / 8));
}
