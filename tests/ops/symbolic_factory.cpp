// Factories, fills, copies, random numbers and gradients of views on Meta tensors of symbolic sizes.
#include "symbolic.hpp"

using namespace test;

TEST_CASE("random tensors of symbolic sizes hold no numbers and draw none", "[ops][symbolic]") {
  Trace t;
  Generator g(7), fresh(7);
  auto is = [&](auto call, const char* expected) { CHECK(shape(traced(t, call)) == expected); };
  is([](SymInt n, SymInt) { return ops::rand({n, 3}, "device"_a = kMeta); }, "[s0, 3]");
  is([](SymInt n, SymInt) { return ops::randn({n, 3}, "device"_a = kMeta); }, "[s0, 3]");
  is([](SymInt n, SymInt) { return ops::randint(9, {n, 3}, "device"_a = kMeta); }, "[s0, 3]");
  is([](SymInt n, SymInt) { return ops::rand_like(ops::t(meta({n, 16}))); }, "[16, s0]");
  is([&](SymInt n, SymInt m) { return ops::randn_like(meta({n, m}), "generator"_a = g); }, "[s0, s1]");
  is([](SymInt n, SymInt m) { return ops::randint_like(meta({n, m}), 9); }, "[s0, s1]");
  CHECK(t.guards() == Texts{"s0 > 0", "s1 > 0"});
  Tensor x = t.make({t.n, t.m}), z = t.make({t.n}, kComplexFloat);
  CHECK(x.normal_(0.0, 1.0, "generator"_a = g).is_same(x));
  CHECK(x.uniform_(0.0, 1.0, "generator"_a = g).is_same(x));
  CHECK(x.random_(0, 5, "generator"_a = g).is_same(x));
  CHECK(ops::normal_(z, 0.0, 1.0, "generator"_a = g).is_same(z));
  CHECK(ops::uniform_(z, 0.0, 1.0, "generator"_a = g).is_same(z));
  CHECK(values(ops::rand({9}, "generator"_a = g)) == values(ops::rand({9}, "generator"_a = fresh)));
  CHECK_ERROR_CONTAINS(x.uniform_(2.0, 1.0), ValueError, "found from=2 > to=1");
  Tensor whole = t.make({t.n}, kLong);
  CHECK_ERROR(whole.normal_(), NotImplementedError, "normal_(): dtype int64 is not implemented");
  // Bounds are values, not sizes: they are read by a guard.
  CHECK(shape(ops::randint(t.m, {2}, "device"_a = kMeta)) == "[2]");
  CHECK(t.guards().back() == "s1 == 6");
}

TEST_CASE("fills, copies and new tensors of symbolic sizes", "[ops][symbolic]") {
  Trace t;
  Tensor x = t.make({t.n, 3});
  CHECK(ops::zero_(x).is_same(x));
  CHECK(ops::fill_(x, 2).is_same(x));
  CHECK(ops::fill_(x, meta({})).is_same(x));
  CHECK(ops::copy_(x, meta({3})).is_same(x));
  CHECK(ops::copy_(x, t.make({t.n, 1})).is_same(x));
  CHECK_ERROR_CONTAINS(ops::copy_(x, t.make({t.m, 3})), ValueError, "must match the existing size (s1)");
  CHECK(shape(ops::fill(x, 2)) == "[s0, 3]");
  CHECK(shape(ops::new_ones(x, {t.n})) == "[s0]");
  CHECK(shape(ops::new_full(x, {t.n, t.n}, 4)) == "[s0, s0]");
  Trace u;
  CHECK(shape(traced(u, [](SymInt n, SymInt m) { return ops::zeros_like(ops::t(meta({n, m}))); })) == "[s1, s0]");
}

TEST_CASE("symbolic tensors without a dtype have the default one", "[ops][symbolic]") {
  ScalarType before = get_default_dtype();
  Trace t;
  for (ScalarType type : {kDouble, kFloat}) {
    set_default_dtype(type);
    CHECK(ops::empty({t.n, 3}, "device"_a = kMeta).dtype() == type);
    CHECK(ops::empty_strided(SymDimVector{t.n, 3}, SymDimVector{3, 1}, "device"_a = kMeta).dtype() == type);
    CHECK(ops::zeros({t.n}, "device"_a = kMeta).dtype() == type);
    CHECK(ops::rand({t.n}, "device"_a = kMeta).dtype() == type);
  }
  set_default_dtype(before);
}

TEST_CASE("out forms of factories give tensors symbolic shapes, and plain ones again", "[ops][symbolic]") {
  Trace t;
  Tensor x = t.make({t.n, 3}), out = meta({2});
  ops::zeros_base_out(SymDimVector{t.n, t.m}, out);
  CHECK(shape(out) == "[s0, s1]");
  CHECK(out.is_symbolic());
  ops::full_base_out(SymDimVector{7}, 2, out);
  CHECK(out.sizes() == IntArrayRef({7}));
  ops::ones_base_out(SymDimVector{t.m}, out);
  CHECK(shape(out) == "[s1]");
  ops::empty_memory_format_out(SymDimVector{2, t.n, 3, 5}, MemoryFormat::ChannelsLast, out);
  CHECK(shape(out) == "[2, s0, 3, 5]");
  CHECK(strides(out) == "[15*s0, 1, 5*s0, s0]");
  ops::zeros_like_base_out(x, std::nullopt, out);
  CHECK(shape(out) == "[s0, 3]");
  ops::new_full_base_out(x, SymDimVector{t.n + 1}, 4, out);
  CHECK(shape(out) == "[s0 + 1]");
  ops::clone_base_out(x, std::nullopt, out);
  CHECK(shape(out) == "[s0, 3]");
  CHECK(out.is_contiguous());
}

TEST_CASE("resize_ takes symbolic sizes", "[ops][symbolic]") {
  Trace t;
  Tensor x = meta({2, 3});
  CHECK(shape(ops::resize_(x, SymDimVector{t.n, 5})) == "[s0, 5]");
  CHECK(strides(x) == "[5, 1]");
  CHECK(x.is_contiguous());
  CHECK(shape(ops::resize_(x, {4})) == "[4]");
  CHECK_FALSE(x.is_symbolic());
  CHECK_ERROR(ops::resize_(x, SymDimVector{t.n - 9}), ValueError,
              "resize_(): expected sizes of at least 0, got [s0 - 9]");
  CHECK(shape(x) == "[4]");
}

TEST_CASE("gradients of views have the sizes of what was seen", "[ops][symbolic]") {
  Trace t;
  auto is = [&](auto call, const char* expected) { CHECK(shape(traced(t, call)) == expected); };
  is([](SymInt n, SymInt m) { return ops::select_backward(meta({m}), SymDimVector{n, m}, 0, n - 1); }, "[s0, s1]");
  is([](SymInt n, SymInt m) { return ops::slice_backward(meta({n, 2}), SymDimVector{n, m}, 1, 0, 2, 1); }, "[s0, s1]");
  is([](SymInt n, SymInt) { return ops::diagonal_backward(meta({n}), SymDimVector{n, n}, 0, 0, 1); }, "[s0, s0]");
  Tensor x = t.make({t.n, t.m});
  CHECK(shape(ops::as_strided_(x, SymDimVector{t.m}, SymDimVector{1})) == "[s1]");
}

TEST_CASE("rounding to decimals keeps symbolic sizes and the layout", "[ops][symbolic]") {
  Trace t;
  Tensor y = traced(t, [](SymInt n, SymInt) { return ops::round_decimals(ops::t(meta({n, 16})), 2); });
  CHECK(shape(y) == "[16, s0]");
  CHECK(strides(y) == "[1, 16]");
  Tensor x = t.make({t.n, t.m});
  CHECK(shape(ops::round_decimals_(x, 1)) == "[s0, s1]");
  CHECK(t.guards() == Texts{"s0 > 0", "s1 > 0"});
}

TEST_CASE("sizes at the ends of the range are plain numbers, on Meta as on the CPU", "[ops][symbolic]") {
  const std::vector<std::int64_t> least{INT64_MIN}, below{-(std::int64_t{1} << 62) - 1},
      word{static_cast<std::int64_t>(0x9a5d000000001000u)};
  for (const Device& device : {kMeta, kCPU}) {
    Tensor x = ops::zeros({2, 3}, "device"_a = device);
    for (const auto& list : {least, below}) {
      CHECK_THROWS_AS(x.view(list), ValueError);
      CHECK_THROWS_AS(x.reshape(list), ValueError);
      CHECK_THROWS_AS(x.expand(std::vector<std::int64_t>{list[0], 3}), ValueError);
      CHECK_THROWS_AS(ops::as_strided(x, list, least), ValueError);
      CHECK_THROWS_AS(ops::as_strided(x, {1}, list), ValueError);
      CHECK_THROWS_AS(ops::zeros(list, "device"_a = device), ValueError);
      CHECK_THROWS_AS(x.new_empty(list), ValueError);
    }
    CHECK_ERROR(x.view(word), ValueError,
                "IntArrayRef contains an int that cannot be represented as a SymInt: -7323697419034554368 at index 0");
    CHECK_THROWS_AS(ops::zeros(word, "device"_a = device), ValueError);
    CHECK(ops::slice(x, 0, INT64_MIN, 1).size(0) == 1);
    CHECK(ops::slice(x, 0, 0, INT64_MIN).size(0) == 0);
    CHECK_THROWS_AS(ops::narrow(x, 0, INT64_MIN, 1), IndexError);
    CHECK_THROWS_AS(ops::select(x, 0, INT64_MIN), IndexError);
  }
  Trace t;
  CHECK(shape(ops::slice(t.make({t.n}), 0, INT64_MIN, 1)) == "[1]");
}

TEST_CASE("min and max of symbolic integers are called by their plain names", "[ops][symbolic]") {
  Trace t;
  CHECK(to_string(min(t.n, SymInt(3))) == "min(s0, 3)");
  CHECK(to_string(max(3, t.m)) == "max(3, s1)");
  CHECK(to_string(ops::max(t.n, t.n + 1)) == "s0 + 1");
  CHECK(ops::min(ops::full({2}, 3), ops::full({2}, 2)).sum().item().to<std::int64_t>() == 4);
}
