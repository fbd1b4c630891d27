// Places in memory as indices, beside numbers of PyTorch 2.15.
#include "support.hpp"

using namespace test;

TEST_CASE("unravel_index finds the indices of an element along each dimension", "[ops]") {
  std::vector<Tensor> at = ops::unravel_index(tensor({5, 23}).view({2, 1}), {2, 3, 4});
  REQUIRE(at.size() == 3);
  CHECK(list(at[0].sizes()) == Ints{2, 1});
  CHECK(values(at[0]) == Numbers{0, 1});
  CHECK(values(at[1]) == Numbers{1, 2});
  CHECK(values(at[2]) == Numbers{1, 3});
  Tensor x = counted({2, 3, 4});
  CHECK(x[0][1][1].item<double>() == 5);
  CHECK(values(ops::unravel_index(tensor({30, -1}), {2, 3, 4})[1]) == Numbers{1, 2});
  CHECK(ops::unravel_index(tensor(7), 4)[0].item<double>() == 3);
  CHECK(ops::unravel_index(tensor(7), {}).empty());
  std::vector<Tensor> none = ops::unravel_index(ops::empty({0}, kInt), {0, 3});
  CHECK((none.size() == 2 && none[1].dtype() == kLong && none[1].numel() == 0));
}

TEST_CASE("unravel_index refuses what is no place in a shape", "[ops]") {
  CHECK_ERROR(ops::unravel_index(tensor({1.0f}), {2}), TypeError,
              "unravel_index(): expected 'indices' to be integer dtype, but got float32");
  CHECK_ERROR(ops::unravel_index(tensor({1}), {2, -1}), ValueError,
              "unravel_index(): 'shape' cannot have negative values, but got [2, -1]");
  CHECK_ERROR(ops::unravel_index(tensor({1}), {2, 0}), ValueError,
              "unravel_index(): 'shape' cannot have zero dimensions when 'indices' is non-empty, but got [2, 0]");
}
