// Causal masks of queries and keys of different numbers.
#include <tenon/base/warning.hpp>
#include <tenon/nn/dynamic/attention_bias.hpp>

#include "../support.hpp"

using namespace test;
using nn::attention::causal_lower_right;
using nn::attention::causal_upper_left;

TEST_CASE("a causal bias hides later keys from the left or from the right", "[nn][dynamic]") {
  CHECK(causal_upper_left(2, 3).dtype() == kBool);
  CHECK(values(causal_upper_left(2, 3)) == std::vector<double>{1, 0, 0, 1, 1, 0});
  CHECK(values(causal_lower_right(2, 3)) == std::vector<double>{1, 1, 0, 1, 1, 1});
  CHECK(values(causal_lower_right(2, 2)) == values(causal_upper_left(2, 2)));
  CHECK(causal_upper_left(2, 3, kMeta).device() == Device(kMeta));
  CHECK_ERROR(causal_upper_left(-1, 3), ValueError,
              "causal_upper_left(): expected lengths of at least 0, got -1 and 3");
  CHECK_ERROR(causal_lower_right(0, -3), ValueError,
              "causal_lower_right(): expected lengths of at least 0, got 0 and -3");
}

// Numbers of PyTorch 2.15: scaled_dot_product_attention(q, k, k, causal_lower_right(..)) of torch.nn.attention.bias.
TEST_CASE("attention takes a causal bias as its mask", "[nn][dynamic]") {
  namespace F = nn::functional;
  auto count = [](std::int64_t n, double over) { return (ops::arange(n).to(kFloat) / over).reshape({1, 1, n / 2, 2}); };
  Tensor q = count(4, 8), k = count(8, 4);
  auto near = [](const Tensor& t, const std::vector<double>& expected) {
    std::vector<double> got = values(t);
    REQUIRE(got.size() == expected.size());
    for (std::size_t i = 0; i < got.size(); ++i) CHECK(got[i] == Approx(expected[i]).margin(1e-4));
  };
  near(F::scaled_dot_product_attention(q, k, k, {.attn_mask = causal_lower_right(2, 4)}),
       {0.5147, 0.7647, 0.8862, 1.1362});
  near(F::scaled_dot_product_attention(q, k, k, {.attn_mask = causal_upper_left(2, 4)}), {0, 0.25, 0.2775, 0.5275});
  std::vector<std::string> warnings;
  WarningGuard guard(
      [](const std::string& text, void* to) { static_cast<std::vector<std::string>*>(to)->push_back(text); },
      &warnings);
  near(F::scaled_dot_product_attention(count(8, 8), count(4, 4), count(4, 4), {.attn_mask = causal_lower_right(4, 2)}),
       {0, 0, 0, 0, 0, 0.25, 0.3199, 0.5699});
  CHECK(warnings == std::vector<std::string>{"causal_lower_right(): the first 2 of 4 queries see no key, and attention "
                                             "gives zeros for them"});
}
