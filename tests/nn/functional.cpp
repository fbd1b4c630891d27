// Functions behind the modules, beside numbers of PyTorch 2.15.
#include "support.hpp"

using namespace test;
namespace F = tenon::nn::functional;

TEST_CASE("cross_entropy takes PyTorch's options", "[nn][functional]") {
  Tensor x = tensor({{1.0f, 2.0f, 3.0f}, {1.0f, 0.0f, -1.0f}}), target = tensor({2, 0});
  CHECK(F::cross_entropy(x, target).item<double>() == Approx(0.40760594606399536).epsilon(1e-6));
  CHECK(F::cross_entropy(x, target, {.reduction = nn::Reduction::Sum}).item<double>() ==
        Approx(2 * 0.40760594606399536).epsilon(1e-6));
  CHECK(F::cross_entropy(x, target, {.reduction = nn::Reduction::None}).sizes() == IntArrayRef({2}));
  CHECK(F::cross_entropy(x, target, {.label_smoothing = 0.1}).item<double>() ==
        Approx(0.5076059103012085).epsilon(1e-6));
  CHECK(F::cross_entropy(x, target, {.ignore_index = 2}).item<double>() == Approx(0.40760594606399536).epsilon(1e-6));
  CHECK(F::cross_entropy(x, target, {.weight = tensor({1.0f, 2.0f, 3.0f})}).item<double>() ==
        Approx(0.40760594606399536).epsilon(1e-6));
}

TEST_CASE("mse_loss reduces as asked", "[nn][functional]") {
  Tensor a = tensor({1.0f, 2.0f}), b = tensor({3.0f, 5.0f});
  CHECK(F::mse_loss(a, b).item<double>() == 6.5);
  CHECK(F::mse_loss(a, b, nn::Reduction::Sum).item<double>() == 13);
  CHECK(values(F::mse_loss(a, b, nn::Reduction::None)) == std::vector<double>{4, 9});
}

// torch.nn.functional.mse_loss of PyTorch 2.15.
TEST_CASE("mse_loss broadcasts with a warning, and its gradients are those of what it returns", "[nn][functional]") {
  std::vector<std::string> warnings;
  WarningGuard guard(
      [](const std::string& text, void* to) { static_cast<std::vector<std::string>*>(to)->push_back(text); },
      &warnings);
  Tensor x = tensor({{1.0f, -0.5f, 2.0f}, {0.5f, -2.0f, 1.0f}}), y = tensor({0.5f, 1.5f, -1.0f}).requires_grad_();
  // Twice the difference over six elements, summed over the rows.
  std::vector<double> mean = {-0.5 / 3, 5.5 / 3, -5.0 / 3};
  auto check = [&](std::vector<double> expected) {
    for (std::size_t i = 0; i < 3; ++i) CHECK(values(y.grad())[i] == Approx(expected[i]).epsilon(1e-6));
    y.grad() = Tensor();
  };
  F::mse_loss(x, y).backward();
  check(mean);
  CHECK(warnings == std::vector<std::string>{
                        "Using a target size ([3]) that is different to the input size ([2, 3]). This will likely lead "
                        "to incorrect results due to broadcasting. Please ensure they have the same size."});
  F::mse_loss(y, x).backward();
  check(mean);
  F::mse_loss(y, x, nn::Reduction::Sum).backward();
  check({-1, 11, -10});
  F::mse_loss(y, x, nn::Reduction::None).sum().backward();
  check({-1, 11, -10});
  warnings.clear();
  F::mse_loss(y, tensor({1.0f, 1.0f, 1.0f})).backward();
  CHECK(warnings.empty());
}

TEST_CASE("linear takes a bias or none", "[nn][functional]") {
  Tensor x = tensor({{1.0f, 2.0f}}), w = tensor({{3.0f, 4.0f}});
  CHECK(values(F::linear(x, w)) == std::vector<double>{11});
  CHECK(values(F::linear(x, w, tensor({0.5f}))) == std::vector<double>{11.5});
}

TEST_CASE("a query that may attend to no key leaves no NaN", "[nn][functional]") {
  Tensor q = tensor({{1.0f, 2.0f}, {0.5f, -1.0f}}).requires_grad_(), k = tensor({{0.5f, 1.0f}, {-1.0f, 2.0f}}),
         v = tensor({{1.0f}, {2.0f}}).requires_grad_();
  Tensor mask = tensor({{false, false}, {true, true}});
  Tensor out = F::scaled_dot_product_attention(q, k, v, {.attn_mask = mask});
  CHECK(out[0].item<double>() == 0);
  out.sum().backward();
  CHECK(values(q.grad()[0]) == std::vector<double>{0, 0});
  CHECK_FALSE(ops::isnan(q.grad()).any().item<bool>());
  CHECK_FALSE(ops::isnan(v.grad()).any().item<bool>());
}

// torch.nn.functional.interpolate of PyTorch 2.15.
TEST_CASE("nearest neighbours go by the factor, in two dimensions by equal or double sizes", "[nn][functional]") {
  Tensor x = tensor({0.0f, 1.0f, 2.0f});
  auto resized = [&](std::vector<std::int64_t> sizes, std::vector<double> factors, const char* mode) {
    return values(F::interpolate(x.view(sizes), {.scale_factor = factors, .mode = mode}));
  };
  using Expected = std::vector<double>;
  CHECK(resized({1, 1, 3}, {1.3}, "nearest") == Expected{0, 0, 1});
  CHECK(resized({1, 1, 1, 3}, {1, 1.3}, "nearest") == Expected{0, 1, 2});
  CHECK(resized({1, 1, 1, 1, 3}, {1, 1, 1.3}, "nearest") == Expected{0, 0, 1});
  CHECK(resized({1, 1, 3}, {2.2}, "nearest") == Expected{0, 0, 0, 1, 1, 2});
  CHECK(resized({1, 1, 1, 3}, {1, 2.2}, "nearest") == Expected{0, 0, 1, 1, 2, 2});
  CHECK(resized({1, 1, 1, 3}, {1, 1.3}, "nearest-exact") == Expected{0, 1, 1});
  // Gradients of as many elements go one to one.
  Tensor row = tensor({{{0.0f, 1.0f, 2.0f}}}).requires_grad_();
  F::interpolate(row, {.scale_factor = std::vector<double>{1.3}}).sum().backward();
  CHECK(values(row.grad()) == Expected{1, 1, 1});
}

TEST_CASE("lanczos filters images", "[nn][functional]") {
  Tensor x = tensor({0.0, 1.0, 4.0, 9.0, 16.0, 25.0}).view({1, 1, 1, 6});
  auto resized = [&](const Tensor& image, bool align, bool antialias) {
    return F::interpolate(image, {.size = std::vector<std::int64_t>(static_cast<std::size_t>(image.dim() - 2), 1),
                                  .mode = "lanczos",
                                  .align_corners = align,
                                  .antialias = antialias});
  };
  Tensor y = F::interpolate(x, {.size = std::vector<std::int64_t>{1, 3}, .mode = "lanczos", .antialias = true});
  CHECK(ops::allclose(y.flatten(), tensor({0.23453591341017632, 6.25, 20.38917677930841})));
  CHECK_ERROR(resized(x, true, true), ValueError, "Lanczos mode does not support align_corners=True");
  CHECK_ERROR(resized(x, false, false), ValueError, "Lanczos mode requires antialias=True");
  CHECK_ERROR(resized(x[0], false, true), ValueError,
              "Anti-alias option is restricted to bilinear, bicubic, and lanczos modes and requires a 4-D tensor as "
              "input");
}

TEST_CASE("layers refuse options that do not fit together", "[nn][functional]") {
  Tensor x = ops::ones({1, 1, 4}), w = ops::ones({1, 1, 2});
  CHECK_ERROR_CONTAINS(ops::conv_transpose1d(x, w, std::nullopt, 1, 0, 1), ValueError,
                       "output padding must be smaller than either stride or dilation");
  CHECK_ERROR_CONTAINS((nn::TransformerEncoderLayer{.d_model = 4, .nhead = 2, .activation = "tanh"}), ValueError,
                       "activation should be relu/gelu, not tanh");
  nn::TripletMarginWithDistanceLoss<nn::PairwiseDistance> loss{};
  Tensor a = ops::ones({2, 2});
  CHECK_ERROR_CONTAINS(loss(a, a, ops::ones({2})), ValueError, "the same number of dimensions");
}

TEST_CASE("gumbel_softmax draws what PyTorch draws", "[nn][functional]") {
  Tensor x = tensor({{0.5f, 1.0f, -1.0f}, {2.0f, 0.0f, 1.0f}});
  manual_seed(0);
  const std::vector<double> soft = values(F::gumbel_softmax(x, 0.5)),
                            expected{0.0405, 0.8940, 0.0655, 0.6829, 0.0749, 0.2422};
  for (std::size_t i = 0; i < 6; ++i) CHECK(soft[i] == Approx(expected[i]).margin(1e-4));
  manual_seed(0);
  CHECK(values(F::gumbel_softmax(x, 1, true, 0)) == std::vector<double>{0, 1, 0, 1, 0, 1});
  x.requires_grad_();
  Tensor hard = F::gumbel_softmax(x, 1, true);
  CHECK(values(hard.sum(-1)) == std::vector<double>{1, 1});
  (hard * tensor({1.0f, 2.0f, 3.0f})).sum().backward();
  CHECK(ops::any(x.grad()).item<bool>());
}

TEST_CASE("dropout is a function as well, with PyTorch's defaults", "[nn][functional]") {
  Tensor x = ops::ones({8, 4, 2});
  manual_seed(3);
  Tensor expected = ops::dropout(x, 0.5, true);
  manual_seed(3);
  CHECK(F::dropout(x).equal(expected));
  CHECK(F::dropout(x, 0.5, false).equal(x));
  CHECK(F::alpha_dropout(x).equal(x));
  Tensor channels = F::dropout1d(x).sum(2);
  CHECK((channels.eq(0) | channels.eq(4)).all().item<bool>());
  CHECK_ERROR_CONTAINS(F::dropout2d(x, 1.5), ValueError, "between 0 and 1, but got 1.5");
}
