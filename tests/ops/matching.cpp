#include "support.hpp"

using namespace test;

TEST_CASE("sizes are compared and taken over", "[ops][matching]") {
  Tensor x = counted({2, 3});
  CHECK(x.is_same_size(ops::ones({2, 3})));
  CHECK_FALSE(ops::is_same_size(x, x.t()));
  Tensor y = ops::empty({0});
  CHECK(y.resize_as_(x).is_same(y));
  CHECK(list(y.sizes()) == Ints{2, 3});
  Tensor image = ops::empty({2, 3, 4, 5}, "memory_format"_a = MemoryFormat::ChannelsLast), z = ops::empty({0});
  z.resize_as_(image, "memory_format"_a = MemoryFormat::Preserve);
  CHECK(list(z.strides()) == list(image.strides()));
}

TEST_CASE("fill_diagonal_ writes the diagonal, of tall matrices again and again", "[ops][matching]") {
  Tensor square = ops::zeros({2, 2}), wide = ops::zeros({2, 3}), cube = ops::zeros({2, 2, 2});
  CHECK(values(square.fill_diagonal_(5)) == Numbers{5, 0, 0, 5});
  CHECK(values(wide.t().fill_diagonal_(1)) == Numbers{1, 0, 0, 1, 0, 0});
  CHECK(values(wide) == Numbers{1, 0, 0, 0, 1, 0});
  CHECK(values(cube.fill_diagonal_(2)) == Numbers{2, 0, 0, 0, 0, 0, 0, 2});
  Tensor tall = ops::zeros({7, 2});
  CHECK(values(tall.fill_diagonal_(4, true)) == Numbers{4, 0, 0, 4, 0, 0, 4, 0, 0, 4, 0, 0, 4, 0});
  Tensor x = ops::ones({2, 2}).requires_grad_(), y = x * 1;
  y.fill_diagonal_(3);
  (y * y).sum().backward();
  CHECK(values(x.grad()) == Numbers{0, 2, 2, 0});
  CHECK_ERROR(ops::zeros({3}).fill_diagonal_(1), ValueError, "dimensions must larger than 1");
  CHECK_ERROR(ops::zeros({2, 2, 3}).fill_diagonal_(1), ValueError, "all dimensions of input must be of equal length");
}
