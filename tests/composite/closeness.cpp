// Tensors that are nearly equal.
#include <limits>

#include "../ops/support.hpp"

using namespace test;

TEST_CASE("closeness is relative to the second tensor", "[composite]") {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinite = std::numeric_limits<double>::infinity();
  Tensor a = tensor({1.0, 10.0, nan, infinite, -infinite}), b = tensor({1.0001, 10.1, nan, infinite, infinite});
  CHECK(values(ops::isclose(a, b)) == Numbers{0, 0, 0, 1, 0});
  CHECK(values(ops::isclose(a, b, 1e-3, 0.0, true)) == Numbers{1, 0, 1, 1, 0});
  CHECK(values(ops::isclose(tensor({1, 2}), tensor({1, 3}))) == Numbers{1, 0});
  // An integer difference would wrap.
  CHECK(values(ops::isclose(tensor({0}).to(kByte), tensor({255}).to(kByte), 0.0, 2.0)) == Numbers{0});
  CHECK_ERROR(ops::isclose(a, a.to(kDouble)), TypeError, "Float did not match Double");
  CHECK_ERROR(ops::isclose(a, a, -1.0), ValueError, "rtol must be greater than or equal to zero, but got -1");
}

TEST_CASE("equal tensors have one shape and equal elements", "[composite]") {
  Tensor a = tensor({1.0, 2.0});
  CHECK(ops::equal(a, a.to(kDouble)));
  CHECK(!ops::equal(a, tensor({1.0, 3.0})));
  CHECK(!ops::equal(a, ops::reshape(a, {1, 2})));
  Tensor none = tensor({std::numeric_limits<double>::quiet_NaN()});
  CHECK(!ops::equal(none, none));
  CHECK(ops::equal(ops::empty({0}), ops::empty({0})));
  CHECK(ops::allclose(a, a + 1e-6));
  CHECK(!ops::allclose(a, a + 1e-3));
  CHECK(ops::allclose(none, none, "equal_nan"_a = true));
  Tensor meta = ops::empty({2}, "device"_a = kMeta);
  CHECK_ERROR_CONTAINS(ops::equal(meta, meta), NotImplementedError, "depends on data");
  CHECK_ERROR_CONTAINS(ops::allclose(meta, meta), NotImplementedError, "depends on data");
}
