// Tensors carried over with another size, dtype or device, and statistics of batches: the answers of torch 2.15.
#include <cmath>

#include "../ops/support.hpp"

using namespace test;

namespace {
Tensor sample() { return tensor({0.5, -1.25, 2.0, 3.0, 0.0, -0.75}).to(kFloat).view({2, 3}); }
}  // namespace

TEST_CASE("resize without writes leaves a tensor as it is", "[composite][carried]") {
  Tensor x = sample();
  const SymInt square[] = {2, 2}, three[] = {3};
  CHECK(values(ops::resize_base(x, SymIntArrayRef(square), std::nullopt)) == Numbers{0.5, -1.25, 2, 3});
  // Elements are taken in the order of memory.
  CHECK(values(ops::resize_base(ops::t(x), SymIntArrayRef(square), std::nullopt)) == Numbers{0.5, -1.25, 2, 3});
  CHECK(values(ops::resize_as_base(x, ops::zeros({2, 2}), std::nullopt)) == Numbers{0.5, -1.25, 2, 3});
  CHECK(list(ops::resize_as_base(x, ops::zeros({1, 2, 1, 3}), MemoryFormat::ChannelsLast).strides()) ==
        Ints{6, 1, 6, 2});
  CHECK(list(x.sizes()) == Ints{2, 3});
  Tensor out = ops::empty({0});
  ops::resize_base_out(x, SymIntArrayRef(three), std::nullopt, out);
  CHECK(values(out) == Numbers{0.5, -1.25, 2});
}
TEST_CASE("lifted tensors are themselves, lazy clones are not", "[composite][carried]") {
  Tensor x = sample();
  CHECK(ops::lift(x).data_ptr() == x.data_ptr());
  CHECK(ops::_lazy_clone(x).data_ptr() != x.data_ptr());
  CHECK(list(ops::_lazy_clone(ops::t(x)).strides()) == Ints{1, 3});
  CHECK(ops::_to_cpu({x}).at(0).data_ptr() == x.data_ptr());
  CHECK_FALSE(ops::is_vulkan_available());
  CHECK(ops::sym_is_contiguous(x));
  CHECK_FALSE(ops::sym_is_contiguous(ops::t(x)));
}
TEST_CASE("what is not quantised becomes Float", "[composite][carried]") {
  for (ScalarType type : {kInt, kHalf, kDouble, kBool}) CHECK(ops::dequantize(sample().to(type)).dtype() == kFloat);
  CHECK(values(ops::dequantize(sample().to(kInt))) == Numbers{0, -1, 2, 3, 0, 0});
}
TEST_CASE("autocast converts where it is on", "[composite][carried]") {
  Tensor x = sample(), h = x.to(kHalf), d = x.to(kDouble);
  CHECK(ops::_autocast_to_full_precision(h, true, false).dtype() == kHalf);
  CHECK(ops::_autocast_to_full_precision(h, false, true).dtype() == kFloat);
  CHECK(ops::_autocast_to_full_precision(d, false, true).dtype() == kDouble);
  CHECK(ops::_autocast_to_reduced_precision(x, true, false, kHalf, kBFloat16).dtype() == kFloat);
  CHECK(ops::_autocast_to_reduced_precision(x, false, true, kHalf, kBFloat16).dtype() == kBFloat16);
  CHECK(ops::_autocast_to_reduced_precision(d, false, true, kHalf, kBFloat16).dtype() == kDouble);
}
TEST_CASE("a batch moves running statistics by its unbiased variance", "[composite][batch_norm]") {
  Tensor x = sample(), mean = ops::zeros({3}), var = ops::ones({3});
  auto [batch_mean, batch_var] = ops::batch_norm_update_stats(x, mean, var, 0.1);
  CHECK(values(batch_mean) == Numbers{1.75, -0.625, 0.625});
  CHECK(values(batch_var) == Numbers{1.5625, 0.390625, 1.890625});
  CHECK(ops::allclose(mean, tensor({0.175, -0.0625, 0.0625}).to(kFloat)));
  CHECK(ops::allclose(var, tensor({1.2125, 0.978125, 1.278125}).to(kFloat)));
  Tensor out = ops::zeros({3}), short_out = ops::zeros({3}, "dtype"_a = kHalf), moved = ops::zeros({3});
  ops::batch_norm_update_stats_base_out(x, moved, std::nullopt, 0.1, batch_mean, out);
  CHECK((values(out) == values(batch_var) && ops::equal(moved, mean)));
  CHECK_THROWS_AS(ops::batch_norm_update_stats_base_out(x, moved, std::nullopt, 0.1, out, short_out), TypeError);
  CHECK(ops::equal(moved, mean));  // what fails moves nothing
  CHECK(std::get<0>(ops::batch_norm_update_stats(x.to(kHalf), mean, var, 0.1)).dtype() == kFloat);
  CHECK(std::get<0>(ops::batch_norm_update_stats(x.to(kHalf), std::nullopt, std::nullopt, 0.1)).dtype() == kHalf);
  CHECK_ERROR(ops::batch_norm_update_stats(x.to(kDouble), mean, var, 0.1), TypeError,
              "mixed dtype (CPU): all inputs must share same datatype.");
  CHECK_THROWS_AS(ops::batch_norm_update_stats(ops::zeros({0, 3}), mean, var, 0.1), ValueError);
  CHECK_THROWS_AS(ops::batch_norm_update_stats(ops::zeros({3}), mean, var, 0.1), IndexError);
  ops::batch_norm_update_stats(ops::ones({1, 3}), mean, var, 0.1);
  CHECK(std::isnan(values(var)[0]));
}
TEST_CASE("every tensor is dense", "[composite][carried]") {
  Tensor x = sample();
  CHECK(x.to_dense().is_same(x));
  CHECK(ops::to_dense(x, kLong).dtype() == kLong);
  CHECK(ops::to_dense_backward(x, x.to(kDouble)).dtype() == kDouble);
  CHECK((x.dense_dim() == 2 && x.sparse_dim() == 0));
}
TEST_CASE("rows that a mask leaves out are pruned", "[composite][carried]") {
  auto [rows, places] = ops::_rowwise_prune(counted({4, 2}), tensor({1, 0, 1, 1}).to(kBool), kInt);
  CHECK(values(rows) == Numbers{0, 1, 4, 5, 6, 7});
  CHECK((values(places) == Numbers{0, -1, 1, 2} && places.dtype() == kInt));
  CHECK_THROWS_AS(ops::_rowwise_prune(counted({4, 2}), tensor({1, 0}).to(kBool), kInt), ValueError);
  CHECK_THROWS_AS(ops::_rowwise_prune(counted({2, 2}), tensor({1, 0}).to(kBool), kFloat), TypeError);
}
TEST_CASE("zeros are laid out as another tensor for each of a batch", "[composite][carried]") {
  Tensor other = ops::t(counted({2, 3}));
  CHECK(seen(ops::_new_zeros_with_same_feature_meta(ops::ones({2}), other)) == Seen{{3, 2}, {1, 3}, 0});
  Tensor zeros = ops::_new_zeros_with_same_feature_meta(ops::ones({4, 5}), other, "self_num_batch_dims"_a = 1);
  CHECK(seen(zeros) == Seen{{4, 3, 2}, {6, 1, 3}, 0});
  Tensor gaps = ops::as_strided(counted({6}), {2}, {2});
  CHECK(seen(ops::_new_zeros_with_same_feature_meta(ops::ones({4}), gaps, "self_num_batch_dims"_a = 1)) ==
        Seen{{4, 2}, {6, 2}, 0});
}
TEST_CASE("flash attention serves what PyTorch lets it serve", "[composite][attention]") {
  Tensor q = ops::ones({1, 2, 8, 16});
  auto choice = [](const Tensor& a, const Tensor& k, const Tensor& v, const std::optional<Tensor>& mask = {}) {
    return ops::_fused_sdp_choice(a, k, v, mask);
  };
  CHECK(choice(q, q, q) == 1);
  CHECK(ops::_fused_sdp_choice(q, q, q, std::nullopt, 0.5) == 0);
  CHECK(choice(q, q, q, ops::ones({8, 1})) == 1);
  CHECK(choice(q, q, q, ops::ones({8, 5})) == 0);
  CHECK(choice(q, q, q, ops::ones({1, 2, 8, 8})) == 1);
  CHECK(choice(q, q, q, ops::ones({2, 8, 8})) == 0);
  CHECK(choice(q, q, ops::ones({1, 2, 8, 7})) == 0);
  CHECK(choice(ops::ones({1, 4, 8, 16}), q, q) == 0);
  CHECK(ops::_fused_sdp_choice(ops::ones({1, 4, 8, 16}), q, q, "enable_gqa"_a = true) == 1);
  CHECK(choice(ops::select(q, 0, 0), ops::select(q, 0, 0), ops::select(q, 0, 0)) == 1);
  CHECK(choice(q.to(kLong), q.to(kLong), q.to(kLong)) == 0);
  CHECK(choice(ops::transpose(q, 2, 3), ops::transpose(q, 2, 3), ops::transpose(q, 2, 3)) == 0);
}
