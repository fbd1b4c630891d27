// How often each class is drawn.
#pragma once
#include <tenon/distributions/categorical.hpp>

namespace tenon::distributions {

/// How often each class comes among `total_count` draws from Categorical. Shapes: the last dimension is the event's.
/// Errors: ValueError unless one of `probs` and `logits` is given, and for negative probabilities and counts.
/// Source: torch.distributions.Multinomial of PyTorch 2.15.
struct Multinomial {
  std::int64_t total_count = 1;
  Parameter probs = {}, logits = {};
  bool validate_args = get_default_validate_args();
  detail::Ready ready = make();

  TENON_INTERNAL_DISTRIBUTION(Multinomial)
  Tensor entropy() const;
  /// The distribution of one draw.
  Categorical base() const { return {probs, logits, false, ready}; }
};

}  // namespace tenon::distributions
