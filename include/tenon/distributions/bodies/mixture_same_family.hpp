// Choosing among components, by operators.
#pragma once
#include <tenon/distributions/detail/univariate.hpp>
#include <tenon/distributions/mixture_same_family.hpp>

namespace tenon::distributions::detail {

TENON_BODY void check_mixture(IntArrayRef mixture, std::int64_t classes, IntArrayRef components) {
  std::int64_t count = components.empty() ? 0 : components[components.size() - 1];
  TENON_CHECK(count == classes, ValueError, "MixtureSameFamily: expected ", classes,
              " components along the last dimension of the batch, one for each class, got a batch of shape ",
              components);
  std::size_t dims = components.size() - 1;
  for (std::size_t i = 0; i < std::min(mixture.size(), dims); ++i) {
    std::int64_t a = mixture[mixture.size() - 1 - i], b = components[dims - 1 - i];
    TENON_CHECK(a == 1 || b == 1 || a == b, ValueError,
                "MixtureSameFamily: expected classes whose batch broadcasts with ", components.slice(0, dims),
                ", got shape ", mixture);
  }
}
TENON_BODY Tensor chosen(const Tensor& samples, const Tensor& choice, std::size_t event_dims) {
  Tensor index = choice.unsqueeze(-1);
  for (std::size_t i = 0; i < event_dims; ++i) index = index.unsqueeze(-1);
  DimVector shape = samples.sizes();
  std::int64_t at = samples.dim() - 1 - static_cast<std::int64_t>(event_dims);
  shape[at] = 1;
  return samples.gather(at, index.expand(shape)).squeeze(at);
}
TENON_BODY Tensor padded(const Tensor& t, std::size_t event_dims) {
  return t.unsqueeze(-1 - static_cast<std::int64_t>(event_dims));
}
TENON_BODY Tensor weighted(const Tensor& probs, const Tensor& t, std::size_t event_dims) {
  Tensor weights = probs;
  for (std::size_t i = 0; i < event_dims; ++i) weights = weights.unsqueeze(-1);
  return (weights * t).sum(-1 - static_cast<std::int64_t>(event_dims));
}
TENON_BODY Tensor mixed_log_prob(const Tensor& logits, const Tensor& each) {
  return (each + logits.log_softmax(-1)).logsumexp(-1);
}
TENON_BODY Tensor square_of_difference(const Tensor& a, const Tensor& b) { return (a - b).pow(2); }

}  // namespace tenon::distributions::detail
