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

TEST_CASE("rows of rows of a classification loss are its second derivatives", "[func]") {
  Tensor rows = tensor({2, 0}), planes = tensor({{{0, 2}}, {{1, 1}}}), weight = ops::exp(drawn({3}));
  auto check = [](auto f, const Tensor& x) {
    check_close(func::jacrev(func::jacrev(f))(x), func::jacfwd(func::jacfwd(f))(x));
  };
  for (const std::optional<Tensor>& w : {std::optional<Tensor>(), std::optional<Tensor>(weight)}) {
    check([&](const Tensor& t) { return ops::cross_entropy_loss(t, rows, w); }, drawn({2, 3}));
    check([&](const Tensor& t) { return ops::cross_entropy_loss(t, planes, w); }, drawn({2, 3, 1, 2}));
  }
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

TEST_CASE("jacrev of a tree is the tree of its Jacobians, for each tensor of the result", "[func]") {
  Tensor w = drawn({2, 3}), b = drawn({2}), x = drawn({3}), eye = ops::eye(2, "dtype"_a = kDouble);
  // d(w x + b)_i / d w_jk = [i = j] x_k
  Tensor by_weight = ops::mul(eye.unsqueeze(2), x);
  auto affine = [&](const Tensor& weight, const Tensor& bias) { return ops::add(ops::mv(weight, x), bias); };
  auto of_map = func::jacrev([&](const auto& t) { return affine(t.at("w"), t.at("b")); });
  std::map<std::string, Tensor> named{{"w", w}, {"b", b}, {"unused", x}};
  std::map<std::string, Tensor> jacobian = of_map(named);
  check_close(jacobian.at("w"), by_weight);
  check_close(jacobian.at("b"), eye);
  check_close(jacobian.at("unused"), ops::zeros({2, 3}));
  auto both = [&](const std::vector<Tensor>& t) {
    return std::tuple(affine(t[0], t[1]), std::map<std::string, Tensor>{{"sum", ops::sum(t[1])}});
  };
  auto [first, second] = func::jacrev(both)(std::vector<Tensor>{w, b});
  check_close(first.at(0), by_weight);
  check_close(first.at(1), eye);
  check_close(second.at("sum").at(0), ops::zeros({2, 3}));
  check_close(second.at("sum").at(1), ops::ones({2}));
  auto scaled = [](const Affine& m, const Tensor& at) { return m(at); };
  Affine of_struct = func::jacrev(scaled)(Affine{x, x}, x);
  check_close(of_struct.weight, ops::diag(x));
  check_close(of_struct.bias, ops::eye(3));
  auto [by_module, by_input] = func::jacrev<0, 1>(scaled)(Affine{x, x}, x);
  check_close(by_module.bias, ops::eye(3));
  check_close(by_input, ops::diag(x));
  // A struct's fields hold no trees.
  std::map<std::string, std::vector<Tensor>> named_results = func::jacrev([](const std::vector<Tensor>& t) {
    return Affine{ops::mul(t[0], 2), t[1]};
  })(std::vector{x, b});
  check_close(named_results.at("0")[0], ops::mul(ops::eye(3), 2));
  check_close(named_results.at("1")[0], ops::zeros({2, 3}));
  check_close(named_results.at("1")[1], ops::eye(2));
  // Integers stay.
  Tensor count = tensor({1, 2}).to(kLong);
  auto with_count = func::jacrev([&](const auto& t) { return ops::mul(t[0], t[1].sum()); })(std::vector{x, count});
  check_close(with_count[0], ops::mul(ops::eye(3), 3));
  CHECK(with_count[1].is_same(count));
  CHECK_THROWS_AS(func::jacrev([](const Tensor& t) { return ops::mul(t, 2.0); })(count), TypeError);
}

TEST_CASE("the neural tangent kernel is that of vmap and jacrev over a module's tensors", "[func]") {
  nn::Linear layer(3, 2);
  nn::to(layer, kDouble);
  auto net = [&](const nn::NamedTensors& params, const Tensor& x) {
    return ops::squeeze(ops::square(func::functional_call(layer, params, ops::unsqueeze(x, 0))), 0);
  };
  nn::NamedTensors params = nn::state(layer);
  for (auto& [name, t] : params) t = t.detach();
  Tensor xs = drawn({4, 3});
  auto jacobians = func::vmap(func::jacrev(net), {.in_dims = {std::nullopt, std::nullopt, 0}})(params, xs);
  REQUIRE(jacobians.size() == 2);
  REQUIRE(jacobians[0].second.sizes() == IntArrayRef({4, 2, 2, 3}));
  REQUIRE(jacobians[1].second.sizes() == IntArrayRef({4, 2, 2}));
  Tensor j = ops::cat({jacobians[0].second.flatten(2), jacobians[1].second}, -1);
  Tensor kernel = ops::einsum("Naf,Mbf->NMab", {j, j});
  // f_a = z_a^2 of z = w x + b: the kernel is 4 z_a z'_b [a = b] (x . x' + 1).
  NoGradGuard none;
  Tensor z = layer(xs), inner = ops::add(ops::mm(xs, xs.t()), 1);
  Tensor expected = ops::mul(ops::einsum("Na,Mb->NMab", {z, z}), ops::eye(2, "dtype"_a = kDouble));
  check_close(kernel, ops::mul(ops::mul(expected, 4), inner.unsqueeze(2).unsqueeze(3)));
}

TEST_CASE("jacrev by chunks of rows gives the same, and refuses chunks of none", "[func]") {
  Tensor x = drawn({3}), w = drawn({5, 3});
  auto f = [&](const Tensor& t) { return std::pair(ops::tanh(ops::mv(w, t)).view({5, 1}), t.sum()); };
  auto [all, ones] = func::jacrev(f)(x);
  for (std::int64_t chunk : {1, 2, 3, 5, 7}) {
    CAPTURE(chunk);
    auto [rows, sum] = func::jacrev(f, {.chunk_size = chunk})(x);
    check_close(rows, all);
    check_close(sum, ones);
  }
  Tensor xs = drawn({4, 3});
  check_close(func::vmap(func::jacrev(f, {.chunk_size = 2}))(xs).first, func::vmap(func::jacrev(f))(xs).first);
  CHECK_THROWS_WITH(func::jacrev(f, {.chunk_size = 0}), "jacrev: expected a chunk_size above 0, got 0");
}

TEST_CASE("what a function returns beside comes out as it is", "[func]") {
  Tensor x = drawn({3}), v = drawn({3});
  auto f = [](const Tensor& t) { return std::pair(ops::sin(t), std::vector<Tensor>{ops::cos(t)}); };
  auto [jacobian, aux] = func::jacrev(func::has_aux(f))(x);
  check_close(jacobian, ops::diag(ops::cos(x)));
  check_close(aux.at(0), ops::cos(x));
  auto pullback = func::vjp(func::has_aux(f), x);
  check_close(pullback.value, ops::sin(x));
  check_close(pullback.aux.at(0), ops::cos(x));
  CHECK(!pullback.aux[0].requires_grad());
  check_close(pullback(v), ops::mul(v, ops::cos(x)));
  auto summed = [&](const Tensor& t) { return std::pair(ops::sum(ops::sin(t)), std::string("text")); };
  auto [gradient, text] = func::grad(func::has_aux(summed))(x);
  check_close(gradient, ops::cos(x));
  CHECK(text == "text");
  auto [again, both] = func::grad_and_value(func::has_aux(summed))(x);
  check_close(again, ops::cos(x));
  check_close(both.first, ops::sum(ops::sin(x)));
  Tensor xs = drawn({4, 3});
  auto [jacobians, cosines] = func::vmap(func::jacrev(func::has_aux(f)))(xs);
  check_close(jacobians, ops::diag_embed(ops::cos(xs)));
  check_close(cosines.at(0), ops::cos(xs));
}

TEST_CASE("functional_call runs a module with other tensors and leaves it as it was", "[func]") {
  nn::Linear layer(3, 2);
  Tensor weight = ops::ones({2, 3}), before = layer.weight, x = ops::ones({3});
  Tensor got = func::functional_call(layer, {{"weight", weight}, {"bias", ops::zeros({2})}}, x);
  check_close(got, ops::full({2}, 3));
  CHECK(layer.weight.is_same(before));
  CHECK_THROWS_WITH(func::functional_call(layer, {{"other", weight}}, x), ContainsSubstring("no tensor 'other'"));
}

TEST_CASE("each tensor of a result has a weight", "[func]") {
  using List = std::vector<Tensor>;
  using Map = std::map<std::string, Tensor>;
  Tensor x = drawn({3});
  auto one = func::vjp([](const Tensor& a) { return ops::sin(a); }, x);
  CHECK_ERROR(one(Tensor()), ValueError, "vjp: expected a weight for the result, got an undefined one");
  auto two = func::vjp([](const Tensor& a) { return List{ops::sin(a), ops::cos(a)}; }, x);
  CHECK_ERROR(two(List{x}), ValueError, "vjp: expected a weight for each of 2 tensors, got 1");
  CHECK_ERROR(two(List{x, x, x}), ValueError, "vjp: expected a weight for each of 2 tensors, got 3");
  CHECK_ERROR(two(List{x, Tensor()}), ValueError, "vjp: expected a weight for tensor '1', got an undefined one");
  auto named = func::vjp([](const Tensor& a) { return Map{{"y", ops::sin(a)}}; }, x);
  CHECK_ERROR(named(Map{{"z", x}}), ValueError, "vjp: expected a weight for tensor 'y', got one for 'z'");
  // What the function leaves undefined needs none.
  auto some = func::vjp([](const Tensor& a) { return List{Tensor(), ops::sin(a)}; }, x);
  check_close(some(List{Tensor(), x}), ops::mul(x, ops::cos(x)));
  check_close(some(List{ops::ones({2}), x}), ops::mul(x, ops::cos(x)));
}

TEST_CASE("what has no gradient is refused", "[func]") {
  CHECK_THROWS_WITH(func::grad([](const Tensor& t) { return ops::mul(t, 2); })(drawn({3})),
                    ContainsSubstring("one element"));
}

TEST_CASE("values that decide sizes are those of the first column in forward over reverse", "[func][grad]") {
  Tensor x = tensor({0.5, -1.25, 0.75, 2.0}, kDouble);
  Tensor expected = ops::diag(ops::where(x > 0, 12 * x * x, ops::zeros_like(x)));
  auto check = [&](auto f) { check_close(func::hessian(f)(x), expected); };
  check([](const Tensor& t) { return ops::sum(ops::pow(ops::masked_select(t, t > 0), 4)); });
  check([](const Tensor& t) { return ops::sum(ops::pow(t.index({t > 0}), 4)); });
  check([](const Tensor& t) {
    Tensor at = ops::reshape(ops::nonzero(t > 0), {-1});
    return ops::sum(ops::pow(ops::index_select(t, 0, at), 4));
  });
  check([](const Tensor& t) {
    Tensor kept = ops::clone(t);
    kept.index_put_({t <= 0}, ops::zeros({}, kDouble));
    return ops::sum(ops::pow(kept, 4));
  });
  check([](const Tensor& t) { return (t[0] > 0).item<bool>() ? ops::sum(ops::pow(ops::relu(t), 4)) : ops::sum(t); });
}
