// Forward mode beside reverse mode and closed forms.
#include <tenon/func/grad.hpp>
#include <tenon/func/jvp.hpp>
#include <tenon/func/vmap.hpp>

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

TEST_CASE("tensors made within jvp take tangents, those made outside do not", "[func]") {
  Tensor x = drawn({3}), t = drawn({3}), two = tensor({2, 0}), w = drawn({3});
  auto filled = [&](const Tensor& a) {
    Tensor out = ops::zeros({4}, "dtype"_a = kDouble), rest = ops::mul(w, 2);
    out.narrow(0, 1, 3).copy_(ops::sin(a));
    ops::index_put_(out, std::vector<std::optional<Tensor>>{two}, a.narrow(0, 0, 2), true);
    rest.add_(a);
    return ops::cat(TensorList{out, rest});
  };
  auto joined = [&](const Tensor& a) {
    Tensor none = ops::zeros_like(a.narrow(0, 0, 1)), at = ops::cat(TensorList{none, ops::sin(a)});
    Tensor two_more = ops::cat(TensorList{a.narrow(0, 1, 1), none, a.narrow(0, 0, 1), none});
    return ops::cat(TensorList{ops::add(at, two_more), ops::add(ops::mul(w, 2), a)});
  };
  auto got = func::jvp(filled, x, t), expected = func::jvp(joined, x, t);
  check_close(got.first, expected.first);
  check_close(got.second, expected.second);
  // A second level, which the argument of the first is a constant for.
  auto nested = [&](auto f) {
    return [&, f](const Tensor& a) {
      return func::jvp([&](const Tensor& b) { return ops::mul(f(b), ops::zeros_like(a).add_(b).sum()); }, a, t).second;
    };
  };
  check_close(func::jvp(nested(filled), x, t).second, func::jvp(nested(joined), x, t).second);
  check_close(
      func::jvp([&](const Tensor& a) { return func::grad([&](const Tensor& b) { return filled(b).sum(); })(a); }, x, t)
          .second,
      func::jvp([&](const Tensor& a) { return func::grad([&](const Tensor& b) { return joined(b).sum(); })(a); }, x, t)
          .second);
  // What is shared by all examples cannot be written for each, whether or not it could have a tangent.
  Tensor batch = drawn({2, 3});
  auto of_each = [&](const Tensor& a) { return func::jvp(filled, a, t).second; };
  CHECK_THROWS_WITH(func::vmap(of_each)(batch), ContainsSubstring("the same tensor for all examples"));
  Tensor row = w.select(0, 0);
  CHECK_THROWS_WITH(func::jvp([&](const Tensor& a) { return row.copy_(a.sum()); }, x, t),
                    ContainsSubstring("without a tangent"));
}

TEST_CASE("a view of what does not change has no tangent until a change is written", "[func]") {
  Tensor x = drawn({3}), t = drawn({3});
  // The gradient of a singular matrix's determinant has no derivative, and none is asked for.
  auto singular = [](const Tensor& a) {
    Tensor c = ops::ones({3, 4}, "dtype"_a = kDouble);
    return ops::mul(a, ops::add(ops::det(c.narrow(1, 0, 3)), 2));
  };
  auto got = func::jvp(singular, x, t);
  check_close(got.first, ops::mul(x, 2));
  check_close(got.second, ops::mul(t, 2));
  // A write reaches the views that were there before it, and what they are views of.
  auto written = [](const Tensor& a) {
    Tensor c = ops::zeros({2, 3}, "dtype"_a = kDouble), top = c.select(0, 0), column = c.select(1, 1);
    Tensor before = ops::mul(column, 2);
    top.copy_(ops::sin(a));
    Tensor after = ops::mul(column, 3);
    column.mul_(2);
    return ops::cat(TensorList{before, after, c.reshape({-1})});
  };
  auto joined = [](const Tensor& a) {
    Tensor none = ops::zeros({2}, "dtype"_a = kDouble), s = ops::sin(a);
    Tensor factors = tensor({1.0, 2.0, 1.0});
    return ops::cat(TensorList{none, ops::mul(s.narrow(0, 1, 1), 3), none.narrow(0, 0, 1), ops::mul(s, factors), none,
                               none.narrow(0, 0, 1)});
  };
  check_close(func::jvp(written, x, t).first, func::jvp(joined, x, t).first);
  check_close(func::jvp(written, x, t).second, func::jvp(joined, x, t).second);
  check_close(func::jacfwd(written)(x), func::jacrev(joined)(x));
  check_close(func::jacfwd(func::jacfwd(written))(x), func::hessian(joined)(x));
}

TEST_CASE("random numbers along the columns of jacfwd are what its options say", "[func]") {
  Tensor x = drawn({3});
  auto noisy = [](const Tensor& a) { return ops::sum(a) * ops::rand({2}); };
  Tensor same = func::jacfwd(noisy)(x), each = func::jacfwd(noisy, {.randomness = func::Randomness::Different})(x);
  CHECK(same.sizes() == IntArrayRef({2, 3}));
  CHECK(ops::equal(same.select(1, 0), same.select(1, 2)));
  CHECK(each.sizes() == IntArrayRef({2, 3}));
  CHECK_FALSE(ops::equal(each.select(1, 0), each.select(1, 2)));
  auto refused = func::jacfwd(noisy, {.randomness = func::Randomness::Error});
  CHECK_THROWS_AS(refused(x), func::RandomnessError);
}
TEST_CASE("jacfwd of a function that fills what it makes is that of its values", "[func]") {
  Tensor x = drawn({3}), batch = drawn({2, 3});
  auto values = [](const Tensor& a) { return ops::stack({ops::sin(a), ops::mul(a, a)}); };
  auto filled = [](auto make) {
    return [make](const Tensor& a) {
      Tensor out = make(a);
      out[0].copy_(ops::sin(a));
      out[1].copy_(ops::mul(a, a));
      return out;
    };
  };
  auto all_agree = [&](auto f) {
    check_close(func::jacfwd(f)(x), func::jacfwd(values)(x));
    check_close(func::jacfwd(func::jacfwd(f))(x), func::hessian(values)(x));
    check_close(func::jacrev(func::jacfwd(f))(x), func::hessian(values)(x));
  };
  all_agree(filled([](const Tensor&) { return ops::zeros({2, 3}, "dtype"_a = kDouble); }));
  all_agree(filled([](const Tensor&) { return ops::empty({2, 3}, "dtype"_a = kDouble); }));
  auto like_argument = filled([](const Tensor& a) { return ops::new_empty(a, {2, 3}); });
  all_agree(like_argument);
  check_close(func::hessian(like_argument)(x), func::hessian(values)(x));
  // A tangent that a gradient goes through is one of all passes.
  auto change = [&](const Tensor& t) { return func::jvp([](const Tensor& a) { return ops::relu6(a); }, x, t).second; };
  check_close(func::jacfwd(change)(x), func::jacrev(change)(x));
  // Of each example there is one where the tensor is made like one of it, and else the same for all.
  auto like = filled([](const Tensor& a) { return ops::new_zeros(a, {2, 3}); });
  check_close(func::vmap(func::jacfwd(like))(batch), func::vmap(func::jacfwd(values))(batch));
  auto shared = filled([](const Tensor&) { return ops::zeros({2, 3}, "dtype"_a = kDouble); });
  CHECK_THROWS_WITH(func::vmap(func::jacfwd(shared))(batch), ContainsSubstring("the same tensor for all examples"));
}

TEST_CASE("gradients of tangents keep what a write would have changed", "[func]") {
  Tensor x = drawn({3}), t = drawn({3}), w = drawn({3});
  auto scaled = [&](const Tensor& a) { return w.clone().mul_(a); };
  auto change = [&](const Tensor& a) { return func::jvp(scaled, x, a).second.sum(); };
  check_close(func::grad(change)(t), w);
}

TEST_CASE("derivatives of averaged losses count what both operands are spread to", "[func]") {
  Tensor x = drawn({2, 3}), y = drawn({3}), number = drawn({});
  auto plain = [](const Tensor& a, const Tensor& b) {
    Tensor d = ops::abs(ops::sub(a, b));
    return ops::mean(ops::where(ops::lt(d, 1), ops::mul(ops::mul(d, d), 0.5), ops::sub(d, 0.5)));
  };
  for (const Tensor& target : {y, number})
    for (bool huber : {true, false}) {
      auto loss = [&](const Tensor& a, const Tensor& b) {
        return huber ? Tensor(ops::huber_loss(a, b)) : Tensor(ops::smooth_l1_loss(a, b));
      };
      check_close(func::hessian<0>(loss)(x, target), func::hessian<0>(plain)(x, target));
      check_close(func::hessian<1>(loss)(x, target), func::hessian<1>(plain)(x, target));
      check_close(func::hessian<0>(loss)(target, x), func::hessian<0>(plain)(target, x));
      check_close(func::jacrev<1>(loss)(x, target), func::jacrev<1>(plain)(x, target));
      check_close(func::jacfwd<0>(loss)(target, x), func::jacrev<0>(plain)(target, x));
    }
  auto squares = [](const Tensor& a, const Tensor& b) { return ops::mse_loss(a, b); };
  auto by_hand = [](const Tensor& a, const Tensor& b) { return ops::mean(ops::pow(ops::sub(a, b), 2)); };
  check_close(func::jacrev<1>(squares)(x, y), func::jacrev<1>(by_hand)(x, y));
  check_close(func::jacfwd<1>(squares)(x, y), func::jacrev<1>(by_hand)(x, y));
  check_close(func::hessian<1>(squares)(x, y), func::hessian<1>(by_hand)(x, y));
}

TEST_CASE("the deviation of equal numbers has a tangent, zero", "[func]") {
  Tensor x = ops::full({3}, 1.5, "dtype"_a = kDouble), none = ops::zeros({}, "dtype"_a = kDouble);
  auto deviation = [](const Tensor& a) { return ops::std(a, std::nullopt, "correction"_a = 1); };
  check_close(func::jvp(deviation, x, drawn({3})).second, none);
}

TEST_CASE("gradients of writes into views have Jacobians", "[func]") {
  Tensor x = drawn({3, 3});
  auto f = [](const Tensor& a) {
    Tensor b = ops::mul(a, a), row = b.select(0, 1);
    row.mul_(a.select(1, 0));
    b.narrow(1, 0, 2).copy_(ops::mul(a.narrow(1, 1, 2), 2));
    return b;
  };
  check_close(func::jacrev(f)(x), func::jacfwd(f)(x));
  check_close(func::hessian(f)(x), func::jacrev(func::jacfwd(f))(x));
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
  CHECK_ERROR(func::jvp(f, drawn({3}), drawn({2})), ValueError,
              "jvp: expected a tangent of the shape of its tensor, [3], got [2]");
  CHECK_ERROR(func::jvp(f, drawn({3}), ops::ones({3})), TypeError,
              "jvp: expected a tangent of the dtype of its tensor, float64, got float32");
  auto line = func::linearize(f, drawn({3}));
  CHECK_ERROR(line(drawn({2})), ValueError, "linearize: expected a tangent of the shape of tensor '0', [3], got [2]");
  CHECK_ERROR(line(ops::ones({3})), TypeError,
              "linearize: expected a tangent of the dtype of tensor '0', float64, got float32");
  // Also of what the result does not depend on.
  auto first = func::linearize([](const Tensor& a, const Tensor&) { return ops::sin(a); }, drawn({3}), drawn({2}));
  CHECK_ERROR(first(drawn({3}), drawn({3})), ValueError,
              "linearize: expected a tangent of the shape of tensor '1', [2], got [3]");
}

TEST_CASE("each tensor has a tangent, none has two", "[func]") {
  using List = std::vector<Tensor>;
  using Map = std::map<std::string, Tensor>;
  auto f = [](const List& a) { return ops::sin(a.at(0)); };
  Tensor x = drawn({3});
  CHECK_ERROR(func::jvp(f, std::tuple(List{x, x}), std::tuple(List{x})), ValueError,
              "jvp: expected a tangent for each of 2 tensors, got 1");
  CHECK_ERROR(func::jvp(f, std::tuple(List{x}), std::tuple(List{x, x})), ValueError,
              "jvp: expected a tangent for each of 1 tensors, got 2");
  auto line = func::linearize(f, List{x, x});
  CHECK_ERROR(line(List{x}), ValueError, "linearize: expected a tangent for each of 2 tensors, got 1");
  CHECK_ERROR(line(List{x, x, x}), ValueError, "linearize: expected a tangent for each of 2 tensors, got 3");
  auto named = func::linearize([](const Map& a) { return ops::sin(a.at("w")); }, Map{{"w", x}});
  CHECK_ERROR(named(Map{{"v", x}}), ValueError, "linearize: expected a tangent for tensor '0.w', got one for '0.v'");
}

TEST_CASE("tangents of integers and undefined ones count nothing", "[func]") {
  Tensor x = drawn({3}), t = drawn({3}), n = ops::arange(1, 4);
  auto line = func::linearize([](const Tensor& i, const Tensor& a) { return ops::mul(a, i); }, n, x);
  check_close(line(n, t), ops::mul(t, n));
  check_close(line(Tensor(), t), ops::mul(t, n));
  check_close(line(n, Tensor()), ops::zeros_like(x));
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

TEST_CASE("a number that is read within jvp is the value's, and constant", "[func]") {
  Tensor x = drawn({3}), v = drawn({3}), outside = ops::ones({3});
  auto f = [&](const Tensor& a) {
    return a * ops::sum(a * outside).item<double>() + ops::sum(outside * 2).item<double>();
  };
  auto [y, change] = func::jvp(f, x, v);
  check_close(y, x * ops::sum(x) + 6);
  check_close(change, v * ops::sum(x));
  Tensor rows = drawn({2, 3});
  CHECK_THROWS_WITH(func::vmap([&](const Tensor& a) { return func::jvp(f, a, v).second; })(rows),
                    ContainsSubstring("vmap: ") && ContainsSubstring(".item()"));
}

namespace {
/// Functions of three numbers that write into tensors made without one of them; the sum of what they make is what the
/// closed form beside them says.
struct Writing {
  const char* name;
  Tensor (*f)(const Tensor&);
  Tensor (*without)(const Tensor&);  // the same, and nothing is written
};
Tensor three_zeros() { return ops::zeros({3}, "dtype"_a = kDouble); }
Tensor found_outside;
const Writing writing[] = {
    {"elements",
     [](const Tensor& x) {
       Tensor y = three_zeros();
       y.select(0, 0).copy_(x.select(0, 0) * x.select(0, 1));
       y.select(0, 1).copy_(x.select(0, 1).sin());
       return y.sum();
     },
     [](const Tensor& x) { return Tensor(x.select(0, 0) * x.select(0, 1) + x.select(0, 1).sin()); }},
    {"a copy",
     [](const Tensor& x) {
       Tensor y = three_zeros();
       y.copy_(x * x);
       return y.sum();
     },
     [](const Tensor& x) { return (x * x).sum(); }},
    {"a sum",
     [](const Tensor& x) {
       Tensor y = three_zeros();
       y = y + 0;
       y.add_(x * x * x);
       return y.sum();
     },
     [](const Tensor& x) { return (x * x * x).sum(); }},
    {"parts",
     [](const Tensor& x) {
       Tensor y = three_zeros();
       y.narrow(0, 0, 2).mul_(2);
       y.narrow(0, 1, 2).add_((x * x * x).narrow(0, 1, 2));
       return y.sum();
     },
     [](const Tensor& x) { return (x * x * x).narrow(0, 1, 2).sum(); }},
    {"numbers",
     [](const Tensor& x) {
       Tensor y = three_zeros();
       y.add_(1);
       return (y * x * x * x).sum();
     },
     [](const Tensor& x) { return (x * x * x).sum(); }},
    {"numbers that are written down",
     [](const Tensor& x) {
       Tensor y = tensor({1.0, 2.0, 3.0}, "dtype"_a = kDouble), part = y.narrow(0, 1, 2);
       part.mul_((x * x * x).narrow(0, 0, 2));
       return (y * x).sum();
     },
     [](const Tensor& x) {
       Tensor cube = x * x * x;
       return Tensor(x.select(0, 0) + 2 * cube.select(0, 0) * x.select(0, 1) + 3 * cube.select(0, 1) * x.select(0, 2));
     }},
    {"a result of what is outside",
     [](const Tensor& x) {
       Tensor y = found_outside * 2;
       y.mul_(3);
       y.add_(x * x * x);
       y.mul_(x);
       return y.sum();
     },
     [](const Tensor& x) { return ((found_outside * 6 + x * x * x) * x).sum(); }},
    {"twice",
     [](const Tensor& x) {
       Tensor y = three_zeros(), z = three_zeros();
       y.copy_(x.sin());
       z.add_(y * x);
       return (y * z + z).sum();
     },
     [](const Tensor& x) { return (x.sin() * x.sin() * x + x.sin() * x).sum(); }},
};
}  // namespace

TEST_CASE("a function may write into what it makes without an argument, in every nest of derivatives", "[func]") {
  Tensor x = ops::to(tensor({0.3, 0.5, 0.7}), kDouble), t = ops::to(tensor({1.0, -2.0, 0.5}), kDouble);
  found_outside = ops::to(tensor({2.0, -1.0, 0.5}), kDouble);
  for (const Writing& w : writing) {
    auto both = [&](const char* nest, auto transform) {
      INFO(w.name << ", " << nest);
      Tensor got;
      REQUIRE_NOTHROW(got = transform(w.f));
      check_close(got, transform(w.without));
    };
    auto along = [&](auto f) { return [f, t](const Tensor& a) mutable { return func::jvp(f, a, t).second; }; };
    both("grad", [&](auto f) { return func::grad(f)(x); });
    both("jacrev", [&](auto f) { return func::jacrev(f)(x); });
    both("jacfwd", [&](auto f) { return func::jacfwd(f)(x); });
    both("hessian", [&](auto f) { return func::hessian(f)(x); });
    both("jacrev of jacfwd", [&](auto f) { return func::jacrev(func::jacfwd(f))(x); });
    both("jacfwd of jacfwd", [&](auto f) { return func::jacfwd(func::jacfwd(f))(x); });
    both("jacrev of jacrev", [&](auto f) { return func::jacrev(func::jacrev(f))(x); });
    both("jvp", [&](auto f) { return along(f)(x); });
    both("jvp of grad", [&](auto f) { return along(func::grad(f))(x); });
    both("grad of jvp", [&](auto f) { return func::grad(along(f))(x); });
    both("jvp of jvp", [&](auto f) { return along(along(f))(x); });
    both("jacfwd of jvp", [&](auto f) { return func::jacfwd(along(f))(x); });
    both("jacfwd of hessian", [&](auto f) { return func::jacfwd(func::hessian(f))(x); });
    both("hessian of jvp", [&](auto f) { return func::hessian(along(f))(x); });
    both("jvp of hessian", [&](auto f) { return along(func::hessian(f))(x); });
  }
  // Examples cannot share it, as in PyTorch: vmap says what to write.
  for (const Writing& w : writing)
    if (std::string(w.name) != "numbers") {
      Tensor rows = ops::stack({x, t});
      CHECK_THROWS_AS(func::vmap(w.f)(rows), func::BatchError);
      CHECK_THROWS_AS(func::vmap(func::hessian(w.f))(rows), func::BatchError);
    }
  check_close(found_outside, ops::to(tensor({2.0, -1.0, 0.5}), kDouble));
}

TEST_CASE("gradients are the same within forward mode, also where one of two slopes is chosen", "[func]") {
  struct Chosen {
    const char* name;
    Tensor (*f)(const Tensor&);
    Tensor at;
  };
  const Chosen all[] = {
      {"sinc", [](const Tensor& x) { return ops::sinc(x); }, tensor({0.0, 0.5})},
      {"i1", [](const Tensor& x) { return ops::special_i1(x); }, tensor({0.0, 0.5})},
      {"i1e", [](const Tensor& x) { return ops::special_i1e(x); }, tensor({0.0, 0.5})},
      {"copysign",
       [](const Tensor& x) {
         return ops::copysign(x, tensor({1.0, -1.0}));
       },
       tensor({0.0, 0.5})},
      {"xlogy",
       [](const Tensor& x) {
         return ops::xlogy(x, tensor({0.0, 2.0}));
       },
       tensor({0.0, 0.5})},
      {"a power",
       [](const Tensor& x) {
         return ops::pow(x, tensor({0.0, 2.0}));
       },
       tensor({0.0, 0.5})},
      {"a norm", [](const Tensor& x) { return ops::linalg_vector_norm(x, 0.5); }, tensor({0.0, 0.5})},
      {"a norm of order -1", [](const Tensor& x) { return ops::linalg_vector_norm(x, -1); }, tensor({0.0, 0.5})},
  };
  for (const Chosen& c : all) {
    INFO(c.name);
    auto gradient = func::grad([&](const Tensor& x) { return c.f(x).sum(); });
    auto [value, change] = func::jvp(gradient, c.at, ops::ones_like(c.at));
    check_close(value, gradient(c.at));
    CHECK_FALSE(ops::any(ops::isnan(change)).item<bool>());
  }
}

TEST_CASE("a quotient that is infinite changes by infinity", "[func]") {
  Tensor one = tensor({1.0, -3.0}), zero = tensor({0.0, 0.5}), t = tensor({2.0, 1.0}), u = tensor({1.0, -1.0});
  auto quotient = [](const Tensor& a, const Tensor& b) { return ops::div(a, b); };
  Tensor change = func::jvp(quotient, std::tuple(one, zero), std::tuple(t, u)).second;
  CHECK(change.select(0, 0).item<double>() == -std::numeric_limits<double>::infinity());
  CHECK(change.select(0, 1).item<double>() == Approx(2 - 12));
  // Numbers and tensors that are spread, of which one has a tangent.
  Tensor rows = drawn({2, 3}), number = tensor(2.0), along = drawn({2, 3});
  check_close(func::jvp([&](const Tensor& a) { return ops::div(a, number); }, rows, along).second, along / 2);
  check_close(func::jvp([&](const Tensor& b) { return ops::div(rows, b); }, number, tensor(3.0)).second, rows * -0.75);
}

TEST_CASE("what an index does not name of a source takes no part", "[func]") {
  Tensor x = drawn({3, 2}), source = drawn({4, 3}), index = tensor({{0, 2}, {1, 0}});
  for (bool adds : {false, true}) {
    auto f = [&](const Tensor& a, const Tensor& b) {
      return adds ? ops::scatter_add(a, 0, index, b) : ops::scatter(a, 0, index, b);
    };
    auto loss = [&](const Tensor& b) { return ops::sum(f(x, b) * f(x, b)); };
    Tensor got = func::grad(loss)(source), used = ops::narrow(ops::narrow(source, 0, 0, 2), 1, 0, 2);
    check_close(ops::narrow(ops::narrow(got, 0, 0, 2), 1, 0, 2), func::grad(loss)(used));
    CHECK(ops::count_nonzero(got).item<std::int64_t>() <= 4);
    check_close(func::jvp(loss, source, ops::ones_like(source)).second, got.sum());
  }
}

TEST_CASE("of places that several elements go to, the last one's tangent stays", "[func]") {
  Tensor x = drawn({1, 1, 2, 2}), at = tensor({{0, 0}, {3, 3}}).reshape({1, 1, 2, 2}), along = drawn({1, 1, 2, 2});
  auto f = [&](const Tensor& a) { return ops::max_unpool2d(a, at, {2, 2}); };
  check_close(func::jvp(f, x, along).second, f(along));

  Tensor a = drawn({2, 3}), of_a = drawn({2, 3}), b = drawn({4}), of_b = drawn({4}), index = tensor({2, 0, 2, 2});
  auto put = [&](const Tensor& t, const Tensor& v) { return ops::put(t, index, v); };
  auto index_put = [&](const Tensor& t, const Tensor& v) {
    return ops::index_put(t.flatten(), std::vector<std::optional<Tensor>>{index}, v);
  };
  auto write = [&](const Tensor& t, const Tensor& v) {
    Tensor copy = t.flatten().clone();
    ops::index_put_(copy, std::vector<std::optional<Tensor>>{index}, v);
    return copy;
  };
  auto same = [&](auto g) {
    check_close(func::jvp(g, std::tuple(a, b), std::tuple(of_a, of_b)).second, g(of_a, of_b));
    check_close(func::jvp([&](const Tensor& v) { return g(a, v); }, b, of_b).second, g(ops::zeros_like(a), of_b));
  };
  same(put);
  same(index_put);
  same(write);
}

TEST_CASE("tolerances have no part in the tangents of a pseudo-inverse", "[func]") {
  Tensor a = drawn({3, 2}), along = drawn({3, 2}), tolerance = tensor(1e-6);
  auto f = [](const Tensor& m, const Tensor& least) { return ops::linalg_pinv(m, "rtol"_a = least); };
  Tensor change = func::jvp(f, std::tuple(a, tolerance), std::tuple(along, tensor(1.0))).second;
  check_close(change, func::jvp([&](const Tensor& m) { return f(m, tolerance); }, a, along).second);
}

TEST_CASE("gradients of targets of a binary cross entropy are not held", "[func]") {
  Tensor p = tensor({0.0, 0.25}), t = tensor({0.0, 1.0});
  Tensor got = func::grad([&](const Tensor& y) { return ops::binary_cross_entropy(p, y).sum(); })(t);
  CHECK(got.select(0, 0).item<double>() == std::numeric_limits<double>::infinity());
  CHECK(got.select(0, 1).item<double>() == Approx(std::log(3.0) / 2));
}

TEST_CASE("running logarithms of sums of zeros do not change", "[func]") {
  double none = -std::numeric_limits<double>::infinity();
  Tensor x = tensor({none, none, 0.5, 1.0}), along = drawn({4});
  auto f = [](const Tensor& t) { return ops::logcumsumexp(t, 0); };
  Tensor change = func::jvp(f, ops::to(x, kDouble), along).second;
  check_close(change.narrow(0, 0, 2), ops::zeros({2}, "dtype"_a = kDouble));
  auto last = [](const Tensor& t) { return ops::logsumexp(t.narrow(0, 2, 2), {0}); };
  check_close(change.select(0, 3), func::jvp(last, ops::to(x, kDouble), along).second);
}

namespace {
Tensor doubles(std::initializer_list<double> list) {
  Tensor t = ops::empty({static_cast<std::int64_t>(list.size())}, "dtype"_a = kDouble);
  std::copy(list.begin(), list.end(), t.data_ptr<double>());
  return t;
}
}  // namespace

TEST_CASE("at the corner of a rectifier with a slope tangents go the way of what is above", "[func]") {
  Tensor x = doubles({0.0, -2.0, 3.0}), slope = doubles({0.25}), along = doubles({1.0, 10.0, 100.0});
  auto f = [](const Tensor& t, const Tensor& w) { return ops::prelu(t, w); };
  check_close(func::jvp(f, std::tuple(x, slope), std::tuple(along, doubles({1.0}))).second, doubles({1.0, 0.5, 100.0}));
  check_close(func::jvp(f, std::tuple(x, slope), std::tuple(Tensor(), doubles({1.0}))).second,
              doubles({0.0, -2.0, 0.0}));
  // Gradients go the way of what is below: these are PyTorch's.
  check_close(func::grad([&](const Tensor& t) { return f(t, slope).sum(); })(x), doubles({0.25, 0.25, 1.0}));
}

TEST_CASE("equal extremes share a change, of which what is not included has no part", "[func]") {
  Tensor self = doubles({2.0, 1.0, 5.0}), source = doubles({2.0, 2.0, 1.0}), index = tensor({0, 0, 1}),
         along = doubles({8.0, 16.0, 32.0}), other = doubles({3.0, 6.0, 9.0});
  for (const char* how : {"amax", "amin"}) {
    auto by_element = [&](bool include) {
      auto f = [&, include](const Tensor& a, const Tensor& b) {
        return ops::scatter_reduce(a, 0, index, b, how, "include_self"_a = include);
      };
      return func::jvp(f, std::tuple(self, source), std::tuple(along, other)).second;
    };
    auto by_slice = [&](bool include) {
      auto f = [&, include](const Tensor& a, const Tensor& b) {
        return ops::index_reduce(a, 0, index, b, how, "include_self"_a = include);
      };
      return func::jvp(f, std::tuple(self, source), std::tuple(along, other)).second;
    };
    for (bool include : {true, false}) {
      Tensor expected = include ? doubles({17.0 / 3, 12.5, 32.0}) : doubles({4.5, 9.0, 32.0});
      check_close(by_element(include), expected);
      check_close(by_slice(include), expected);
    }
  }
}

TEST_CASE("what has no slope at zero changes by nothing there, also twice", "[func]") {
  Tensor z = ops::complex(doubles({0.0, 3.0}), doubles({0.0, -4.0})), along = ops::complex(drawn({2}), drawn({2}));
  for (auto* f : {+[](const Tensor& t) { return Tensor(ops::view_as_real(ops::sgn(t))); },
                  +[](const Tensor& t) { return Tensor(ops::angle(t)); }}) {
    Tensor change = func::jvp(f, z, along).second;
    CHECK(ops::isfinite(change).all().item<bool>());
    CHECK(ops::count_nonzero(change.select(0, 0)).item<std::int64_t>() == 0);
  }
  z.requires_grad_();
  Tensor slope = autograd::grad({ops::abs(z).sum()}, {z}, {}, true, true)[0];
  CHECK(slope.requires_grad());
  Tensor bend = autograd::grad({ops::view_as_real(slope)}, {z}, {drawn({2, 2})}, true, true)[0];
  CHECK(bend.requires_grad());
  CHECK(ops::count_nonzero(bend.detach().select(0, 0)).item<std::int64_t>() == 0);
  CHECK(ops::isfinite(ops::view_as_real(bend.detach())).all().item<bool>());
}

TEST_CASE("the gradient of a smooth loss without a round part does not change", "[func]") {
  Tensor x = doubles({0.0, 1.0, -2.0}), y = doubles({0.0, 0.0, 0.0}), along = drawn({3});
  auto f = [&](const Tensor& t) { return ops::smooth_l1_loss(t, y, "beta"_a = 0.0); };
  check_close(func::jvp(func::grad(f), x, along).second, ops::zeros_like(x));
}

TEST_CASE("second derivatives are those of the slope that is taken, also where the other divides by zero", "[func]") {
  Tensor rows = doubles({0.0, 0.0, 3.0, 4.0}).view({2, 2}).requires_grad_(), up = drawn({2, 2}).requires_grad_();
  for (double p : {1.0, 2.0}) {
    Tensor slope = autograd::grad({ops::renorm(rows, p, 0, 1.0)}, {rows}, {up}, true, true)[0];
    auto bend = autograd::grad({slope}, {rows, up}, {ops::ones_like(slope)});
    check_close(bend[0].select(0, 0), doubles({0.0, 0.0}));
    check_close(bend[1].select(0, 0), doubles({1.0, 1.0}));
  }
  Tensor x = doubles({0.0, 0.5, 1.0}).requires_grad_(), weight = drawn({3});
  Tensor slope = autograd::grad({ops::logit(x, 0.25)}, {x}, {weight}, true, true)[0];
  check_close(slope.detach(), ops::mul(weight, doubles({0.0, 4.0, 0.0})));
  check_close(autograd::grad({slope}, {x}, {ops::ones_like(slope)})[0], doubles({0.0, 0.0, 0.0}));
}

TEST_CASE("a size of zero or below changes along its angle", "[func]") {
  Tensor size = doubles({0.0, -2.0}), angle = doubles({0.5, 1.0}), along = doubles({3.0, 1.0}),
         turn = doubles({1.0, 2.0});
  auto f = [](const Tensor& r, const Tensor& a) { return ops::view_as_real(ops::polar(r, a)); };
  Tensor change = func::jvp(f, std::tuple(size, angle), std::tuple(along, turn)).second;
  double c = std::cos(1.0), s = std::sin(1.0);
  check_close(change, doubles({3 * std::cos(0.5), 3 * std::sin(0.5), c + 4 * s, s - 4 * c}).view({2, 2}));
}

TEST_CASE("jacfwd and hessian of trees are those of jacrev", "[func]") {
  std::vector<Tensor> p{drawn({2, 3}), drawn({2})};
  Tensor x = drawn({3});
  auto f = [&](const std::vector<Tensor>& t) { return ops::tanh(ops::add(ops::mv(t[0], x), t[1])); };
  std::vector<Tensor> columns = func::jacfwd(f)(p), rows = func::jacrev(f)(p);
  REQUIRE(columns.size() == 2);
  for (int i = 0; i < 2; ++i) check_close(columns[i], rows[i]);
  std::vector<std::vector<Tensor>> second = func::hessian(f)(p), reversed = func::jacrev(func::jacrev(f))(p);
  REQUIRE(second.at(0).at(1).sizes() == IntArrayRef({2, 2, 3, 2}));
  for (int i = 0; i < 2; ++i)
    for (int k = 0; k < 2; ++k) check_close(second[i][k], reversed[i][k]);
  auto g = [](const Tensor& a, const Tensor& b) { return ops::sum(ops::mul(ops::mul(a, a), b)); };
  Tensor a = drawn({2}), b = drawn({2});
  auto [by_a, by_b] = func::hessian<0, 1>(g)(a, b);
  check_close(std::get<0>(by_a), ops::diag(ops::mul(b, 2)));
  check_close(std::get<1>(by_a), ops::diag(ops::mul(a, 2)));
  check_close(std::get<0>(by_b), ops::diag(ops::mul(a, 2)));
  check_close(std::get<1>(by_b), ops::zeros({2, 2}));
  struct Scale {
    Tensor by, shift;
  };
  auto h = [](const Scale& m, const Tensor& at) {
    return ops::sum(ops::square(ops::add(ops::mul(m.by, at), m.shift)));
  };
  auto of_struct = func::hessian(h)(Scale{a, b}, a);
  check_close(of_struct.at("0").by, ops::diag(ops::mul(ops::mul(a, a), 2)));
  check_close(of_struct.at("0").shift, ops::diag(ops::mul(a, 2)));
  check_close(of_struct.at("1").shift, ops::mul(ops::eye(2), 2));
  Tensor batch = drawn({4, 2});
  auto all = func::vmap(func::jacfwd<0, 1>(g))(batch, batch);
  check_close(std::get<0>(all), ops::mul(ops::mul(batch, batch), 2));
  check_close(std::get<1>(all), ops::mul(batch, batch));
}

TEST_CASE("what a function returns beside has no part in its change", "[func]") {
  Tensor x = drawn({3}), t = drawn({3});
  auto f = [](const Tensor& a) { return std::pair(ops::sin(a), std::pair(ops::cos(a), 7)); };
  auto [value, change, aux] = func::jvp(func::has_aux(f), x, t);
  check_close(value, ops::sin(x));
  check_close(change, ops::mul(ops::cos(x), t));
  check_close(aux.first, ops::cos(x));
  CHECK(aux.second == 7);
  auto [jacobian, beside] = func::jacfwd(func::has_aux(f))(x);
  check_close(jacobian, ops::diag(ops::cos(x)));
  check_close(beside.first, ops::cos(x));
  auto written = [](const Tensor& a) {
    Tensor own = ops::zeros_like(a);
    own.copy_(a);
    return std::pair(ops::sin(own), own);
  };
  check_close(func::jacfwd(func::has_aux(written))(x).second, x);
}

TEST_CASE("along no element there is no direction", "[func]") {
  Tensor none = ops::zeros({2, 0}, "dtype"_a = kDouble), c = drawn({3});
  auto total = [](const Tensor& a) { return ops::sum(ops::exp(a)); };
  CHECK(func::jacfwd(total)(none).sizes() == IntArrayRef({2, 0}));
  CHECK(func::hessian(total)(none).sizes() == IntArrayRef({2, 0, 2, 0}));
  auto flat = [](const Tensor& a) { return ops::sum(ops::reshape(ops::sum(ops::exp(a), {1}, true), {-1})); };
  CHECK(func::jacfwd(flat)(none).sizes() == IntArrayRef({2, 0}));
  auto spread = [&](const Tensor& a) { return ops::mul(ops::mean(ops::sin(a)), c); };
  CHECK(func::jacfwd(spread)(none).sizes() == IntArrayRef({3, 2, 0}));
}

TEST_CASE("a quotient may be written where second derivatives are taken", "[func]") {
  Tensor x = drawn({2}), y = drawn({2});
  auto f = [&](const Tensor& a) { return ops::div(y, a); };
  auto written = [&](const Tensor& a) { return ops::div(y, a).mul_(-0.5); };
  check_close(func::hessian(written)(x), ops::mul(func::hessian(f)(x), -0.5));
}

TEST_CASE("what vmap makes within forward mode can be written with a tangent", "[func][jvp]") {
  Tensor plain = tensor({3.0, 4.0}), a = tensor({1.0, 2.0});
  auto written = [](const Tensor& b, const Tensor& x) {
    Tensor y = b * 2;
    y.add_(x * x);
    return y;
  };
  auto batched = [&](const Tensor& x) { return func::vmap(written)(plain, x); };
  auto [value, change] = func::jvp(batched, a, tensor({1.0, 10.0}));
  CHECK(ops::equal(value, tensor({7.0, 12.0})));
  CHECK(ops::equal(change, tensor({2.0, 40.0})));
  // The gradient too, and within another level.
  auto slope = [&](const Tensor& x) { return func::grad([&](const Tensor& t) { return batched(t * x).sum(); })(a); };
  CHECK(ops::equal(func::jacfwd(slope)(a), tensor({{4.0, 0.0}, {0.0, 16.0}})));
}
