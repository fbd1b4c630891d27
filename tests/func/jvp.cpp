// Forward mode beside reverse mode and closed forms.
#include <tenon/func/jvp.hpp>

#include "support.hpp"

using namespace test;

namespace {
TENON_LIBRARY(functan, m) { m.def("cube(Tensor x) -> Tensor"); }
TENON_LIBRARY_IMPL(functan, CPU, m) {
  m.impl(
      "cube", +[](const Tensor& x) { return ops::mul(x, ops::mul(x, x)); });
}
bool cube_rule(func::TangentCall& call, Stack& results, Stack& tangents) {
  Tensor x = call.primals[0].to_tensor();
  results = call.primals;
  call.op.call_boxed(results);
  tangents = {Value(ops::mul(ops::mul(ops::mul(x, x), 3), call.tangents[0].to_tensor()))};
  return true;
}
TENON_TANGENT(functan_cube, "functan::cube", &cube_rule);
}  // namespace

TEST_CASE("jvp is the Jacobian times the tangent", "[func]") {
  Tensor x = drawn({3}), t = drawn({3}), w = drawn({2, 3});
  auto f = [&](const Tensor& a) { return ops::log_softmax(ops::mv(w, ops::sin(a)), 0); };
  auto [value, change] = func::jvp(f, x, t);
  check_close(value, f(x));
  Tensor jacobian = func::jacrev(f)(x);
  check_close(change, ops::mv(jacobian, t));
  check_close(func::jacfwd(f)(x), jacobian);
  auto line = func::linearize(f, x);
  check_close(line.value, value);
  check_close(line(t), change);
  check_close(line(ops::mul(t, 2)), ops::mul(change, 2));
}

TEST_CASE("the tangents of a layer are those of its gradients, whichever arguments have one", "[func]") {
  Tensor x = drawn({2, 3, 5, 5}), filter = drawn({4, 3, 3, 3}), bias = drawn({4}), w = drawn({2, 4 * 3 * 3}),
         c = drawn({2});
  auto f = [&](const Tensor& image, const Tensor& taps, const Tensor& b, const Tensor& weight, const Tensor& add) {
    Tensor y = ops::relu(ops::conv2d(image, taps, b));
    Tensor z = ops::linear(ops::flatten(y, "start_dim"_a = 1), weight, add);
    return ops::sub(ops::add(ops::addmm(add, z, z, "beta"_a = 0.5, "alpha"_a = 2), z, "alpha"_a = 3), c);
  };
  auto line = func::linearize(f, x, filter, bias, w, c);
  std::tuple all(x, filter, bias, w, c);
  std::tuple along(drawn(x.sizes()), drawn(filter.sizes()), drawn(bias.sizes()), drawn(w.sizes()), drawn(c.sizes()));
  for (int which = 1; which < 32; ++which) {
    CAPTURE(which);
    auto some = along, zeros = along;
    int i = 0;
    func::detail::for_tensors(some, [&](Tensor& t) { t = which >> i++ & 1 ? t : Tensor(); });
    i = 0;
    func::detail::for_tensors(zeros, [&](Tensor& t) { t = which >> i++ & 1 ? t : Tensor(ops::zeros_like(t)); });
    check_close(func::jvp(f, all, some).second, std::apply(line, zeros));
  }
}

TEST_CASE("tangents go through views and writes", "[func]") {
  Tensor x = drawn({2, 3}), t = drawn({2, 3});
  auto f = [](const Tensor& a) {
    Tensor b = ops::mul(a, 2);
    b.select(0, 1).mul_(a.select(0, 0));
    b.t_().add_(1);
    return b;
  };
  auto g = [](const Tensor& a) {
    return ops::add(ops::stack({ops::mul(a.select(0, 0), 2), ops::mul(ops::mul(a.select(0, 1), 2), a.select(0, 0))}, 1),
                    1);
  };
  auto got = func::jvp(f, x, t), expected = func::jvp(g, x, t);
  check_close(got.first, expected.first);
  check_close(got.second, expected.second);
  Tensor plain = ops::zeros({2, 3}, "dtype"_a = kDouble);
  CHECK_THROWS_WITH(func::jvp([&](const Tensor& a) { return plain.add_(a); }, x, t),
                    ContainsSubstring("without a tangent"));
}

TEST_CASE("what does not change takes tangents by writes, and writes stay where they are", "[func]") {
  Tensor x = drawn({2, 3}), t = drawn({2, 3});
  auto detached = [](const Tensor& a) {
    Tensor b = a.detach();
    return b.sub_(ops::mul(a, 3));
  };
  check_close(func::jvp(detached, x, t).second, ops::mul(t, -3));
  auto filled = [](const Tensor& a) {
    Tensor rows = ops::zeros_like(a);
    rows.select(0, 0).copy_(ops::sin(a.select(0, 1)));
    rows.select(0, 1).add_(a.select(0, 0));
    return rows;
  };
  auto stacked = [](const Tensor& a) { return ops::stack({ops::sin(a.select(0, 1)), a.select(0, 0)}); };
  check_close(func::jvp(filled, x, t).second, func::jvp(stacked, x, t).second);
  auto constant = func::jvp([](const Tensor& a) { return ops::mul(ops::zeros_like(a), 2); }, x, t);
  check_close(constant.second, ops::zeros_like(t));
  // The tangent of the remainder is that of its argument, until something is written.
  auto kept = func::jvp(
      [](const Tensor& a) {
        ops::fmod(a, 10).mul_(2);
        return ops::mul(a, 1);
      },
      x, t);
  check_close(kept.second, t);
  // The tangent is the same for all examples, what is written is not.
  Tensor batch = drawn({4, 2, 3});
  auto lower = [&](const Tensor& a) {
    return func::jvp([](const Tensor& b) { return ops::tril(b).tanh_(); }, a, t).second;
  };
  Tensor got = func::vmap(lower)(batch);
  for (std::int64_t i = 0; i < 4; ++i) check_close(got.select(0, i), lower(batch.select(0, i)));
}

TEST_CASE("a weight that has no derivative takes no part in tangents", "[func]") {
  Tensor x = drawn({2, 3}), t = drawn({2, 3}), weight = drawn({3});
  Tensor target = ops::remainder(ops::arange(2, "dtype"_a = kLong), 3);
  auto of_both = [&](const Tensor& a, const Tensor& w) {
    return std::get<0>(ops::nll_loss_forward(a, target, w, 2, -100));
  };
  auto of_one = [&](const Tensor& a) { return of_both(a, weight); };
  check_close(func::jvp(of_both, std::tuple(x, weight), std::tuple(t, weight)).second, func::jvp(of_one, x, t).second);
}

TEST_CASE("second derivatives by any order of modes agree", "[func]") {
  Tensor x = drawn({3}), v = drawn({3});
  auto f = [](const Tensor& a) { return ops::sum(ops::mul(ops::exp(ops::mul(a, 0.3)), ops::cumsum(a, 0))); };
  Tensor h = func::hessian(f)(x);
  REQUIRE(h.sizes() == IntArrayRef({3, 3}));
  check_close(func::jacrev(func::jacrev(f))(x), h);
  check_close(func::jacfwd(func::jacfwd(f))(x), h);
  check_close(func::jacrev(func::jacfwd(f))(x), h);
  check_close(func::jvp(func::grad(f), x, v).second, ops::mv(h, v));
  Tensor xs = drawn({2, 3}), all = func::vmap(func::hessian(f))(xs);
  for (int i = 0; i < 2; ++i) check_close(all.select(0, i), func::hessian(f)(xs.select(0, i)));
}

TEST_CASE("a tangent of an inner pass is none of an outer one", "[func]") {
  // d/dx (x * d/dy (x + y)) = 1, and 2 if the passes were confused.
  auto slope = [](auto f, const Tensor& at) { return func::jvp(f, at, ops::ones_like(at)).second; };
  Tensor x = tensor(3.0).to(kDouble);
  Tensor got =
      slope([&](const Tensor& a) { return ops::mul(a, slope([&](const Tensor& b) { return ops::add(a, b); }, x)); }, x);
  CHECK(got.item<double>() == 1);
}

TEST_CASE("an operator of one's own has a tangent by its rule", "[func]") {
  Tensor x = drawn({3}), t = drawn({3});
  auto f = [](const Tensor& a) {
    Stack stack{a};
    Registry::get().find_schema("functan::cube").call_boxed(stack);
    return stack[0].to_tensor();
  };
  check_close(func::jvp(f, x, t).second, ops::mul(ops::mul(ops::mul(x, x), 3), t));
}

TEST_CASE("tangents fit their tensors", "[func]") {
  auto f = [](const Tensor& a) { return ops::sin(a); };
  CHECK_THROWS_WITH(func::jvp(f, drawn({3}), drawn({2})), ContainsSubstring("of the shape of its tensor"));
  CHECK_THROWS_WITH(func::jvp(f, drawn({3}), ops::ones({3})), ContainsSubstring("of the dtype of its tensor"));
}

TEST_CASE("running logarithms of sums have second derivatives, also where weights are zero", "[func]") {
  Tensor x = drawn({4}), u = drawn({4}), v = drawn({4});
  auto f = [](const Tensor& t) { return ops::logcumsumexp(t, 0); };
  auto plain = [](const Tensor& t) { return ops::log(ops::cumsum(ops::exp(t), 0)); };
  auto twice = [&](auto&& g) {
    return func::jvp([&](const Tensor& t) { return func::jvp(g, t, u).second; }, x, v).second;
  };
  check_close(twice(f), twice(plain));
  check_close(func::jacfwd(func::jacrev(f))(x), func::jacfwd(func::jacrev(plain))(x));
  check_close(func::jacrev(func::jacrev(f))(x), func::jacrev(func::jacrev(plain))(x));
}

TEST_CASE("a look-up and statistics of images have tangents, whatever their gradients leave out", "[func]") {
  Tensor table = drawn({4, 3}), along = drawn({4, 3}), at = tensor({1, 2, 1, 0});
  auto look = [&](const Tensor& t) { return ops::embedding(t, at, 1, true); };
  check_close(func::jvp(look, table, along).second, ops::embedding(along, at));
  Tensor x = drawn({2, 3, 4}), mean = drawn({3}), weight = drawn({3});
  auto norm = [&](const Tensor& w, const Tensor& var) {
    return ops::instance_norm(x, w, std::nullopt, mean.clone(), var, true, 0.5, 1e-3, false);
  };
  auto [y, change] =
      func::jvp(norm, std::tuple(weight, ops::ones_like(weight)), std::tuple(weight, ops::ones_like(weight)));
  check_close(change, y);
}
