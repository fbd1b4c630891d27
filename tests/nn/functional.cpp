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

TEST_CASE("a mask is spread over the scores of attention, not they over it", "[nn][functional]") {
  auto attend = [](const Tensor& q, IntArrayRef mask) {
    return F::scaled_dot_product_attention(q, q, q, {.attn_mask = ops::zeros(mask)});
  };
  Tensor heads = ops::ones({2, 2, 3});
  CHECK(attend(heads, {1, 1, 1, 2}).sizes() == IntArrayRef({2, 2, 3}));
  CHECK_ERROR(attend(heads, {2, 1, 1, 2}), ValueError,
              "attn_mask of shape [2, 1, 1, 2] doesn't match the scores' shape [2, 2, 2]");
  CHECK_ERROR(attend(ops::ones({1, 1, 2, 3}), {2, 1, 2, 2}), ValueError,
              "attn_mask of shape [2, 1, 2, 2] doesn't match the scores' shape [1, 1, 2, 2]");
}

TEST_CASE("multilabel_soft_margin_loss divides by the classes of its input", "[nn][functional]") {
  Tensor x = tensor({{0.1805f}}), y = tensor({{0.7469f}}), w = tensor({0.3925f, 0.2535f, 0.4280f});
  // torch.nn.functional.multilabel_soft_margin_loss(x, y, w)
  CHECK(F::multilabel_soft_margin_loss(x, y, w).item<double>() == Approx(0.7009447813034058).epsilon(1e-6));
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

// Numbers of PyTorch 2.15.
TEST_CASE("sizes and factors of a resize are one number or one for each dimension", "[nn][functional]") {
  Tensor x = tensor({0.0, 1.0, 2.0, 3.0}).view({1, 1, 2, 2});
  using Expected = std::vector<double>;
  Expected doubled{0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3}, tall{0, 0, 1, 0, 0, 1, 2, 2, 3, 2, 2, 3};
  CHECK(values(F::interpolate(x, {.scale_factor = 2.0})) == doubled);
  CHECK(values(F::interpolate(x, {.scale_factor = {2.0}})) == doubled);
  CHECK(values(F::interpolate(x, {.scale_factor = 2})) == doubled);
  CHECK(values(F::interpolate(x, {.scale_factor = {2.0, 1.0}})) == Expected{0, 1, 0, 1, 2, 3, 2, 3});
  CHECK(values(F::interpolate(x, {.size = 4})) == doubled);
  CHECK(values(F::interpolate(x, {.size = {4, 4}})) == doubled);
  CHECK(values(F::interpolate(x, {.size = {4, 3}})) == tall);
  CHECK(F::interpolate(x.view({1, 1, 1, 2, 2}), {.size = 3, .mode = "area"}).sizes() == IntArrayRef({1, 1, 3, 3, 3}));
  CHECK_ERROR(F::interpolate(x, {.size = {2, 2, 2}}), ValueError,
              "Input and output size must have the same number of spatial dimensions, but got input with 2 spatial "
              "dimensions and 3 numbers");
  CHECK_ERROR_CONTAINS(F::interpolate(x, {.size = std::vector<std::int64_t>{4}}), ValueError,
                       "Input and output size must have the same number of spatial dimensions");
  CHECK_ERROR(F::interpolate(x), ValueError, "either size or scale_factor should be defined");
  CHECK_ERROR(F::interpolate(x, {.size = 4, .scale_factor = 2}), ValueError,
              "only one of size or scale_factor should be defined");
  STATIC_REQUIRE_FALSE(std::is_constructible_v<nn::OneOrSeveral<std::int64_t>, double>);
}

// Numbers of PyTorch 2.15.
TEST_CASE("the older names of interpolate warn", "[nn][functional]") {
  std::vector<std::string> warnings;
  WarningGuard guard(
      [](const std::string& text, void* to) { static_cast<std::vector<std::string>*>(to)->push_back(text); },
      &warnings);
  Tensor x = tensor({0.0, 1.0, 2.0, 3.0}).view({1, 1, 2, 2});
  using Expected = std::vector<double>;
  CHECK(values(F::upsample_bilinear(x, {.size = 3})) == Expected{0, 0.5, 1, 1, 1.5, 2, 2, 2.5, 3});
  CHECK(values(F::upsample(x, {.scale_factor = {2, 1}})) == Expected{0, 1, 0, 1, 2, 3, 2, 3});
  CHECK(values(F::upsample_nearest(x, {.size = std::vector<std::int64_t>{1, 4}})) == Expected{0, 0, 1, 1});
  CHECK(warnings == std::vector<std::string>{
                        "`nn.functional.upsample_bilinear` is deprecated. Use `nn.functional.interpolate` instead.",
                        "`nn.functional.upsample` is deprecated. Use `nn.functional.interpolate` instead.",
                        "`nn.functional.upsample_nearest` is deprecated. Use `nn.functional.interpolate` instead."});
}

// Numbers of PyTorch 2.15.
TEST_CASE("attention over heads is a function of its parameters", "[nn][functional]") {
  // i k modulo 1.7, less 0.8.
  auto row = [](std::vector<std::int64_t> sizes, double k) {
    Tensor t = ops::fmod(ops::arange(count_elements(sizes), "dtype"_a = kDouble) * k, 1.7) - 0.8;
    return t.view(sizes);
  };
  auto near = [](const Tensor& t, const std::vector<double>& expected) {
    std::vector<double> got = values(t.flatten());
    REQUIRE(got.size() >= expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) CHECK(got[i] == Approx(expected[i]).margin(1e-9));
  };
  Tensor q = row({2, 2, 4}, 0.37), k = row({3, 2, 4}, 0.61), v = row({3, 2, 4}, 0.43), w = row({12, 4}, 0.29),
         b = row({12}, 0.53), out_w = row({4, 4}, 0.47), out_b = row({4}, 0.59), none;
  auto [out, weights] = F::multi_head_attention_forward(q, k, v, 4, 2, w, b, row({1, 1, 4}, 0.71), row({1, 1, 4}, 0.83),
                                                        true, 0, out_w, out_b);
  near(out, {-1.2856471408, -0.6841982162, 0.3403275188, -0.7582235566, -1.3913648952, -0.866448989, 0.2491037097});
  near(weights, {0.1854943566, 0.1423487934, 0.1542644673, 0.2464533374, 0.2714390453, 0.1893661049});
  Tensor keys = row({4, 3, 2}, 0.31), places = row({4, 3, 2}, 0.67);
  auto [still, each] =
      F::multi_head_attention_forward(q, k, v, 4, 2, w, none, none, none, false, 0, out_w, none,
                                      {.static_k = keys, .static_v = places, .average_attn_weights = false});
  CHECK(each.sizes() == IntArrayRef({2, 2, 2, 3}));
  near(still, {0.0296581368, 0.0606633612, -0.1317000049, -0.1006947805, -0.3252077411});
  near(each, {0.3008203308, 0.3322394769, 0.3669401922, 0.2693607058});
  Tensor mask = tensor({{false, true, true}, {false, false, true}});
  auto separate = [&](const Tensor& last) {
    return F::multi_head_attention_forward(q, k, v, 4, 2, none, b, none, none, false, 0, out_w, out_b,
                                           {.need_weights = false,
                                            .attn_mask = mask,
                                            .use_separate_proj_weight = true,
                                            .q_proj_weight = ops::narrow(w, 0, 0, 4),
                                            .k_proj_weight = ops::narrow(w, 0, 4, 4),
                                            .v_proj_weight = last});
  };
  auto [masked, no_weights] = separate(ops::narrow(w, 0, 8, 4));
  near(masked, {-2.119542, -1.612774, -0.109126, -1.302358, -2.137314, -1.622698});
  CHECK_FALSE(no_weights.defined());
  CHECK_ERROR(separate(none), ValueError, "use_separate_proj_weight is True but v_proj_weight is None");
  CHECK_ERROR(F::multi_head_attention_forward(q, k, v, 8, 2, w, b, none, none, false, 0, out_w, out_b), ValueError,
              "was expecting embedding dimension of 8, but got 4");
  CHECK_ERROR(F::multi_head_attention_forward(q, k, v, 4, 2, w, b, out_b.view({1, 1, 4}), none, false, 0, out_w, out_b),
              ValueError, "bias_k is set but bias_v is None");
}

TEST_CASE("grouped_mm multiplies groups of rows", "[nn][functional]") {
  Tensor a = ops::arange(24, "dtype"_a = kFloat).view({3, 8}).to(kBFloat16),
         b = ops::arange(128, "dtype"_a = kFloat).view({2, 8, 8}).to(kBFloat16);
  Tensor y = F::grouped_mm(a, b, {.offs = tensor({1, 3}).to(kInt)});
  CHECK(y.dtype() == kBFloat16);
  CHECK(values(y[0].to(kDouble)) == std::vector<double>{1120, 1152, 1176, 1200, 1232, 1264, 1288, 1312});
  CHECK(values(y[2].to(kDouble))[0] == 14720);
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

TEST_CASE("triplets are judged by pairwise_distance unless another distance is given", "[nn][functional]") {
  Tensor a = tensor({{1.0, 2.0}}), p = tensor({{1.5, 2.5}}), n = tensor({{0.0, 2.0}});
  CHECK(nn::TripletMarginWithDistanceLoss<>{}(a, p, n).item<double>() == Approx(0.7071077));  // of PyTorch 2.15
  CHECK(values(nn::TripletMarginWithDistanceLoss<>{.margin = 2}(a, p, n)) ==
        values(nn::TripletMarginLoss{.margin = 2}(a, p, n)));
  CHECK(values(F::triplet_margin_with_distance_loss(a, p, n)) == values(F::triplet_margin_loss(a, p, n)));
}

TEST_CASE("gumbel_softmax draws what PyTorch draws", "[nn][functional]") {
  Tensor x = tensor({{0.5f, 1.0f, -1.0f}, {2.0f, 0.0f, 1.0f}});
  manual_seed(0);
  const std::vector<double> soft = values(F::gumbel_softmax(x, 0.5)),
                            expected{0.0405, 0.8940, 0.0655, 0.6829, 0.0749, 0.2422};
  for (std::size_t i = 0; i < 6; ++i) CHECK(soft[i] == Approx(expected[i]).margin(1e-4));
  manual_seed(0);
  CHECK(values(F::gumbel_softmax(x, 1, true, 1e-10, 0)) == std::vector<double>{0, 1, 0, 1, 0, 1});
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

TEST_CASE("operators that are functions of torch.nn.functional stand beside the others", "[nn][functional]") {
  Tensor x = ops::arange(16, "dtype"_a = kFloat).view({1, 1, 4, 4});
  CHECK(values(F::max_pool2d(x, 2)) == std::vector<double>{5, 7, 13, 15});
  CHECK(values(F::conv2d(x, ops::ones({1, 1, 3, 3}))) == std::vector<double>{45, 54, 81, 90});
  CHECK(F::pad(x, {1, 1}, "constant", 2).sizes() == IntArrayRef({1, 1, 4, 6}));
  CHECK(values(F::layer_norm(tensor({1.0, 1.0}), {2})) == std::vector<double>{0, 0});
}

namespace {
void check_near(const Tensor& got, const std::vector<double>& expected) {
  std::vector<double> all = values(got);
  REQUIRE(all.size() == expected.size());
  for (std::size_t i = 0; i < all.size(); ++i) CHECK(all[i] == Approx(expected[i]).epsilon(1e-5).margin(1e-7));
}
}  // namespace

TEST_CASE("norms take running statistics before the scale and the shift, as PyTorch's functions", "[nn][functional]") {
  Tensor x = tensor({{{1.0f, 2.0f, -1.0f}, {0.5f, -2.0f, 3.0f}}, {{2.0f, 0.0f, 1.0f}, {1.5f, -1.0f, -3.0f}}});
  Tensor mean = tensor({0.5f, -1.0f}), var = tensor({2.0f, 0.5f}), weight = tensor({2.0f, -1.0f}),
         bias = tensor({0.25f, 0.5f});
  check_near(F::batch_norm(x, mean, var, weight, bias),
             {0.9571049809, 2.3713150024, -1.8713150024, -1.6212990283, 1.9141993522, -5.1567974090, 2.3713150024,
              -0.4571049809, 0.9571049809, -3.0354983806, 0.5, 3.3283987045});
  check_near(F::batch_norm(x, mean, var, weight, bias, true, 0.2),
             {0.5623462200, 2.4364230632, -3.1858074664, 0.1755575388, 1.3922166824, -1.0411016941, 2.4364230632,
              -1.3117306232, 0.5623462200, -0.3111061453, 0.9055530428, 1.8788803815});
  check_near(mean, {0.5666666626, -0.8333333730});
  check_near(var, {1.8733333349, 1.4133332967});
  check_near(F::instance_norm(x), {0.2672603726, 1.0690414905, -1.3363018035, 0.0, -1.2247433662, 1.2247433662,
                                   1.2247356176, -1.2247356176, 0.0, 1.2674984931, -0.0905356109, -1.1769629716});
  check_near(F::local_response_norm(x, 2),
             {0.9999625682, 1.9997000694, -0.9999625682, 0.4999765753, -1.9994003772, 2.9988756179, 1.9997000694, 0.0,
              0.9999625682, 1.4996485710, -0.9999625682, -2.9988756179});
  CHECK(F::batch_norm(x, {}, {}, {}, {}, true).sizes() == x.sizes());
  CHECK_ERROR(F::batch_norm(ops::ones({1, 2}), mean, var, {}, {}, true), ValueError,
              "Expected more than 1 value per channel when training, got input size [1, 2]");
  CHECK_ERROR(F::batch_norm(x, mean, var, {}, {}, true, 0.1, 0.0), ValueError,
              "batch_norm eps must be positive during training, but got 0");
  CHECK_ERROR(F::batch_norm(x, mean, var, {}, {}, false, 0.1, -0.5), ValueError,
              "batch_norm eps must be non-negative, but got -0.5");
  CHECK(F::batch_norm(x, mean, var, {}, {}, false, 0.1, 0.0).sizes() == x.sizes());
  CHECK_ERROR(F::instance_norm(ops::ones({3, 2, 1})), ValueError,
              "Expected more than 1 spatial element when training, got input size [3, 2, 1]");
  CHECK(F::local_response_norm(ops::ones({2, 0, 3, 3}), 5).sizes() == IntArrayRef({2, 0, 3, 3}));
  CHECK_ERROR_CONTAINS(F::local_response_norm(ops::ones({2, 3}), 2), ValueError, "(got 2 dimensions)");
}

TEST_CASE("pooling that is no operator is a function too", "[nn][functional]") {
  Tensor x = tensor({{{1.0f, 2.0f, -1.0f}, {0.5f, -2.0f, 3.0f}}, {{2.0f, 0.0f, 1.0f}, {1.5f, -1.0f, -3.0f}}});
  constexpr double infinite = std::numeric_limits<double>::infinity();
  check_near(F::lp_pool1d(x, 2, 2), {2.2360680103, 2.0615527629, 2.0, 1.8027756214});
  check_near(F::lp_pool1d(x, infinite, 2), {2, 2, 2, 1.5});
  check_near(F::lp_pool1d(x, -infinite, 2), {1, 0.5, 0, 1});
  CHECK(F::lp_pool2d(x, 1, {1, 2}).sizes() == IntArrayRef({2, 2, 1}));
  CHECK_ERROR(F::lp_pool1d(x, 0, 2), ValueError, "norm_type must be a non-zero value, but got 0");
  auto [most, where] = F::max_pool1d_with_indices(x, {2});
  check_near(F::max_unpool1d(most, where, 2), {0, 2, 0.5, 0, 2, 0, 1.5, 0});
  check_near(F::max_unpool1d(most, where, 2, {}, 0, {3}), {0, 2, 0, 0.5, 0, 0, 2, 0, 0, 1.5, 0, 0});
  check_near(F::adaptive_max_pool1d(x, 2), {2, 2, 0.5, 3, 2, 1, 1.5, -1});
  check_near(std::get<1>(F::adaptive_max_pool1d_with_indices(x, 2)), {1, 1, 0, 2, 0, 2, 0, 1});
  Tensor image = ops::rand({1, 1, 6, 6});
  CHECK(F::fractional_max_pool2d(image, 2, {.output_ratio = {0.5}}).sizes() == IntArrayRef({1, 1, 3, 3}));
  CHECK(F::fractional_max_pool2d(image, 2, {.output_size = {2, 3}}).sizes() == IntArrayRef({1, 1, 2, 3}));
  CHECK_THROWS_AS(F::fractional_max_pool2d(image, 2, {}), ValueError);
}

TEST_CASE("linear_cross_entropy is the loss of a linear map's scores", "[nn][functional]") {
  Tensor weight = tensor({{1.0f, 2.0f}, {-1.0f, 0.5f}, {0.5f, -0.5f}}), x = tensor({{1.0f, -1.0f}, {0.5f, 2.0f}}),
         target = tensor({0, 2}), two = ops::ones({2});
  CHECK(F::linear_cross_entropy(x, weight, target).item<double>() == Approx(3.7350120544).epsilon(1e-6));
  F::LinearCrossEntropyOptions all{.linear_bias = tensor({1.0f, 0.0f, -1.0f}),
                                   .weight = tensor({1.0f, 2.0f, 3.0f}),
                                   .reduction = nn::Reduction::Sum,
                                   .label_smoothing = 0.1};
  CHECK(F::linear_cross_entropy(x, weight, target, all).item<double>() == Approx(21.6336612701).epsilon(1e-6));
  CHECK(F::linear_cross_entropy(x[0], weight, target[0]).item<double>() == Approx(2.1967341899).epsilon(1e-6));
  check_near(F::linear_cross_entropy(x, weight, target, {.reduction = nn::Reduction::None, .ignore_index = 2}),
             {2.1967341899, 0});
  Tensor several = ops::arange(12, "dtype"_a = kFloat).reshape({3, 2, 2}) / 10;
  CHECK(F::linear_cross_entropy(x, several, tensor({{0, 2}, {1, 1}}),
                                {.linear_bias = ops::arange(6, "dtype"_a = kFloat).reshape({3, 2})})
            .item<double>() == Approx(2.5969386100).epsilon(1e-6));
  Tensor shares = ops::softmax(tensor({{1.0f, 2.0f, 3.0f}, {0.0f, 1.0f, 0.0f}}), 1);
  CHECK(F::linear_cross_entropy(x, weight, shares).item<double>() == Approx(2.2145335674).epsilon(1e-6));
  CHECK_ERROR(F::linear_cross_entropy(x.unsqueeze(0), weight, target), ValueError,
              "expected input with dimensionality 1 or 2, got 3");
  CHECK_ERROR(F::linear_cross_entropy(x, weight[0], target), ValueError,
              "expected linear_weight with dimensionality at least 2, got 1");
  CHECK_ERROR(F::linear_cross_entropy(x, weight.t(), target), ValueError,
              "expected equal input and linear_weight last dimensions (in_features), got 2 and 3, respectively");
  CHECK_ERROR(F::linear_cross_entropy(x, weight, target, {.linear_bias = two}), ValueError,
              "expected linear_bias shape [3], got [2]");
  CHECK_ERROR(
      F::linear_cross_entropy(x[0], several, target), ValueError,
      "K-dimensional loss defined by linear_weight shape [3, 2, 2] requires batched input, (N, 2), got unbatched "
      "input with shape [2]");
  CHECK_ERROR(F::linear_cross_entropy(x, weight, shares, {.ignore_index = 1}), ValueError,
              "ignore_index cannot be specified when target contains probabilities");

  nn::LinearCrossEntropyLoss loss{
      .in_features = 2, .num_classes = 3, .out_features = {2}, .bias = true, .ignore_index = 1};
  CHECK(nn::to_string(loss) ==
        "LinearCrossEntropyLoss(\n  in_features=2, num_classes=3, out_features=(2,), bias=True, reduction=mean, "
        "ignore_index=1, label_smoothing=0.0, options=None\n  (linear): Linear(in_features=2, out_features=6, "
        "bias=True)\n)");
  loss(x, tensor({{0, 2}, {1, 1}})).backward();
  CHECK(loss.linear.weight.grad().sizes() == IntArrayRef({6, 2}));
  nn::LinearCrossEntropyLoss weighed{
      .in_features = 2, .num_classes = 3, .bias = true, .weight = Tensor(ops::ones({3}))};
  CHECK(names(nn::state(weighed)) == std::vector<std::string>{"weight", "linear.weight", "linear.bias"});
  CHECK_ERROR((nn::LinearCrossEntropyLoss{.in_features = 2, .num_classes = 3, .weight = two}), ValueError,
              "expected weight shape to be [3], got [2]");
  CHECK_ERROR((nn::LinearCrossEntropyLoss{.in_features = 2, .num_classes = 3, .label_smoothing = 1.5}), ValueError,
              "expected label_smoothing to be in range [0, 1], got 1.5");
}

TEST_CASE("encoders and decoders without a layer are refused, as PyTorch's are", "[nn][functional]") {
  nn::TransformerEncoderLayer layer{.d_model = 4, .nhead = 2};
  nn::TransformerEncoder none{layer, 0};
  CHECK_ERROR(none(ops::ones({2, 1, 4})), IndexError, "TransformerEncoder: expected at least one layer, got none");
  nn::TransformerDecoder nothing{nn::TransformerDecoderLayer{.d_model = 4, .nhead = 2}, 0};
  CHECK_ERROR(nothing(ops::ones({2, 1, 4}), ops::ones({2, 1, 4})), IndexError,
              "TransformerDecoder: expected at least one layer, got none");
}

TEST_CASE("gelu of infinity is infinity, and linear_cross_entropy has second derivatives", "[nn][functional]") {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  for (ScalarType dtype : {kFloat, kDouble, kBFloat16})
    CHECK(values(F::gelu(ops::full({3}, infinite, "dtype"_a = dtype))) == std::vector<double>(3, infinite));
  Tensor target = tensor({0, 2});
  autograd::gradgradcheck([&](const std::vector<Tensor>& in) { return F::linear_cross_entropy(in[0], in[1], target); },
                          {ops::randn({2, 2}, "dtype"_a = kDouble).requires_grad_(),
                           ops::randn({3, 2}, "dtype"_a = kDouble).requires_grad_()});
}

TEST_CASE("losses take the reduction before beta, delta and pos_weight, as PyTorch's functions", "[nn][functional]") {
  using nn::Reduction;
  Tensor x = tensor({{1.0f, -0.5f, 2.0f}, {0.5f, -2.0f, 1.0f}}), y = tensor({{0.5f, 1.5f, -1.0f}, {0.0f, 2.0f, 1.25f}}),
         weight = tensor({{1.0f, 2.0f, 0.5f}, {0.0f, 3.0f, 1.0f}});
  check_near(F::smooth_l1_loss(x, y, Reduction::Sum, 0.5), {8.8125});
  check_near(F::huber_loss(x, y, Reduction::Sum, 0.5), {4.40625});
  check_near(F::binary_cross_entropy_with_logits(x, ops::sigmoid(y), {}, Reduction::Sum, tensor({1.0f, 2.0f, 3.0f})),
             {9.5363006592});
  check_near(F::mse_loss(x, y, Reduction::None, weight), {0.25, 8, 4.5, 0, 48, 0.0625});
  check_near(F::mse_loss(x, y, Reduction::Mean, weight), {60.8125 / 7.5});
  check_near(F::l1_loss(x, y, Reduction::Mean, weight), {18.25 / 7.5});
  check_near(F::l1_loss(x, y, Reduction::Sum, weight), {18.25});
  check_near(F::huber_loss(x, y, Reduction::None, 1, weight), {0.125, 3, 1.25, 0, 10.5, 0.03125});
  check_near(F::huber_loss(x, y, Reduction::Mean, 1, weight), {14.90625 / 6});
  for (auto loss : {&F::mse_loss, &F::l1_loss})
    CHECK_ERROR(loss(x, y, Reduction::Mean, weight[0]), ValueError, "Weights and input must have the same size.");
  CHECK_ERROR(F::huber_loss(x, y, Reduction::Mean, 1, weight[0]), ValueError,
              "Weights and input must have the same size.");
}

TEST_CASE("gaussian_nll_loss takes a number, and a variance that one dimension shares", "[nn][functional]") {
  Tensor x = tensor({{1.0f, -0.5f, 2.0f}, {0.5f, -2.0f, 1.0f}}), y = tensor({{0.5f, 1.5f, -1.0f}, {0.0f, 2.0f, 1.25f}});
  check_near(F::gaussian_nll_loss(x, y, 0.25), {9.1610193253});
  check_near(nn::GaussianNLLLoss{}(x, y, 0.25), {9.1610193253});
  check_near(F::gaussian_nll_loss(x, y, tensor({0.5f, 2.0f}).view({2, 1}), true), {3.8069801331});
  check_near(F::gaussian_nll_loss(x, y, tensor({0.5f, 1.0f, 2.0f}).view({1, 3}), false, 1e-6, nn::Reduction::Sum),
             {12.765625});
  CHECK_ERROR(F::gaussian_nll_loss(x, y, -1), ValueError, "var has negative entry/entries");
  CHECK_ERROR(F::gaussian_nll_loss(x, y, ops::ones({1, 1})), ValueError, "var is of incorrect size");
}

TEST_CASE("fold and unfold have PyTorch's defaults, and gumbel_softmax its eps", "[nn][functional]") {
  Tensor image = ops::arange(18, "dtype"_a = kFloat).view({1, 2, 3, 3});
  CHECK(F::unfold(image, 2).sizes() == IntArrayRef({1, 8, 4}));
  check_near(F::unfold(image, {2, 2}, 1, 1, 2)[0][1], {0, 0, 3, 5});
  check_near(F::fold(F::unfold(image, 2), {3, 3}, 2)[0][1], {9, 20, 11, 24, 52, 28, 15, 32, 17});
  std::vector<std::string> warnings;
  WarningGuard guard(
      [](const std::string& text, void* to) { static_cast<std::vector<std::string>*>(to)->push_back(text); },
      &warnings);
  F::gumbel_softmax(image, 1, false, 1e-10, 0);
  CHECK(warnings.empty());
  F::gumbel_softmax(image, 1, false, 0);
  CHECK(warnings == std::vector<std::string>{"gumbel_softmax: `eps` parameter is deprecated and has no effect."});
}
