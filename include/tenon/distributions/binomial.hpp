// Successes among trials.
#pragma once
#include <tenon/distributions/distribution.hpp>

namespace tenon::distributions {

/// How many of `total_count` trials succeed, each with probability `probs`: `Binomial{.total_count = 10, .probs = p}`.
/// Errors: ValueError unless total_count is a nonnegative integer and one of `probs` and `logits` is given.
/// Source: torch.distributions.Binomial of PyTorch 2.15.
struct Binomial {
  Parameter total_count = 1, probs = {}, logits = {};
  bool validate_args = get_default_validate_args();
  detail::Ready ready = make();

  TENON_INTERNAL_DISTRIBUTION(Binomial)
  Tensor mode() const;
  Tensor entropy() const;
  /// 0 to the count, along a new first dimension; of size 1 in the batch's dimensions unless `expand`.
  /// Errors: NotImplementedError for counts that differ, here and in entropy().
  Tensor enumerate_support(bool expand = true) const;
};

/// How many trials succeed before `total_count` have failed, each succeeding with probability `probs`.
/// Errors: ValueError unless total_count >= 0, one of `probs` and `logits` is given, and probs lies in [0, 1).
/// Source: torch.distributions.NegativeBinomial of PyTorch 2.15.
struct NegativeBinomial {
  Parameter total_count, probs = {}, logits = {};
  bool validate_args = get_default_validate_args();
  detail::Ready ready = make();

  TENON_INTERNAL_DISTRIBUTION(NegativeBinomial)
  Tensor mode() const;
};

}  // namespace tenon::distributions
