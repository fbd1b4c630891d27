// functionalize(f): what comes back, what the arguments hold, gradients, and random programs beside the eager run.
#include <tenon/transform/functionalize.hpp>

#include <random>

#include "support.hpp"

using namespace test;
using namespace functionalization;

namespace {

constexpr Remove both[] = {Remove::Mutations, Remove::MutationsAndViews};

/// Equal in every respect that a program can see.
void check_same(const Tensor& got, const Tensor& expected, bool layout = true) {
  REQUIRE(!is_functional_tensor(got));
  REQUIRE(got.dtype() == expected.dtype());
  REQUIRE(list(got.sizes()) == list(expected.sizes()));
  REQUIRE(values(got) == values(expected));
  if (!layout) return;
  REQUIRE(list(got.strides()) == list(expected.strides()));
  REQUIRE(got.storage_offset() == expected.storage_offset());
}

}  // namespace

TEST_CASE("a functionalized function writes its arguments and returns plain tensors", "[transform]") {
  auto f = [](const Tensor& x, const Scalar& by, Tensor& y) {
    Tensor row = x.select(0, 1);
    row.mul_(by);
    y.add_(row);
    return row + 1;
  };
  for (Remove remove : both) {
    Tensor x = counted({2, 3}), y = ops::ones({3}), ex = counted({2, 3}), ey = ops::ones({3});
    Tensor expected = f(ex, 2, ey);
    Tensor got = functionalize(f, remove)(x, 2, y);
    check_same(got, expected);
    check_same(x, ex);
    check_same(y, ey);
  }
}

TEST_CASE("results that are arguments, or views of them, still are", "[transform]") {
  auto f = [](const Tensor& x) {
    x.add_(1);
    return std::make_tuple(x, x.view({6}), x.clone());
  };
  Tensor x = counted({2, 3});
  auto [same, view, copy] = functionalize(f)(x);
  CHECK((same.is_same(x) && view->storage() == x->storage() && view.is_view() && copy->storage() != x->storage()));
  view.zero_();
  CHECK(values(x) == Numbers{0, 0, 0, 0, 0, 0});
  auto [same_again, no_view, copy_again] = functionalize(f, Remove::MutationsAndViews)(x);
  CHECK((same_again.is_same(x) && no_view->storage() != x->storage()));
  check_same(no_view, view);
  // Of two results over one memory that the function made, too.
  auto g = [](const Tensor& x) {
    Tensor y = x * 2, z = y.t();
    z.select(0, 0).zero_();
    return std::vector<Tensor>{y, z};
  };
  auto pair = functionalize(g)(x);
  CHECK(pair[0]->storage() == pair[1]->storage());
  check_same(pair[1], g(x)[1]);
}

TEST_CASE("arguments and results may be lists, tuples, optionals and nothing", "[transform]") {
  auto f = [](const std::vector<Tensor>& list, const std::optional<Tensor>& maybe, std::pair<Tensor, int> pair,
              const Tensor& undefined) {
    for (const Tensor& t : list) t.add_(pair.second);
    if (maybe) maybe->sub_(1);
    CHECK(!undefined.defined());
    pair.first.copy_(list[0]);
  };
  std::vector<Tensor> l{counted({2}), counted({3})};
  std::optional<Tensor> maybe = counted({2});
  Tensor first = ops::zeros({2});
  functionalize(f)(l, maybe, std::pair(first, 5), Tensor());
  CHECK((values(l[0]) == Numbers{5, 6} && values(l[1]) == Numbers{5, 6, 7}));
  CHECK((values(*maybe) == Numbers{-1, 0} && values(first) == Numbers{5, 6}));
  auto g = [](TensorList l) { return std::tuple(l[0] + l[1], l.size(), std::optional<Tensor>()); };
  auto [sum, n, none] = functionalize(g)(TensorList(std::vector<Tensor>{first, first}));
  CHECK((values(sum) == Numbers{10, 12} && n == 2 && !none));
}

TEST_CASE("tensors that a function makes are functional", "[transform]") {
  auto f = [](const Tensor& x) {
    Tensor sum = ops::zeros({2}), table = tensor({1.0, 2.0});
    CHECK((is_functional_tensor(sum) && is_functional_tensor(table)));
    for (int i = 0; i < 3; ++i) sum.add_(x.select(0, i));
    table.mul_(sum);
    return table;
  };
  Tensor expected = tensor({6.0, 18.0});
  for (Remove remove : both) check_same(functionalize(f, remove)(counted({3, 2})), expected, false);
  CHECK_FALSE(is_functional_tensor(ops::zeros({2})));
  // Tensors from elsewhere are read as they are; written, they are refused.
  Tensor outside = ops::ones({2});
  check_same(functionalize([&](const Tensor& x) { return x + outside; })(counted({2})), counted({2}) + 1);
  CHECK_THROWS_AS(functionalize([&](const Tensor& x) { outside.add_(x); })(counted({2})), ValueError);
  CHECK_FALSE(is_included(DispatchKey::Functionalize));
}

TEST_CASE("functionalized functions nest", "[transform]") {
  const auto inner = functionalize([](const Tensor& x) { return x.add_(1); });
  auto outer = functionalize([&](const Tensor& x) {
    Tensor y = inner(x);
    y.select(0, 0).mul_(10);
    return y.sum();
  });
  Tensor x = counted({3});
  CHECK(values(outer(x)) == Numbers{15});
  CHECK(values(x) == Numbers{10, 2, 3});
}

TEST_CASE("arguments that share memory see each other's writes", "[transform]") {
  auto f = [](const Tensor& x, const Tensor& y, const Tensor& z) {
    x.add_(10);
    y.mul_(2);
    return z.sum();
  };
  for (Remove remove : both) {
    Tensor m = counted({2, 3}), e = counted({2, 3});
    Tensor expected = f(e, e.t().select(0, 1), e.view({6}));
    check_same(functionalize(f, remove)(m, m.t().select(0, 1), m.view({6})), expected);
    check_same(m, e);
    check_same(functionalize(f, remove)(m, m, m), f(e, e, e));
    check_same(m, e);
  }
}

TEST_CASE("geometry that a function changes is changed", "[transform]") {
  auto f = [](const Tensor& x) {
    ops::t_(const_cast<Tensor&>(x));
    x.select(0, 0).zero_();
  };
  Tensor x = counted({2, 3}), e = counted({2, 3});
  functionalize(f)(x);
  f(e);
  check_same(x, e);
  // A square is turned by its strides alone.
  Tensor square = counted({3, 3}), turned = counted({3, 3});
  functionalize(f)(square);
  f(turned);
  CHECK(list(square.strides()) == Ints{1, 3});
  check_same(square, turned);
  Tensor out = ops::empty({0});
  functionalize([](const Tensor& a, Tensor& out) { ops::add(a, a, "out"_a = out); })(counted({3}), out);
  CHECK((values(out) == Numbers{0, 2, 4} && list(out.sizes()) == Ints{3}));
}

TEST_CASE("gradients are those of the function", "[transform]") {
  auto f = [](const Tensor& x, const Tensor& w) {
    Tensor h = x * w, row = h.select(0, 0), block = h.as_strided({2, 2}, {3, 1}, 1);
    row.sin_();
    block.mul_(w.select(0, 1).narrow(0, 0, 2));
    h.t().select(0, 2).copy_(row.narrow(0, 0, 2));
    Tensor buffer = ops::zeros({2, 3}, "dtype"_a = kDouble);
    buffer.select(0, 1).copy_(h.select(0, 1));
    buffer.add_(h);
    return (buffer * h).sum();
  };
  auto run = [&](auto g) {
    Tensor x = counted({2, 3}, kDouble) / 5, w = counted({2, 3}, kDouble) / 7 + 1;
    x.requires_grad_();
    w.requires_grad_();
    Tensor y = g(x, w);
    y.backward();
    return std::vector<Tensor>{y.detach(), x.grad(), w.grad()};
  };
  auto expected = run(f);
  for (Remove remove : both) {
    auto got = run(functionalize(f, remove));
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t k = 0; k < values(expected[i]).size(); ++k)
        CHECK(values(got[i])[k] == Approx(values(expected[i])[k]).epsilon(1e-12));
  }
}

TEST_CASE("gradients flow through arguments that are written", "[transform]") {
  auto f = [](const Tensor& h, const Tensor& s) {
    h.sin_();
    h.select(0, 0).mul_(s);
    return h.select(0, 1);
  };
  auto run = [&](auto g) {
    Tensor x = counted({2, 3}, kDouble), s = tensor(3.0, "dtype"_a = kDouble);
    x.requires_grad_();
    s.requires_grad_();
    Tensor h = x * 2, view = g(h, s);
    (h * h + view).sum().backward();
    return std::vector<Numbers>{values(h), values(x.grad()), values(s.grad())};
  };
  CHECK(run(functionalize(f)) == run(f));
  Tensor leaf = counted({2});
  leaf.requires_grad_();
  CHECK_THROWS_AS(functionalize([](const Tensor& x) { x.add_(1); })(leaf), AutogradError);
  {
    NoGradGuard guard;
    functionalize([](const Tensor& x) { x.add_(1); })(leaf);
  }
  CHECK((values(leaf) == Numbers{1, 2} && leaf.is_leaf() && leaf.requires_grad()));
}

TEST_CASE("writes that would cut gradients are refused", "[transform]") {
  Tensor x = counted({2}) * 1;
  x.requires_grad_();
  auto unrecorded = [](const Tensor& x) {
    Tensor y = x * 2;
    {
      NoGradGuard guard;
      y.add_(1);
    }
    return y;
  };
  auto through_detach = [](const Tensor& x) {
    Tensor y = x * 2;
    y.detach().add_(1);
    return y;
  };
  for (int which = 0; which < 2; ++which)
    CHECK_THROWS_TEXT(
        which ? functionalize(unrecorded)(x) : functionalize(through_detach)(x),
        "aten::add_.Scalar(Tensor(a!) self, Scalar other, Scalar alpha=1) -> Tensor(a!): argument 1 'self': a write that is not recorded, through detach() or with gradients off, to a functional tensor that requires grad would cut the gradients recorded so far; write to a clone(), or call the functionalized function with gradients off");
  Tensor base = x * 1;
  CHECK_THROWS_TEXT(
      functionalize([](const Tensor& a, const Tensor&) { a.neg_(); })(base, base.view({2, 1})),
      "aten::neg_(Tensor(a!) self) -> Tensor(a!): argument 1 'self': expected an argument of the functionalized function that shares memory with no other, got one of several that require grad; pass one of them, and make the others from it in the function");
  CHECK(values(functionalize([](const Tensor& a, const Tensor& b) { return a + b; })(base, base.view({2}))) ==
        Numbers{0, 2});
}

TEST_CASE("a network trains through a functionalized loss", "[transform]") {
  nn::Linear layer{4, 3};
  auto loss = [&](const Tensor& x, const Tensor& target) {
    Tensor h = layer(x);
    h.select(1, 0).mul_(2);
    ops::relu_(h);
    return nn::functional::cross_entropy(h, target);
  };
  Tensor x = ops::randn({5, 4}), target = tensor({0, 1, 2, 1, 0});
  auto gradients = [&](auto f) {
    for (Tensor& p : nn::parameters(layer)) p.grad() = Tensor();
    Tensor l = f(x, target);
    l.backward();
    std::vector<Numbers> out{values(l)};
    for (const Tensor& p : nn::parameters(layer)) out.push_back(values(p.grad()));
    return out;
  };
  for (Remove remove : both) CHECK(gradients(functionalize(loss, remove)) == gradients(loss));
}

TEST_CASE("gradients may be taken within a functionalized function", "[transform]") {
  auto f = [](const Tensor& x) {
    x.requires_grad_();
    Tensor y = x * 3;
    y.select(0, 0).mul_(x.select(0, 1));
    (y * y).sum().backward();
    return x.grad();
  };
  for (Remove remove : both)
    check_same(functionalize(f, remove)(tensor({1.0, 2.0, 3.0})), f(tensor({1.0, 2.0, 3.0})), false);
}

TEST_CASE("the three passes: no write, no alias, and the views added back", "[transform]") {
  auto f = [](const Tensor& x) {
    Tensor y = x.t().select(0, 1), rows = x.view({3, 2});
    y.mul_(2);
    rows.unbind(0)[2].copy_(y.clone());
    Tensor z = rows * 1;
    z.split(2)[1].zero_();
    ops::t_(z);
    return std::vector<Tensor>{rows, z, z.select(0, 0)};
  };
  Tensor expected_x = counted({2, 3});
  auto expected = f(expected_x);
  for (Remove remove : both) {
    Tensor x = counted({2, 3});
    Below seen;
    std::vector<Tensor> got;
    {
      CallObserverGuard guard(seen);
      got = functionalize(f, remove)(x);
    }
    CHECK(seen.written == Lines{"aten::copy_"});  // mutation removal
    for (const std::string& name : seen.ops) {
      INFO(name);
      const auto& s = Registry::get().find_schema(name).schema();
      bool at_end = name == "aten::copy_" || remove == Remove::Mutations;
      CHECK((at_end || !schema::has_alias_info(s)));  // alias removal
    }
    CHECK(contains(seen.ops, "aten::split_copy.Tensor") == (remove == Remove::MutationsAndViews));
    check_same(x, expected_x);
    for (std::size_t i = 0; i < 3; ++i) check_same(got[i], expected[i], remove == Remove::Mutations);
    CHECK((got[0]->storage() == x->storage()) == (remove == Remove::Mutations));  // views added back
    CHECK((got[1]->storage() == got[2]->storage()) == (remove == Remove::Mutations));
  }
}

TEST_CASE("in inference mode nothing is recorded", "[transform]") {
  InferenceMode mode;
  Tensor x = counted({2, 3});
  Tensor y = functionalize([](const Tensor& x) {
    x.t().select(0, 0).add_(1);
    return x.reshape({6});
  })(x);
  CHECK((values(y) == Numbers{1, 1, 2, 4, 4, 5} && y.impl().is_inference()));
}

// Views and writes in any order, over one argument and tensors made on the way.
TEST_CASE("random programs compute what they compute eagerly", "[transform]") {
  int writes = 0, refused = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    auto program = [&](const Tensor& x) {
      std::mt19937 random(seed);
      auto below = [&](std::int64_t n) { return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n)); };
      std::vector<Tensor> pool{x};
      for (int step = 0; step < 14; ++step) {
        Tensor t = pool[static_cast<std::size_t>(below(static_cast<std::int64_t>(pool.size())))], made;
        std::int64_t d = t.dim() ? below(t.dim()) : 0, choice = below(24), n = t.dim() ? t.size(d) : 1;
        try {
          switch (choice) {
            case 0: made = t.t(); break;
            case 1: made = t.select(d, below(n)); break;
            case 2: made = t.slice(d, below(n), n, 1 + below(2)); break;
            case 3: made = t.view({t.numel()}); break;
            case 4: made = t.reshape({t.numel()}); break;
            case 5: made = t.unsqueeze(d); break;
            case 6: made = t.transpose(0, d); break;
            case 7: made = t.diagonal(); break;
            case 8: made = t.as_strided({2, 2}, {2 + below(2), 1}, below(6)); break;
            case 9: pool.push_back(t.split(1 + below(n), d).back()); break;
            case 10: made = t.unbind(d)[0]; break;
            case 11: made = t * 2; break;
            case 12: made = t.contiguous(); break;
            case 13: made = t.expand({2, t.numel()}); break;
            case 14: made = t.squeeze(); break;
            case 15:
              t.add_(static_cast<double>(1 + below(5)));
              ++writes;
              break;
            case 16:
              t.mul_(-1);
              ++writes;
              break;
            case 17:
              t.copy_(pool.back().sum() / 7);
              ++writes;
              break;
            case 18:
              t.zero_();
              ++writes;
              break;
            case 19:
              t.fill_(static_cast<double>(below(9)));
              ++writes;
              break;
            case 20: ops::t_(t); break;
            case 21: ops::unsqueeze_(t, d); break;
            case 22:
              t.sub_(t.clone() * 3);
              ++writes;
              break;
            case 23: made = t.narrow(d, 0, 1 + below(n)); break;
          }
        } catch (const Error&) { ++refused; }
        if (made.defined()) pool.push_back(made);
      }
      return pool;
    };
    Tensor memory = counted({3, 8}, kDouble), again = counted({3, 8}, kDouble), copies = counted({3, 8}, kDouble);
    auto input = [&](const Tensor& m) {
      return seed % 3 == 0 ? m : seed % 3 == 1 ? m.narrow(1, 2, 4).t() : m.select(0, 1).view({2, 4});
    };
    Tensor x = input(memory), y = input(again), z = input(copies);
    refused = 0;
    auto expected = program(x);
    int refused_eagerly = std::exchange(refused, 0);
    auto got = functionalize(program)(y);
    REQUIRE(std::exchange(refused, 0) == refused_eagerly);
    auto copied = functionalize(program, Remove::MutationsAndViews)(z);
    REQUIRE(refused == refused_eagerly);
    REQUIRE((got.size() == expected.size() && copied.size() == expected.size()));
    INFO("seed " << seed);
    for (std::size_t i = 0; i < got.size(); ++i) {
      INFO("tensor " << i);
      check_same(got[i], expected[i]);
      check_same(copied[i], expected[i], false);
      for (std::size_t k = 0; k < i; ++k)
        REQUIRE((got[i]->storage() == got[k]->storage()) == (expected[i]->storage() == expected[k]->storage()));
    }
    check_same(again, memory);
    check_same(copies, memory);
    check_same(y, x);
    check_same(z, x);
  }
  CHECK(writes > 1000);
}
