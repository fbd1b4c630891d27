// Derivatives of functions: trees, nesting, what is constant.
#include <tenon/func/grad.hpp>

#include <map>

#include "support.hpp"

using namespace test;

namespace {
struct Affine {
  Tensor weight, bias;
  Tensor operator()(const Tensor& x) const { return ops::add(ops::mul(weight, x), bias); }
};
}  // namespace

TEST_CASE("gradients have the form of what is differentiated", "[func]") {
  Tensor w = drawn({3}), b = drawn({3}), x = drawn({3});
  auto f = [&](const Affine& m, const Tensor& at) { return ops::sum(m(at)); };
  auto [g, value] = func::grad_and_value(f)(Affine{w, b}, x);
  check_close(g.weight, x);
  check_close(g.bias, ops::ones_like(b));
  check_close(value, ops::sum(ops::add(ops::mul(w, x), b)));
  CHECK(!value.requires_grad());
  CHECK(!g.weight.requires_grad());
  auto [gm, gx] = func::grad<0, 1>(f)(Affine{w, b}, x);
  check_close(gx, w);
  std::map<std::string, Tensor> named{{"a", w}, {"unused", b}};
  auto of_map = func::grad([&](const auto& t) { return ops::sum(ops::mul(t.at("a"), x)); })(named);
  check_close(of_map.at("a"), x);
  check_close(of_map.at("unused"), ops::zeros_like(b));
  auto with_more = [&](const Tensor& t) { return std::pair(ops::sum(ops::sin(t)), std::vector<Tensor>{ops::cos(t)}); };
  auto [gradient, more] = func::grad(with_more)(x);
  check_close(gradient, more[0]);
}

TEST_CASE("gradients of gradients, at any depth and within vmap", "[func]") {
  Tensor x = drawn({});
  auto f = [](const Tensor& t) { return ops::sin(t); };
  check_close(func::grad(func::grad(func::grad(f)))(x), ops::neg(ops::cos(x)));
  // What comes from outside is constant within, and not outside.
  auto outer = [](const Tensor& t) {
    return ops::mul(t, func::grad([&](const Tensor& u) { return ops::mul(t, ops::mul(u, u)); })(t));
  };
  check_close(func::grad(outer)(x), ops::mul(ops::mul(x, x), 6));
  Tensor xs = drawn({4});
  check_close(func::vmap(func::grad(func::grad(f)))(xs), ops::neg(ops::sin(xs)));
  auto total = [&](const Tensor& t) { return ops::sum(func::vmap(func::grad(f))(t)); };
  check_close(func::grad(total)(xs), ops::neg(ops::sin(xs)));
}

TEST_CASE("a gradient is recorded where something outside needs it", "[func]") {
  Tensor w = drawn({3}).requires_grad_(), x = drawn({3});
  auto f = [&](const Tensor& t) { return ops::sum(ops::mul(w, ops::mul(t, t))); };
  Tensor g = func::grad(f)(x);
  REQUIRE(g.requires_grad());
  g.sum().backward();
  check_close(w.grad(), ops::mul(x, 2));
  NoGradGuard none;
  CHECK(!func::grad(f)(x).requires_grad());
  check_close(func::grad(f)(x), ops::mul(ops::mul(w, x), 2));
}

TEST_CASE("what is computed only where a gradient is wanted is computed within transforms", "[func]") {
  Warnings silent;
  Tensor a = drawn({2, 3, 3}), along = drawn({2, 3, 3});
  auto squares = [](const Tensor& m) {
    Tensor values = ops::linalg_eigvals(m);
    return ops::sum(ops::real(ops::mul(values, values)));
  };
  check_close(func::vmap(func::grad(squares))(a), ops::mul(a.transpose(1, 2), 2));
  check_close(func::jvp(squares, a[0], along[0]).second, ops::sum(a[0].t() * along[0]) * 2);
  auto lengths = [](const Tensor& m) { return ops::sum(ops::square(ops::linalg_svdvals(m))); };
  check_close(func::vmap(func::grad(lengths))(a), ops::mul(a, 2));
  Tensor rows = tensor({2, 0, 0}).to(kLong), bags = tensor({0, 1}).to(kLong);
  auto bag = [&](const Tensor& w) { return ops::sum(std::get<0>(ops::embedding_bag(w, rows, bags))); };
  Tensor expected = ops::index_put(ops::zeros_like(a[0]), std::vector<std::optional<Tensor>>{rows},
                                   ops::ones({1}, "dtype"_a = kDouble), true);
  check_close(func::vmap(func::grad(bag))(a), ops::stack({expected, expected}));
  nn::CrossMapLRN2d layer{3};
  auto normalized = [&](const Tensor& x) { return ops::sum(ops::square(layer(x))); };
  Tensor images = drawn({2, 1, 5, 2, 2});
  check_close(func::vmap(func::grad(normalized))(images),
              ops::stack({func::grad(normalized)(images[0]), func::grad(normalized)(images[1])}));
}

TEST_CASE("vjp and jacrev agree with each other, within vmap too", "[func]") {
  Tensor x = drawn({3}), w = drawn({2, 3}), v = drawn({2});
  auto f = [&](const Tensor& t) { return ops::tanh(ops::mv(w, t)); };
  Tensor jacobian = func::jacrev(f)(x);
  REQUIRE(jacobian.sizes() == IntArrayRef({2, 3}));
  auto pullback = func::vjp(f, x);
  check_close(pullback.value, f(x));
  check_close(pullback(v), ops::mv(jacobian.transpose(0, 1), v));
  check_close(func::vmap([&](const Tensor& weights) { return pullback(weights); })(drawn({0, 2}).new_ones({2, 2})),
              ops::stack({jacobian.sum({0}), jacobian.sum({0})}));
  Tensor xs = drawn({4, 3}), all = func::vmap(func::jacrev(f))(xs);
  for (int i = 0; i < 4; ++i) check_close(all.select(0, i), func::jacrev(f)(xs.select(0, i)));
}

TEST_CASE("functional_call runs a module with other tensors and leaves it as it was", "[func]") {
  nn::Linear layer(3, 2);
  Tensor weight = ops::ones({2, 3}), before = layer.weight, x = ops::ones({3});
  Tensor got = func::functional_call(layer, {{"weight", weight}, {"bias", ops::zeros({2})}}, x);
  check_close(got, ops::full({2}, 3));
  CHECK(layer.weight.is_same(before));
  CHECK_THROWS_WITH(func::functional_call(layer, {{"other", weight}}, x), ContainsSubstring("no tensor 'other'"));
}

TEST_CASE("what has no gradient is refused", "[func]") {
  CHECK_THROWS_WITH(func::grad([](const Tensor& t) { return ops::mul(t, 2); })(drawn({3})),
                    ContainsSubstring("one element"));
}
