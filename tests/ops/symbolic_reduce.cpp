// Scans, moments, norms, losses and their gradients on Meta tensors of symbolic sizes.
#include "symbolic.hpp"

using namespace test;

TEST_CASE("running sums and products keep symbolic sizes", "[ops][symbolic]") {
  Trace t;
  Tensor sums = traced(t, [](SymInt n, SymInt m) { return ops::cumsum(ops::t(meta({n, m})), 0); });
  CHECK(shape(sums) == "[s1, s0]");
  CHECK(strides(sums) == "[s0, 1]");
  Tensor products = traced(t, [](SymInt n, SymInt) { return ops::cumprod(meta({n, 3}, kInt), 1); });
  CHECK(shape(products) == "[s0, 3]");
  CHECK(products.dtype() == kLong);
  Tensor x = t.make({t.n, t.m}), out = meta({0});
  CHECK(shape(ops::cumsum_base_(x, 0)) == "[s0, s1]");
  ops::cumsum(x, 0, "out"_a = out);
  CHECK(shape(out) == "[s0, s1]");
  CHECK(t.guards() == Texts{"s0 > 0", "s1 > 0"});
}

TEST_CASE("variances and norms of symbolic tensors", "[ops][symbolic]") {
  Trace t;
  auto is = [&](auto call, const char* expected) { CHECK(shape(traced(t, call)) == expected); };
  is([](SymInt n, SymInt m) { return ops::var(meta({n, m, 3})); }, "[]");
  is([](SymInt n, SymInt m) { return ops::var(meta({n, m, 3}), 1); }, "[s0, 3]");
  is(
      [](SymInt n, SymInt m) {
        return ops::std(meta({n, m, 3}), {0, 2}, "correction"_a = 0, "keepdim"_a = true);
      },
      "[1, s1, 1]");
  is([](SymInt n, SymInt m) { return ops::std(meta({n, m}), true); }, "[]");
  is([](SymInt n, SymInt m) { return ops::linalg_vector_norm(meta({n, m}), 2, 0); }, "[s1]");
  is([](SymInt n, SymInt m) { return ops::linalg_vector_norm(meta({n, m}), -1, 1, true); }, "[s0, 1]");
  is([](SymInt n, SymInt m) { return ops::norm(meta({n, m})); }, "[]");
  is([](SymInt n, SymInt m) { return ops::norm(meta({n, m}), 3, {1}); }, "[s0]");
  is([](SymInt n, SymInt m) { return ops::logsumexp(meta({n, m}), {1}); }, "[s0]");
  is([](SymInt n, SymInt m) { return ops::logsumexp(meta({n, m}), {0, 1}, true); }, "[1, 1]");
  is([](SymInt n, SymInt m) { return ops::count_nonzero(meta({n, m})); }, "[]");
  is([](SymInt n, SymInt m) { return ops::count_nonzero(meta({n, m}), 0); }, "[s1]");
  is([](SymInt n, SymInt m) { return ops::count_nonzero(meta({n, m, 2}), {0, 2}); }, "[s1]");
  CHECK(t.guards() == Texts{"s0 > 0", "s1 > 0"});
  Tensor out = meta({0});
  ops::var_correction_out(t.make({t.n, t.m}), IntArrayRef(0), std::nullopt, false, out);
  CHECK(shape(out) == "[s1]");
  // A norm without an identity wants elements: a size that may be 0 is a guard.
  Tensor rest = ops::slice(t.make({t.n, t.m}), 0, 1);
  ops::linalg_vector_norm(rest, -1, 0);
  CHECK(t.guards().back() == "s0*s1 - s1 != 0");
}

TEST_CASE("gradients of losses have the shape of the scores", "[ops][symbolic]") {
  Trace t;
  auto is = [&](auto call, const char* expected) { CHECK(shape(traced(t, call)) == expected); };
  is(
      [](SymInt n, SymInt) {
        return ops::nll_loss_backward(meta({}), meta({n, 10}), meta({n}, kLong), std::nullopt, 1, -100, meta({}));
      },
      "[s0, 10]");
  is(
      [](SymInt n, SymInt) {
        return ops::nll_loss_backward(meta({n}), meta({n, 10}), meta({n}, kLong), meta({10}), 0, -100, meta({}));
      },
      "[s0, 10]");
  is([](SymInt n, SymInt) { return ops::mse_loss_backward(meta({}), meta({n, 3}), meta({n, 3}), 1); }, "[s0, 3]");
  is([](SymInt n, SymInt) { return ops::mse_loss_backward(meta({n, 3}), meta({n, 3}), meta({3}), 0); }, "[s0, 3]");
  is(
      [](SymInt n, SymInt m) {
        return ops::_log_softmax_backward_data(meta({n, m}), meta({n, m}), 1, kFloat);
      },
      "[s0, s1]");
  is([](SymInt n, SymInt m) { return ops::_softmax_backward_data(meta({n, m}), meta({n, m}), 0, kFloat); }, "[s0, s1]");
  CHECK(t.guards() == Texts{"s0 > 0", "s1 > 0"});
  CHECK_ERROR(
      ops::nll_loss_backward(meta({}), t.make({t.n, 10}), t.make({t.m}, kLong), std::nullopt, 1, -100, meta({})),
      ValueError, "size mismatch (got input: [s0, 10], target: [s1])");
  CHECK_ERROR(
      ops::nll_loss_backward(t.make({t.m}), t.make({t.n, 10}), t.make({t.n}, kLong), std::nullopt, 0, -100, meta({})),
      ValueError,
      "Expected a tensor of dimension 1 and tensor.size[0] == s0 but got: dimension 1 and tensor.size = [s1]");
}

TEST_CASE("cross entropy with probabilities, weights and smoothing", "[ops][symbolic]") {
  Trace t;
  auto is = [&](auto call, const char* expected) { CHECK(shape(traced(t, call)) == expected); };
  auto loss = [](const Tensor& scores, const Tensor& target, std::int64_t reduction, double smoothing) {
    return ops::cross_entropy_loss(scores, target, meta({10}), reduction, -100, smoothing);
  };
  for (double smoothing : {0.0, 0.1}) {
    for (std::int64_t reduction : {1, 2}) {
      is([=](SymInt n, SymInt) { return loss(meta({n, 10}), meta({n, 10}), reduction, smoothing); }, "[]");
      is([=](SymInt n, SymInt) { return loss(meta({n, 10}), meta({n}, kLong), reduction, smoothing); }, "[]");
    }
  }
  CHECK(t.guards() == Texts{"s0 > 0"});
  for (double smoothing : {0.0, 0.1}) {
    is([=](SymInt n, SymInt m) { return loss(meta({n, 10, m}), meta({n, 10, m}), 0, smoothing); }, "[s0, s1]");
    is([=](SymInt n, SymInt m) { return loss(meta({n, 10, m}), meta({n, m}, kLong), 0, smoothing); }, "[s0, s1]");
  }
  // A symbolic number of classes becomes a factor, and so a number.
  CHECK(shape(ops::cross_entropy_loss(t.make({7, t.m}), t.make({7}, kLong), std::nullopt, 1, -100, 0.1)) == "[]");
  CHECK(t.guards().back() == "s1 == 6");
}

TEST_CASE("results go to given tensors, symbolic or not", "[ops][symbolic]") {
  Trace t;
  Tensor x = t.make({t.n, 10}), given = t.make({t.m, t.m, t.m}), plain = meta({2});
  ops::sum_base_out(x, std::nullopt, given);
  CHECK(shape(given) == "[]");
  CHECK_FALSE(given.is_symbolic());
  ops::nll_loss(x, t.make({t.n}, kLong), std::nullopt, 0, -100, "out"_a = plain);
  CHECK(shape(plain) == "[s0]");
  ops::matmul(x, meta({10, 3}), "out"_a = plain);
  CHECK(shape(plain) == "[s0, 3]");
  ops::matmul(meta({2, 2}), meta({2, 3}), "out"_a = plain);
  CHECK(shape(plain) == "[2, 3]");
}
