// Operators on Meta tensors of symbolic sizes.
#include "symbolic.hpp"

using namespace test;

namespace {
Tensor plain(IntArrayRef sizes) { return ops::empty(sizes, "device"_a = kMeta); }
}  // namespace

TEST_CASE("factories take symbolic sizes", "[ops][symbolic]") {
  Trace t;
  CHECK(shape(ops::zeros({t.n, 3}, "device"_a = kMeta)) == "[s0, 3]");
  CHECK(shape(ops::ones({t.n}, "device"_a = kMeta)) == "[s0]");
  CHECK(shape(ops::full({2, t.n}, 7, "device"_a = kMeta)) == "[2, s0]");
  CHECK(ops::full({2, t.n}, 7, "device"_a = kMeta).dtype() == kLong);
  Tensor x = t.make({t.n, t.m}), y = ops::transpose(x, 0, 1);
  CHECK(shape(ops::empty_like(x)) == "[s0, s1]");
  CHECK(strides(ops::empty_like(y)) == "[1, s1]");
  CHECK(strides(ops::zeros_like(y, "memory_format"_a = MemoryFormat::Contiguous)) == "[s0, 1]");
  CHECK(shape(ops::ones_like(x)) == "[s0, s1]");
  CHECK(shape(ops::full_like(x, 2)) == "[s0, s1]");
  CHECK(shape(x.new_empty({t.n + 1})) == "[s0 + 1]");
  CHECK(shape(x.new_zeros({t.n, 2})) == "[s0, 2]");
  CHECK(shape(ops::clone(y)) == "[s1, s0]");
  CHECK(strides(ops::clone(y)) == "[1, s1]");
  CHECK(strides(y.contiguous()) == "[s0, 1]");
  CHECK(shape(ops::to(x, kDouble)) == "[s0, s1]");
  CHECK(strides(ops::empty_strided(SymDimVector{t.n, 2}, SymDimVector{4, 1}, "device"_a = kMeta)) == "[4, 1]");
}

TEST_CASE("a mode of somebody else at the key of symbolic tensors is refused", "[ops][symbolic]") {
  CHECK_ERROR_CONTAINS(
      Registry::get().add_fallback(kSymbolicKey, Kernel([](const OperatorHandle&, Stack&) {}), Place("a mode")),
      RegistrationError, "Tried to register multiple backend fallbacks for the same dispatch key PreDispatch");
  Tensor x = ops::ones({2});
  IncludeDispatchKeyGuard guard(kSymbolicKey);
  CHECK_ERROR(ops::neg(x), NotImplementedError,
              "aten::neg(Tensor self) -> Tensor: the key PreDispatch stands for tensors with symbolic sizes, and no "
              "argument is one; a mode or a wrapper of your own takes TESTING_ONLY_GenericWrapper, say");
}

TEST_CASE("pointwise operators broadcast symbolic sizes", "[ops][symbolic]") {
  Trace t;
  Tensor x = t.make({t.n, 16}), y = t.make({t.n, 16}), bias = plain({16}), column = t.make({t.n, 1});
  Texts made = t.guards();
  CHECK(made == Texts{"s0 > 0"});
  CHECK(shape(x + y) == "[s0, 16]");
  CHECK(strides(x + y) == "[16, 1]");
  CHECK(shape(x + bias) == "[s0, 16]");
  CHECK(strides(bias + x) == "[16, 1]");
  CHECK(shape(x * column) == "[s0, 16]");
  CHECK(shape(ops::relu(x)) == "[s0, 16]");
  CHECK(shape(ops::mul(x, 2)) == "[s0, 16]");
  CHECK(ops::eq(x, y).dtype() == kBool);
  CHECK(shape(ops::where(ops::gt(x, 0), x, bias)) == "[s0, 16]");
  CHECK(strides(ops::relu(ops::t(x))) == "[1, 16]");
  CHECK(t.guards() == made);
  Tensor z = t.make({t.n, 16});
  z.add_(bias);
  ops::add(x, y, "out"_a = z);
  CHECK(shape(z) == "[s0, 16]");
  Tensor empty = plain({0});
  ops::add(x, y, "out"_a = empty);
  CHECK(shape(empty) == "[s0, 16]");
  Tensor small = t.make({1, t.n});
  CHECK_ERROR_CONTAINS(small.add_(t.make({t.m, t.n})), ValueError, "doesn't match the broadcast shape [s1, s0]");
}

TEST_CASE("sizes that must match are guards", "[ops][symbolic]") {
  Trace t;
  SymInt k = t.env->symbol(4);
  Tensor x = t.make({t.n}), y = t.make({k}), z = t.make({t.m});
  CHECK(shape(x + y) == "[s0]");
  CHECK(t.guards() == Texts{"s0 > 0", "s2 > 0", "s1 > 0", "s0 == s2"});
  CHECK(t.env->holds_for({9, 1, 9}));
  CHECK_FALSE(t.env->holds_for({9, 1, 8}));
  CHECK_ERROR_CONTAINS(x + z, ValueError, "The size of tensor a (s0) must match the size of tensor b (s1)");
  CHECK(shape(ops::add(ops::unsqueeze(x, 1), plain({4, 4}))) == "[s0, 4]");
  CHECK(t.guards().back() == "s0 == 4");
}

TEST_CASE("views of symbolic tensors have symbolic shapes and strides", "[ops][symbolic]") {
  Trace t;
  Tensor x = t.make({t.n, 16}), y = t.make({t.n, 3, t.m});
  Texts made = t.guards();
  CHECK(shape(x.view({t.n * 2, 8})) == "[2*s0, 8]");
  CHECK(strides(x.view({t.n * 2, 8})) == "[8, 1]");
  CHECK(shape(x.view({-1, 4})) == "[4*s0, 4]");
  CHECK(shape(x.view({t.n, -1})) == "[s0, 16]");
  CHECK(shape(x.reshape({16, t.n})) == "[16, s0]");
  CHECK(strides(x.reshape({16, t.n})) == "[s0, 1]");
  CHECK(shape(ops::t(x)) == "[16, s0]");
  CHECK(strides(ops::t(x)) == "[1, 16]");
  CHECK(shape(ops::t(x).reshape({-1})) == "[16*s0]");
  CHECK(strides(ops::transpose(y, 0, 2)) == "[1, s1, 3*s1]");
  CHECK(shape(ops::permute(y, {2, 0, 1})) == "[s1, s0, 3]");
  CHECK(shape(ops::unsqueeze(y, -1)) == "[s0, 3, s1, 1]");
  CHECK(shape(ops::squeeze(ops::unsqueeze(x, 1), 1)) == "[s0, 16]");
  CHECK(shape(ops::flatten(y, 1)) == "[s0, 3*s1]");
  CHECK(shape(ops::flatten(y)) == "[3*s0*s1]");
  CHECK(shape(x.expand({t.m, t.n, 16})) == "[s1, s0, 16]");
  CHECK(strides(x.expand({t.m, -1, -1})) == "[0, 16, 1]");
  CHECK(shape(plain({1, 16}).expand({t.n, 16})) == "[s0, 16]");
  CHECK(shape(ops::slice(plain({7, 16}), 1, 0, 16)) == "[7, 16]");
  CHECK(shape(ops::select(x, 0, 1)) == "[16]");
  CHECK(shape(ops::select(x, 1, 3)) == "[s0]");
  CHECK(to_string(ops::select(y, 1, 2).sym_storage_offset()) == "2*s1");
  CHECK(shape(ops::view_as(x, x.view({8, t.n * 2}))) == "[8, 2*s0]");
  CHECK(shape(ops::detach(x)) == "[s0, 16]");
  CHECK(shape(ops::diagonal(t.make({t.n, t.n}))) == "[s0]");
  CHECK(shape(ops::unbind(t.make({3, t.n}))[2]) == "[s0]");
  CHECK(shape(ops::split(t.make({t.n, 6}), 2, 1)[1]) == "[s0, 2]");
  CHECK(ops::select(x, 0, 1).is_symbolic() == false);
  CHECK(x.view({t.n * 2, 8}).storage() == x.storage());
  // Taking row 1 assumes that there is one.
  made.push_back("1 < s0");
  CHECK(t.guards() == made);
  CHECK_ERROR_CONTAINS(x.view({t.n, 15}), ValueError, "shape '[s0, 15]' is invalid for input of size 16*s0");
  CHECK_ERROR_CONTAINS(ops::t(x).view({t.n * 16}), ValueError, "Use .reshape(...) instead");
}

TEST_CASE("slices of symbolic tensors assume that they fit", "[ops][symbolic]") {
  Trace t;
  Tensor x = t.make({t.n, 16});
  CHECK(shape(ops::slice(x, 0, 0, t.n - 1)) == "[s0 - 1, 16]");
  CHECK(shape(ops::slice(x, 1, 2, 10, 3)) == "[s0, 3]");
  CHECK(shape(ops::narrow(x, 0, 1, t.n - 2)) == "[s0 - 2, 16]");
  CHECK(shape(ops::narrow(x, 1, 0, t.n)) == "[s0, s0]");
  CHECK(t.env->holds_for({4, 1}));
  CHECK(t.env->holds_for({16, 1}));
  CHECK_FALSE(t.env->holds_for({17, 1}));
}

TEST_CASE("symbolic arguments make views of plain tensors symbolic", "[ops][symbolic]") {
  Trace t;
  Tensor x = plain({6, 16});
  CHECK(shape(x.view({t.m, 16})) == "[s1, 16]");
  CHECK(t.guards() == Texts{"s1 >= 0", "16*s1 == 96"});
  CHECK(shape(x.reshape({16, t.m})) == "[16, s1]");
  CHECK(shape(ops::narrow(x, 1, 0, t.n)) == "[6, s0]");
  CHECK(shape(ops::slice(x, 0, t.n)) == "[-s0 + 6, 16]");
  CHECK(to_string(ops::select(x, 0, t.n).sym_storage_offset()) == "16*s0");
  CHECK(t.env->holds_for({1, 6}));
  CHECK_FALSE(t.env->holds_for({6, 6}));
}

TEST_CASE("plain tensors are split into symbolic lengths", "[ops][symbolic]") {
  Trace t;
  Tensor x = plain({6, 16});
  auto parts = ops::split(x, t.n);
  REQUIRE(parts.size() == 2);
  CHECK(shape(parts[0]) == "[s0, 16]");
  CHECK(shape(parts[1]) == "[-s0 + 6, 16]");
  CHECK(to_string(parts[1].sym_storage_offset()) == "16*s0");
  CHECK(t.env->holds_for({5, 6}));
  CHECK_FALSE(t.env->holds_for({2, 6}));
  Trace u;
  CHECK(shape(ops::split_with_sizes(x, SymDimVector{u.n, 2})[0]) == "[s0, 16]");
  CHECK(shape(ops::split_sizes(x, SymDimVector{2, u.n})[1]) == "[s0, 16]");
  CHECK(u.guards() == Texts{"s0 >= 0", "s0 + 2 == 6"});
}

TEST_CASE("a squeezed dimension is a guard", "[ops][symbolic]") {
  Trace t;
  SymInt one = t.env->symbol(1);
  CHECK(shape(ops::squeeze(t.make({t.n, one}))) == "[s0]");
  CHECK(t.guards() == Texts{"s0 > 0", "s2 > 0", "s0 != 1", "s2 == 1"});
}

TEST_CASE("reductions of symbolic tensors drop or keep symbolic sizes", "[ops][symbolic]") {
  Trace t;
  Tensor x = t.make({t.n, t.m, 3});
  Texts made = t.guards();
  CHECK(shape(ops::sum(x)) == "[]");
  CHECK(shape(ops::sum(x, 1)) == "[s0, 3]");
  CHECK(shape(ops::sum(x, {0, 2}, true)) == "[1, s1, 1]");
  CHECK(shape(ops::mean(x, -1)) == "[s0, s1]");
  CHECK(shape(ops::mean(x)) == "[]");
  CHECK(shape(ops::amax(x, {0})) == "[s1, 3]");
  CHECK(shape(ops::amin(x, {0}, true)) == "[1, s1, 3]");
  CHECK(shape(ops::argmax(x, 1)) == "[s0, 3]");
  CHECK(shape(std::get<1>(ops::max(x, 2))) == "[s0, s1]");
  CHECK(shape(ops::prod(x, 0)) == "[s1, 3]");
  CHECK(shape(ops::any(x, 0)) == "[s1, 3]");
  CHECK(shape(ops::all(x)) == "[]");
  CHECK(shape(ops::softmax(x, 1)) == "[s0, s1, 3]");
  CHECK(shape(ops::log_softmax(x, -1)) == "[s0, s1, 3]");
  CHECK(t.guards() == made);
}

TEST_CASE("products of symbolic matrices have the outer sizes", "[ops][symbolic]") {
  Trace t;
  Tensor x = t.make({t.n, 16}), y = plain({16, 5}), z = t.make({7, t.n, 16});
  Texts made = t.guards();
  CHECK(shape(ops::mm(x, y)) == "[s0, 5]");
  CHECK(shape(ops::mm(ops::t(x), x)) == "[16, 16]");
  CHECK(shape(ops::addmm(plain({5}), x, y)) == "[s0, 5]");
  CHECK(shape(ops::mv(x, plain({16}))) == "[s0]");
  CHECK(shape(ops::dot(t.make({t.n}), t.make({t.n}))) == "[]");
  CHECK(shape(ops::bmm(z, t.make({7, 16, t.m}))) == "[7, s0, s1]");
  CHECK(shape(ops::matmul(x, y)) == "[s0, 5]");
  CHECK(shape(ops::matmul(z, y)) == "[7, s0, 5]");
  CHECK(shape(ops::matmul(plain({16}), y.new_empty({16, t.n}))) == "[s0]");
  CHECK(shape(ops::linear(x, plain({5, 16}), plain({5}))) == "[s0, 5]");
  CHECK(shape(ops::linear(z, plain({5, 16}), plain({5}))) == "[7, s0, 5]");
  CHECK(shape(ops::linear(z, plain({5, 16}))) == "[7, s0, 5]");
  made.push_back("s1 > 0");
  CHECK(t.guards() == made);
  CHECK(shape(ops::matmul(t.make({t.n, 1, 2, 3}), t.make({t.m, 3, 4}))) == "[s0, s1, 2, 4]");
  CHECK(t.env->holds_for({5, 7}));
  CHECK(shape(ops::mm(t.make({5, t.n}), t.make({4, 3}))) == "[5, 3]");
  CHECK(t.guards().back() == "s0 == 4");
  CHECK_ERROR_CONTAINS(ops::mm(x, x), ValueError, "cannot be multiplied (s0x16 and s0x16)");
}

TEST_CASE("symbolic tensors are joined", "[ops][symbolic]") {
  Trace t;
  Tensor x = t.make({t.n, 3}), y = t.make({t.m, 3});
  CHECK(shape(ops::cat({x, y, plain({2, 3})})) == "[s0 + s1 + 2, 3]");
  CHECK(shape(ops::cat({x, x}, 1)) == "[s0, 6]");
  CHECK(shape(ops::stack({x, x})) == "[2, s0, 3]");
  CHECK(shape(ops::stack({x, x}, -1)) == "[s0, 3, 2]");
  CHECK(t.guards() == Texts{"s0 > 0", "s1 > 0"});
  CHECK_ERROR_CONTAINS(ops::cat({x, y}, 1), ValueError, "Expected size s0 but got size s1 for tensor number 1");
}

TEST_CASE("losses of symbolic batches are a number, or one for each example", "[ops][symbolic]") {
  Trace t;
  Tensor scores = t.make({t.n, 10}), classes = t.make({t.n}, kLong);
  CHECK(shape(ops::cross_entropy_loss(scores, classes)) == "[]");
  CHECK(shape(ops::cross_entropy_loss(scores, classes, std::nullopt, 0)) == "[s0]");
  CHECK(shape(ops::mse_loss(scores, plain({10}), 0)) == "[s0, 10]");
  CHECK(shape(ops::mse_loss(scores, scores)) == "[]");
  CHECK(t.guards() == Texts{"s0 > 0"});
}

TEST_CASE("the forward pass of a network gives symbolic scores, also with parameters that want gradients",
          "[ops][symbolic]") {
  Trace t;
  Tensor w1 = plain({128, 784}), b1 = plain({128}), w2 = plain({10, 128}), b2 = plain({10});
  for (Tensor* p : {&w1, &b1, &w2, &b2}) p->set_requires_grad(true);
  Tensor x = t.make({t.n, 28, 28});
  Tensor hidden = ops::relu(ops::linear(ops::flatten(x, 1), w1, b1));
  Tensor scores = ops::log_softmax(ops::linear(hidden, w2, b2), 1);
  CHECK(shape(scores) == "[s0, 10]");
  CHECK_FALSE(scores.requires_grad());
  CHECK(t.guards() == Texts{"s0 > 0"});
  CHECK(t.env->holds_for({1000, 0}));
  CHECK_FALSE(t.env->holds_for({0, 0}));
}
