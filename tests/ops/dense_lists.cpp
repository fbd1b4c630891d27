#include "support.hpp"

using namespace test;

TEST_CASE("lists of tensors become one, and are found in it again", "[ops][flatten_dense]") {
  std::vector<Tensor> list_of{counted({2, 2}), tensor(5.0), ops::empty({0, 3})};
  Tensor flat = ops::flatten_dense_tensors(list_of);
  CHECK(values(flat) == Numbers{0, 1, 2, 3, 5});
  std::vector<Tensor> back = ops::unflatten_dense_tensors(flat, list_of);
  CHECK(list(back[0].sizes()) == Ints{2, 2});
  CHECK(list(back[2].sizes()) == Ints{0, 3});
  back[1].fill_(7);
  CHECK(values(flat)[4] == 7);
  CHECK_THROWS_AS(ops::unflatten_dense_tensors(counted({3}), list_of), Error);
}

TEST_CASE("new tensors in an order of their dimensions", "[ops][factory]") {
  CHECK(list(ops::empty_permuted({2, 3, 4}, {2, 0, 1}).strides()) == Ints{3, 1, 6});
  CHECK(list(ops::empty_permuted({2, 0}, {1, 0}).strides()) == Ints{1, 2});
  CHECK(ops::empty_permuted({2}, {0}, "dtype"_a = kInt).dtype() == kInt);
  CHECK_ERROR(ops::empty_permuted({2, 3}, {0, 0}), ValueError, "Duplicate dim not allowed");
  CHECK_THROWS_AS(ops::empty_permuted({2, 3}, {0, 2}), IndexError);
  CHECK_THROWS_AS(ops::empty_permuted({2, 3}, {0}), ValueError);
  Tensor t = ops::new_empty_strided(counted({2}, kLong), {2, 2}, {1, 2});
  CHECK(t.dtype() == kLong);
  CHECK(list(t.strides()) == Ints{1, 2});
}

TEST_CASE("sequences of a batch are packed without their padding", "[ops][packed_sequence]") {
  Tensor x = counted({3, 2, 1});
  Tensor lengths = tensor(std::vector<std::int64_t>{3, 1});
  auto [data, sizes] = ops::_pack_padded_sequence(x, lengths, false);
  CHECK(values(data) == Numbers{0, 1, 2, 4});
  CHECK(values(sizes) == Numbers{2, 1, 1});
  auto [padded, counts] = ops::_pad_packed_sequence(data, sizes, true, -1, 4);
  CHECK(values(padded) == Numbers{0, 2, 4, -1, 1, -1, -1, -1});
  CHECK(values(counts) == Numbers{3, 1});
  CHECK(values(ops::_pack_padded_sequence_backward(data, {3, 2, 1}, sizes, false)) == Numbers{0, 1, 2, 0, 4, 0});
  Tensor y = counted({3, 2, 1}).requires_grad_();
  std::get<0>(ops::_pack_padded_sequence(y, lengths, false)).sum().backward();
  CHECK(values(y.grad()) == Numbers{1, 1, 1, 0, 1, 0});
  auto pack = [&](std::vector<std::int64_t> l) { return ops::_pack_padded_sequence(x, tensor(l), false); };
  CHECK_ERROR_CONTAINS(pack({1, 3}), ValueError, "must be sorted in decreasing order");
  CHECK_ERROR_CONTAINS(pack({3, 0}), ValueError, "has to be greater than 0");
  CHECK_ERROR_CONTAINS(pack({3}), ValueError, "Expected `len(lengths)` to be equal to batch_size, but got 1");
  CHECK_ERROR_CONTAINS(pack({4, 1}), ValueError, "at most 3, got 4");
  CHECK_ERROR_CONTAINS(ops::_pad_packed_sequence(data, sizes, true, 0, 2), ValueError, "got total_length=2");
}

TEST_CASE("operators by their older names", "[ops][older_names]") {
  Tensor x = counted({2, 3}) - 2;
  CHECK(ops::_cast_Half(x).dtype() == kHalf);
  CHECK(ops::_cast_Float(x).is_same(x));
  CHECK(list(ops::_stack({x, x}, 2).sizes()) == Ints{2, 3, 2});
  CHECK(values(ops::_shape_as_tensor(x)) == Numbers{2, 3});
  CHECK(list(ops::_reshape_from_tensor(x, tensor(std::vector<std::int64_t>{3, 2})).sizes()) == Ints{3, 2});
  CHECK(values(ops::_dim_arange(x, -1)) == Numbers{0, 1, 2});
  CHECK(values(ops::_add_relu(x, x)) == Numbers{0, 0, 0, 2, 4, 6});
  CHECK(values(ops::_addmm_activation(tensor({-4.0, 0.0}), x, counted({3, 2}))) == Numbers{0, 0, 12, 22});
  Tensor copy = ops::_reshape_copy(x, {6});
  copy.fill_(0);
  CHECK(values(x)[0] == -2);
  CHECK(ops::is_set_to(x, x.view({2, 3})));
  CHECK_FALSE(ops::is_set_to(x, x.clone()));
  CHECK_FALSE(ops::is_set_to(x, x.t()));
  CHECK(ops::_has_same_storage_numel(x, x.t()));
}

TEST_CASE("a list of one tensor shows it", "[ops][flatten_dense]") {
  Tensor x = counted({2, 3});
  Tensor flat = ops::flatten_dense_tensors({x}), same = ops::broadcast_tensors({x, counted({3})})[0];
  CHECK(flat.is_view());
  CHECK(flat.data_ptr() == x.data_ptr());
  CHECK(same.is_same(x));
  CHECK(!ops::kron(x, x).is_view());
}
