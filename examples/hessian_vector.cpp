// Hessian-vector products on a network that reads digits: the gradient of a gradient, and by it the largest curvature
// of the loss by power iteration.
#include <cmath>
#include <cstdio>

#include <tenon/data/csv.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

namespace {

constexpr std::int64_t kPixels = 64, kClasses = 10, kDigits = 256;

/// Two layers, in float64: second derivatives deserve the digits.
struct Network {
  Tensor w1 = weight({32, kPixels}, 0.15), b1 = weight({32}, 0), w2 = weight({kClasses, 32}, 0.2),
         b2 = weight({kClasses}, 0);
  Tensor operator()(const Tensor& images) const {
    namespace f = nn::functional;
    return f::linear(ops::tanh(f::linear(images, w1, b1)), w2, b2);
  }
  static Tensor weight(IntArrayRef sizes, double scale) {
    return (ops::randn(sizes, "dtype"_a = kDouble) * scale).requires_grad_();
  }
};

Tensor weighted_sum(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
  Tensor total = ops::sum(a[0] * b[0]);
  for (std::size_t i = 1; i < a.size(); ++i) total = total + ops::sum(a[i] * b[i]);
  return total;
}

}  // namespace

int main() {
  manual_seed(1);
  Tensor table = data::load_csv(TENON_EXAMPLE_DATA "/digits/digits.csv", {}, kDouble).narrow(0, 0, kDigits);
  Tensor images = table.narrow(1, 0, kPixels) / 16, classes = table.select(1, kPixels).to(kLong);
  Network network;
  std::vector<Tensor> weights{network.w1, network.b1, network.w2, network.b2}, v;
  Tensor loss = nn::functional::cross_entropy(network(images), classes);

  // The gradient with its history; its product with v is a number whose gradient is H v.
  std::vector<Tensor> gradient = autograd::grad({loss}, weights, {}, std::nullopt, true);
  auto hessian_times = [&](const std::vector<Tensor>& vector) {
    return autograd::grad({weighted_sum(gradient, vector)}, weights, {}, true);
  };
  for (const Tensor& w : weights) v.push_back(ops::randn(w.sizes(), "dtype"_a = kDouble));
  double curvature = 0;
  for (int step = 0; step < 30; ++step) {
    double length = std::sqrt(weighted_sum(v, v).item<double>());
    for (Tensor& part : v) part = part / length;
    std::vector<Tensor> hv = hessian_times(v);
    curvature = weighted_sum(v, hv).item<double>();
    v = hv;
  }
  double length = std::sqrt(weighted_sum(v, v).item<double>());
  for (Tensor& part : v) part = part / length;
  curvature = weighted_sum(v, hessian_times(v)).item<double>();

  // The same by finite differences of the gradient along v.
  auto slope_at = [&](double step) {
    {
      NoGradGuard no_grad;
      for (std::size_t i = 0; i < v.size(); ++i) weights[i].add_(v[i], "alpha"_a = step);
    }
    auto g = autograd::grad({nn::functional::cross_entropy(network(images), classes)}, weights);
    return weighted_sum(g, v).item<double>();
  };
  double above = slope_at(1e-4), below = slope_at(-2e-4), differences = (above - below) / 2e-4;
  std::printf("the largest curvature of the loss is %s\n",
              curvature > 0.1 && curvature < 100 ? "found" : "out of range");
  std::printf("finite differences agree to %s\n",
              std::abs(differences - curvature) < 1e-3 * curvature ? "a thousandth" : "less");
}
// Prints:
// the largest curvature of the loss is found
// finite differences agree to a thousandth
