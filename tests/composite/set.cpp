// Tensors that take over the memory of another: the answers of torch 2.15.
#include "../ops/support.hpp"

using namespace test;
using L = IntArrayRef;

TEST_CASE("a tensor takes over another's memory and place in it", "[composite][set]") {
  Tensor x = counted({6}), y = ops::zeros({2});
  y.set_(ops::narrow(x, 0, 1, 4).view({2, 2}));
  CHECK(seen(y) == Seen{{2, 2}, {2, 1}, 1});
  CHECK(y.storage() == x.storage());
  ops::set_(y, x, 1, L{2, 2}, L{1, 1});
  CHECK(values(y) == Numbers{1, 2, 2, 3});
  ops::set_(y, ops::narrow(x, 0, 2, 4), 1, L{2});
  CHECK(values(y) == Numbers{3, 4});
  CHECK(seen(ops::set_(y)) == Seen{{0}, {1}, 0});
  CHECK(y.storage().nbytes() == 0);
  CHECK_ERROR(ops::set_(y, counted({3}, kLong)), TypeError,
              "Could not set tensor of type int64 to a tensor of type float32");
  CHECK_ERROR(ops::set_(y, ops::t(counted({2, 3})), 0, L{2}), ValueError,
              "passed in tensor to be used as storage must be contiguous");
  CHECK_ERROR(
      ops::set_(y, ops::empty({2}, "device"_a = kMeta)), ValueError,
      "Attempted to set the storage of a tensor on device \"cpu\" to a storage on different device \"meta\".  This is no "
      "longer allowed; the devices must match.");
}
TEST_CASE("a tensor shows what a storage holds", "[composite][set]") {
  Tensor x = counted({6}), y = ops::zeros({2}), n = ops::zeros({2}, "dtype"_a = kLong);
  CHECK(seen(ops::set_(y, x.storage())) == Seen{{6}, {1}, 0});
  CHECK(ops::set_(n, x.storage()).size(0) == 3);
  CHECK(values(ops::set_(y, x.storage(), 1, L{2, 2}, L{1, 2})) == Numbers{1, 3, 2, 4});
  CHECK(values(ops::set_(y, x.storage(), 1, L{2, 2})) == Numbers{1, 2, 3, 4});
  ops::set_(y, x.storage(), 1, L{2, 4});
  CHECK(x.storage().nbytes() == 36);  // it grows
  CHECK_ERROR(ops::set_(y, x.storage(), -1, L{2}), ValueError, "Tensor: invalid storage offset -1");
  CHECK_ERROR(ops::set_(y, x.storage(), 0, L{2, 2}, L{1}), ValueError, "unequal size length (2) and stride length (1)");
  CHECK_ERROR(ops::set_(y, x.storage(), 0, L{2, 2}, L{-1, 1}), ValueError,
              "Storage size calculation overflowed with sizes=[2, 2] and strides=[-1, 1]");
  CHECK_THROWS_AS(ops::set_(y, x.storage(), 0, L{-2, 2}), ValueError);
}
TEST_CASE("a memory taken over is known to gradients", "[composite][set]") {
  Tensor leaf = ops::ones({2}).requires_grad_(), x = counted({2});
  CHECK_THROWS_AS(ops::set_(leaf, x), AutogradError);
  Tensor y = ops::mul(leaf, 2), squares = ops::mul(y, y);
  ops::set_(y, x);
  CHECK(y.grad_fn()->name() == "NotImplemented");
  CHECK_THROWS_AS(ops::sum(squares).backward(), AutogradError);
}
TEST_CASE("set without writes shows the same in memory of its own", "[composite][set]") {
  Tensor x = counted({6}), y = ops::zeros({2}), out = ops::empty({0});
  Tensor z = ops::set_source_Tensor(y, x);
  CHECK((values(z) == values(x) && z.data_ptr() != x.data_ptr()));
  CHECK(ops::set_base(y).numel() == 0);
  CHECK(values(ops::set_source_Storage(y, x.storage())) == values(x));
  ops::set_source_Tensor_out(y, x, out);
  CHECK(values(out) == values(x));
  CHECK(list(y.sizes()) == Ints{2});
}
TEST_CASE("data of a tensor is replaced and its history kept", "[composite][set]") {
  Tensor a = ops::zeros({2}), b = counted({3}, kLong);
  ops::set_data(a, b);
  CHECK((a.dtype() == kLong && a.data_ptr() == b.data_ptr() && a.version() == 0));
  Tensor leaf = ops::zeros({2}).requires_grad_(), y = ops::mul(leaf, 2);
  auto node = y.grad_fn();
  ops::set_data(y, counted({3}));
  CHECK((values(y) == Numbers{0, 1, 2} && y.grad_fn() == node));
  CHECK_ERROR(ops::set_data(leaf, b), TypeError,
              "data set to a tensor that requires gradients must be floating point or complex dtype");
  CHECK_ERROR(ops::set_data(a, ops::empty({2}, "device"_a = kMeta)), TypeError,
              "Attempted to call `variable.set_data(tensor)`, but `variable` and `tensor` have incompatible tensor "
              "type.");
}
