#include <cmath>

#include "support.hpp"

using namespace test;

namespace {
Tensor whole(std::initializer_list<std::int64_t> list) { return tensor(std::vector<std::int64_t>(list)).to(kInt); }
}  // namespace

// Numbers of PyTorch 2.15.
TEST_CASE("scaled sums of 16-bit floats round as PyTorch's", "[ops][arithmetic]") {
  Tensor x = tensor({1.0, -0.3, 0.7}), y = tensor({3.3, -1.1, 2.3});
  auto wide = [](const Tensor& t) { return values(t.to(kDouble)); };
  Tensor b = x.to(kBFloat16), c = y.to(kBFloat16), h = x.to(kHalf), k = y.to(kHalf);
  CHECK(wide(ops::add(b, c, "alpha"_a = -0.3)) == Numbers{0.0078125, 0.03125, 0.0078125});
  CHECK(wide(ops::sub(b, c, "alpha"_a = 0.3)) == Numbers{0.0078125, 0.03125, 0.0078125});
  CHECK(wide(ops::rsub(b, c, "alpha"_a = 3.3)) == Numbers{0, -0.109375, -0.015625});
  CHECK(wide(ops::add(b, 0.7, "alpha"_a = -1.7)) == Numbers{-0.1875, -1.484375, -0.48828125});
  CHECK(wide(ops::add(h, k, "alpha"_a = -0.3)) == Numbers{0.009765625, 0.02978515625, 0.009765625});
  CHECK(wide(ops::sub(h, 0.7, "alpha"_a = 1.7)) == Numbers{-0.1904296875, -1.490234375, -0.490234375});
  CHECK(wide(ops::rsub(h, 0.7, "alpha"_a = 1.7)) == Numbers{-1, 1.2109375, -0.490234375});
  // Vectors of a long run hold products unrounded.
  Tensor long_b = b.repeat({32}), long_c = c.repeat({32}), long_h = h.repeat({32}), long_k = k.repeat({32});
  Tensor sum = ops::add(long_b, long_c, "alpha"_a = -0.3);
  CHECK(wide(ops::narrow(sum, 0, 0, 3)) == Numbers{0.00836181640625, 0.030517578125, 0.00836181640625});
  sum = ops::add(long_h, long_k, "alpha"_a = -0.3);
  CHECK(wide(ops::narrow(sum, 0, 0, 3)) == Numbers{0.00960540771484375, 0.0298919677734375, 0.00984954833984375});
  sum = ops::sub(long_b, 0.7, "alpha"_a = 1.7);
  CHECK(wide(ops::narrow(sum, 0, 0, 3)) == Numbers{-0.1904296875, -1.4921875, -0.4921875});
  // The gate of glu is rounded, what it is multiplied by is not.
  Tensor g = tensor({1.1, -0.7}), halves = tensor({0.3, 1.3, -0.9, 2.1});
  CHECK(wide(ops::glu_backward(g.to(kBFloat16), halves.to(kBFloat16), 0)) ==
        Numbers{0.318359375, -0.62109375, 0.06787109375, -0.08837890625});
  CHECK(wide(ops::glu_backward(g.to(kHalf), halves.to(kHalf), 0)) ==
        Numbers{0.31787109375, -0.62353515625, 0.06781005859375, -0.08868408203125});
}

TEST_CASE("quantised values have gradients within their bounds", "[ops][fake_quantize]") {
  Tensor x = tensor({-2.0, 0.26, 0.74, 9.0}).requires_grad_();
  Tensor y = ops::fake_quantize_per_tensor_affine(x, 0.5, 1, 0, 3);
  CHECK(values(y) == Numbers{-0.5, 0.5, 0.5, 1});
  y.sum().backward();
  CHECK(values(x.grad()) == Numbers{0, 1, 1, 0});
  Tensor rows = tensor({{1.3, 2.6}, {1.3, 2.6}});
  CHECK(values(ops::fake_quantize_per_channel_affine(rows, tensor({1.0, 2.0}), whole({0, 0}), 0, 0, 10)) ==
        Numbers{1, 3, 2, 2});
  CHECK(ops::fake_quantize_per_tensor_affine(x.detach().to(kHalf), 0.5, 1, 0, 3).dtype() == kHalf);
  auto [held, inside] = ops::fake_quantize_per_tensor_affine_cachemask(tensor({NAN, 1.0}), 0.5, 1, 0, 3);
  CHECK(std::isnan(values(held)[0]));
  CHECK(values(inside) == Numbers{0, 1});
  CHECK(ops::fake_quantize_per_tensor_affine(ops::empty({0, 2}), 0.5, 1, 0, 3).numel() == 0);
}

TEST_CASE("bounds, scales and zero points that do not fit are refused", "[ops][fake_quantize]") {
  Tensor x = counted({2, 3}), scale = tensor({0.1, 0.2});
  auto by_channel = [&](const Tensor& s, const Tensor& z, std::int64_t axis, std::int64_t low) {
    return ops::fake_quantize_per_channel_affine(x, s, z, axis, low, 10);
  };
  CHECK_ERROR(ops::fake_quantize_per_tensor_affine(x, 0.1, 0, 11, 10), ValueError,
              "`quant_min` should be less than or equal to `quant_max`.");
  CHECK_ERROR(ops::fake_quantize_per_tensor_affine(x, 0.1, -1, 0, 10), ValueError,
              "`zero_point` must be between `quant_min` and `quant_max`.");
  CHECK_THROWS_AS(ops::fake_quantize_per_tensor_affine(x.to(kLong), 0.1, 0, 0, 10), NotImplementedError);
  CHECK_ERROR(by_channel(scale.to(kDouble), whole({0, 1}), 0, 0), TypeError,
              "Scale must be Float or BFloat16, found Double");
  CHECK_ERROR(by_channel(scale, whole({0, 1}).to(kLong), 0, 0), TypeError,
              "Zero-point must be Int32, Float or Half, found Long");
  CHECK_ERROR(by_channel(scale, whole({0}), 0, 0), ValueError, "scale and zero-point need to have the same dimensions");
  CHECK_ERROR(by_channel(scale, whole({0, 1}), 1, 0), ValueError,
              "dimensions of scale and zero-point are not consistent with input tensor");
  CHECK_ERROR(by_channel(scale, whole({0, 1}), 0, 1), ValueError,
              "`zero_point` must be between `quant_min` and `quant_max`.");
  CHECK_THROWS_AS(by_channel(scale, whole({0, 1}), 5, 0), IndexError);
}

TEST_CASE("attention a few heads at a time is that of all", "[ops][attention]") {
  manual_seed(5);
  Tensor q = ops::rand({4, 6, 160, 4}), k = ops::rand({4, 6, 170, 4}), v = ops::rand({4, 6, 170, 3});
  Tensor mask = ops::gt(ops::rand({160, 170}), 0.4), leaf = q.clone().requires_grad_();
  mask.narrow(0, 0, 1).fill_(false);
  const std::optional<Tensor> none;
  // A gradient is asked of the second, which computes all heads at once.
  CHECK(ops::equal(ops::scaled_dot_product_attention(q, k, v), ops::scaled_dot_product_attention(leaf, k, v)));
  CHECK(ops::equal(ops::scaled_dot_product_attention(q, k, v, none, 0, true, 0.3),
                   ops::scaled_dot_product_attention(leaf, k, v, none, 0, true, 0.3)));
  CHECK(ops::equal(ops::scaled_dot_product_attention(q, k, v, mask),
                   ops::scaled_dot_product_attention(leaf, k, v, mask)));
  Tensor half = q.to(kHalf), half_leaf = half.clone().requires_grad_();
  CHECK(ops::equal(ops::scaled_dot_product_attention(half, k.to(kHalf), v.to(kHalf), mask.to(kHalf)),
                   ops::scaled_dot_product_attention(half_leaf, k.to(kHalf), v.to(kHalf), mask.to(kHalf))));
  Tensor turned = q.transpose(1, 2).contiguous().transpose(1, 2);
  CHECK(ops::equal(ops::scaled_dot_product_attention(turned, k, v), ops::scaled_dot_product_attention(q, k, v)));
  CHECK_ERROR_CONTAINS(ops::scaled_dot_product_attention(q, k, v.to(kDouble)), TypeError, "same dtype");
}

TEST_CASE("attention without its weights is attention", "[ops][attention]") {
  Tensor q = (counted({1, 2, 3, 2}, kDouble) / 7).sin().requires_grad_(),
         k = (counted({1, 1, 4, 2}, kDouble) / 5).cos().requires_grad_(),
         v = (counted({1, 1, 4, 2}, kDouble) / 3).sin().requires_grad_();
  auto flash = [](const std::vector<Tensor>& x) {
    return std::get<0>(ops::_scaled_dot_product_flash_attention_for_cpu(x[0], x[1], x[2]));
  };
  Tensor expected = ops::scaled_dot_product_attention(q, k, v, "enable_gqa"_a = true);
  CHECK(ops::allclose(flash({q, k, v}), expected));
  autograd::gradcheck(flash, {q, k, v});
  CHECK_ERROR_CONTAINS(ops::_scaled_dot_product_flash_attention_for_cpu(q, k, v, 0.5), ValueError,
                       "Currently do not support dropout > 0");
  CHECK_ERROR_CONTAINS(ops::_scaled_dot_product_flash_attention_for_cpu(q[0], k[0], v[0]), ValueError,
                       "Accept only 4 dims inputs shape of {B, H, T, K}");
  Tensor half = q.detach().to(kHalf);
  auto attend = [](const Tensor& t) { return std::get<0>(ops::_scaled_dot_product_flash_attention_for_cpu(t, t, t)); };
  CHECK(values(attend(half)) == values(attend(half.to(kFloat)).to(kHalf)));
  Tensor none = ops::empty({1, 2, 0, 2});
  CHECK(std::get<0>(ops::_scaled_dot_product_flash_attention_for_cpu(none, none, none)).numel() == 0);
}

TEST_CASE("groups of rows, or of columns, are multiplied by matrices of their own", "[ops][grouped_mm]") {
  Tensor a = counted({3, 2}), b = counted({2, 2, 2});
  Tensor rows = ops::_grouped_mm(a, b, whole({1, 3}));
  CHECK(values(rows) == Numbers{2, 3, 26, 31, 46, 55});
  CHECK(values(ops::_grouped_mm(a, b, whole({1, 2}))) == Numbers{2, 3, 26, 31, 0, 0});
  CHECK(values(ops::_grouped_mm(a.t(), a, whole({1, 3}))) == Numbers{0, 0, 0, 1, 20, 26, 26, 34});
  CHECK_ERROR(ops::_grouped_mm(a, b), ValueError,
              "Have to provide offsets if there is a 2d matrix, or no offset if both matrices are 3d");
  CHECK_ERROR(ops::_grouped_mm(a, b, whole({1, 3}).to(kLong)), TypeError, "Offsets have to be int32");
  CHECK_ERROR(ops::_grouped_mm(a, b, whole({1, 2, 3})), ValueError, "matrix batch sizes have to match");
  CHECK_ERROR_CONTAINS(ops::_grouped_mm(a, b, whole({2, 1})), ValueError, "offsets that do not decrease");
  CHECK_ERROR_CONTAINS(ops::_grouped_mm(a, b, whole({2, 4})), ValueError, "up to 3, got 4");
}

TEST_CASE("a layer of an encoder is one operator", "[ops][attention]") {
  Tensor x = tensor({{{0.5f, -1.0f}, {2.0f, 0.25f}}}), qkv = counted({6, 2}) / 10 - 0.5, qkv_bias = counted({6}) / 10,
         weight = tensor({{1.0f, 2.0f}, {3.0f, 4.0f}}), bias = tensor({0.5f, -0.5f});
  auto near = [](const Tensor& t, const Numbers& expected) {
    return ops::allclose(t.flatten(), tensor(expected).to(kFloat));
  };
  auto [out, weights] = ops::_native_multi_head_attention(x, x, x, 2, 1, qkv, qkv_bias, weight, bias);
  CHECK(near(out, {2.951183557510376, 5.033664703369141, 2.8866000175476074, 4.888964653015137}));
  CHECK(near(weights, {0.49337127804756165, 0.5066287517547607, 0.5097215175628662, 0.4902785122394562}));
  Tensor hidden = tensor({{false, true}});
  auto [first, single] =
      ops::_native_multi_head_attention(x, x, x, 2, 1, qkv, qkv_bias, weight, bias, hidden, true, false, 1);
  CHECK(near(first, {0.95, 0.55, 0.95, 0.55}));
  CHECK(single.sizes() == IntArrayRef({1, 1, 2, 2}));
  CHECK_FALSE(
      std::get<1>(ops::_native_multi_head_attention(x, x, x, 2, 1, qkv, qkv_bias, weight, bias, std::nullopt, false))
          .defined());
  auto layer = [&](bool use_gelu, bool norm_first) {
    Tensor one = ops::ones({2}), none = ops::zeros({2});
    return ops::_transformer_encoder_layer_fwd(x, 2, 1, qkv, qkv_bias, weight, bias, use_gelu, norm_first, 1e-5, one,
                                               none, one * 2, one, weight, bias, weight, none);
  };
  CHECK(near(layer(true, true), {12.49986457824707, 23.19955825805664, 13.999824523925781, 24.449462890625}));
  CHECK(near(layer(false, false), {-0.9999985694885254, 2.9999990463256836, -0.9999986886978149, 2.9999990463256836}));
  auto attend = [&](const Tensor& q, std::int64_t width, std::int64_t heads, const Tensor& mask) {
    return ops::_native_multi_head_attention(q, q, q, width, heads, qkv, qkv_bias, weight, bias, mask);
  };
  CHECK_ERROR(attend(x, 2, 1, hidden), ValueError, "Mask Type should be defined");
  CHECK_ERROR(attend(x, 2, 3, Tensor()), ValueError, "`embed_dim` must divide evenly by `num_heads`");
  CHECK_ERROR(attend(x[0], 2, 1, Tensor()), ValueError, "expected 3-D `query`, got 2-D tensor");
  CHECK_ERROR(attend(x, 6, 1, Tensor()), ValueError, "passed-in embed_dim 6 didn't match last dim of query 2");
}

TEST_CASE("products of 8-bit floats are multiplied by scales", "[ops][scaled_mm]") {
  Tensor a = ops::ones({2, 16}).to(kFloat8_e4m3fn), half = tensor(0.5f), two = tensor(2.0f);
  Tensor b = ops::mul(ops::ones({16, 2}), tensor({1.0f, 2.0f})).to(kFloat8_e4m3fn);
  auto numbers = [](const Tensor& t) { return values(t.to(kFloat)); };
  CHECK(numbers(ops::_scaled_mm(a, b, half, two, "out_dtype"_a = kFloat)) == Numbers{16, 32, 16, 32});
  CHECK(ops::_scaled_mm(a, b, half, two).dtype() == kFloat8_e4m3fn);
  CHECK(numbers(ops::_scaled_mm(a, b, half, two, "scale_result"_a = two)) == Numbers{16, 32, 16, 32});
  CHECK(numbers(ops::_scaled_mm(a, b, half, two, "scale_result"_a = two, "out_dtype"_a = kFloat8_e4m3fn)) ==
        Numbers{8, 16, 8, 16});
  Tensor rows = tensor({{1.0f}, {2.0f}}), columns = tensor({{1.0f, 0.5f}});
  CHECK(numbers(ops::_scaled_mm(a, b, rows, columns, tensor({1.0f, 2.0f}), "out_dtype"_a = kBFloat16)) ==
        Numbers{17, 18, 33, 34});
  Tensor out = ops::empty({0});
  CHECK(values(ops::_scaled_mm(a, b, half, two, "out"_a = out)) == Numbers{16, 32, 16, 32});
  CHECK_ERROR(ops::_scaled_mm(a.to(kFloat), b, half, two), TypeError, "Expected mat1 to be Float8 matrix got Float");
  CHECK_ERROR(ops::_scaled_mm(a, a, half, two), ValueError,
              "_scaled_mm: mat1 and mat2 shapes cannot be multiplied (2x16 and 2x16)");
  CHECK_ERROR(ops::_scaled_mm(a, b, half, two, tensor({1.0f})), ValueError, "Bias must be size 2 but got 1");
  CHECK_ERROR_CONTAINS(ops::_scaled_mm(a, b, rows, rows), ValueError, "Invalid scaling configuration.");
}

// PyTorch 2.15 rounds a batch's sum of squares, its variance and what it saves.
TEST_CASE("statistics of 16-bit batches are rounded step by step", "[ops][low_precision]") {
  Tensor x = ops::to(tensor({{-0.5f}, {-2.5f}, {2.0f}, {4.0f}, {-3.0f}, {-4.0f}}), kBFloat16);
  auto [y, mean, invstd] =
      ops::native_batch_norm(x, std::nullopt, std::nullopt, std::nullopt, std::nullopt, true, 0.1, 0.1);
  CHECK(values(invstd) == std::vector<double>{0.349609375});
  CHECK(values(y) == std::vector<double>{0.058837890625, -0.640625, 0.93359375, 1.6328125, -0.81640625, -1.1640625});
}

// Weights of 16 bits, as PyTorch 2.15 has them but for two dimensions that are linear.
TEST_CASE("16-bit images are resampled by weights of their dtype", "[ops][low_precision]") {
  Tensor x = ops::to(tensor({{{1.0f, -2.0f, 3.0f, 0.5f, 7.0f}}}), kBFloat16);
  CHECK(values(ops::upsample_linear1d(x, "output_size"_a = std::nullopt, "align_corners"_a = false,
                                      "scale_factors"_a = std::vector<double>{1.7})) ==
        std::vector<double>{1.0, -0.1484375, -1.90625, 0.79296875, 2.625, 1.1640625, 2.609375, 6.40625});
  CHECK(values(ops::upsample_bicubic2d(x.unsqueeze(0), {1, 7}, false)) ==
        std::vector<double>{1.234375, -1.265625, -0.8984375, 3.0, 0.6640625, 2.96875, 7.5});
}
