// Selecting, sorting and matrix operators on Meta tensors of symbolic sizes.
#include "symbolic.hpp"

using namespace test;

TEST_CASE("selections by a list of indices have as many rows as indices", "[ops][symbolic]") {
  Trace t;
  auto select = [](SymInt n, SymInt m) {
    Tensor rows = meta({n, 16});  // before the indices: compilers order arguments as they like, and guards follow
    return ops::index_select(rows, 0, meta({m}, kLong));
  };
  CHECK(shape(traced(t, select)) == "[s1, 16]");
  CHECK(strides(traced(t, select)) == "[16, 1]");
  CHECK(shape(traced(t, [](SymInt n, SymInt m) {
          return ops::index_add(meta({m, n}), 1, meta({3}, kLong), meta({m, 3}));
        })) == "[s1, s0]");
  CHECK(shape(traced(t, [](SymInt n, SymInt m) {
          return ops::index_select_backward(meta({m, 16}), SymDimVector{n, 16}, 0, meta({m}, kLong));
        })) == "[s0, 16]");
  Texts made{"s0 > 0", "s1 > 0"};
  CHECK(t.guards() == made);
  Tensor x = t.make({t.n, 16}), index = t.make({t.m}, kLong);
  Tensor out = meta({0});
  ops::index_select(x, 0, index, "out"_a = out);
  CHECK(shape(out) == "[s1, 16]");
  CHECK(shape(ops::index_add_(x, 0, index, t.make({t.m, 16}))) == "[s0, 16]");
  CHECK(t.guards() == made);
  CHECK_ERROR(ops::index_add(x, 0, index, t.make({t.n, 16})), ValueError,
              "index_add_(): Number of indices (s1) should be equal to source.size(dim): (s0), for dim: 0");
  CHECK_ERROR(ops::index_add(x, 0, index, t.make({t.m, t.n})), ValueError,
              "source tensor shape must match self tensor shape, excluding the specified dimension. Got self.shape = "
              "[s0, 16] source.shape = [s1, s0]");
  CHECK_ERROR_CONTAINS(ops::index_select(x, 0, index, "out"_a = x), ValueError, "refer to a single memory location");
}

TEST_CASE("one_hot of symbolic classes wants their number", "[ops][symbolic]") {
  Trace t;
  CHECK(shape(traced(t, [](SymInt n, SymInt m) { return ops::one_hot(meta({n, m}, kLong), 10); })) == "[s0, s1, 10]");
  CHECK(t.guards() == Texts{"s0 > 0", "s1 > 0"});
  CHECK_ERROR(ops::one_hot(t.make({t.n}, kLong)), ValueError,
              "one_hot(): expected argument 'num_classes' for a tensor without data");
}

TEST_CASE("gather and scatter guard that the index fits", "[ops][symbolic]") {
  Trace t;
  CHECK(shape(traced(t, [](SymInt n, SymInt m) {
          return ops::gather(meta({n, m}), 1, meta({n, 1}, kLong));
        })) == "[s0, 1]");
  CHECK(t.guards() == Texts{"s0 > 0", "s1 > 0"});
  CHECK(shape(traced(t, [](SymInt n, SymInt m) {
          return ops::gather(meta({m, 3}), 1, meta({n, 7}, kLong));
        })) == "[s0, 7]");
  CHECK(t.guards().back() == "s0 <= s1");
  CHECK(t.env->holds_for({5, 5}));
  CHECK_FALSE(t.env->holds_for({5, 4}));
  CHECK_ERROR(ops::gather(t.make({t.n, 3}), 1, t.make({t.m, 3}, kLong)), ValueError,
              "Size does not match at dimension 0 expected index [s1, 3] to be no larger than self [s0, 3] apart from "
              "dimension 1");

  Trace u;
  auto dtype = kLong;
  CHECK(shape(traced(u, [&](SymInt n, SymInt m) {
          return ops::scatter(meta({n, m}), 0, meta({n, m}, dtype), meta({n, m}));
        })) == "[s0, s1]");
  CHECK(shape(traced(u, [&](SymInt n, SymInt m) {
          return ops::scatter(meta({n, m}), 0, meta({1, m}, dtype), 2);
        })) == "[s0, s1]");
  CHECK(shape(traced(u, [&](SymInt n, SymInt m) {
          return ops::scatter(meta({n, m}), 1, meta({n, 9}, dtype), meta({n, 9}), "reduce"_a = "add");
        })) == "[s0, s1]");
  CHECK(shape(traced(u, [&](SymInt n, SymInt m) {
          return ops::scatter(meta({n, m}), 1, meta({n, 9}, dtype), 3, "reduce"_a = "multiply");
        })) == "[s0, s1]");
  CHECK(shape(traced(u, [&](SymInt n, SymInt m) {
          return ops::scatter_add(meta({n, m}), -1, meta({n, m}, dtype), meta({n, m}));
        })) == "[s0, s1]");
  CHECK(u.guards() == Texts{"s0 > 0", "s1 > 0"});
  Tensor x = u.make({u.n, u.m});
  CHECK(shape(ops::scatter_(x, 1, u.make({u.n, 1}, kLong), 1)) == "[s0, s1]");
  CHECK_ERROR(ops::scatter(x, 1, u.make({u.m, 1}, kLong), 1), ValueError,
              "Expected index [s1, 1] to be no larger than self [s0, s1] apart from dimension 1");
  CHECK_ERROR(ops::scatter(x, 1, u.make({u.m, 1}, kLong), x), ValueError,
              "Expected index [s1, 1] to be no larger than self [s0, s1] apart from dimension 1 and to be no larger "
              "size than src [s0, s1]");
}

TEST_CASE("masks broadcast symbolic sizes", "[ops][symbolic]") {
  Trace t;
  CHECK(shape(traced(t, [](SymInt n, SymInt m) {
          return ops::masked_fill(meta({n, m}), meta({m}, kBool), 0);
        })) == "[s0, s1]");
  CHECK(shape(traced(t, [](SymInt n, SymInt m) {
          return ops::masked_fill(meta({m}), meta({n, 1}, kBool), meta({}));
        })) == "[s0, s1]");
  Tensor turned = traced(t, [](SymInt n, SymInt) {
    return ops::masked_fill(ops::t(meta({n, 3})), meta({n}, kBool), 0);
  });
  CHECK(shape(turned) == "[3, s0]");
  CHECK(strides(turned) == "[s0, 1]");
  Tensor x = t.make({t.n, t.m});
  CHECK(shape(ops::masked_fill_(x, t.make({t.m}, kBool), 1)) == "[s0, s1]");
  CHECK_ERROR(ops::masked_fill_(x, t.make({2, t.n, t.m}, kBool), 1), ValueError,
              "output with shape [s0, s1] doesn't match the broadcast shape [2, s0, s1]");
}

TEST_CASE("symbolic tensors are rolled, flipped and sorted", "[ops][symbolic]") {
  Trace t;
  CHECK(shape(traced(t, [](SymInt n, SymInt m) { return ops::roll(meta({n, m}), 1, 0); })) == "[s0, s1]");
  CHECK(shape(traced(t, [](SymInt n, SymInt m) { return ops::roll(meta({n, m}), m - n); })) == "[s0, s1]");
  CHECK(shape(traced(t, [](SymInt n, SymInt m) { return std::get<0>(ops::sort(meta({n, m}), 0)); })) == "[s0, s1]");
  CHECK(traced(t, [](SymInt n, SymInt m) { return std::get<1>(ops::sort(meta({n, m}), 0)); }).dtype() == kLong);
  CHECK(shape(traced(t, [](SymInt n, SymInt m) {
          return std::get<1>(ops::sort(ops::t(meta({n, m})), "stable"_a = true, "dim"_a = 0));
        })) == "[s1, s0]");
  CHECK(shape(traced(t, [](SymInt n, SymInt) { return ops::argsort(meta({n, 3})); })) == "[s0, 3]");
  CHECK(shape(traced(t, [](SymInt n, SymInt) { return ops::argsort(meta({n, 3}), "stable"_a = true); })) == "[s0, 3]");
  CHECK(t.guards() == Texts{"s0 > 0", "s1 > 0", "s1 != 1"});
  Tensor flipped = traced(t, [](SymInt n, SymInt) { return ops::flip(ops::t(meta({n, 16})), {0, 1}); });
  CHECK(shape(flipped) == "[16, s0]");
  CHECK(strides(flipped) == "[1, 16]");
  CHECK(t.guards() == Texts{"s0 > 0", "s1 > 0", "s1 != 1"});
}

TEST_CASE("topk takes a symbolic count and guards that there are so many", "[ops][symbolic]") {
  Trace t;
  CHECK(shape(traced(t, [](SymInt n, SymInt) { return std::get<0>(ops::topk(meta({n, 10}), 3)); })) == "[s0, 3]");
  CHECK(t.guards() == Texts{"s0 > 0"});
  CHECK(shape(traced(t, [](SymInt n, SymInt m) { return std::get<1>(ops::topk(meta({m, n}), 2, 0)); })) == "[2, s0]");
  CHECK(t.guards().back() == "2 <= s1");
  CHECK(shape(traced(t, [](SymInt n, SymInt m) { return std::get<0>(ops::topk(meta({m}), n)); })) == "[s0]");
  CHECK(t.guards().back() == "s0 <= s1");
  // The count alone may be symbolic.
  Tensor out = std::get<0>(ops::topk(meta({2, 9}), t.m));
  CHECK(shape(out) == "[2, s1]");
  CHECK(t.guards().back() == "s1 <= 9");
  CHECK_ERROR(ops::topk(t.make({t.n}), t.m), ValueError, "selected index k out of range");
  CHECK_ERROR(ops::topk(counted({9}), t.m), TypeError,
              "aten::topk(Tensor self, SymInt k, int dim=-1, bool largest=True, bool sorted=True) -> (Tensor values, "
              "Tensor indices): argument 2 'k': expected plain integers, got s1; let the meta function take SymInt, or "
              "call guard_int() on the value");
}

TEST_CASE("triangles, traces and outer products of symbolic matrices", "[ops][symbolic]") {
  Trace t;
  Tensor lower = traced(t, [](SymInt n, SymInt m) { return ops::tril(ops::t(meta({n, m}))); });
  CHECK(shape(lower) == "[s1, s0]");
  CHECK(strides(lower) == "[s0, 1]");
  CHECK(shape(traced(t, [](SymInt n, SymInt m) { return ops::triu(meta({2, n, m}), n); })) == "[2, s0, s1]");
  CHECK(shape(traced(t, [](SymInt n, SymInt m) { return ops::trace(meta({n, m})); })) == "[]");
  CHECK(t.guards() == Texts{"s0 > 0", "s1 > 0"});
  CHECK(shape(traced(t, [](SymInt n, SymInt m) { return ops::outer(meta({n}), meta({m})); })) == "[s0, s1]");
  CHECK(shape(ops::tril(meta({3, 3}), t.n)) == "[3, 3]");
  Tensor x = t.make({t.n, t.n}), out = meta({0});
  CHECK(shape(ops::tril_base_(x)) == "[s0, s0]");
  ops::linear(x, meta({5, t.n}), std::nullopt, "out"_a = out);
  CHECK(shape(out) == "[s0, 5]");
  ops::trace_base_out(x, out);
  CHECK(shape(out) == "[]");
  CHECK_ERROR(ops::tril(counted({3, 3}), t.n), TypeError,
              "aten::tril(Tensor self, SymInt diagonal=0) -> Tensor: argument 2 'diagonal': expected plain integers, "
              "got s0; let the kernel take SymInt, or call guard_int() on the value");
}
