// Saved tensors in another form, and checkpoints.
#include <memory>

#include <tenon/autograd/graph/checkpoint.hpp>
#include <tenon/autograd/graph/dot.hpp>
#include <tenon/autograd/graph/function.hpp>
#include <tenon/autograd/graph/saved_hooks.hpp>

#include "../support.hpp"

using namespace tenon;
using test::leaf;
using test::values;

TEST_CASE("what is saved goes through the hooks of the scope", "[autograd][graph][saved_hooks]") {
  Tensor x = leaf({1, 2});
  int packed = 0, unpacked = 0;
  Tensor y, z;
  {
    autograd::SavedTensorHooks hooks(
        [&](const Tensor& t) {
          ++packed;
          return std::pair(t.to(kFloat), 5);
        },
        [&](const std::pair<Tensor, int>& kept) {
          CHECK(kept.second == 5);
          ++unpacked;
          return kept.first.to(kDouble);
        });
    y = mul(x, x);
    z = tenon::exp(y);
  }
  Tensor after = mul(z, z);
  CHECK(packed == 3);
  Tensor first = autograd::grad({sum(z)}, {x}, {}, std::nullopt, true)[0];
  CHECK(unpacked == 3);
  CHECK(values(first)[0] == Approx(2 * std::exp(1.0)));
  CHECK(values(autograd::grad({sum(first)}, {x})[0])[0] == Approx(6 * std::exp(1.0)));
  CHECK_ERROR_CONTAINS(autograd::grad({sum(after)}, {x}), AutogradError,
                       "Trying to backward through the graph a second");
}

TEST_CASE("a hook may not write to what it packs, and a scope may refuse to save", "[autograd][graph][saved_hooks]") {
  Tensor x = leaf({1, 2}), h = mul(x, 2);
  {
    autograd::SavedTensorHooks hooks(
        [](const Tensor& t) {
          Tensor written = t;
          written.add_(1);
          return t;
        },
        [](const Tensor& t) { return t; });
    CHECK_ERROR_CONTAINS(mul(h, h), AutogradError, "A saved tensor pack hook is modifying its input in place.");
  }
  {
    autograd::RefuseSavedTensors refuse("not here");
    CHECK_ERROR_CONTAINS(mul(h, h), AutogradError, "not here");
    CHECK_NOTHROW(add(h, h));
  }
  autograd::SaveOnHost host;
  sum(mul(x, x)).backward();
  CHECK(values(x.grad()) == std::vector<double>{2, 4});
}

namespace {
int runs = 0;
Tensor layers(const Tensor& x, const Tensor& w) {
  ++runs;
  Tensor h = x;
  for (int i = 0; i < 4; ++i) h = tenon::tanh(mul(h, w));
  return h;
}
}  // namespace

TEST_CASE("a checkpoint keeps its inputs alone and has the same gradients", "[autograd][graph][saved_hooks]") {
  Tensor x = test::vector({0.1, 0.2, 0.3}).set_requires_grad(true), w = leaf({1, 2, 3});
  auto plain = autograd::grad({sum(layers(x, w))}, {x, w});
  runs = 0;
  Tensor y = autograd::checkpoint(layers, x, w);
  CHECK(runs == 1);
  CHECK(autograd::saved_bytes(layers(x, w), std::vector<Tensor>{x, w}) == 4 * 24);
  CHECK(autograd::saved_bytes(y, std::vector<Tensor>{x, w}) == 0);
  runs = 0;
  auto got = autograd::grad({sum(y)}, {x, w}, {}, true);
  CHECK(runs == 1);
  CHECK(values(got[0]) == values(plain[0]));
  CHECK(values(got[1]) == values(plain[1]));
  // Gradients of gradients, and a checkpoint within another.
  auto nested = [](const Tensor& a, const Tensor& b) { return autograd::checkpoint(layers, mul(a, 1), b); };
  auto second = [](const Tensor& loss, const Tensor& of) {
    Tensor g = autograd::grad({loss}, {of}, {}, std::nullopt, true)[0];
    return values(autograd::grad({sum(mul(g, g))}, {of})[0]);
  };
  std::vector<double> expected = second(sum(layers(x, w)), w);
  CHECK(second(sum(autograd::checkpoint(layers, x, w)), w) == expected);
  CHECK(second(sum(autograd::checkpoint(nested, x, w)), w) == expected);
}

TEST_CASE("the function of a checkpoint may ask for gradients itself", "[autograd][graph][saved_hooks]") {
  // A gradient penalty: what the result depends on is a gradient of steps of the same run.
  auto penalised = [](const Tensor& x, const Tensor& w) {
    Tensor y = tenon::exp(mul(x, w)), slope = autograd::grad({sum(y)}, {x}, {}, true, true)[0];
    return add(sum(mul(tenon::sin(y), w)), sum(mul(slope, slope)));
  };
  Tensor x = leaf({0.5, -1, 2}), w = leaf({0.25, 1, -0.5});
  auto expected = autograd::grad({penalised(x, w)}, {x, w});
  auto got = autograd::grad({autograd::checkpoint(penalised, x, w)}, {x, w});
  CHECK(values(got[0]) == values(expected[0]));
  CHECK(values(got[1]) == values(expected[1]));
  // Nothing of the second run is left: a saved result would keep its node, and the node that result.
  std::weak_ptr<int> left;
  {
    auto mark = std::make_shared<int>(0);
    left = mark;
    Tensor y = autograd::checkpoint([mark](const Tensor& t) { return tenon::exp(tenon::exp(t)); }, x);
    sum(y).backward();
  }
  CHECK(left.expired());
}

TEST_CASE("a checkpoint draws the same numbers again and leaves the generator as it was",
          "[autograd][graph][saved_hooks]") {
  Tensor x = leaf({1, 2, 3, 4, 5, 6, 7, 8});
  auto noisy = [](const Tensor& t) { return mul(t, mul(t, ops::rand({8}, "dtype"_a = kDouble))); };
  manual_seed(5);
  auto plain = autograd::grad({sum(noisy(x))}, {x});
  auto next = values(ops::rand({2}, "dtype"_a = kDouble));
  manual_seed(5);
  Tensor y = autograd::checkpoint(noisy, x);
  auto got = autograd::grad({sum(y)}, {x});
  CHECK(values(got[0]) == values(plain[0]));
  CHECK(values(ops::rand({2}, "dtype"_a = kDouble)) == next);
}

TEST_CASE("a checkpoint that does something else the second time is told", "[autograd][graph][saved_hooks]") {
  Tensor x = leaf({1, 2});
  int run = 0;
  auto changing = [&run](const Tensor& t) { return run++ % 2 == 0 ? mul(t, t) : tenon::exp(t); };
  CHECK_ERROR_CONTAINS(sum(autograd::checkpoint(changing, x)).backward(), AutogradError,
                       "A different number of tensors was saved during the original forward and recomputation.");
  run = 0;
  auto reshaping = [&run](const Tensor& t) { return run++ % 2 == 0 ? tenon::exp(t) : tenon::exp(t.reshape({2, 1})); };
  CHECK_ERROR_CONTAINS(sum(autograd::checkpoint(reshaping, x)).backward(), AutogradError,
                       "have different metadata than during the forward pass");
}

TEST_CASE("a checkpoint's second run ends where all is there that the first saved", "[autograd][graph][saved_hooks]") {
  Tensor x = leaf({0.5, -1});
  int ends = 0;
  // What follows the last save writes to what was saved.
  auto writing = [&ends](const Tensor& t) {
    Tensor y = tenon::tanh(t);
    y.mul_(2);
    ++ends;
    return y;
  };
  auto expected = autograd::grad({sum(mul(tenon::tanh(x), 2))}, {x});
  Tensor y = autograd::checkpoint(writing, x);
  CHECK(values(autograd::grad({sum(y)}, {x})[0]) == values(expected[0]));
  CHECK(ends == 1);
  // A function that will not be stopped saves more without harm.
  int swallowed = 0;
  auto going_on = [&swallowed](const Tensor& t) {
    Tensor twice;
    try {
      twice = mul(tenon::exp(t), 2);
    } catch (...) {
      ++swallowed;
      twice = tenon::sin(t);
    }
    return twice;
  };
  CHECK(values(autograd::grad({sum(autograd::checkpoint(going_on, x))}, {x})[0])[0] == Approx(2 * std::exp(0.5)));
  CHECK(swallowed == 1);
  // To the end, when asked to.
  ends = 0;
  auto plain = [&ends](const Tensor& t) {
    Tensor y = mul(tenon::exp(t), 2);
    ++ends;
    return y;
  };
  autograd::grad({sum(autograd::checkpoint({.early_stop = false}, plain, x))}, {x});
  CHECK(ends == 2);
  int run = 0;
  auto growing = [&run](const Tensor& t) { return run++ % 2 == 0 ? tenon::exp(t) : mul(tenon::exp(t), t); };
  CHECK_ERROR_CONTAINS(sum(autograd::checkpoint({.early_stop = false}, growing, x)).backward(), AutogradError,
                       "Number of tensors saved during forward: 1. Number of tensors saved during recomputation: 3");
}

TEST_CASE("an inference tensor is saved by no hook and by no checkpoint", "[autograd][graph][saved_hooks]") {
  Tensor x = [] {
    InferenceMode guard;
    return ones({2}, "dtype"_a = kDouble);
  }();
  Tensor w = leaf({1, 2});
  constexpr const char* said = "Inference tensors cannot be saved for backward.";
  CHECK_ERROR_CONTAINS(autograd::checkpoint([](const Tensor& a, const Tensor& b) { return mul(a, b); }, x, w),
                       AutogradError, said);
  CHECK_ERROR_CONTAINS(autograd::checkpoint([&](const Tensor& a) { return mul(a, w); }, x), AutogradError, said);
  auto twice = [](const Tensor& a) { return add(a, a); };
  CHECK_ERROR_CONTAINS(autograd::checkpoint(twice, x), AutogradError, said);
  {
    NoGradGuard off;
    CHECK(autograd::checkpoint(twice, x).is_same(x) == false);
  }
  autograd::SavedTensorHooks hooks([](const Tensor& t) { return t; }, [](const Tensor& t) { return t; });
  CHECK_ERROR_CONTAINS(mul(x, w), AutogradError, said);
  CHECK(add(x, w).requires_grad());
  CHECK(mul(x.clone(), w).requires_grad());
}

TEST_CASE("a checkpoint whose input was written does not run again", "[autograd][graph][saved_hooks]") {
  Tensor x = leaf({1, 2}), scale = test::vector({3, 4});
  Tensor y =
      autograd::checkpoint([](const Tensor& a, const Tensor& b) { return mul(tenon::sin(a), add(b, 1)); }, x, scale);
  scale.add_(1);
  CHECK_ERROR_CONTAINS(
      autograd::grad({sum(y)}, {x}), AutogradError,
      "one of the variables needed for gradient computation has been modified by an inplace operation: [float64 [2]], "
      "tensor 1 of the inputs of checkpoint(), is at version 1; expected version 0 instead; last written by "
      "aten::add_.Scalar. Hint: clone() the tensor before the inplace operation, or apply the operation out of place.");
}

TEST_CASE("a node that gets no gradient reads what it saved all the same", "[autograd][graph][saved_hooks]") {
  Tensor x = leaf({1, 2}), y = leaf({1, 2});
  int unpacked = 0;
  auto same = [](const Tensor& t) { return t; };
  Tensor z;
  {
    autograd::SavedTensorHooks hooks(same, [&](const Tensor& t) {
      ++unpacked;
      return t;
    });
    z = tenon::sin(x);
  }
  // No gradient of the second result flows back.
  struct First : autograd::Function<First> {
    static Tensor forward(autograd::AutogradContext&, const Tensor& a, const Tensor& b) { return mul(a, add(b, 1)); }
    static std::tuple<Tensor, Tensor> backward(autograd::AutogradContext&, TensorList grads) {
      return {grads[0], Tensor()};
    }
  };
  Tensor out = First::apply(y, z);
  autograd::grad({sum(out)}, {x, y}, {}, true, false, true);
  CHECK(unpacked == 1);
  autograd::grad({sum(z)}, {x});
  CHECK_ERROR_CONTAINS(autograd::grad({sum(out)}, {x, y}, {}, std::nullopt, false, true), AutogradError,
                       "Trying to backward through the graph a second");
}

TEST_CASE("a sequence of functions is checkpointed in segments", "[autograd][graph][saved_hooks]") {
  static int calls;
  Tensor x = leaf({0.1, 0.2, 0.3}), w = leaf({1, 2, 3});
  auto layer = [&](const Tensor& t) {
    ++calls;
    return tenon::tanh(mul(t, w));
  };
  std::vector<std::function<Tensor(const Tensor&)>> five(5, layer);
  Tensor plain = x;
  for (const auto& f : five) plain = f(plain);
  auto expected = autograd::grad({sum(plain)}, {x, w});
  struct Sequence {
    std::tuple<decltype(layer), decltype(layer), decltype(layer), decltype(layer), decltype(layer)> parts;
  };
  auto check = [&](const auto& functions) {
    calls = 0;
    Tensor y = autograd::checkpoint_sequential(functions, 2, x);
    CHECK(calls == 5);
    CHECK(values(y) == values(plain));
    // The last segment keeps what its three functions save, the first nothing but x.
    CHECK(autograd::saved_bytes(y, std::vector<Tensor>{x, w}) ==
          autograd::saved_bytes(layer(layer(layer(x))), std::vector<Tensor>{x, w}) + 24);
    calls = 0;
    auto found = autograd::grad({sum(y)}, {x, w});
    CHECK(calls == 2);
    CHECK(values(found[0]) == values(expected[0]));
    CHECK(values(found[1]) == values(expected[1]));
  };
  check(five);
  check(std::tuple(layer, layer, layer, layer, layer));
  check(Sequence{{layer, layer, layer, layer, layer}});
  CHECK_ERROR_CONTAINS(autograd::checkpoint_sequential(five, 6, x), ValueError,
                       "checkpoint_sequential: expected between 1 and 5 segments, got 6");
  nn::Sequential net{nn::Linear{3, 3}, nn::ReLU{}, nn::Linear{3, 2}};
  Tensor in = ops::ones({4, 3}), out = autograd::checkpoint_sequential(net, 3, in);
  CHECK(values(out) == values(net(in)));
}
