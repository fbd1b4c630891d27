// Classes.
#pragma once
#include <tenon/distributions/distribution.hpp>

namespace tenon::distributions {

/// Classes 0 to n - 1 with probabilities along the last dimension: `Categorical{.probs = p}`, divided by their sum, or
/// `Categorical{.logits = z}`, of which the softmax is taken. Samples are int64.
/// Errors: ValueError unless one of them is given, and for negative probabilities.
/// Source: torch.distributions.Categorical of PyTorch 2.15.
struct Categorical {
  Parameter probs = {}, logits = {};
  bool validate_args = get_default_validate_args();
  detail::Ready ready = make();

  TENON_INTERNAL_DISTRIBUTION(Categorical)
  Tensor mode() const;
  Tensor entropy() const;
  /// Every value that can be drawn, along a new first dimension; of size 1 in the batch's dimensions unless `expand`.
  Tensor enumerate_support(bool expand = true) const;
};

/// The same, with samples that are 1 at the class drawn and 0 at the others. Shapes: the last dimension is the event's.
/// Source: torch.distributions.OneHotCategorical of PyTorch 2.15.
struct OneHotCategorical {
  Parameter probs = {}, logits = {};
  bool validate_args = get_default_validate_args();
  detail::Ready ready = make();

  TENON_INTERNAL_DISTRIBUTION(OneHotCategorical)
  Tensor mode() const;
  Tensor entropy() const;
  /// Every value that can be drawn, along a new first dimension; of size 1 in the batch's dimensions unless `expand`.
  Tensor enumerate_support(bool expand = true) const;
  /// The distribution of the class.
  Categorical base() const { return {probs, logits, false, ready}; }
};

}  // namespace tenon::distributions
