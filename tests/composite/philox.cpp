// Random numbers of a key: the numbers of torch 2.15.
#include "../ops/support.hpp"

using namespace test;

namespace {
Tensor key(std::int64_t seed, std::int64_t place = 0) { return ops::to(tensor({seed, place}).to(kLong), kUInt64); }
Tensor filled(ScalarType type, std::int64_t n) { return ops::zeros({n}, "dtype"_a = type); }
std::uint64_t word(const Tensor& t, std::int64_t i) { return ops::contiguous(t).data_ptr<std::uint64_t>()[i]; }
void check_near(const Tensor& t, const Numbers& expected, double within) {
  Numbers got = values(t);
  REQUIRE(got.size() == expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) CHECK(std::abs(got[i] - expected[i]) < within);
}
}  // namespace

TEST_CASE("keys are split and folded", "[composite][philox]") {
  Tensor two = ops::_philox_key_split(key(42), 2);
  CHECK(list(two.sizes()) == Ints{2, 2});
  CHECK((word(two, 0) == 8643895580192075859U && word(two, 1) == 6287785766076502189U));
  CHECK((word(two, 2) == 6033254488940945703U && word(two, 3) == 8380643633896839790U));
  CHECK(word(ops::_philox_key_fold_in(key(42), 1), 0) == word(two, 2));
  CHECK(word(ops::_philox_key_fold_in(key(42), tensor({1})), 1) == word(two, 3));
  CHECK(word(ops::_philox_key_fold_in(key(42), -1), 0) == 1685533963231214966U);
  CHECK(word(ops::_philox_key_split(key(42, 3), 2), 0) == 12371121732634215541U);
  Tensor batch = ops::_philox_key_split(ops::stack({key(42), key(7)}), 2);
  CHECK((list(batch.sizes()) == Ints{2, 2, 2} && word(batch, 2) == 13837866057460644397U &&
         word(batch, 4) == word(two, 2)));
  CHECK_ERROR(ops::_philox_key_split(ops::zeros({2}, "dtype"_a = kLong), 2), TypeError,
              "_philox_key_split: key must have dtype uint64, got Long");
  CHECK_ERROR(ops::_philox_key_split(filled(kUInt64, 3), 2), ValueError,
              "_philox_key_split: key must have shape (*batch, 2), got shape [3]");
  CHECK_ERROR(ops::_philox_key_split(key(42), 0), ValueError, "_philox_key_split: num_splits must be positive, got 0");
  CHECK_ERROR(ops::_philox_key_fold_in(key(42), tensor({1, 2})), ValueError,
              "_philox_key_fold_in: data must be a single value, got 2 elements");
}
TEST_CASE("uniform numbers of a key", "[composite][philox]") {
  check_near(ops::_philox_uniform_base(filled(kFloat, 5), key(42), 0, 1),
             {0.917729557, 0.958148658, 0.747324765, 0.260556638, 0.855974615}, 1e-7);
  check_near(ops::_philox_uniform_base(filled(kDouble, 3), key(42), 0, 1), {0.341836676, 0.978598280, 0.847797073},
             1e-9);
  check_near(ops::_philox_uniform_base(filled(kHalf, 4), key(42), -1, 3),
             {-0.837890625, -0.384765625, -0.662109375, 0.919921875}, 1e-9);
  check_near(ops::_philox_uniform_base(filled(kBFloat16, 3), key(42), 0, 1), {0.32421875, 0.23046875, 0.67578125},
             1e-9);
  check_near(ops::_philox_uniform_base(filled(kFloat, 2), key(42, 3), 0, 1), {0.777411759, 0.683802307}, 1e-7);
  // Into the strides of a tensor, its elements in row-major order.
  Tensor x = ops::zeros({2, 3}), y = ops::t(x);
  ops::_philox_uniform_(y, key(42));
  check_near(ops::select(y, 0, 1), {0.747324765, 0.260556638}, 1e-7);
}
TEST_CASE("normal numbers of a key", "[composite][philox]") {
  check_near(ops::_philox_normal_base(filled(kFloat, 5), key(42), 0, 1),
             {-0.970189810, 0.194018871, -1.235621214, 1.923926592, -0.073181532}, 1e-6);
  check_near(ops::_philox_normal_base(filled(kDouble, 3), key(42), 0, 1), {0.886497506, 0.439356069, -0.156609623},
             1e-9);
  check_near(ops::_philox_normal_base(filled(kHalf, 2), key(42), 1, 2), {-0.940429688, 1.387695312}, 1e-6);
}
TEST_CASE("a key draws PyTorch's integers, in any range", "[composite][philox]") {
  auto draw = [](ScalarType type, std::optional<std::int64_t> low, std::optional<std::int64_t> high,
                 std::int64_t seed = 42) {
    return values(ops::_philox_randint_base(filled(type, 3), key(seed), low, high));
  };
  CHECK(draw(kByte, {}, {}) == Numbers{83, 59, 173});
  CHECK(draw(kChar, {}, {}) == Numbers{83, 59, -83});
  CHECK(draw(kInt, {}, {}) == Numbers{-1662324653, 2012563771, 314527917});
  CHECK(draw(kInt, -2147483648LL, {}) == Numbers{-1662324653, 2012563771, 314527917});
  CHECK(draw(kInt, 0, 10) == Numbers{3, 1, 7});
  CHECK(draw(kLong, 0, 10) == Numbers{9, 9, 3});
  CHECK(draw(kChar, {}, 3) == Numbers{-33, -99, -67});
  CHECK(draw(kShort, -5, 3) == Numbers{-2, -2, 0});
  CHECK(draw(kByte, 0, 300) == Numbers{143, 15, 117});
  CHECK(draw(kChar, -128, 128) == Numbers{-45, -69, 45});
  CHECK(draw(kLong, 0, std::int64_t{3} << 40) == Numbers{358494849339, 1844004959191, 168908451069});
  CHECK(ops::_philox_randint_base(filled(kLong, 1), key(42), 3, std::nullopt).item<std::int64_t>() ==
        2083742018897791297);
  CHECK_ERROR(draw(kByte, 5, 5), ValueError,
              "_philox_randint_: [low, high) must be non-empty; pass high=None for the dtype's full range");
  CHECK_THROWS_AS(draw(kInt, 0, 3 << 28), ValueError);  // far from equally likely
  CHECK_ERROR(draw(kFloat, 0, 3), TypeError, "_philox_randint_: self must have an integer dtype, got Float");
}
TEST_CASE("a batch of keys fills a batch", "[composite][philox]") {
  Tensor keys = ops::stack({key(42), key(7)}), x = ops::zeros({2, 3}), one = ops::zeros({2, 2});
  check_near(ops::select(ops::_philox_uniform(x, keys.view({2, 1, 2})), 0, 1), {0.376864254, 0.038968801, 0.229404569},
             1e-7);
  check_near(ops::_philox_uniform(one, keys.view({1, 2, 2})), {0.917729557, 0.376864254, 0.917729557, 0.376864254},
             1e-7);
  CHECK_ERROR(
      ops::_philox_uniform(x, keys), ValueError,
      "_philox_uniform_: batched key must have ndim == output ndim + 1, got key shape [2, 2] with output shape [2, 3]");
  CHECK_ERROR(ops::_philox_uniform(x, ops::zeros({3, 1, 2}, "dtype"_a = kUInt64)), ValueError,
              "_philox_uniform_: key batch shape [3, 1] is not broadcastable with output shape [2, 3]");
  CHECK(ops::_philox_normal(ops::zeros({0}), key(1)).numel() == 0);
  CHECK_THROWS_AS(ops::_philox_uniform(counted({3}, kLong), key(1)), NotImplementedError);
}
