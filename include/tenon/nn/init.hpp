// Filling parameters before training. Nothing here is recorded for gradients.
#pragma once
#include <cmath>
#include <optional>

#include <tenon/autograd/mode.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>

namespace tenon::nn::init {

/// Draws from [from, to). Without a generator the process's own is used, which manual_seed() sets.
inline const Tensor& uniform_(const Tensor& t, double from = 0, double to = 1,
                              const std::optional<Generator>& generator = std::nullopt) {
  NoGradGuard no_grad;
  Tensor written = t;
  ops::uniform_(written, from, to, "generator"_a = generator);
  return t;
}
inline const Tensor& normal_(const Tensor& t, double mean = 0, double std = 1,
                             const std::optional<Generator>& generator = std::nullopt) {
  NoGradGuard no_grad;
  Tensor written = t;
  ops::normal_(written, mean, std, "generator"_a = generator);
  return t;
}
inline const Tensor& constant_(const Tensor& t, const Scalar& value) {
  NoGradGuard no_grad;
  Tensor written = t;
  ops::fill_(written, value);
  return t;
}
inline const Tensor& zeros_(const Tensor& t) { return constant_(t, 0); }
inline const Tensor& ones_(const Tensor& t) { return constant_(t, 1); }

/// How many inputs one output of a weight (out, in, ..) sums over. Throws ValueError below two dimensions.
inline std::int64_t fan_in(const Tensor& weight) {
  TENON_CHECK(weight.dim() >= 2, ValueError, "fan_in(): expected a tensor of at least 2 dimensions, got shape ",
              weight.sizes());
  std::int64_t fan = 1;
  for (std::int64_t d = 1; d < weight.dim(); ++d) fan *= weight.size(d);
  return fan;
}
/// Uniform with the deviation that keeps the size of activations through layers of slope `a` (He et al., 2015).
inline const Tensor& kaiming_uniform_(const Tensor& weight, double a = 0,
                                      const std::optional<Generator>& generator = std::nullopt) {
  std::int64_t fan = fan_in(weight);
  if (weight.numel() == 0) return weight;
  double bound = std::sqrt(3.0) * std::sqrt(2.0 / (1 + a * a)) / std::sqrt(static_cast<double>(fan));
  return uniform_(weight, -bound, bound, generator);
}

}  // namespace tenon::nn::init
