// The copies of views: what the view shows, its gradients, and memory of its own that is row-major whatever the view
// is, as in PyTorch 2.15.
#include <tenon/autograd/gradcheck.hpp>

#include "symbolic.hpp"

using namespace test;

namespace {

/// Calls f(copy, view) for one call of every view on `x` of shape [3, 2, 4].
template <class F>
void each_pair(const Tensor& x, F f) {
  using namespace ops;
  auto listed = [](std::vector<Tensor> list) { return list; };
  auto one = [](Tensor t) { return std::vector<Tensor>{std::move(t)}; };
  f(one(view_copy(x, {-1, 8})), one(reshape(x, {-1, 8})));
  f(one(view_copy(x.contiguous(), kByte)), one(view_dtype(x.contiguous(), kByte)));
  f(one(as_strided_copy(x, Ints{2, 2}, Ints{1, 3}, 2)), one(as_strided(x, {2, 2}, {1, 3}, 2)));
  f(one(_reshape_alias_copy(x, x.sizes(), x.strides())), one(_reshape_alias(x, x.sizes(), x.strides())));
  f(one(alias_copy(x)), one(alias(x)));
  f(one(detach_copy(x)), one(detach(x)));
  f(one(lift_fresh_copy(x)), one(lift_fresh(x)));
  f(one(diagonal_copy(x, 1, 0, 2)), one(diagonal(x, 1, 0, 2)));
  f(one(expand_copy(x, {2, -1, -1, 4})), one(expand(x, {2, -1, -1, 4})));
  f(one(permute_copy(x, {2, 0, 1})), one(permute(x, {2, 0, 1})));
  f(one(t_copy(ops::select(x, 0, 1))), one(t(ops::select(x, 0, 1))));
  f(one(transpose_copy(x, 0, -1)), one(transpose(x, 0, -1)));
  f(one(select_copy(x, 1, -1)), one(ops::select(x, 1, -1)));
  f(one(slice_copy(x, 2, 1, std::nullopt, 2)), one(slice(x, 2, 1, std::nullopt, 2)));
  f(one(narrow_copy(x, 2, -2, 2)), one(narrow(x, 2, -2, 2)));
  Tensor y = narrow(x, 1, 0, 1);
  f(one(squeeze_copy(y)), one(squeeze(y)));
  f(one(squeeze_copy(y, 1)), one(squeeze(y, 1)));
  f(one(squeeze_copy(y, {0, 1})), one(squeeze(y, {0, 1})));
  f(one(unsqueeze_copy(x, 1)), one(unsqueeze(x, 1)));
  f(one(unfold_copy(x, 2, 3, 1)), one(unfold(x, 2, 3, 1)));
  f(listed(unbind_copy(x, 1)), listed(unbind(x, 1)));
  f(listed(split_copy(x, 2)), listed(split(x, 2)));
  f(listed(split_with_sizes_copy(x, {1, 3}, 2)), listed(split_with_sizes(x, {1, 3}, 2)));
}

}  // namespace

TEST_CASE("a copy of a view has its elements, row-major, in memory of its own", "[ops][view_copy]") {
  for (const Tensor& x : {counted({3, 2, 4}), counted({4, 2, 3}).permute({2, 1, 0})}) {
    int calls = 0;
    each_pair(x, [&](const std::vector<Tensor>& copies, const std::vector<Tensor>& views) {
      INFO(calls++);
      REQUIRE(copies.size() == views.size());
      for (std::size_t i = 0; i < copies.size(); ++i) {
        CHECK(list(copies[i].sizes()) == list(views[i].sizes()));
        CHECK(copies[i].dtype() == views[i].dtype());
        CHECK(copies[i].strides() == IntArrayRef(contiguous_strides(copies[i].sizes())));
        CHECK(copies[i].storage_offset() == 0);
        CHECK(values(copies[i]) == values(views[i]));
        CHECK(copies[i].storage() != x.storage());
        CHECK_FALSE(autograd::is_view(copies[i]));
      }
    });
    CHECK(calls == 23);
  }
  // Channels-last is not kept.
  Tensor image = ops::zeros({2, 3, 4, 5}).contiguous("memory_format"_a = MemoryFormat::ChannelsLast);
  CHECK(list(ops::alias_copy(image).strides()) == Ints{60, 20, 5, 1});
}

TEST_CASE("a copy has the gradients of its view", "[ops][view_copy][autograd]") {
  auto gradients = [](bool of_copy) {
    std::vector<Numbers> out;
    Tensor x = counted({3, 2, 4}, kDouble).requires_grad_();
    each_pair(x, [&](const std::vector<Tensor>& copies, const std::vector<Tensor>& views) {
      const Tensor& one = (of_copy ? copies : views).back();
      if (!one.grad_fn() || one.grad_fn()->name() == "NotImplemented") return out.push_back({});
      Tensor weighted = one * ops::arange(one.numel(), "dtype"_a = kDouble).view(one.sizes());
      out.push_back(values(autograd::grad(TensorList(weighted.sum()), TensorList(x))[0]));
    });
    return out;
  };
  std::vector<Numbers> of_copies = gradients(true), of_views = gradients(false);
  REQUIRE(of_copies.size() == of_views.size());
  for (std::size_t i = 0; i < of_views.size(); ++i) {
    INFO(i);
    // lift_fresh records nothing; its copy does.
    CHECK(of_copies[i] == (i == 6 ? values(ops::arange(24)) : of_views[i]));
  }
  Tensor x = counted({2, 3}, kDouble).requires_grad_();
  CHECK(ops::view_copy(x, {6}).grad_fn()->name() == "ViewBackward0_copy");
  CHECK(ops::split_copy(x, 1)[1].grad_fn()->name() == "SplitBackward0_copy");
  CHECK_FALSE(ops::view_copy(x, kInt).requires_grad());
  CHECK_ERROR_CONTAINS(ops::detach_copy(x).sum().backward(), NotImplementedError,
                       "derivative for aten::detach_copy is not implemented");
  using List = std::vector<Tensor>;
  autograd::gradcheck([](const List& a) { return ops::unfold_copy(a[0], 1, 2, 1).pow(2); }, {x});
  autograd::gradcheck([](const List& a) { return ops::narrow_copy(a[0], 1, -1, 1).pow(2); }, {x});
  autograd::gradcheck([](const List& a) { return ops::split_with_sizes_copy(a[0], {1, 2}, 1)[1].pow(2); }, {x});
}

TEST_CASE("out forms of copies resize what they are given", "[ops][view_copy]") {
  Tensor x = counted({2, 3}), out = ops::zeros({0});
  CHECK(ops::t_copy(x, "out"_a = out).is_same(out));
  CHECK(list(out.sizes()) == Ints{3, 2});
  CHECK(values(out) == Numbers{0, 3, 1, 4, 2, 5});
  auto version = out.version();
  ops::transpose_copy(x, 0, 1, "out"_a = out);
  CHECK(out.version() == version + 1);
  ops::squeeze_copy(x, 0, "out"_a = out);
  CHECK(values(out) == values(x));
  Tensor bytes = ops::zeros({0}, "dtype"_a = kByte);
  CHECK(list(ops::view_copy(x, kByte, "out"_a = bytes).sizes()) == Ints{2, 12});
  CHECK_ERROR(ops::alias_copy(x, "out"_a = bytes), TypeError,
              "Expected out tensor to have dtype float32, but got uint8 instead");
  // Written through the view of itself.
  Tensor square = counted({2, 2});
  ops::t_copy(square, "out"_a = square);
  CHECK(values(square) == Numbers{0, 2, 1, 3});

  std::vector<Tensor> parts{ops::zeros({0}), ops::zeros({0})};
  ops::split_with_sizes_copy(x, {1, 2}, 1, "out"_a = TensorList(parts));
  CHECK(values(parts[1]) == Numbers{1, 2, 4, 5});
  version = parts[0].version();
  ops::unbind_copy(x, 0, "out"_a = TensorList(parts));
  CHECK(values(parts[0]) == Numbers{0, 1, 2});
  CHECK(parts[0].version() == version + 1);
  ops::split_copy(x, 2, 1, "out"_a = TensorList(parts));
  CHECK(values(parts[1]) == Numbers{2, 5});
  CHECK_ERROR(ops::unbind_copy(x, 1, "out"_a = TensorList(parts)), ValueError,
              "unbind_copy_int_out expected an out= argument of size 3, got size 2");
}

TEST_CASE("a copy refuses what its view refuses, and takes shapes that no view has", "[ops][view_copy]") {
  Tensor x = counted({3, 4});
  CHECK(values(ops::view_copy(x.t(), {12})) == Numbers{0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11});
  CHECK_ERROR(ops::view_copy(x, {5}), ValueError, "shape '[5]' is invalid for input of size 12");
  CHECK_ERROR(ops::permute_copy(x, {0, 0}), ValueError, "permute(): duplicate dims are not allowed.");
  CHECK_ERROR(ops::narrow_copy(x, 0, 1, 4), ValueError, "start (1) + length (4) exceeds dimension size (3).");
  CHECK_ERROR(ops::t_copy(counted({1, 1, 1})), ValueError, "t() expects a tensor with <= 2 dimensions, but self is 3D");
}

TEST_CASE("copies of symbolic tensors are row-major", "[ops][view_copy][symbolic]") {
  Trace t;
  auto turned = [](SymInt n, SymInt m) { return ops::t_copy(meta({n, m})); };
  CHECK(shape(traced(t, turned)) == "[s1, s0]");
  CHECK(strides(traced(t, turned)) == "[s0, 1]");
  CHECK(shape(traced(t, [](SymInt n, SymInt m) {
          return ops::view_copy(meta({n, m}), SymDimVector{n * m});
        })) == "[s0*s1]");
  CHECK(shape(traced(t, [](SymInt n, SymInt m) {
          return ops::unfold_copy(meta({n, m}), 1, 2, 1);
        })) == "[s0, s1 - 1, 2]");
  CHECK(shape(traced(t, [](SymInt n, SymInt m) { return ops::split_copy(meta({n, m}), 2)[0]; })) == "[2, s1]");
  Tensor out = meta({0});
  ops::expand_copy(t.make({t.n, 1}), SymDimVector{t.n, t.m}, "out"_a = out);
  CHECK(shape(out) == "[s0, s1]");
}
