// Views: shapes, strides, offsets, shared memory, and the words of refusals.
#include "support.hpp"

using namespace test;

TEST_CASE("W13: narrow is a slice of the same memory", "[ops][view]") {
  Tensor x = counted({3, 4});
  Tensor v = x.narrow(0, 1, 2);
  CHECK(seen(v) == Seen{{2, 4}, {4, 1}, 4});
  CHECK(v.storage() == x.storage());
  CHECK(seen(x.narrow(0, -2, 2)) == seen(v));
  CHECK(seen(x.narrow(0, 3, 0)).sizes == Ints{0, 4});
  Tensor c = x.narrow(1, 1, 2);
  CHECK(seen(c) == Seen{{3, 2}, {4, 1}, 1});
  CHECK_FALSE(c.is_contiguous());
  auto before = x.version();
  c.fill_(9);
  CHECK(values(x) == Numbers{0, 9, 9, 3, 4, 9, 9, 7, 8, 9, 9, 11});
  CHECK(x.version() == before + 1);
  CHECK(seen(x.narrow(0, tensor(-2), 2)) == seen(v));
  CHECK(ops::narrow(x, 0, tensor(1, "dtype"_a = kByte), 2).storage() == x.storage());
  CHECK_ERROR(x.narrow(0, tensor({1}), 2), TypeError, "start must be an 0-dim integral Tensor.");
  CHECK_ERROR(x.narrow(0, tensor(true), 2), TypeError, "start must be an 0-dim integral Tensor.");
  CHECK_ERROR(x.narrow(0, tensor(5), 2), IndexError,
              "start out of range (expected to be in range of [-3, 3], but got 5)");
  CHECK_ERROR(tensor(1).narrow(0, 0, 1), ValueError, "narrow() cannot be applied to a 0-dim tensor.");
  CHECK_ERROR(x.narrow(0, 2, 2), ValueError, "start (2) + length (2) exceeds dimension size (3).");
  CHECK_ERROR(x.narrow(0, 0, -1), ValueError, "narrow(): length must be non-negative.");
  CHECK_ERROR(x.narrow(0, -4, 1), IndexError, "start out of range (expected to be in range of [-3, 3], but got -4)");
}

TEST_CASE("dimensions are swapped and reordered", "[ops][view]") {
  Tensor x = counted({2, 3, 4});
  CHECK(seen(x.transpose(0, -1)) == Seen{{4, 3, 2}, {1, 4, 12}, 0});
  CHECK(seen(x.permute({2, 0, 1})) == Seen{{4, 2, 3}, {1, 12, 4}, 0});
  CHECK(seen(x.select(0, 1).t()) == Seen{{4, 3}, {1, 4}, 12});
  CHECK(seen(tensor({1, 2}).t()) == Seen{{2}, {1}, 0});
  CHECK_ERROR(x.t(), ValueError, "t() expects a tensor with <= 2 dimensions, but self is 3D");
  CHECK_ERROR(x.permute({0, 0, 1}), ValueError, "permute(): duplicate dims are not allowed.");
  CHECK_THROWS_AS(x.permute({0}), ValueError);
  CHECK_ERROR(x.transpose(0, 3), IndexError, "Dimension out of range (expected to be in range of [-3, 2], but got 3)");
}

TEST_CASE("view infers one size and refuses to move elements", "[ops][view]") {
  Tensor x = counted({3, 4});
  CHECK(seen(x.view({-1, 2})) == Seen{{6, 2}, {2, 1}, 0});
  CHECK(seen(x.view({3, 2, 2})) == Seen{{3, 2, 2}, {4, 2, 1}, 0});
  CHECK(seen(x.t().view({2, 2, 3})) == Seen{{2, 2, 3}, {2, 1, 4}, 0});
  CHECK(seen(x.view_as(ops::zeros({12}))) == Seen{{12}, {1}, 0});
  CHECK_ERROR(
      x.t().view({12}), ValueError,
      "view size is not compatible with input tensor's size and stride (at least one dimension spans across two contiguous subspaces). Use .reshape(...) instead.");
  CHECK_ERROR(x.view({5}), ValueError, "shape '[5]' is invalid for input of size 12");
  CHECK_ERROR(x.view({-1, -1}), ValueError, "only one dimension can be inferred");
}

TEST_CASE("reshape is a view where it can be one and a copy elsewhere", "[ops][view]") {
  Tensor x = counted({3, 4});
  CHECK(x.reshape({2, 6}).storage() == x.storage());
  CHECK(x.t().reshape({2, 2, 3}).storage() == x.storage());
  Tensor copied = x.t().reshape({12});
  CHECK_FALSE(copied.storage() == x.storage());
  CHECK(values(copied) == Numbers{0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11});
  CHECK(seen(x.flatten()) == Seen{{12}, {1}, 0});
  CHECK(seen(counted({2, 3, 4}).flatten(1, 2)) == Seen{{2, 12}, {12, 1}, 0});
  CHECK(seen(tensor(1).flatten()).sizes == Ints{1});
  CHECK(x.flatten(1).is_same(x));
  CHECK_ERROR(x.flatten(1, 0), ValueError, "flatten() has invalid args: start_dim cannot come after end_dim");
}

TEST_CASE("expand repeats without memory", "[ops][view]") {
  Tensor x = counted({3, 1});
  CHECK(seen(x.expand({2, -1, 4})) == Seen{{2, 3, 4}, {0, 1, 0}, 0});
  CHECK(seen(x.expand({1, 3, 1})) == Seen{{1, 3, 1}, {3, 1, 1}, 0});
  CHECK(seen(tensor(1.).expand({2, 1})) == Seen{{2, 1}, {0, 0}, 0});
  CHECK(seen(x.expand_as(ops::zeros({3, 2}))) == Seen{{3, 2}, {1, 0}, 0});
  CHECK_ERROR(
      counted({3, 4}).expand({2, 4}), ValueError,
      "The expanded size of the tensor (2) must match the existing size (3) at non-singleton dimension 0.  Target sizes: [2, 4].  Tensor sizes: [3, 4]");
  CHECK_ERROR(x.expand({-1, 3, 1}), ValueError,
              "The expanded size of the tensor (-1) isn't allowed in a leading, non-existing dimension 0");
  CHECK_THROWS_AS(x.expand({2}), ValueError);
}

TEST_CASE("select and slice count from both ends", "[ops][view]") {
  Tensor x = counted({3, 4});
  CHECK(seen(x.select(1, -1)) == Seen{{3}, {4}, 3});
  CHECK(seen(ops::slice(x, 0, std::nullopt, std::nullopt, 2)) == Seen{{2, 4}, {8, 1}, 0});
  CHECK(seen(ops::slice(x, 1, -3, -1)) == Seen{{3, 2}, {4, 1}, 1});
  CHECK(seen(ops::slice(x, 0, -9, 99)) == Seen{{3, 4}, {4, 1}, 0});
  CHECK(seen(ops::slice(x, 0, 2, 1)).sizes == Ints{0, 4});
  CHECK_ERROR(x.select(0, 3), IndexError, "select(): index 3 out of range for tensor of size [3, 4] at dimension 0");
  CHECK_ERROR(tensor(1).select(0, 0), IndexError, "select() cannot be applied to a 0-dim tensor.");
  CHECK_ERROR(ops::slice(x, 0, 0, 1, 0), ValueError, "slice step must be positive");
}

TEST_CASE("dimensions of size 1 come and go", "[ops][view]") {
  Tensor x = counted({2, 1, 3, 1});
  CHECK(seen(x.squeeze()) == Seen{{2, 3}, {3, 1}, 0});
  CHECK(seen(x.squeeze(1)) == Seen{{2, 3, 1}, {3, 1, 1}, 0});
  CHECK(seen(x.squeeze(0)) == seen(x));
  CHECK(seen(x.squeeze(IntArrayRef({0, 3}))) == Seen{{2, 1, 3}, {3, 3, 1}, 0});
  CHECK(seen(counted({2, 3}).unsqueeze(1)) == Seen{{2, 1, 3}, {3, 3, 1}, 0});
  CHECK(seen(counted({2, 3}).unsqueeze(-1)) == Seen{{2, 3, 1}, {3, 1, 1}, 0});
  CHECK_ERROR(counted({2, 3}).unsqueeze(3), IndexError,
              "Dimension out of range (expected to be in range of [-3, 2], but got 3)");
  CHECK_ERROR(x.squeeze(IntArrayRef({0, 0})), ValueError, "dim 0 appears multiple times in the list of dims");
}

TEST_CASE("as_strided stays inside the storage", "[ops][view]") {
  Tensor x = counted({12});
  CHECK(values(x.as_strided({2, 3}, {1, 2}, 3)) == Numbers{3, 5, 7, 4, 6, 8});
  CHECK(seen(x.narrow(0, 2, 4).as_strided({2}, {1})).offset == 2);
  CHECK_ERROR(
      x.as_strided({200}, {1}), ValueError,
      "setStorage: sizes [200], strides [1], storage offset 0, and itemsize 4 requiring a storage size of 800 are out of bounds for storage of size 48");
  CHECK_ERROR(x.as_strided({2}, {1, 2}), ValueError, "mismatch in length of strides and shape");
  CHECK_THROWS_AS(x.as_strided({2}, {-1}), ValueError);
  CHECK_ERROR(x.as_strided({2}, {1}, -1), ValueError, "Tensor: invalid storage offset -1");
}

TEST_CASE("diagonal walks two dimensions at once", "[ops][view]") {
  Tensor x = counted({3, 4});
  CHECK(seen(x.diagonal()) == Seen{{3}, {5}, 0});
  CHECK(seen(x.diagonal(2)) == Seen{{2}, {5}, 2});
  CHECK(seen(x.diagonal(-1)) == Seen{{2}, {5}, 4});
  CHECK(seen(x.diagonal(9)) == Seen{{0}, {5}, 0});
  CHECK(seen(counted({2, 3, 4}).diagonal(1, 2, 0)) == Seen{{3, 1}, {4, 13}, 12});
  CHECK_ERROR(x.diagonal(0, 0, -2), ValueError, "diagonal dimensions cannot be identical 0, -2");
}

TEST_CASE("a tensor falls apart into views", "[ops][view]") {
  Tensor x = counted({5, 2});
  auto rows = x.unbind();
  REQUIRE(rows.size() == 5);
  CHECK(seen(rows[3]) == Seen{{2}, {1}, 6});
  auto parts = x.split(2);
  REQUIRE(parts.size() == 3);
  CHECK(seen(parts[2]) == Seen{{1, 2}, {2, 1}, 8});
  auto uneven = x.split_with_sizes({1, 4});
  CHECK(seen(uneven[1]) == Seen{{4, 2}, {2, 1}, 2});
  CHECK(ops::chunk(x, 2).size() == 2);
  CHECK(ops::chunk(ops::zeros({0, 2}), 3).size() == 3);
  CHECK(ops::zeros({0, 2}).split(0).size() == 1);
  CHECK_ERROR(x.split(0), ValueError, "split_size can only be 0 if dimension size is 0, but got dimension size of 5");
  CHECK_ERROR(
      x.split_with_sizes({1, 1}), ValueError,
      "split_with_sizes expects split_sizes to sum exactly to 5 (input tensor's size at dimension 0), but got split_sizes=[1, 1]");
  CHECK_ERROR(ops::chunk(x, 0), ValueError, "chunk expects `chunks` to be greater than 0, got: 0");
}

TEST_CASE("shapes change in place", "[ops][view]") {
  Tensor x = counted({2, 1, 3});
  CHECK(x.squeeze_().is_same(x));
  CHECK(seen(x) == Seen{{2, 3}, {3, 1}, 0});
  x.t_();
  CHECK(seen(x) == Seen{{3, 2}, {1, 3}, 0});
  CHECK_FALSE(x.is_contiguous());
  x.transpose_(0, 1).unsqueeze_(0);
  CHECK(seen(x) == Seen{{1, 2, 3}, {6, 3, 1}, 0});
  x.as_strided_(IntArrayRef({2}), IntArrayRef({2}), 1);
  CHECK(values(x) == Numbers{1, 3});
}

TEST_CASE("views of meta tensors have shapes and no data", "[ops][view]") {
  Tensor m = ops::empty({3, 4}, "device"_a = kMeta);
  CHECK(seen(m.t().narrow(0, 1, 2)) == Seen{{2, 3}, {1, 4}, 1});
  CHECK(m.view({12}).is_meta());
  CHECK(seen(m.as_strided({500}, {1})).sizes == Ints{500});
}

TEST_CASE("gradients of views land at their place", "[ops][view]") {
  Tensor g = counted({2});
  CHECK(values(ops::select_backward(g, IntArrayRef({2, 3}), 1, 2)) == Numbers{0, 0, 0, 0, 0, 1});
  CHECK(values(ops::slice_backward(g, IntArrayRef({5}), 0, 1, 5, 2)) == Numbers{0, 0, 0, 1, 0});
  CHECK(values(ops::diagonal_backward(g, IntArrayRef({2, 2}), 0, 0, 1)) == Numbers{0, 0, 0, 1});
}
