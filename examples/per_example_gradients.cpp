// The gradient of every single digit's loss, by vmap of grad, beside the loop; and how a layer changes along a
// direction, by forward mode.
#include <chrono>
#include <cmath>
#include <cstdio>

#include <tenon/data/csv.hpp>
#include <tenon/func.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

namespace {

constexpr std::int64_t kPixels = 64, kDigits = 256;

struct Network {
  nn::Linear hidden{kPixels, 32};
  nn::Linear output{32, 10};
  Tensor operator()(const Tensor& images) const { return output(ops::relu(hidden(images))); }
  TENON_FIELDS(hidden, output)
};

/// The loss of one digit: a module is a tree of tensors like any other argument.
Tensor loss(const Network& network, const Tensor& image, const Tensor& digit) {
  return nn::functional::cross_entropy(network(image), digit);
}

template <class F>
double milliseconds(F f) {
  auto start = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

double largest_difference(const Tensor& a, const Tensor& b) { return ops::max(ops::abs(a - b)).item<double>(); }

}  // namespace

int main() {
  manual_seed(1);
  Tensor table = data::load_csv(TENON_EXAMPLE_DATA "/digits/digits.csv").narrow(0, 0, kDigits);
  Tensor images = table.narrow(1, 0, kPixels) / 16, classes = table.select(1, kPixels).to(kLong);
  Network network;

  // All at once: the network is the same for every example, images and classes are not.
  auto gradients = func::vmap(func::grad(loss), {.in_dims = {std::nullopt, 0, 0}});
  Network all;
  double at_once = milliseconds([&] { all = gradients(network, images, classes); });

  // One after the other.
  std::vector<Tensor> rows;
  double loop = milliseconds([&] {
    for (std::int64_t i = 0; i < kDigits; ++i)
      rows.push_back(func::grad(loss)(network, images[i], classes[i]).hidden.weight);
  });
  std::printf("the gradients of %lld examples have sizes %s\n", static_cast<long long>(kDigits),
              concat(all.hidden.weight.sizes()).c_str());
  std::printf("the loop agrees to %s\n",
              largest_difference(all.hidden.weight, ops::stack(rows)) < 1e-5 ? "1e-5" : "less");
  std::printf("all at once is %s\n", at_once < loop ? "faster than the loop" : "no faster than the loop");

  // Forward mode: the change of the outputs along a direction of the weights, in one pass.
  auto outputs = [&](const Tensor& weight) {
    return nn::functional::linear(ops::relu(nn::functional::linear(images, weight, network.hidden.bias)),
                                  network.output.weight, network.output.bias);
  };
  Tensor weight = network.hidden.weight.detach(), direction = ops::randn_like(weight);
  auto [value, change] = func::jvp(outputs, weight, direction);
  // Weighted by any v it is what reverse mode gives from there, along the direction.
  Tensor v = ops::randn_like(value);
  double forward = ops::sum(v * change).item<double>(),
         reverse = ops::sum(func::vjp(outputs, weight)(v) * direction).item<double>();
  std::printf("reverse mode agrees to %s\n",
              std::abs(forward - reverse) < 1e-3 * std::abs(forward) + 1e-3 ? "1e-3" : "less");
}
// Prints:
// the gradients of 256 examples have sizes [256, 32, 64]
// the loop agrees to 1e-5
// all at once is faster than the loop
// reverse mode agrees to 1e-3
