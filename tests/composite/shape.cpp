// Axes, joins, splits, repetitions, padding and differences: values, what shares memory, errors, gradients.
#include <limits>

#include "../ops/support.hpp"

#include <tenon/autograd/gradcheck.hpp>

using namespace test;

namespace {
using List = std::vector<Tensor>;
Tensor leaf(IntArrayRef sizes) { return counted(sizes, kDouble).sin().requires_grad_(); }
}  // namespace

TEST_CASE("axes move, swap, are added and cut in two", "[composite]") {
  Tensor x = counted({2, 3, 4});
  CHECK(list(ops::movedim(x, 0, -1).sizes()) == Ints{3, 4, 2});
  CHECK(list(ops::movedim(x, {0, 2}, {2, 1}).sizes()) == Ints{3, 4, 2});
  CHECK_ERROR(ops::movedim(x, {0, -3}, {0, 1}), ValueError, "movedim: repeated dim in `source` ([0, -3])");
  CHECK(list(ops::swapaxes(x, 0, 2).sizes()) == Ints{4, 3, 2});
  CHECK(ops::atleast_2d(x).is_same(x));
  CHECK(list(ops::atleast_3d(x.select(0, 0)).sizes()) == Ints{3, 4, 1});
  CHECK(list(ops::atleast_2d(ops::empty({})).sizes()) == Ints{1, 1});
  CHECK(list(ops::unflatten(x, -1, {2, -1}).sizes()) == Ints{2, 3, 2, 2});
  CHECK_ERROR(ops::unflatten(x, 1, {2, -1}), ValueError,
              "unflatten: Provided sizes [2, -1] don't multiply up to the size of dim 1 (3) in the input tensor");
  CHECK(values(ops::sum_to_size(x, {3, 1})) == Numbers{60, 92, 124});
  CHECK_ERROR(ops::sum_to_size(x, {2}), ValueError, "size {[2]} is not expandable to size {[2, 3, 4]}.");
}

TEST_CASE("tensors are joined with dimensions added, and cut at places", "[composite]") {
  Tensor a = counted({2}), b = counted({2}) + 5;
  CHECK(list(ops::column_stack({a, b}).sizes()) == Ints{2, 2});
  CHECK(values(ops::hstack({a, b})) == Numbers{0, 1, 5, 6});
  CHECK(list(ops::dstack({a, b}).sizes()) == Ints{1, 2, 2});
  CHECK_ERROR(ops::vstack(List{}), ValueError, "vstack expects a non-empty TensorList");
  CHECK(values(ops::block_diag({a, b.view({2, 1})})) == Numbers{0, 1, 0, 0, 0, 5, 0, 0, 6});
  CHECK(values(ops::combinations(counted({3}))) == Numbers{0, 1, 0, 2, 1, 2});
  CHECK(values(ops::combinations(a, 2, true)) == Numbers{0, 0, 0, 1, 1, 1});
  CHECK(ops::combinations(a, 3).numel() == 0);
  CHECK(values(ops::cartesian_prod({a, b})) == Numbers{0, 5, 0, 6, 1, 5, 1, 6});
  std::vector<Tensor> grids = ops::meshgrid({counted({3}), a}, "indexing"_a = "xy");
  CHECK(values(grids[0]) == Numbers{0, 1, 2, 0, 1, 2});
  std::vector<Tensor> parts = ops::tensor_split(counted({5}), 3);
  CHECK(values(parts[0]) == Numbers{0, 1});
  CHECK(values(parts[2]) == Numbers{4});
  CHECK(ops::tensor_split(counted({5}), {3, 1}).at(1).numel() == 0);
  CHECK_ERROR(ops::hsplit(counted({2, 3}), 2), ValueError,
              "torch.hsplit attempted to split along dimension 1, but the size of the dimension 3 is not divisible by "
              "the split_size 2!");
  autograd::gradcheck([](const List& t) { return ops::unsafe_split(t[0], 2)[1] * t[0].narrow(0, 0, 2); }, {leaf({4})});
  autograd::gradcheck([](const List& t) { return ops::block_diag({t[0], t[1]}).sin(); }, {leaf({2, 2}), leaf({3})});
}

TEST_CASE("elements repeat, turn and take diagonals", "[composite]") {
  Tensor x = counted({2, 2});
  CHECK(values(ops::repeat(x, {2, 1, 2})) == Numbers{0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3});
  CHECK_ERROR(ops::repeat(x, {2}), ValueError,
              "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor");
  CHECK(values(ops::repeat_interleave(x, tensor({2, 0}), 1)) == Numbers{0, 0, 2, 2});
  CHECK_ERROR(ops::repeat_interleave(tensor({-1})), ValueError, "repeats can not be negative");
  CHECK(values(ops::rot90(x)) == Numbers{1, 3, 0, 2});
  CHECK(values(ops::rot90(x, -1)) == Numbers{2, 0, 3, 1});
  CHECK(values(ops::diag_embed(counted({2}) + 1, 1)) == Numbers{0, 1, 0, 0, 0, 2, 0, 0, 0});
  CHECK(values(ops::tril_indices(2, 3, 1)) == Numbers{0, 0, 1, 1, 1, 0, 1, 0, 1, 2});
  for (std::int64_t rows : {0, 1, 4})
    for (std::int64_t columns : {0, 1, 3, 6})
      for (std::int64_t offset = -7; offset <= 7; ++offset) {
        CAPTURE(rows, columns, offset);
        Numbers lower, upper;
        for (bool column : {false, true})
          for (std::int64_t r = 0; r < rows; ++r)
            for (std::int64_t c = 0; c < columns; ++c) {
              if (c <= r + offset) lower.push_back(static_cast<double>(column ? c : r));
              if (c >= r + offset) upper.push_back(static_cast<double>(column ? c : r));
            }
        CHECK(values(ops::tril_indices(rows, columns, offset)) == lower);
        CHECK(values(ops::triu_indices(rows, columns, offset)) == upper);
      }
  // Nothing is counted row by row.
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  CHECK(list(ops::tril_indices(most, 0).sizes()) == Ints{2, 0});
  CHECK(list(ops::tril_indices(3, 3, -most).sizes()) == Ints{2, 0});
  CHECK(list(ops::triu_indices(3, 3, most).sizes()) == Ints{2, 0});
  CHECK_THROWS_AS(ops::tril_indices(most, 3), OutOfMemoryError);
  CHECK_ERROR(ops::tril_indices(2, 2, "dtype"_a = kFloat), NotImplementedError,
              "\"tril_indices\" not implemented for 'Float'");
  autograd::gradcheck([](const List& t) { return ops::repeat(t[0], {2, 1, 3}).sin(); }, {leaf({2, 2})});
}

TEST_CASE("padding by a number, by reflection, by edges and around", "[composite]") {
  Tensor x = counted({1, 3});
  CHECK(values(ops::pad(x, {1, 2})) == Numbers{0, 0, 1, 2, 0, 0});
  CHECK(values(ops::pad(x, {-1, 1}, "constant", 7.0)) == Numbers{1, 2, 7});
  CHECK(values(ops::pad(x, {2, 1}, "reflect")) == Numbers{2, 1, 0, 1, 2, 1});
  CHECK(values(ops::pad(x, {2, -1}, "replicate")) == Numbers{0, 0, 0, 1});
  CHECK(values(ops::pad(x, {2, 1}, "circular")) == Numbers{1, 2, 0, 1, 2, 0});
  CHECK_ERROR(
      ops::pad(x, {3, 0}, "reflect"), ValueError,
      "Argument #4: Padding size should be less than the corresponding input dimension, but got: padding (3, 0) "
      "at dimension 1 of input [1, 3]");
  // PyTorch 2.15 reads memory that nobody has written: one element is left, and two are asked of it.
  CHECK_ERROR_CONTAINS(ops::pad(x, {-2, 2}, "circular"), ValueError,
                       "start (0) + length (2) exceeds dimension size (1).");
  CHECK_ERROR(ops::pad(x, {1, 1}, "mirror"), NotImplementedError, "Unrecognised padding mode mirror");
  CHECK_ERROR(ops::reflection_pad1d_backward(x, x, {1, 1}), ValueError,
              "grad_output width unexpected. Expected: 5, Got: 3");
  for (const char* mode : {"reflect", "replicate", "circular"})
    autograd::gradcheck([=](const List& t) { return ops::pad(t[0], {1, 2, 2, -1}, mode).sin(); }, {leaf({1, 3, 4})});
}

TEST_CASE("differences, and slopes of second order at uneven places", "[composite]") {
  Tensor x = tensor({0.0, 1.0, 4.0, 9.0});
  CHECK(values(ops::diff(x, 2)) == Numbers{2, 2});
  CHECK(values(ops::diff(x, 1, 0, x.narrow(0, 3, 1))) == Numbers{-9, 1, 3, 5});
  CHECK(values(ops::gradient(x)[0]) == Numbers{1, 2, 4, 5});
  CHECK(values(ops::gradient(x, "spacing"_a = 1, "edge_order"_a = 2)[0]) == Numbers{0, 2, 4, 6});
  // Of a parabola the slopes are exact wherever the places are.
  Tensor at = tensor({0.0, 1.0, 2.0, 4.0}).to(kDouble);
  CHECK(values(ops::gradient(at * at, "spacing"_a = List{at}, "edge_order"_a = 2)[0]) == Numbers{0, 2, 4, 8});
  CHECK_ERROR(ops::gradient(x.narrow(0, 0, 1)), ValueError,
              "torch.gradient expected each dimension size to be at least edge_order+1");
}

TEST_CASE("channels become places and come back", "[composite]") {
  Tensor x = counted({1, 4, 2, 3});
  Tensor y = ops::pixel_shuffle(x, 2);
  CHECK(list(y.sizes()) == Ints{1, 1, 4, 6});
  CHECK(values(y.narrow(2, 0, 1)) == Numbers{0, 6, 1, 7, 2, 8});
  CHECK(values(ops::pixel_unshuffle(y, 2)) == values(x));
  CHECK(values(ops::channel_shuffle(x, 2).select(1, 1)) == values(x.select(1, 2)));
  CHECK(list(ops::pixel_shuffle(x.contiguous(MemoryFormat::ChannelsLast), 2).strides()) == Ints{24, 1, 6, 1});
}
