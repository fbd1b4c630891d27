// Weights made anew at each call, and all parameters as one vector.
#include <tenon/nn/dynamic/weight_norms.hpp>

#include "../support.hpp"

using namespace test;

TEST_CASE("weight_norm keeps the layer's answers and trains length and direction", "[nn][dynamic]") {
  nn::Linear layer{3, 2};
  Tensor x = ops::randn({4, 3}), before = layer(x);
  auto normed = nn::utils::weight_norm(layer);
  CHECK(names(nn::state(normed)) == std::vector<std::string>{"bias", "weight_g", "weight_v"});
  CHECK(normed.weight_g.sizes() == IntArrayRef({2, 1}));
  CHECK((normed(x) - before).abs().max().item<double>() < 1e-6);
  normed(x).sum().backward();
  CHECK(normed.weight_g.grad().defined());
  CHECK(normed.weight_v.grad().defined());
  CHECK((nn::utils::remove_weight_norm(normed).weight - layer.weight).abs().max().item<double>() < 1e-6);
  CHECK(nn::utils::weight_norm(nn::Linear{3, 2}, std::nullopt).weight_g.dim() == 0);
  CHECK(nn::to_string(normed) == "Linear(in_features=3, out_features=2, bias=True)");
}

TEST_CASE("spectral_norm brings the largest singular value to one", "[nn][dynamic]") {
  manual_seed(6);
  auto normed = nn::utils::spectral_norm(nn::Linear{5, 4}, {.n_power_iterations = 50});
  CHECK(names(nn::named_buffers(normed)) == std::vector<std::string>{"weight_u", "weight_v"});
  CHECK(names(nn::named_parameters(normed)) == std::vector<std::string>{"bias", "weight_orig"});
  Tensor x = ops::ones({1, 5});
  normed(x).sum().backward();
  CHECK(normed.weight_orig.grad().defined());
  nn::eval(normed);
  std::vector<double> kept = values(normed.weight_u);
  normed(x);
  CHECK(values(normed.weight_u) == kept);
  Tensor w = nn::utils::remove_spectral_norm(normed).weight.detach(), v = ops::ones({5});
  for (int i = 0; i < 200; ++i) v = ops::mv(w.t(), ops::mv(w, v)) / ops::mv(w, v).norm();
  CHECK(ops::mv(w, v / v.norm()).norm().item<double>() == Approx(1).epsilon(1e-3));
}

TEST_CASE("weight_norm and spectral_norm take the name of a tensor", "[nn][dynamic]") {
  nn::GRUCell cell{2, 3};
  Tensor x = ops::randn({4, 2}), h = ops::randn({4, 3});
  auto normed = nn::utils::weight_norm(cell, "weight_hh");
  CHECK(names(nn::state(normed)) ==
        std::vector<std::string>{"weight_ih", "bias_ih", "bias_hh", "weight_hh_g", "weight_hh_v"});
  CHECK((normed(x, h) - cell(x, h)).abs().max().item<double>() < 1e-6);
  CHECK(nn::utils::remove_weight_norm(normed).weight_hh.requires_grad());
  CHECK(nn::to_string(normed) == "GRUCell(2, 3)");
  auto bounded = nn::utils::spectral_norm(cell, "weight_hh", {.n_power_iterations = 2});
  CHECK(names(nn::state(bounded)) ==
        std::vector<std::string>{"weight_ih", "bias_ih", "bias_hh", "weight_hh_orig", "weight_hh_u", "weight_hh_v"});
  bounded(x, h).sum().backward();
  CHECK(bounded.weight_orig.grad().defined());

  nn::LSTM lstm{2, 3};
  auto recurrent = nn::utils::weight_norm(lstm, "weight_hh_l0");
  CHECK(names(nn::state(recurrent)) ==
        std::vector<std::string>{"weight_ih_l0", "bias_ih_l0", "bias_hh_l0", "weight_hh_l0_g", "weight_hh_l0_v"});
  Tensor sequence = ops::randn({5, 1, 2});
  CHECK((std::get<0>(recurrent(sequence)) - std::get<0>(lstm(sequence))).abs().max().item<double>() < 1e-6);
  CHECK(nn::utils::weight_norm(nn::Linear{3, 2}, 0).weight_g.sizes() == IntArrayRef({2, 1}));
  CHECK_ERROR(nn::utils::weight_norm(cell, "weight"), ValueError,
              "the layer has no tensor called 'weight', only 'weight_ih', 'weight_hh', 'bias_ih', 'bias_hh'");
}

TEST_CASE("parameters go to a vector and back", "[nn][dynamic]") {
  nn::Linear a{2, 2}, b{2, 2};
  nn::utils::vector_to_parameters(nn::utils::parameters_to_vector(nn::parameters(a)), nn::parameters(b));
  CHECK(values(a.weight) == values(b.weight));
  CHECK(values(a.bias) == values(b.bias));
  CHECK_ERROR_CONTAINS(nn::utils::vector_to_parameters(ops::ones({5}), nn::parameters(a)), ValueError,
                       "expected a vector of 6 elements, got shape [5]");
}

TEST_CASE("apply reaches a layer whose weight is made behind what is in it", "[nn][dynamic]") {
  auto normed = nn::utils::weight_norm(nn::Linear{3, 2});
  std::vector<std::string> met;
  nn::apply(normed, [&](auto& m) {
    met.push_back(std::is_same_v<std::remove_cvref_t<decltype(m)>, nn::Linear> ? "Linear" : "WeightNorm");
  });
  CHECK(met == std::vector<std::string>{"Linear", "WeightNorm"});
}
