// Attention with scores and masks by functions.
#include <tenon/nn/flex_attention.hpp>

#include <cmath>
#include <limits>

#include "support.hpp"

using namespace test;
using nn::attention::create_mask;
using nn::attention::flex_attention;

namespace {

Tensor numbers(IntArrayRef sizes, std::int64_t step, std::int64_t modulus, double divisor) {
  std::int64_t count = 1;
  for (std::int64_t n : sizes) count *= n;
  Tensor n = (ops::arange(count) * step).remainder(modulus) - (modulus - 1) / 2;
  return n.to(kDouble).view(sizes) / divisor;
}
struct Inputs {
  Tensor q = numbers({2, 4, 3, 2}, 7, 11, 4), k = numbers({2, 2, 5, 2}, 5, 13, 4), v = numbers({2, 2, 5, 3}, 3, 7, 2);
};
/// Places up to one back, and in the first example the last one, but for queries after the first; none for query 0 of
/// head 1.
auto mask_function() {
  auto window = [](const Tensor&, const Tensor&, const Tensor& q, const Tensor& kv) {
    return ops::logical_and(ops::ge(q, kv), ops::lt(q - kv, 2));
  };
  auto end = [](const Tensor& b, const Tensor&, const Tensor& q, const Tensor& kv) {
    return ops::logical_and(ops::logical_and(ops::eq(kv, 4), ops::eq(b, 0)), ops::gt(q, 0));
  };
  auto not_first = [](const Tensor&, const Tensor& h, const Tensor& q, const Tensor&) {
    return ops::logical_or(ops::gt(q, 0), ops::ne(h, 1));
  };
  return nn::attention::and_masks(nn::attention::or_masks(window, end), not_first);
}
void check_near(const std::vector<double>& got, const std::vector<double>& expected) {
  REQUIRE(got.size() >= expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    CHECK((got[i] == expected[i] || got[i] == Approx(expected[i]).epsilon(1e-6)));
}
constexpr double infinite = std::numeric_limits<double>::infinity();

}  // namespace

// Values of torch.nn.attention.flex_attention, PyTorch 2.15, with the same functions; gradients of the same formula.
TEST_CASE("flex_attention takes functions of scores and of masks", "[nn][flex_attention]") {
  Inputs in;
  Tensor slope = tensor({0.5, 0.25, 0.125, 1.0}).to(kDouble).requires_grad_();
  in.q.requires_grad_();
  Tensor mask = create_mask(mask_function(), 2, 4, 3, 5);
  CHECK(mask.sizes() == IntArrayRef({2, 4, 3, 5}));
  CHECK(ops::sum(mask).item<std::int64_t>() == 46);
  std::vector<double> shown = values(mask);
  CHECK(std::vector<double>(shown.begin() + 15, shown.begin() + 30) ==
        std::vector<double>{0, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0, 1, 1, 0, 1});

  auto alibi = [&](const Tensor& score, const Tensor& b, const Tensor& h, const Tensor& q, const Tensor& kv) {
    return score - slope.index({h}) * (q - kv).abs() + b;
  };
  auto [output, lse, max_scores] = nn::attention::flex_attention_with_aux(
      in.q, in.k, in.v, alibi, {.block_mask = mask, .scale = 0.75, .enable_gqa = true});
  CHECK(output.sizes() == IntArrayRef({2, 4, 3, 3}));
  std::vector<double> found = values(output);
  CHECK(values(output.sum())[0] == Approx(2.420148427228103).epsilon(1e-6));
  check_near({found.begin() + 3, found.end()},
             {-1.19517008, 0.30482992, 0.31280924,  -0.34932845, 0.3719218,  -0.84932845, 0.0,
              0.0,         0.0,        -1.25495214, 0.24504786,  0.29435606, -0.55643969, 0.63463394,
              -1.05643969, 0.0,        1.5,         -0.5,        0.39824977, -0.21236761, -0.10175023});
  CHECK(lse.sizes() == IntArrayRef({2, 4, 3}));
  check_near(values(lse), {1.3125, 0.3837590649095616, 0.7059534891264133, -infinite, 1.2696356976454934});
  check_near(values(max_scores), {1.3125, -0.171875, 0.25, -infinite, 0.734375, 0.5});
  Tensor weights = ops::arange(output.numel()).remainder(5).view(output.sizes());
  ops::sum(output * weights).backward();
  check_near(values(slope.grad()), {0.3323880178175398, 5.284269163258986, 0.7970975986851286, 0.8780127467420108});
  check_near(values(in.q.grad()), {0.0, 0.0, 1.7352986809364188, -0.43969393306035415});
}

TEST_CASE("flex_attention without functions is scaled_dot_product_attention", "[nn][flex_attention]") {
  Inputs in;
  Tensor q = in.q.narrow(1, 0, 2);
  Tensor plain = flex_attention(q, in.k, in.v);
  check_near(values(plain), {-0.4544050911747152, -0.12402157665982369, 0.2345634969430509, 0.16188475061120558});
  check_near(values(plain), values(nn::functional::scaled_dot_product_attention(q, in.k, in.v)));
  auto same = [](const Tensor& score, const Tensor&, const Tensor&, const Tensor&, const Tensor&) { return score; };
  CHECK(values(flex_attention(q, in.k, in.v, same)) == values(plain));
  Tensor few = create_mask(
      [](const Tensor&, const Tensor&, const Tensor& at, const Tensor& kv) { return ops::ge(at, kv); }, {}, {}, 3, 5);
  CHECK(few.sizes() == IntArrayRef({1, 1, 3, 5}));
  check_near(values(flex_attention(q, in.k, in.v, {.block_mask = few})),
             values(nn::functional::scaled_dot_product_attention(q, in.k, in.v, {.attn_mask = few})));
  // One set of keys for all examples; 16-bit results of float scores.
  Tensor k = in.k.narrow(0, 0, 1), v = in.v.narrow(0, 0, 1);
  check_near(values(flex_attention(q, k, v)), values(flex_attention(q, ops::cat({k, k}), ops::cat({v, v}))));
  Tensor low = flex_attention(q.to(kBFloat16), in.k.to(kBFloat16), in.v.to(kBFloat16));
  CHECK(low.dtype() == kBFloat16);
  CHECK(values(low)[0] == Approx(-0.4544).epsilon(0.01));
}

TEST_CASE("masks of functions of scores, of none and of any", "[nn][flex_attention]") {
  auto late = [](const Tensor& score, const Tensor&, const Tensor&, const Tensor& q, const Tensor& kv) {
    return ops::masked_fill(score, ops::gt(kv, q), -infinite);
  };
  CHECK(values(create_mask(late, {}, 2, 2, 3)) == std::vector<double>{1, 0, 0, 1, 1, 0, 1, 0, 0, 1, 1, 0});
  CHECK(values(create_mask(nn::attention::noop_mask, {}, {}, 1, 2)) == std::vector<double>{1, 1});
  CHECK(values(create_mask(nn::attention::and_masks(), {}, {}, 1, 2)) == std::vector<double>{1, 1});
  CHECK(values(create_mask(nn::attention::or_masks(), {}, {}, 1, 2)) == std::vector<double>{0, 0});
}

TEST_CASE("flex_attention refuses shapes that do not fit", "[nn][flex_attention]") {
  Inputs in;
  CHECK_ERROR(flex_attention(in.q[0], in.k, in.v), ValueError,
              "flex_attention(): expected query, key and value of 4 dimensions, got shapes [4, 3, 2], [2, 2, 5, 2] and "
              "[2, 2, 5, 3]");
  CHECK_ERROR(flex_attention(in.q, in.k, in.v), ValueError,
              "Expect query and key/value to have the same number of heads but got Hq=4 and Hkv=2. Try setting "
              "enable_gqa=True for GQA.");
  CHECK_ERROR(flex_attention(in.q.narrow(1, 0, 3), in.k, in.v, {.enable_gqa = true}), ValueError,
              "Expect number of query heads to be a multiple of kv heads for GQA but got Hq=3 and Hkv=2.");
  Tensor q = in.q.narrow(1, 0, 2);
  CHECK_ERROR(flex_attention(q, in.v, in.v), ValueError,
              "Expect query and key/value to have the same embedding dimension but got E=2 and E=3.");
  CHECK_ERROR(
      flex_attention(q, in.k, in.v.narrow(2, 0, 4)), ValueError,
      "flex_attention(): expected a value of batch, heads and length as the key, [2, 2, 5, 2], got [2, 2, 4, 3]");
  CHECK_ERROR(flex_attention(q.narrow(0, 0, 1), in.k, in.v), ValueError,
              "flex_attention(): expected keys and values for each of 1 queries or for all, got 2");
  CHECK_ERROR(flex_attention(q, in.k, in.v, {.block_mask = ops::ones({3, 5}, "dtype"_a = kBool)}), ValueError,
              "flex_attention(): block_mask: expected bool of shape [2 or 1, 2 or 1, 3, 5], got bool of shape [3, 5]");
  CHECK_ERROR(
      flex_attention(q, in.k, in.v, {.block_mask = ops::ones({2, 2, 3, 5})}), ValueError,
      "flex_attention(): block_mask: expected bool of shape [2 or 1, 2 or 1, 3, 5], got float32 of shape [2, 2, "
      "3, 5]");
}
