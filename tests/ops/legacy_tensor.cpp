#include "support.hpp"

using namespace test;

TEST_CASE("W12: the oldest constructor takes nothing, sizes, memory, a tensor or data", "[ops][legacy_tensor]") {
  CHECK(list(legacy_tensor().sizes()) == Ints{0});
  CHECK(list(legacy_tensor(5).sizes()) == Ints{5});
  CHECK(list(legacy_tensor(2, 3).sizes()) == Ints{2, 3});
  Tensor x = counted({3});
  CHECK(list(legacy_tensor(counted({2, 4}).sizes()).sizes()) == Ints{2, 4});
  Tensor data = legacy_tensor({1, 2});  // the class says the dtype, not the numbers
  CHECK(data.dtype() == kFloat);
  CHECK(values(data) == Numbers{1, 2});
  CHECK(tensor({1, 2}).dtype() == kLong);
  CHECK(values(legacy_tensor({{true, false}, {true, true}})) == Numbers{1, 0, 1, 1});
  CHECK(list(legacy_tensor(std::vector<double>{1, 2, 3}).sizes()) == Ints{3});
  Tensor shared = legacy_tensor(x);
  CHECK_FALSE(shared.is_same(x));
  CHECK(shared.storage() == x.storage());
  Tensor whole = legacy_tensor(x.storage());
  CHECK(values(whole) == Numbers{0, 1, 2});
  whole.fill_(4);
  CHECK(values(x) == Numbers{4, 4, 4});
  CHECK(list(legacy_tensor(ops::empty({4}, "dtype"_a = kHalf).storage()).sizes()) == Ints{2});
  CHECK_FALSE(legacy_tensor(x.clone().requires_grad_() * 2).requires_grad());
  CHECK(legacy_tensor(counted({2}, kLong)).dtype() == kLong);
}

TEST_CASE("the oldest constructors of other classes say their dtype", "[ops][legacy_tensor]") {
  CHECK(legacy_tensor(2, 3, "dtype"_a = kLong).dtype() == kLong);
  CHECK(values(legacy_tensor({1.7, 2.0}, "dtype"_a = kLong)) == Numbers{1, 2});
  CHECK_ERROR(legacy_tensor(counted({2}), "dtype"_a = kLong), TypeError,
              "expected a tensor of dtype int64 (got one of dtype float32)");
  set_default_dtype(kDouble);
  ScalarType made = legacy_tensor({1, 2}).dtype();
  set_default_dtype(kFloat);
  CHECK(made == kDouble);
}

TEST_CASE("the oldest constructor refuses numbers, ragged lists, other devices", "[ops][legacy_tensor]") {
  CHECK_ERROR(legacy_tensor(2.5), TypeError, "new(): data must be a sequence (got float)");
  CHECK_ERROR(legacy_tensor(true), TypeError, "new(): data must be a sequence (got int)");
  CHECK_ERROR(legacy_tensor({{1, 2}, {3}}), ValueError, "expected sequence of length 2 at dim 1 (got 1)");
  CHECK_ERROR(legacy_tensor({1}, "device"_a = kMeta), ValueError,
              "legacy constructor expects device type: cpu but device type: meta was passed");
  CHECK_ERROR(legacy_tensor(2, "device"_a = kMeta), ValueError,
              "legacy constructor expects device type: cpu but device type: meta was passed");
  CHECK_THROWS_AS(legacy_tensor(-1), ValueError);
}
