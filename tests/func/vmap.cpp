// vmap beside loops: dimensions, levels, chunks, random numbers, writes, rules of one's own.
#include <tenon/func/vmap.hpp>

#include "support.hpp"

using namespace test;

namespace {

TENON_LIBRARY(functest, m) {
  m.def("halves(Tensor x) -> (Tensor, Tensor)");
  m.def("twice(Tensor x) -> Tensor");
  m.def("twice.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)");
  m.def("twice_(Tensor(a!) x) -> Tensor(a!)");
}
using Indices = std::vector<std::optional<Tensor>>;
int calls = 0;
std::tuple<Tensor, Tensor> halves(const Tensor& x) {
  ++calls;
  return {ops::narrow(x, 0, 0, 1).clone(), ops::narrow(x, 0, 1, x.size(0) - 1).clone()};
}
Tensor twice(const Tensor& x) {
  ++calls;
  return ops::mul(x, 2);
}
Tensor& twice_out(const Tensor& x, Tensor& out) { return out.copy_(twice(x)); }
Tensor& twice_(Tensor& x) { return x.copy_(twice(x)); }
TENON_LIBRARY_IMPL(functest, CPU, m) {
  m.impl("twice.out", &twice_out);
  m.impl("twice_", &twice_);
  m.impl("halves", &halves);
  m.impl("twice", &twice);
}
bool twice_rule(func::BatchedCall& call, Stack& results) { return call.answer(call.physical, results); }
TENON_BATCHING_RULE(functest_twice, "functest::twice", &twice_rule);

std::vector<Tensor> call_boxed(const char* name, const Tensor& x) {
  Stack stack{x};
  Registry::get().find_schema(name).call_boxed(stack);
  std::vector<Tensor> out;
  for (const Value& v : stack) out.push_back(v.to_tensor());
  return out;
}

}  // namespace

TEST_CASE("vmap is a loop over any dimension, to any dimension", "[func]") {
  Tensor a = drawn({4, 3, 5}), b = drawn({5, 2});
  auto f = [](const Tensor& x, const Tensor& y) { return ops::matmul(x, y); };
  Tensor got = func::vmap(f, {.in_dims = {1, std::nullopt}, .out_dims = {-1}})(a, b);
  std::vector<Tensor> loop;
  for (int i = 0; i < 3; ++i) loop.push_back(ops::matmul(a.select(1, i), b));
  check_close(got, ops::stack(loop, -1));
  // Chunks make no difference, nor do two levels.
  check_close(func::vmap(f, {.in_dims = {1, std::nullopt}, .out_dims = {-1}, .chunk_size = 2})(a, b), got);
  // A result that no example changes is given once.
  auto two = [&](const Tensor& x) { return std::pair(ops::mul(x, 2), ops::sum(b)); };
  for (std::optional<std::int64_t> chunk : {std::optional<std::int64_t>(), std::optional<std::int64_t>(2)}) {
    auto [each, once] = func::vmap(two, {.in_dims = {1}, .out_dims = {1, std::nullopt}, .chunk_size = chunk})(a);
    check_close(each, a * 2);
    check_close(once, ops::sum(b));
  }
  CHECK_ERROR_CONTAINS(func::vmap(two, {.out_dims = {std::nullopt}})(a), ValueError,
                       "vmap: result 0 differs from example to example and its out_dim is none");
  auto outer = func::vmap(func::vmap(f, {.in_dims = {0, std::nullopt}}), {.in_dims = {std::nullopt, 1}});
  check_close(outer(a.select(0, 0), b), ops::matmul(a.select(0, 0), b).transpose(0, 1));
}

TEST_CASE("vmap takes and gives trees", "[func]") {
  Tensor a = drawn({3, 2}), b = drawn({3, 2});
  auto f = [](const std::pair<Tensor, std::vector<Tensor>>& x) {
    return std::tuple(ops::add(x.first, x.second[0]), ops::sum(x.first));
  };
  auto [sum, total] = func::vmap(f)(std::pair(a, std::vector<Tensor>{b}));
  check_close(sum, ops::add(a, b));
  check_close(total, ops::sum(a, {1}));
}

TEST_CASE("an operator without a rule runs once for each example, and says so", "[func]") {
  Tensor x = drawn({3, 4});
  auto f = [](const Tensor& t) { return call_boxed("functest::halves", t); };
  Warnings warnings;
  calls = 0;
  std::vector<Tensor> got = func::vmap(f)(x);
  CHECK(calls == 3);
  REQUIRE(warnings.texts.size() == 1);
  CHECK_THAT(warnings.texts[0], ContainsSubstring("functest::halves"));
  check_close(got[0], ops::narrow(x, 1, 0, 1));
  check_close(got[1], ops::narrow(x, 1, 1, 3));
  func::warn_of_loops(false);
  func::vmap(f)(x);
  func::warn_of_loops(true);
  CHECK(warnings.texts.size() == 1);
  // One with a rule runs once.
  calls = 0;
  check_close(func::vmap([](const Tensor& t) { return call_boxed("functest::twice", t)[0]; })(x), ops::mul(x, 2));
  CHECK(calls == 1);
  auto without = func::operators_without_batching_rule();
  CHECK(std::find(without.begin(), without.end(), "functest::halves") != without.end());
  CHECK(std::find(without.begin(), without.end(), "functest::twice") == without.end());
  // The rule serves the form that writes into given memory, and not the one in place.
  auto forms = [](const Tensor& t) {
    Tensor out = ops::empty_like(t), own = ops::clone(t);
    Stack with_out{t, out}, in_place{own};
    calls = 0;
    Registry::get().find_schema("functest::twice.out").call_boxed(with_out);
    CHECK(calls == 1);
    Registry::get().find_schema("functest::twice_").call_boxed(in_place);
    CHECK(calls == 4);
    return ops::add(out, own);
  };
  check_close(func::vmap(forms)(x), ops::mul(x, 4));
  // A rule that comes later is seen by the next call.
  calls = 0;
  func::detail::add_rule("functest::twice", [](func::BatchedCall&, Stack&) { return false; });
  func::warn_of_loops(false);
  check_close(func::vmap([](const Tensor& t) { return call_boxed("functest::twice", t)[0]; })(x), ops::mul(x, 2));
  CHECK(calls == x.size(0));
  func::detail::add_rule("functest::twice", &twice_rule);
  func::warn_of_loops(true);
}

TEST_CASE("rules that name no operator are told of", "[func]") {
  CHECK(func::batching_rules_without_operator() == std::vector<std::string>());  // twice is there
  func::detail::add_rule("functest::halvs", &twice_rule);
  func::detail::add_rule("functest::thrice", &twice_rule);
  // The name of several overloads.
  func::detail::add_rule("aten::result_type", [](func::BatchedCall&, Stack&) { return false; });
  CHECK(func::batching_rules_without_operator() == std::vector<std::string>{"functest::halvs", "functest::thrice"});
  Warnings warnings;
  Tensor x = drawn({3, 4});
  func::vmap([](const Tensor& t) { return call_boxed("functest::halves", t); })(x);
  CHECK(warnings.texts.size() == 1);
  CHECK(warnings.texts[0].ends_with(". Rules that name no operator: functest::halvs, functest::thrice"));
  // Operators come and go; any overload of the name will do.
  {
    Library later(Library::Kind::Fragment, "functest");
    later.def("thrice.of_two(Tensor x, Tensor y) -> Tensor");
    CHECK(func::batching_rules_without_operator() == std::vector<std::string>{"functest::halvs"});
    Library more(Library::Kind::Fragment, "functest");
    more.def("thrice(Tensor x) -> Tensor");
    later.reset();
    CHECK(func::batching_rules_without_operator() == std::vector<std::string>{"functest::halvs"});
  }
  CHECK(func::batching_rules_without_operator() == std::vector<std::string>{"functest::halvs", "functest::thrice"});
  // The full name of one that has a kernel and no definition.
  func::detail::add_rule("functest::thrice.only", &twice_rule);
  Library kernel(Library::Kind::Impl, "functest", DispatchKey::CPU);
  kernel.impl("thrice.only", &twice);
  CHECK(func::batching_rules_without_operator() ==
        std::vector<std::string>{"functest::halvs", "functest::thrice", "functest::thrice.only"});
}

TEST_CASE("norms, losses, affine maps and look-ups have rules that agree with the loop", "[func]") {
  Tensor x = drawn({3, 2, 4, 2, 2}), weight = drawn({3, 4}), m = drawn({3, 2, 4, 2}), n = drawn({3, 2, 2, 3});
  Tensor classes = ops::randint(4, {3, 2, 2, 2}), places = ops::randint(-8, 8, {3, 5});
  using Two = std::pair<Tensor, Tensor>;
  auto agree = [](auto f, const Two& args) {
    Warnings warnings;
    Tensor all = func::vmap(f)(args);
    CHECK(warnings.texts == std::vector<std::string>());
    for (std::int64_t i = 0; i < 3; ++i)
      check_close(all.select(0, i), f(Two(args.first.select(0, i), args.second.select(0, i))));
  };
  auto gradient_of = [](auto loss, bool of_first) {
    return [=](const Two& a) {
      if (of_first) return func::grad([&](const Tensor& t) { return loss(t, a.second); })(a.first);
      return func::grad([&](const Tensor& t) { return loss(a.first, t); })(a.second);
    };
  };
  auto cubed = [](const Tensor& t) { return ops::sum(ops::mul(t, ops::mul(t, t))); };
  for (bool first : {true, false}) {
    agree(gradient_of([=](const Tensor& a, const Tensor& w) { return cubed(ops::group_norm(a, 2, w)); }, first),
          {x, weight});
    agree(gradient_of(
              [=](const Tensor& a, const Tensor& w) {
                return cubed(ops::batch_norm(a, w, std::nullopt, std::nullopt, std::nullopt, true, 0.1, 1e-5, false));
              },
              first),
          {x, weight});
    agree(gradient_of([=](const Tensor& a, const Tensor& w) { return cubed(ops::rms_norm(a, {4}, w)); }, first),
          {ops::movedim(x, 2, -1), weight});
  }
  for (std::int64_t reduction : {0, 1, 2})
    agree(gradient_of(
              [=](const Tensor& a, const Tensor& at) { return cubed(ops::nll_loss2d(a, at, std::nullopt, reduction)); },
              true),
          {x, classes});
  agree([](const Two& a) { return ops::addbmm(a.first.select(0, 0).narrow(1, 0, 1), a.first, a.second); }, {m, n});
  agree([](const Two& a) { return ops::addr(ops::outer(a.first, a.second), a.first, a.second, "alpha"_a = 2); },
        {weight, drawn({3, 2})});
  agree([](const Two& a) { return ops::zeros_like(a.first).addmm_(a.first, a.second, "beta"_a = 0.5); },
        {drawn({3, 2, 2}), drawn({3, 2, 2})});
  agree([](const Two& a) { return ops::take(a.first, a.second); }, {drawn({3, 2, 4}), places});
  Tensor sorted = ops::arange(4, "dtype"_a = kDouble);
  agree([&](const Two& a) { return ops::add(ops::searchsorted(sorted, a.first), ops::bucketize(a.second, sorted)); },
        {weight, weight});
  Tensor two = tensor({2, 0}), number = tensor(1.5);
  agree([&](const Two& a) { return ops::index_reduce(a.first, 0, two, a.second, "prod"); }, {weight, drawn({3, 2})});
  agree(
      [&](const Two& a) {
        Tensor y = ops::index_fill(a.first, 1, two, number), z = ops::mul(a.second, 2);
        ops::index_fill_(z, 0, two, Scalar(3));
        return ops::add(ops::sum(ops::squeeze_copy(y)), ops::t_copy(ops::log_sigmoid(z)));
      },
      {m.select(-1, 0), weight});
  auto without = func::operators_without_batching_rule();
  for (const char* name : {"aten::index_reduce", "aten::index_fill_.int_Scalar", "aten::index_fill.int_Tensor",
                           "aten::t_copy", "aten::squeeze_copy", "aten::log_sigmoid_forward",
                           "aten::native_group_norm_backward", "aten::native_batch_norm_backward", "aten::take",
                           "aten::nll_loss2d_forward", "aten::addbmm", "aten::addmm_", "aten::bucketize.Tensor"})
    CHECK(std::find(without.begin(), without.end(), name) == without.end());
}

TEST_CASE("a function that turns its argument in place leaves the caller's as it was", "[func]") {
  Tensor x = drawn({4, 2, 3});
  CHECK(func::vmap([](const Tensor& t) { return ops::mul(t.t_(), 1); })(x).size(1) == 3);
  CHECK(x.size(1) == 2);
}

TEST_CASE("writes reach the examples, and never what they share", "[func]") {
  Tensor x = drawn({3, 2}), before = x.clone(), shared = ops::zeros({2}, "dtype"_a = kDouble);
  func::vmap([](const Tensor& t) { return t.mul_(2); })(x);
  check_close(x, ops::mul(before, 2));
  auto write = [&](const Tensor& t) { return shared.add_(t); };
  CHECK_THROWS_AS(func::vmap(write)(x), func::BatchError);
  CHECK(ops::count_nonzero(shared).item<std::int64_t>() == 0);
  // A dimension that goes in place goes for the example.
  CHECK(
      func::vmap([](const Tensor& t) { return t.clone().unsqueeze_(0).squeeze_(0).t_(); })(drawn({3, 1, 2})).size(0) ==
      3);
  // Of a number there is none to go.
  Tensor numbers = drawn({4});
  check_close(func::vmap([](const Tensor& t) {
                Tensor own = t.clone();
                ops::squeeze_(own, {0});
                ops::squeeze_(own, 0);
                return Tensor(ops::transpose_(own, -1, 0) * 2);
              })(numbers),
              numbers * 2);
}

TEST_CASE("random numbers are refused, drawn for each example or for all", "[func]") {
  Tensor x = ops::zeros({3, 4}, "dtype"_a = kDouble);
  auto f = [](const Tensor& t) { return ops::add(t, ops::rand_like(t)); };
  auto g = [](const Tensor& t) { return ops::add(t, ops::rand({4}, "dtype"_a = kDouble)); };
  auto rows_agree = [](const Tensor& t) { return ops::equal(t.select(0, 0), t.select(0, 1)); };
  CHECK_THROWS_AS(func::vmap(f)(x), func::BatchError);
  CHECK_THROWS_AS(func::vmap(g)(x), func::BatchError);
  CHECK(!rows_agree(func::vmap(f, {.randomness = func::Randomness::Different})(x)));
  CHECK(!rows_agree(func::vmap(g, {.randomness = func::Randomness::Different})(x)));
  CHECK(rows_agree(func::vmap(f, {.randomness = func::Randomness::Same})(x)));
  CHECK(rows_agree(func::vmap(g, {.randomness = func::Randomness::Same})(x)));
}

TEST_CASE("layers of networks are batched by rule", "[func]") {
  Warnings warnings;
  auto check = [&](auto f, const Tensor& x, const Tensor& w) {
    auto got = func::vmap(f)(x, w);
    std::vector<Tensor> loop;
    for (int i = 0; i < x.size(0); ++i) loop.push_back(f(x.select(0, i), w.select(0, i)));
    check_close(got, ops::stack(loop));
  };
  namespace f = nn::functional;
  check([](const Tensor& x, const Tensor& w) { return ops::conv2d(x, w); }, drawn({3, 2, 2, 5, 5}),
        drawn({3, 4, 2, 3, 3}));
  check([](const Tensor& x, const Tensor& w) { return f::linear(x, w); }, drawn({3, 2, 4}), drawn({3, 5, 4}));
  check([](const Tensor& x, const Tensor& w) { return ops::layer_norm(x, {4}, w); }, drawn({3, 2, 4}), drawn({3, 4}));
  check([](const Tensor& x, const Tensor& w) { return ops::softmax(ops::add(x, w), -1); }, drawn({3, 2, 4}),
        drawn({3, 4}));
  check([](const Tensor& x, const Tensor& w) { return f::mse_loss(x, w); }, drawn({3, 2, 4}), drawn({3, 2, 4}));
  Tensor rows = tensor({{1, 0}, {2, 2}, {0, 1}}).to(kLong);
  auto cross = [&](const Tensor& x, const Tensor& digits) { return f::cross_entropy(x, digits); };
  check(cross, drawn({3, 2, 4}), rows);
  auto pick = [](const Tensor& x, const Tensor& at) { return x.index({Slice(), at}); };
  check(pick, drawn({3, 2, 4}), rows);
  CHECK(warnings.texts == std::vector<std::string>());
}

TEST_CASE("Jacobians of layers run backwards for all rows at once", "[func]") {
  manual_seed(0);  // a drawn matrix may be as good as singular
  Warnings warnings;
  auto check = [](auto f, const auto&... x) {
    auto by = [&]<std::size_t... I>(std::index_sequence<I...>) {
      (check_close(func::jacrev<I>(f)(x...), func::jacfwd<I>(f)(x...)), ...);
    };
    by(std::index_sequence_for<decltype(x)...>{});
  };
  namespace f = nn::functional;
  Tensor image = drawn({2, 2, 4, 4});
  check([](const Tensor& x, const Tensor& w, const Tensor& b) { return ops::conv2d(x, w, b, 2, 1); }, image,
        drawn({3, 2, 3, 3}), drawn({3}));
  check([](const Tensor& x, const Tensor& w) { return ops::conv_transpose2d(x, w, std::nullopt, 2); },
        drawn({1, 2, 3, 3}), drawn({2, 2, 2, 2}));
  check([](const Tensor& x) { return ops::max_pool2d(x, 2); }, image);
  check([](const Tensor& x) { return ops::avg_pool2d(x, 3, 1); }, image);
  check([](const Tensor& x) { return ops::adaptive_avg_pool2d(x, {3, 2}); }, image);
  check([](const Tensor& x) { return ops::upsample_bilinear2d(x, {5, 7}, false); }, image);
  check([](const Tensor& x) { return ops::reflection_pad2d(x, {1, 2, 0, 1}); }, image);
  check([](const Tensor& x) { return ops::constant_pad_nd(x, {1, 0}); }, image[0][0]);
  check([](const Tensor& x, const Tensor& g) { return ops::grid_sampler(x, g, 0, 1, false); }, image,
        drawn({2, 2, 2, 2}));
  check([](const Tensor& x, const Tensor& w, const Tensor& b) { return ops::layer_norm(x, {4}, w, b); }, drawn({3, 4}),
        drawn({4}), drawn({4}));
  Tensor rows = tensor({{1, 0}, {2, 1}}).to(kLong);
  check([&](const Tensor& w) { return ops::embedding(w, rows); }, drawn({3, 2}));
  Tensor p = ops::sigmoid(drawn({3, 2})), q = ops::sigmoid(drawn({3, 2}));
  Tensor classes = tensor({1, 0, 1}).to(kLong);
  for (int how : {0, 1, 2}) {
    check([&](const Tensor& x) { return ops::binary_cross_entropy(x, q, std::nullopt, how); }, p);
    check([&](const Tensor& x, const Tensor& y) { return ops::smooth_l1_loss(x, y, how); }, p, q);
    check([&](const Tensor& x, const Tensor& y) { return ops::huber_loss(x, y, how, 0.3); }, p, q);
    check([&](const Tensor& x, const Tensor& y) { return ops::mse_loss(x, y, how); }, p, q);
    check([&](const Tensor& x) { return ops::cross_entropy_loss(x, classes, q[0], how); }, p);
  }
  check([](const Tensor& a, const Tensor& b) { return ops::linalg_solve(a, b); }, drawn({3, 3}), drawn({3, 2}));
  check([](const Tensor& a, const Tensor& b) { return ops::linalg_solve(a, b); }, drawn({2, 3, 3}), drawn({3}));
  check([](const Tensor& a, const Tensor& b) { return ops::linalg_solve_triangular(a, b, "upper"_a = true); },
        drawn({3, 3}), drawn({3, 2}));
  check([](const Tensor& a, const Tensor& b) { return ops::cdist(a, b); }, drawn({3, 2}), drawn({2, 4, 2}));
  Tensor places = tensor({{1, 0}, {2, 3}});  // each once: of several writes to a place gradients count all
  check(
      [&](const Tensor& x, const Tensor& v) {
        return ops::index_put(x, Indices{std::nullopt, places}, v);
      },
      drawn({2, 4, 2}), drawn({2, 1, 2, 2}));
  check([](const Tensor& x) { return x.select(1, 0) * x.narrow(1, 1, 1).squeeze(1) + x.diagonal() + x.trace(); },
        drawn({3, 3}));
  CHECK(warnings.texts == std::vector<std::string>());
}

TEST_CASE("tables, indices and places of each example", "[func]") {
  Warnings warnings;
  auto check = [](auto f, const Tensor& x, const Tensor& at) {
    std::vector<Tensor> loop;
    for (int i = 0; i < x.size(0); ++i) loop.push_back(f(x[i], at[i]));
    check_close(func::vmap(f)(x, at), ops::stack(loop));
  };
  Tensor rows = tensor({{1, 0}, {2, 2}, {0, 1}}).to(kLong);
  check([](const Tensor& w, const Tensor& at) { return ops::embedding(w, at); }, drawn({3, 4, 2}), rows);
  check([](const Tensor& x, const Tensor& at) { return ops::index_select(x, 1, at); }, drawn({3, 2, 4}), rows);
  check(
      [](const Tensor& x, const Tensor& at) {
        return ops::index_put(x, Indices{std::nullopt, at}, ops::sum(x, {1}, true));
      },
      drawn({3, 2, 4}), rows);
  check([](const Tensor& x, const Tensor& at) { return ops::index_put(x, Indices{at}, ops::sum(x), true); },
        drawn({3, 4}), rows);
  check([](const Tensor& x, const Tensor&) { return x.argmax().to(kDouble) + ops::count_nonzero(x); }, drawn({3, 4}),
        rows);
  CHECK(warnings.texts == std::vector<std::string>());
}

TEST_CASE("numbers of examples promote as numbers, and a roll without dimensions stays in its example", "[func]") {
  func::warn_of_loops(false);
  Tensor number = ops::full({}, 2, "dtype"_a = kDouble), each = ops::ones({3}, "dtype"_a = kFloat);
  CHECK(func::vmap([&](const Tensor& a) { return ops::div(number, a); })(each).dtype() == kDouble);
  Tensor x = drawn({3, 2, 2});
  Tensor rolled = func::vmap([](const Tensor& a) { return ops::roll(a, {1}); })(x);
  for (std::int64_t i = 0; i < 3; ++i) check_close(rolled.select(0, i), ops::roll(x.select(0, i), {1}));
  Tensor places = func::vmap([](const Tensor& a) { return ops::argwhere(a); })(ops::ones({3, 2}));
  CHECK(places.sizes() == IntArrayRef({3, 2, 1}));
}

TEST_CASE("elementwise operators take examples beside shared tensors of fewer and of more dimensions", "[func][vmap]") {
  std::vector<Tensor> examples = {drawn({3}),
                                  drawn({3, 2}),
                                  drawn({3, 4, 2}),
                                  ops::arange(3, "dtype"_a = kLong),
                                  ops::ones({3, 2}, "dtype"_a = kFloat),
                                  drawn({4, 3, 2}).transpose(0, 1)};
  std::vector<Tensor> shared = {drawn({}), ops::ones({2}, "dtype"_a = kLong), drawn({4, 2}), drawn({5, 1, 2}),
                                ops::full({}, 2.5)};
  auto compare = [](auto f, const Tensor& x) {
    std::vector<Tensor> loop;
    for (std::int64_t i = 0; i < x.size(0); ++i) loop.push_back(f(x[i]));
    Tensor got = func::vmap(f)(x), expected = ops::stack(loop);
    CHECK(got.dtype() == expected.dtype());
    check_close(got, expected);
  };
  for (const Tensor& x : examples) {
    for (const Tensor& y : shared) {
      compare([&](const Tensor& t) { return t + y; }, x);
      compare([&](const Tensor& t) { return ops::where(ops::gt(y, t), y, t * 2); }, x);
    }
    compare([](const Tensor& t) { return ops::exp(t) * t; }, x);
  }
  // Another level's examples are shared here.
  auto outer = [&](const Tensor& a, const Tensor& b) {
    return func::vmap([&](const Tensor& t) { return t * b + a.sum(); })(a);
  };
  Tensor a = drawn({2, 3, 4}), b = drawn({2, 4});
  check_close(func::vmap(outer)(a, b), a * b.unsqueeze(1) + a.sum(IntArrayRef{1, 2}).unsqueeze(1).unsqueeze(2));
}

TEST_CASE("a loss of single examples weighs them as it does outside of vmap", "[func][vmap]") {
  Tensor x = drawn({3, 4}), weight = ops::arange(1, 5, "dtype"_a = kDouble);
  Tensor target = ops::arange(3, "dtype"_a = kLong);
  for (std::int64_t reduction : {0, 1, 2}) {
    auto f = [&](const Tensor& a, const Tensor& t) { return ops::nll_loss_forward(a, t, weight, reduction, 1); };
    auto [losses, totals] = func::vmap(f)(x, target);
    for (std::int64_t i = 0; i < 3; ++i) {
      if (i == 1 && reduction == 1) continue;  // 0 / 0
      auto [loss, total] = f(x[i], target[i]);
      check_close(losses[i], loss);
      check_close(totals[i], total);
      CHECK(total.item<double>() == (i == 1 ? 0 : static_cast<double>(i + 1)));
    }
  }
}

TEST_CASE("a view that may copy takes a batch from any dimension", "[func][vmap]") {
  Tensor x = drawn({2, 3, 4});
  Tensor got = func::vmap([](const Tensor& t) { return ops::_unsafe_view(t, {4, 2}); }, {.in_dims = {1}})(x);
  for (std::int64_t i = 0; i < 3; ++i) check_close(got[i], x.select(1, i).reshape({4, 2}));
}

TEST_CASE("vmap says what is wrong with its arguments", "[func]") {
  auto f = [](const Tensor& x, const Tensor& y) { return ops::add(x, y); };
  Tensor a = drawn({3, 2}), b = drawn({4, 2});
  CHECK_ERROR(func::vmap(f)(a, b), ValueError,
              "vmap: Expected all tensors to have the same size in the mapped dimension, got size 3 of tensor 0 and 4 "
              "of tensor 1; a tensor that all examples share has std::nullopt in in_dims");
  CHECK_ERROR(func::vmap(f, {.in_dims = {0, 2}})(a, b), ValueError,
              "vmap: Got in_dim=2 for tensor 1 of the arguments, but its shape is [4, 2]; in_dims says where the "
              "examples are");
  CHECK_ERROR(func::vmap(f)(a.sum(), b), ValueError,
              "vmap: Got in_dim=0 for tensor 0 of the arguments, but its shape is []; in_dims says where the examples "
              "are");
  CHECK_THROWS_WITH(func::vmap(f, {.in_dims = {std::nullopt}})(a, b), ContainsSubstring("at least one tensor"));
  CHECK_THROWS_WITH(func::vmap([](const Tensor& x) { return tensor(x.item<double>()); })(a.select(1, 0)),
                    ContainsSubstring("(.item()); compute it outside of vmap"));
  Tensor counts = tensor({{1, 2}, {2, 1}});
  CHECK_THROWS_WITH(func::vmap([](const Tensor& x, const Tensor& n) { return ops::repeat_interleave(x, n); })(
                        a.slice(0, 0, 2), counts),
                    ContainsSubstring("output_size"));
  Tensor kept;
  func::vmap([&](const Tensor& x) { return kept = ops::mul(x, 2); })(a);
  CHECK_THROWS_WITH(ops::mul(kept, 2), ContainsSubstring("that has ended"));
}

TEST_CASE("statistics that are not written may be those of all examples", "[func][vmap]") {
  Tensor x = drawn({2, 3, 2, 4}), mean = drawn({2}), var = ops::abs(drawn({2}));
  auto f = [&](const Tensor& a) {
    return std::get<0>(ops::_native_batch_norm_legit(a, std::nullopt, std::nullopt, mean, var, false, 0.1, 1e-5));
  };
  Tensor got = func::vmap(f)(x);
  check_close(got[0], f(x[0]));
  check_close(got[1], f(x[1]));
}

// As PyTorch 2.15 has it by vmap of F.batch_norm and F.instance_norm.
TEST_CASE("running statistics that all examples share are written once, or not at all", "[func][vmap]") {
  Tensor x = ops::arange(8, "dtype"_a = kDouble).view({4, 2}), weight = drawn({3, 2}), bias = drawn({3, 2});
  auto zeros = [] { return ops::zeros({2}, "dtype"_a = kDouble); };
  auto ones = [] { return ops::ones({2}, "dtype"_a = kDouble); };
  auto norm = [&](const Tensor& a, const Tensor& m, const Tensor& v, const Tensor& w, const Tensor& b) {
    return nn::functional::batch_norm(a, m, v, w, b, true);
  };
  const std::vector<double> mean_after{0.3, 0.4}, var_after{1.5666666666666667, 1.5666666666666667};
  auto near = [](const Tensor& t, const std::vector<double>& expected) {
    REQUIRE(t.numel() == static_cast<std::int64_t>(expected.size()));
    for (std::size_t i = 0; i < expected.size(); ++i)
      CHECK(t.reshape({-1})[static_cast<std::int64_t>(i)].item<double>() == Approx(expected[i]).epsilon(1e-12));
  };
  for (bool with_bias : {false, true}) {
    Tensor mean = zeros(), var = ones();
    Tensor got = func::vmap([&](const Tensor& w, const Tensor& b) {
      return norm(x, mean, var, w, with_bias ? b : Tensor());
    })(weight, bias);
    near(mean, mean_after);
    near(var, var_after);
    for (std::int64_t i = 0; i < 3; ++i)
      check_close(got[i], norm(x, zeros(), ones(), weight[i], with_bias ? bias[i] : Tensor()));
  }
  Tensor mean = ops::zeros({3, 2}, "dtype"_a = kDouble), var = ones();
  Tensor got = func::vmap([&](const Tensor& m) { return norm(x, m, var, weight[0], {}); })(mean);
  near(mean, {0.3, 0.4, 0.3, 0.4, 0.3, 0.4});
  near(var, var_after);
  check_close(got[2], norm(x, zeros(), ones(), weight[0], {}));

  Tensor planes = ops::arange(16, "dtype"_a = kDouble).view({2, 2, 4}), m = zeros(), v = ones();
  func::vmap([&](const Tensor& w) { return nn::functional::instance_norm(planes, m, v, w, {}, true); })(weight);
  near(m, {0.55, 0.95});
  near(v, {1.0666666666666667, 1.0666666666666667});

  Tensor all = drawn({3, 4, 2}), all_planes = drawn({3, 2, 2, 4}), kept = zeros(), kept_var = ones();
  const char* words =
      "vmap: aten::native_batch_norm(): the running statistics are the same for all examples, and each would write "
      "them; pass none, or evaluate";
  CHECK_ERROR(func::vmap([&](const Tensor& a) { return norm(a, kept, kept_var, weight[0], {}); })(all),
              func::SharedStatisticsError, words);
  CHECK_ERROR(func::vmap([&](const Tensor& a, const Tensor& own) { return norm(a, own, kept_var, weight[0], {}); })(
                  all, ops::zeros({3, 2}, "dtype"_a = kDouble)),
              func::SharedStatisticsError, words);
  CHECK_ERROR(func::vmap([&](const Tensor& a) {
                return nn::functional::instance_norm(a, kept, kept_var, {}, {}, true);
              })(all_planes),
              func::SharedStatisticsError, words);
  near(kept, {0, 0});
  near(kept_var, {1, 1});
}

TEST_CASE("layers by one call for all examples are those of each example", "[func][vmap]") {
  Tensor weight = drawn({4, 3}), bias = drawn({4}), filters = drawn({2, 3, 2, 2}), scale = drawn({2, 3}),
         shift = drawn({2, 3});
  auto check = [](auto&& f, const Tensor& x) {
    Tensor got = func::vmap(f)(x);
    for (std::int64_t i = 0; i < x.size(0); ++i) check_close(got[i], f(x[i]));
  };
  check([&](const Tensor& x) { return ops::linear(x, weight, bias); }, drawn({5, 3}));
  check([&](const Tensor& x) { return ops::linear(x, weight, bias); }, drawn({5, 2, 3}));
  check([&](const Tensor& x) { return ops::layer_norm(x, {2, 3}, scale, shift); }, drawn({5, 4, 2, 3}));
  check([&](const Tensor& x) { return ops::conv2d(x, filters); }, drawn({5, 3, 4, 4}));
  check([&](const Tensor& x) { return ops::conv2d(x, filters, "padding"_a = "same"); }, drawn({5, 2, 3, 4, 4}));
  for (DimVector sizes : {DimVector{5, 4}, DimVector{5, 3, 4}, DimVector{5, 2, 3, 4}}) {
    Tensor x = drawn(IntArrayRef(sizes));
    check([&](const Tensor& t) { return ops::matmul(t, ops::narrow(weight, 1, 0, 1).squeeze(1)); }, x);
    check([&](const Tensor& t) { return ops::matmul(t, weight); }, x);
    check([&](const Tensor& t) { return ops::matmul(t, weight.unsqueeze(0)); }, x);
  }
  check([](const Tensor& t) { return ops::matmul(t, t.t()); }, drawn({5, 3, 4}));
  // Sizes that fit only with the examples counted in.
  CHECK_THROWS_WITH(func::vmap([](const Tensor& x) {
                      return ops::layer_norm(x, {5, 3});
                    })(drawn({5, 3})),
                    ContainsSubstring("[5, 3]"));
  // One vector or matrix for all, beside rows of each.
  check([&](const Tensor& t) { return ops::mm(t, weight); }, drawn({5, 1, 4}));
  check([&](const Tensor& t) { return ops::mv(weight, t); }, drawn({5, 3}));
}

TEST_CASE("what a function gives back as it is becomes another tensor", "[func][vmap]") {
  Tensor x = drawn({3, 1, 2});
  Tensor same = func::vmap([](const Tensor& t) { return t; })(x);
  CHECK(!same.is_same(x));
  CHECK(same.data_ptr() == x.data_ptr());
  CHECK(func::vmap([](const Tensor& t) { return Tensor(t).squeeze_(0); })(x).sizes() == IntArrayRef({3, 2}));
  CHECK(x.sizes() == IntArrayRef({3, 1, 2}));
  CHECK(func::vmap([](const Tensor& t) { return t.clone().detach_(); })(x).sizes() == x.sizes());
}

TEST_CASE("chunks of a batch draw the numbers that all examples share", "[func]") {
  Tensor x = drawn({5, 2});
  auto shifted = [](const Tensor& a) { return ops::add(a, ops::randn({2}, "dtype"_a = kDouble)); };
  manual_seed(7);
  Tensor whole = func::vmap(shifted, {.randomness = func::Randomness::Same})(x);
  manual_seed(7);
  check_close(func::vmap(shifted, {.randomness = func::Randomness::Same, .chunk_size = 2})(x), whole);
  manual_seed(7);
  Tensor other = func::vmap(shifted, {.randomness = func::Randomness::Different, .chunk_size = 2})(x);
  CHECK(ops::ne(ops::sub(other, x).select(0, 0), ops::sub(other, x).select(0, 2)).all().item<bool>());
}
