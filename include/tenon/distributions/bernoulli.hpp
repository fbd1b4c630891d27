// Yes or no, and how often no before yes.
#pragma once
#include <tenon/distributions/distribution.hpp>

namespace tenon::distributions {

/// 1 with probability `probs`, else 0: `Bernoulli{.probs = p}` or `Bernoulli{.logits = log(p / (1 - p))}`; the other
/// follows. Errors: ValueError unless one of them is given, and for probs outside [0, 1].
/// Source: torch.distributions.Bernoulli of PyTorch 2.15.
struct Bernoulli {
  Parameter probs = {}, logits = {};
  bool validate_args = get_default_validate_args();
  detail::Ready ready = make();

  TENON_INTERNAL_DISTRIBUTION(Bernoulli)
  Tensor mode() const;
  Tensor entropy() const;
  /// Every value that can be drawn, along a new first dimension; of size 1 in the batch's dimensions unless `expand`.
  Tensor enumerate_support(bool expand = true) const;
};

/// How many trials of probability `probs` fail before one succeeds: 0, 1, .. Errors: ValueError unless one of `probs`
/// and `logits` is given, and for probs outside (0, 1].
/// Source: torch.distributions.Geometric of PyTorch 2.15.
struct Geometric {
  Parameter probs = {}, logits = {};
  bool validate_args = get_default_validate_args();
  detail::Ready ready = make();

  TENON_INTERNAL_DISTRIBUTION(Geometric)
  Tensor mode() const;
  Tensor entropy() const;
};

}  // namespace tenon::distributions
