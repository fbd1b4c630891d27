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

TEST_CASE("linear takes a bias or none", "[nn][functional]") {
  Tensor x = tensor({{1.0f, 2.0f}}), w = tensor({{3.0f, 4.0f}});
  CHECK(values(F::linear(x, w)) == std::vector<double>{11});
  CHECK(values(F::linear(x, w, tensor({0.5f}))) == std::vector<double>{11.5});
}
