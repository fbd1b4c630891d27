#include <span>

#include "support.hpp"

using namespace test;

TEST_CASE("a tensor that fits is its own array", "[ops][asarray]") {
  Tensor x = counted({3});
  CHECK(asarray(x).is_same(x));
  CHECK(asarray(x, "dtype"_a = kFloat, "device"_a = kCPU, "copy"_a = false).is_same(x));
  Tensor copy = asarray(x, "copy"_a = true);
  CHECK(values(copy) == values(x));
  CHECK_FALSE(copy.storage() == x.storage());
  CHECK(asarray(x, "dtype"_a = kInt).dtype() == kInt);
  CHECK(asarray(x, "device"_a = kMeta).is_meta());
  CHECK_ERROR(asarray(x, "dtype"_a = kInt, "copy"_a = false), ValueError,
              "can't alias tensor with dtype 'Float' into dtype 'Int'.");
  CHECK_ERROR(asarray(x, "device"_a = kMeta, "copy"_a = false), ValueError,
              "can't alias tensor from device 'cpu' to 'meta'.");
  DefaultDeviceGuard guard(kMeta);
  CHECK(asarray(x).is_meta());
}

TEST_CASE("an array requires grad as its tensor does or as it is told", "[ops][asarray]") {
  Tensor x = counted({3});
  CHECK(asarray(x, "requires_grad"_a = true).is_same(x));
  CHECK(x.requires_grad());
  Tensor y = x * 2;
  CHECK(asarray(y, "requires_grad"_a = true).is_same(y));
  CHECK(asarray(y).requires_grad());
  Tensor constant = asarray(y, "requires_grad"_a = false);
  CHECK_FALSE(constant.requires_grad());
  CHECK(constant.storage() == y.storage());
  CHECK(y.requires_grad());
  CHECK_FALSE(asarray(x, "copy"_a = true).is_leaf());  // it came out of x
  CHECK_FALSE(asarray(x, "copy"_a = true, "requires_grad"_a = false).requires_grad());
  CHECK(asarray(x, "requires_grad"_a = false).is_same(x));
  CHECK_FALSE(x.requires_grad());
}

TEST_CASE("memory becomes an array in its place, numbers a new one", "[ops][asarray]") {
  std::vector<float> memory{1, 2, 3};
  Tensor x = asarray(std::span<float>(memory));
  memory[1] = 7;
  CHECK(values(x) == Numbers{1, 7, 3});
  CHECK(asarray(std::span<float>(memory), "copy"_a = true).data_ptr() != memory.data());
  CHECK_ERROR(asarray(std::span<float>(memory), "dtype"_a = kLong, "copy"_a = false), ValueError,
              "can't alias tensor with dtype 'Float' into dtype 'Long'.");
  CHECK(asarray(memory).data_ptr() != memory.data());
  CHECK(values(asarray(std::span<const float>(memory))) == Numbers{1, 7, 3});
  CHECK(asarray({{1, 2}, {3, 4}}).dtype() == kLong);
  CHECK(asarray(2.5).dim() == 0);
  CHECK(asarray({1.0, 2.0}, "dtype"_a = kDouble, "requires_grad"_a = true).requires_grad());
  CHECK_ERROR(asarray({1, 2}, "copy"_a = false), ValueError, "can't alias arbitrary sequence into a tensor.");
}
