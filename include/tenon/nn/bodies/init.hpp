// Filling parameters, by operators.
#pragma once
#include <cmath>

#include <tenon/autograd/mode.hpp>
#include <tenon/base/body.hpp>
#include <tenon/nn/init.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/random.hpp>

namespace tenon::nn::init {

TENON_BODY const Tensor& uniform_(const Tensor& t, double from, double to, const std::optional<Generator>& generator) {
  NoGradGuard no_grad;
  Tensor written = t;
  ops::uniform_(written, from, to, "generator"_a = generator);
  return t;
}
TENON_BODY const Tensor& normal_(const Tensor& t, double mean, double std, const std::optional<Generator>& generator) {
  NoGradGuard no_grad;
  Tensor written = t;
  ops::normal_(written, mean, std, "generator"_a = generator);
  return t;
}
TENON_BODY const Tensor& constant_(const Tensor& t, const Scalar& value) {
  NoGradGuard no_grad;
  Tensor written = t;
  ops::fill_(written, value);
  return t;
}

TENON_BODY std::int64_t fan_in(const Tensor& weight) {
  TENON_CHECK(weight.dim() >= 2, ValueError, "fan_in(): expected a tensor of at least 2 dimensions, got shape ",
              weight.sizes());
  std::int64_t fan = 1;
  for (std::int64_t d = 1; d < weight.dim(); ++d) fan *= weight.size(d);
  return fan;
}
TENON_BODY const Tensor& kaiming_uniform_(const Tensor& weight, double a, const std::optional<Generator>& generator) {
  std::int64_t fan = fan_in(weight);
  if (weight.numel() == 0) return weight;
  double bound = std::sqrt(3.0) * std::sqrt(2.0 / (1 + a * a)) / std::sqrt(static_cast<double>(fan));
  return uniform_(weight, -bound, bound, generator);
}

}  // namespace tenon::nn::init
