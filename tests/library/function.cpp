// Overload sets: where braced lists stand among the arguments of a call.
#include "../ops/support.hpp"

using namespace test;

// torch.conv2d, conv_transpose2d, max_pool2d and tensordot of PyTorch 2.15.
TEST_CASE("braced lists of integers stand in the first six places, side by side too", "[library][function]") {
  Tensor x = counted({1, 1, 3, 4}), w = tensor({1.f, 2.f, 3.f, 4.f}).view({1, 1, 2, 2}), b = tensor({0.5f});
  CHECK(values(ops::conv2d(x, w, b, {2, 1}, {1, 0})) == Numbers{4.5, 11.5, 18.5, 74.5, 84.5, 94.5});
  CHECK(values(ops::conv2d(x, w, b, 1, {0, 1}, {2, 3})) == Numbers{44.5, 74.5, 28.5});
  CHECK(values(ops::conv2d(x, w, b, {1, 1}, {0, 1}, {2, 3}, 1)) == Numbers{44.5, 74.5, 28.5});
  CHECK(values(ops::conv2d(x, w, std::nullopt, {1, 1}, {0, 1}, "dilation"_a = {2, 3})) == Numbers{44, 74, 28});
  CHECK(values(ops::max_pool2d(x, {2, 2}, {1, 2}, {1, 0}, {1, 2})) == Numbers{2, 6, 10, 10});
  CHECK(list(ops::conv_transpose2d(x, w, b, {2, 2}, {0, 0}, {1, 0}).sizes()) == Ints{1, 1, 7, 8});
  Tensor y = counted({2, 3});
  CHECK(values(ops::tensordot(y, y, {0}, {0})) == Numbers{9, 12, 15, 12, 17, 22, 15, 22, 29});
  CHECK(ops::tensordot(y, y, {0, 1}, {0, 1}).item<float>() == 55);
  CHECK(values(ops::roll(y, {1, 1}, {0, 1})) == Numbers{5, 3, 4, 2, 0, 1});
  CHECK(ops::reshape(y.sum(), {}).dim() == 0);
}

TEST_CASE("braced lists of tensors that may be missing stand behind the first argument", "[library][function]") {
  Tensor x = ops::zeros({3}), at = tensor({0, 2, 0});
  CHECK(ops::index_put_(x, {at}, tensor({1.f, 2.f, 3.f}), true).is_same(x));
  CHECK(values(x) == Numbers{4, 0, 2});
  CHECK(values(ops::index_put(x, {at}, tensor({1.f, 2.f, 3.f}), "accumulate"_a = true)) == Numbers{8, 0, 4});
  CHECK(values(ops::index(x, {at})) == Numbers{4, 2, 4});
  CHECK(values(ops::index(counted({2, 3}), {std::nullopt, at})) == Numbers{0, 2, 0, 3, 5, 3});
}
