// Choices that have derivatives: numbers near 0 and 1.
#pragma once
#include <tenon/distributions/distribution.hpp>

namespace tenon::distributions {

/// Numbers of (0, 1) that are near 1 with probability `probs`, nearer the lower `temperature` is, drawn with
/// derivatives (Maddison, Mnih and Teh, arXiv 1611.00712). Errors: ValueError unless temperature > 0 and one of `probs`
/// and `logits` is given. Source: torch.distributions.RelaxedBernoulli of PyTorch 2.15. It has no moments there either.
struct RelaxedBernoulli {
  Parameter temperature, probs = {}, logits = {};
  bool validate_args = get_default_validate_args();
  detail::Ready ready = make();

  TENON_INTERNAL_DISTRIBUTION_WITHOUT_MOMENTS(RelaxedBernoulli)
  TENON_INTERNAL_RSAMPLE
};

/// Vectors of sum 1 that are near a corner, each with its probability, nearer the lower `temperature` is, one number:
/// the Gumbel softmax. Shapes: the last dimension is the event's. Errors: as of RelaxedBernoulli.
/// Source: torch.distributions.RelaxedOneHotCategorical of PyTorch 2.15.
struct RelaxedOneHotCategorical {
  Parameter temperature, probs = {}, logits = {};
  bool validate_args = get_default_validate_args();
  detail::Ready ready = make();

  TENON_INTERNAL_DISTRIBUTION_WITHOUT_MOMENTS(RelaxedOneHotCategorical)
  TENON_INTERNAL_RSAMPLE
};

}  // namespace tenon::distributions
