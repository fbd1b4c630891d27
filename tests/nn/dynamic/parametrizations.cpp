// Weights that are made from others at each call.
#include <tenon/nn/dynamic/parametrizations.hpp>

#include "../support.hpp"

using namespace test;
namespace parametrize = nn::utils::parametrize;
namespace parametrizations = nn::utils::parametrizations;

namespace {

struct Symmetric {
  Tensor operator()(const Tensor& x) const { return ops::triu(x) + ops::triu(x, 1).t(); }
};
struct Exponential {
  Tensor operator()(const Tensor& x) const { return x.exp(); }
  Tensor right_inverse(const Tensor& x) const { return x.log(); }
};
struct FirstRow {
  Tensor operator()(const Tensor& x) const { return x.narrow(0, 0, 1); }
};
double distance(const Tensor& a, const Tensor& b) { return (a - b).abs().max().item<double>(); }

}  // namespace

TEST_CASE("a weight is what parametrizations make of the original", "[nn][dynamic]") {
  auto layer = parametrize::register_parametrization(nn::Linear{3, 3}, "weight", Symmetric{});
  CHECK(parametrize::is_parametrized(layer));
  CHECK(!parametrize::is_parametrized(nn::Linear{3, 3}));
  CHECK(names(nn::state(layer)) == std::vector<std::string>{"bias", "parametrizations.weight.original"});
  CHECK(distance(layer.value(), layer.value().t()) == 0);
  layer(ops::ones({1, 3})).sum().backward();
  CHECK(layer.originals()[0].grad().defined());
  CHECK(
      nn::to_string(layer) ==
      "ParametrizedLinear(\n  in_features=3, out_features=3, bias=True\n  (parametrizations): ModuleDict(\n    (weight): "
      "ParametrizationList(\n      (0): Symmetric()\n    )\n  )\n)");
  CHECK(distance(parametrize::remove_parametrizations(layer).weight, layer.value()) == 0);
  CHECK(distance(parametrize::remove_parametrizations(layer, false).weight, layer.originals()[0]) == 0);

  nn::Linear positive{2, 2};
  {
    NoGradGuard no_grad;
    positive.weight.abs_().add_(2);
  }
  auto chain = parametrize::register_parametrization(positive, "weight", Exponential{}, Exponential{});
  CHECK(distance(chain.value(), positive.weight) < 1e-5);
  chain.assign(ops::full({2, 2}, 5.0));
  CHECK(distance(chain.value(), ops::full({2, 2}, 5.0)) < 1e-5);
  CHECK_ERROR(parametrize::register_parametrization(nn::Linear{3, 3}, "weight", FirstRow{}), ValueError,
              "A parametrization may not change the shape of 'weight': expected [3, 3], got [1, 3]");
  CHECK_ERROR(parametrize::register_parametrization(nn::Linear{3, 3}, "w", Symmetric{}), ValueError,
              "the layer has no tensor called 'w', only 'weight', 'bias'");
}

TEST_CASE("several tensors of a layer are parametrized", "[nn][dynamic]") {
  nn::Linear plain{3, 3};
  {
    NoGradGuard no_grad;
    plain.bias.fill_(2);
  }
  Tensor x = ops::randn({4, 3});
  auto one = parametrize::register_parametrization(plain, "weight", Symmetric{});
  auto two = parametrize::register_parametrization(one, "bias", Exponential{});
  static_assert(std::is_same_v<parametrize::type_before_parametrizations<decltype(two)>, nn::Linear>);
  static_assert(std::is_same_v<parametrize::type_before_parametrizations<nn::Linear>, nn::Linear>);
  CHECK(names(nn::state(two)) ==
        std::vector<std::string>{"parametrizations.weight.original", "parametrizations.bias.original"});
  CHECK(nn::to_string(two) ==
        "ParametrizedLinear(\n  in_features=3, out_features=3, bias=True\n  (parametrizations): ModuleDict(\n    "
        "(weight): ParametrizationList(\n      (0): Symmetric()\n    )\n    (bias): ParametrizationList(\n      (0): "
        "Exponential()\n    )\n  )\n)");
  CHECK(distance(two.originals()[0], ops::full({3}, std::log(2.0))) < 1e-6);
  CHECK(distance(two(x), one(x)) < 1e-6);
  CHECK(distance(two.value("weight"), one.value()) == 0);
  CHECK(distance(two.value("bias"), plain.bias) < 1e-6);
  CHECK(parametrize::is_parametrized(two, "weight"));
  CHECK(parametrize::is_parametrized(two, "bias"));
  CHECK_FALSE(parametrize::is_parametrized(one, "bias"));
  CHECK_FALSE(parametrize::is_parametrized(plain, "bias"));
  two(x).sum().backward();
  CHECK(two.originals()[0].grad().defined());
  CHECK(one.originals()[0].grad().defined());
  {
    parametrize::CachedGuard cached;
    CHECK(distance(two(x), one(x)) < 1e-6);
  }
  nn::Linear back = parametrize::remove_parametrizations(parametrize::remove_parametrizations(two));
  CHECK(distance(back(x), two(x)) < 1e-6);
  CHECK_ERROR(parametrize::register_parametrization(one, "weight", Symmetric{}), ValueError,
              "register_parametrization(): 'weight' is parametrized already: name all that makes it in one call");
  CHECK_ERROR(two.value("w"), ValueError, "the layer has no tensor called 'w', only 'weight'");
  auto normed = parametrizations::weight_norm(nn::Linear{3, 2});
  CHECK_ERROR(parametrize::remove_parametrizations(normed, false), ValueError,
              "Cannot leave unparametrized (`leave_parametrized=False`) a tensor that is parametrized in terms of a "
              "sequence of tensors.");
}

TEST_CASE("tensors of a recurrent layer are parametrized by their names", "[nn][dynamic]") {
  nn::LSTM plain{2, 3};
  Tensor x = ops::randn({5, 1, 2});
  auto normed = parametrizations::weight_norm(plain, "weight_hh_l0");
  CHECK(names(nn::state(normed)) == std::vector<std::string>{"weight_ih_l0", "bias_ih_l0", "bias_hh_l0",
                                                             "parametrizations.weight_hh_l0.original0",
                                                             "parametrizations.weight_hh_l0.original1"});
  CHECK(distance(std::get<0>(normed(x)), std::get<0>(plain(x))) < 1e-6);
  std::get<0>(normed(x)).sum().backward();
  CHECK(normed.originals()[0].grad().defined());
  CHECK(distance(parametrize::remove_parametrizations(normed).weights.at("weight_hh_l0"),
                 plain.weights.at("weight_hh_l0")) < 1e-6);
  CHECK_ERROR(parametrizations::weight_norm(plain, "weight"), ValueError,
              "the layer has no tensor called 'weight', only 'weight_ih_l0', 'weight_hh_l0', 'bias_ih_l0', "
              "'bias_hh_l0'");
}

TEST_CASE("parametrizations and what they parametrize go over to another layer", "[nn][dynamic]") {
  nn::Linear first{3, 3};
  {
    NoGradGuard no_grad;
    first.bias.abs_().add_(1);
  }
  auto from = parametrize::register_parametrization(parametrize::register_parametrization(first, "weight", Symmetric{}),
                                                    "bias", Exponential{});
  auto to = parametrize::transfer_parametrizations_and_params(from, nn::Linear{3, 3});
  static_assert(std::is_same_v<decltype(to), decltype(from)>);
  Tensor x = ops::randn({2, 3});
  CHECK(distance(to(x), from(x)) == 0);
  CHECK(to.originals()[0].is_same(from.originals()[0]));
  CHECK(to.tenon_inner().originals()[0].is_same(from.tenon_inner().originals()[0]));
  // Into a layer of another type, and one without the tensor.
  auto wider = parametrize::transfer_parametrizations_and_params(
      from.tenon_inner(), nn::Linear{.in_features = 3, .out_features = 3, .bias = false});
  CHECK(names(nn::state(wider)) == std::vector<std::string>{"parametrizations.weight.original"});
  CHECK(distance(wider.value(), from.value("weight")) == 0);
  auto untouched = parametrize::transfer_parametrizations_and_params(nn::Linear{3, 3}, first);
  CHECK(untouched.weight.is_same(first.weight));
  CHECK_ERROR(parametrize::transfer_parametrizations_and_params(from, nn::Linear{2, 3}), ValueError,
              "A parametrization may not change the shape of 'weight': expected [3, 2], got [3, 3]");
}

TEST_CASE("weight_norm and spectral_norm are parametrizations too", "[nn][dynamic]") {
  nn::Linear plain{3, 2};
  Tensor x = ops::randn({4, 3});
  auto normed = parametrizations::weight_norm(plain);
  CHECK(names(nn::state(normed)) ==
        std::vector<std::string>{"bias", "parametrizations.weight.original0", "parametrizations.weight.original1"});
  CHECK(distance(normed(x), plain(x)) < 1e-6);

  manual_seed(2);
  auto bounded = parametrizations::spectral_norm(nn::Linear{5, 4}, "weight", {.n_power_iterations = 30});
  CHECK(names(nn::state(bounded)) == std::vector<std::string>{"bias", "parametrizations.weight.original",
                                                              "parametrizations.weight.0._u",
                                                              "parametrizations.weight.0._v"});
  bounded(ops::ones({1, 5})).sum().backward();
  CHECK(std::get<1>(ops::linalg_svd(bounded.value().detach())).max().item<double>() == Approx(1).epsilon(1e-4));
  nn::eval(bounded);
  std::vector<double> kept = values(bounded.parametrization().u);
  bounded(ops::ones({1, 5}));
  CHECK(values(bounded.parametrization().u) == kept);
  CHECK_ERROR(parametrizations::spectral_norm(nn::Linear{5, 4}, "weight", {.dim = 2}), IndexError,
              "Dimension out of range (expected to be in range of [-2, 1] but got 2)");
}

TEST_CASE("an orthogonal weight stays orthogonal", "[nn][dynamic]") {
  for (const char* map : {"matrix_exp", "cayley", "householder"})
    for (auto [out, in] : {std::pair(3, 3), std::pair(5, 3), std::pair(3, 5)}) {
      INFO(map << " " << out << " " << in);
      manual_seed(4);
      auto layer = parametrizations::orthogonal(nn::Linear{in, out}, "weight", map);
      CHECK(names(nn::state(layer)) ==
            std::vector<std::string>{"bias", "parametrizations.weight.original", "parametrizations.weight.0.base"});
      auto is_orthogonal = [&] {
        Tensor w = layer.value().detach(), one = ops::eye(std::min(in, out));
        Tensor gram = out < in ? ops::mm(w, w.t()) : ops::mm(w.t(), w);
        return distance(gram, one) < 1e-5;
      };
      CHECK(is_orthogonal());
      Tensor first = layer.value().detach();
      optim::SGD sgd(nn::parameters(layer), {.lr = 0.5});
      (layer(ops::ones({1, in})) * ops::arange(out)).sum().backward();
      sgd.step();
      CHECK(distance(first, layer.value()) > 1e-3);
      CHECK(is_orthogonal());
      layer.assign(first);
      CHECK(is_orthogonal());
      if (out == in) CHECK(distance(first, layer.value()) < 1e-5);
    }
  auto plain = parametrizations::orthogonal(nn::Linear{3, 4}, "weight", std::nullopt, false);
  CHECK(names(nn::state(plain)) == std::vector<std::string>{"bias", "parametrizations.weight.original"});
  CHECK_ERROR(parametrizations::orthogonal(nn::Linear{3, 3}, "weight", "cayley", false), NotImplementedError,
              "It is not possible to assign to the matrix exponential or the Cayley parametrizations when "
              "use_trivialization=False.");
  CHECK_ERROR(parametrizations::orthogonal(nn::Linear{3, 3}, "bias"), ValueError,
              "Expected a matrix or batch of matrices. Got a tensor of 1 dimensions.");
  CHECK_ERROR(parametrizations::orthogonal(nn::Linear{3, 3}, "weight", "qr"), ValueError,
              "orthogonal_map has to be one of \"matrix_exp\", \"cayley\", \"householder\". Got: qr");
}

TEST_CASE("a parametrized weight is computed once while a CachedGuard lives", "[nn][dynamic]") {
  int runs = 0;
  auto counted = [&runs](const Tensor& x) {
    ++runs;
    return x * 2;
  };
  auto layer = parametrize::register_parametrization(nn::Linear{2, 2}, "weight", counted);
  const Tensor x = ops::ones({1, 2});
  runs = 0;
  layer(x), layer(x);
  CHECK(runs == 2);
  {
    parametrize::CachedGuard cached;
    const Tensor first = layer(x);
    {
      parametrize::CachedGuard inner;
      CHECK(ops::equal(layer(x), first));
    }
    layer(x);
    CHECK(runs == 3);
    auto other = parametrize::register_parametrization(nn::Linear{2, 2}, "weight", counted);
    runs = 0;
    other(x), other(x);
    CHECK(runs == 1);
    // Once written, an original is read again.
    layer.assign(ops::ones({2, 2}));
    CHECK(ops::equal(layer.value(), ops::full({2, 2}, 2.0)));
    CHECK(runs == 2);
    (layer(x) + layer(x)).sum().backward();
    CHECK(ops::equal(layer.originals()[0].grad(), ops::full({2, 2}, 4.0)));
    CHECK(runs == 2);
    {
      NoGradGuard no_grad;
      other.assign(ops::ones({2, 2}));
      CHECK_FALSE(other.value().requires_grad());
    }
    CHECK(other.value().requires_grad());
  }
  runs = 0;
  layer(x), layer(x);
  CHECK(runs == 2);
}
