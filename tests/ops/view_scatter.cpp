// The inverses of views: values, memory layout, gradients, and the words of refusals. Expected layouts and words are
// PyTorch 2.15's.
#include <tenon/autograd/gradcheck.hpp>

#include "symbolic.hpp"

using namespace test;

namespace {
/// [3, 3] with strides [2, 6] and offset 6.
Tensor odd_layout(ScalarType type = kFloat) { return counted({4, 6}, type).slice(0, 1).slice(1, 0, 6, 2).t(); }
}  // namespace

TEST_CASE("what a view shows is replaced in a copy", "[ops][view_scatter]") {
  Tensor x = counted({3, 4}), before = x.clone();
  auto version = x.version();
  CHECK(values(ops::select_scatter(x, ops::full({3}, 9.), 1, 2)) == Numbers{0, 1, 9, 3, 4, 5, 9, 7, 8, 9, 9, 11});
  CHECK(values(ops::slice_scatter(x, ops::full({3, 2}, 9.), 1, 1, 4, 2)) ==
        Numbers{0, 9, 2, 9, 4, 9, 6, 9, 8, 9, 10, 9});
  CHECK(values(ops::slice_scatter(x, before)) == values(before));
  CHECK(values(ops::diagonal_scatter(x, ops::full({3}, 9.), 1)) == Numbers{0, 9, 2, 3, 4, 5, 9, 7, 8, 9, 10, 9});
  CHECK(values(ops::as_strided_scatter(x, ops::full({2, 2}, 9.), Ints{2, 2}, Ints{5, 1}, 1)) ==
        Numbers{0, 9, 9, 3, 4, 5, 9, 9, 8, 9, 10, 11});
  CHECK(values(x) == values(before));
  CHECK(x.version() == version);
  // The written elements take the dtype of `self`.
  Tensor cast = ops::select_scatter(x, ops::full({3}, 7, "dtype"_a = kLong), 1, 0);
  CHECK(cast.dtype() == kFloat);
  CHECK(values(cast) == Numbers{7, 1, 2, 3, 7, 5, 6, 7, 7, 9, 10, 11});
}

TEST_CASE("the copy keeps the layout, and with it what strides and offsets mean", "[ops][view_scatter]") {
  Tensor y = odd_layout();
  REQUIRE(seen(y) == Seen{{3, 3}, {2, 6}, 6});
  Seen same = seen(y);
  CHECK(seen(ops::select_scatter(y, ops::zeros({3}), 1, 2)) == same);
  CHECK(seen(ops::slice_scatter(y, ops::zeros({1, 3}), 0, 1, 2)) == same);
  CHECK(seen(ops::diagonal_scatter(y, ops::zeros({3}))) == same);
  // Without an offset the view starts where `self` does; with one it may lie outside of it.
  Tensor a = ops::as_strided_scatter(y, ops::full({2}, -1.), Ints{2}, Ints{4});
  CHECK(seen(a) == same);
  CHECK(values(a) == Numbers{-1, 12, 18, 8, 14, 20, -1, 16, 22});
  Tensor b = ops::as_strided_scatter(y, ops::full({3}, -1.), Ints{3}, Ints{1}, 0);
  CHECK(values(b) == values(y));
  CHECK(values(b.as_strided({4}, {1}, 0)) == Numbers{-1, -1, -1, 3});
  // Repeated elements cannot be written: they are copied apart.
  Tensor repeated = ops::select_scatter(counted({3, 4}).expand({2, 3, 4}), ops::zeros({3, 4}), 0, 1);
  CHECK(seen(repeated) == Seen{{2, 3, 4}, {12, 4, 1}, 0});
  CHECK(values(repeated.select(0, 0)) == values(counted({12})));
  CHECK(values(repeated.select(0, 1)) == Numbers(12, 0));
}

TEST_CASE("a wrong size of the source is refused by the operator's words", "[ops][view_scatter]") {
  Tensor x = counted({3, 4});
  std::string words = "expected src to have a size equal to the slice of self. src size = [4], slice size = ";
  Tensor src = ops::zeros({4});
  CHECK_ERROR(ops::select_scatter(x, src, 1, 2), ValueError, words + "[3]");
  CHECK_ERROR(ops::slice_scatter(x, src, 1, 2), ValueError, words + "[3, 2]");
  CHECK_ERROR(ops::diagonal_scatter(x, src), ValueError, words + "[3]");
  CHECK_ERROR(ops::as_strided_scatter(x, src, Ints{2, 2}, Ints{1, 2}), ValueError, words + "[2, 2]");
  CHECK_ERROR_CONTAINS(ops::as_strided_scatter(x, ops::zeros({2, 2}), Ints{2, 2}, Ints{10, 2}), ValueError,
                       "are out of bounds for storage of size 48");
  CHECK_ERROR_CONTAINS(ops::as_strided_scatter(x, ops::zeros({2}), Ints{2}, Ints{0}), ValueError,
                       "more than one element of the written-to tensor refers to a single memory location");
  CHECK_ERROR(ops::select_scatter(x, ops::zeros({3}), 5, 2), IndexError,
              "Dimension out of range (expected to be in range of [-2, 1], but got 5)");
}

TEST_CASE("the out forms write into a tensor of the same dtype", "[ops][view_scatter]") {
  Tensor x = counted({2, 2}), src = ops::full({2}, 9.), out = ops::zeros({0});
  CHECK(ops::select_scatter(x, src, 0, 1, "out"_a = out).is_same(out));
  CHECK(values(out) == Numbers{0, 1, 9, 9});
  auto version = out.version();
  ops::slice_scatter(x, ops::full({1, 2}, 9.), 0, 0, 1, "out"_a = out);
  CHECK(values(out) == Numbers{9, 9, 2, 3});
  CHECK(out.version() == version + 1);
  ops::diagonal_scatter(x, src, "out"_a = out);
  CHECK(values(out) == Numbers{9, 1, 2, 9});
  ops::as_strided_scatter(x, src, Ints{2}, Ints{2}, "out"_a = out);
  CHECK(values(out) == Numbers{9, 1, 9, 3});
  Tensor wide = ops::zeros({0}, "dtype"_a = kDouble);
  CHECK_ERROR(ops::select_scatter(x, src, 0, 1, "out"_a = wide), TypeError,
              "Expected out tensor to have dtype float32, but got float64 instead");
  Tensor leaf = src.clone().requires_grad_();
  CHECK_ERROR_CONTAINS(ops::select_scatter(x, leaf, 0, 1, "out"_a = out), AutogradError,
                       "select_scatter(): functions with out=... arguments don't support automatic differentiation");
}

TEST_CASE("gradients go to the copy where it was kept and to the source where it was written",
          "[ops][view_scatter][autograd]") {
  using List = std::vector<Tensor>;
  auto leaf = [](Tensor t) { return t.clone("memory_format"_a = MemoryFormat::Contiguous).requires_grad_(); };
  Tensor x = leaf(counted({3, 4}, kDouble)), row = leaf(counted({4}, kDouble)), column = leaf(counted({3}, kDouble));
  Tensor block = leaf(counted({2, 2}, kDouble)), weight = counted({3, 4}, kDouble) + 1;
  autograd::gradcheck([&](const List& a) { return ops::select_scatter(a[0], a[1], 0, 1) * weight; }, {x, row});
  autograd::gradcheck([&](const List& a) { return ops::diagonal_scatter(a[0], a[1], 1) * weight; }, {x, column});
  autograd::gradcheck([&](const List& a) { return ops::slice_scatter(a[0], a[1], 1, 1, 4, 2) * a[0]; },
                      {x, leaf(counted({3, 2}, kDouble))});
  autograd::gradcheck(
      [&](const List& a) {
        return ops::as_strided_scatter(weight, a[0], Ints{2, 2}, Ints{5, 1}, 1) * weight;
      },
      {block});
  // Into tensors with gaps, through views that reach beyond them, and into repeated elements.
  autograd::gradcheck(
      [&](const List& a) {
        Tensor y = weight.slice(1, 1, 4, 2).t();
        return ops::as_strided_scatter(y, a[0], Ints{2, 2}, Ints{4, 1}, 0).sin();
      },
      {block});
  autograd::gradcheck(
      [&](const List& a) {
        return ops::as_strided_scatter(weight.expand({2, 3, 4}), a[0], Ints{2, 2}, Ints{12, 4}, 1).sin();
      },
      {block});
  // Twice.
  autograd::gradcheck(
      [&](const List& a) {
        EnableGradGuard on;
        Tensor out = ops::select_scatter(a[0], a[1], 0, 1).pow(3).sum();
        std::vector<Tensor> g = autograd::grad(TensorList(out), TensorList(a), {}, std::nullopt, true);
        return g[0].pow(2).sum(0) + g[1].pow(2);
      },
      {x, row});
  Tensor y = ops::select_scatter(x, row, 0, 1);
  CHECK(y.grad_fn()->name() == "SelectScatterBackward0");
  // PyTorch gives `self` of as_strided_scatter the gradient of what was written.
  ops::as_strided_scatter(x, block, Ints{2, 2}, Ints{5, 1}, 1).backward(weight);
  CHECK(values(x.grad()) == Numbers{0, 2, 3, 0, 0, 0, 7, 8, 0, 0, 0, 0});
  CHECK(values(block.grad()) == Numbers{2, 3, 7, 8});
  Tensor gaps = ops::as_strided_scatter(leaf(counted({3, 4}, kDouble)).t(), block, Ints{2, 2}, Ints{5, 1});
  CHECK_ERROR_CONTAINS(gaps.sum().backward(), NotImplementedError, "only supported for contiguous inputs");
}

TEST_CASE("symbolic tensors have their slices replaced", "[ops][view_scatter][symbolic]") {
  Trace t;
  CHECK(shape(traced(t, [](SymInt n, SymInt m) {
          return ops::select_scatter(meta({n, m}), meta({m}), 0, 1);
        })) == "[s0, s1]");
  CHECK(shape(traced(t, [](SymInt n, SymInt m) {
          return ops::slice_scatter(meta({n, m}), meta({n - 1, m}), 0, 1);
        })) == "[s0, s1]");
  Tensor turned = traced(t, [](SymInt n, SymInt m) {
    return ops::as_strided_scatter(ops::t(meta({n, m})), meta({m}), SymDimVector{m}, SymDimVector{1});
  });
  CHECK(shape(turned) == "[s1, s0]");
  CHECK(strides(turned) == "[1, s1]");
  CHECK(shape(traced(t, [](SymInt n, SymInt m) {
          return ops::diagonal_scatter(meta({n, m}), meta({n}));
        })) == "[s0, s1]");
  Tensor x = t.make({t.n, t.m}), out = meta({0});
  ops::select_scatter(x, t.make({t.m}), 0, 1, "out"_a = out);
  CHECK(shape(out) == "[s0, s1]");
  CHECK_ERROR(ops::select_scatter(x, t.make({t.n}), 0, 1), ValueError,
              "expected src to have a size equal to the slice of self. src size = [s0], slice size = [s1]");
  // Gaps stay where they are, and what repeats is copied alone.
  Tensor gaps = traced(t, [](SymInt n, SymInt m) {
    return ops::select_scatter(ops::narrow(meta({n, m}), 1, 1, 2), meta({n}), 1, 0);
  });
  CHECK(strides(gaps) == "[s1, 1]");
  Tensor wide = traced(t, [](SymInt n, SymInt m) {
    return ops::select_scatter(ops::expand(meta({n, 1}), SymDimVector{n, m}), meta({n}), 1, 0);
  });
  CHECK(strides(wide) == "[s1, 1]");
  // Meta tensors without symbols keep strides and offset.
  Tensor y = ops::as_strided(meta({40}), {3, 3}, {2, 6}, 6);
  CHECK(seen(ops::select_scatter(y, meta({3}), 1, 2)) == Seen{{3, 3}, {2, 6}, 6});
}
