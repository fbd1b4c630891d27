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

  static constexpr const char* name = "RelaxedBernoulli";
  DimVector batch_shape() const;
  DimVector event_shape() const;
  Constraint support() const;
  Tensor sample(IntArrayRef sample_shape = {}, const std::optional<Generator>& generator = std::nullopt) const;
  TENON_INTERNAL_RSAMPLE
  Tensor log_prob(const Tensor& value) const;
  RelaxedBernoulli expand(IntArrayRef batch) const;

 private:
  detail::Ready make();
};

/// Vectors of sum 1 that are near a corner, each with its probability, nearer the lower `temperature` is, one number:
/// the Gumbel softmax. Shapes: the last dimension is the event's. Errors: as of RelaxedBernoulli.
/// Source: torch.distributions.RelaxedOneHotCategorical of PyTorch 2.15.
struct RelaxedOneHotCategorical {
  Parameter temperature, probs = {}, logits = {};
  bool validate_args = get_default_validate_args();
  detail::Ready ready = make();

  static constexpr const char* name = "RelaxedOneHotCategorical";
  DimVector batch_shape() const;
  DimVector event_shape() const;
  Constraint support() const;
  Tensor sample(IntArrayRef sample_shape = {}, const std::optional<Generator>& generator = std::nullopt) const;
  TENON_INTERNAL_RSAMPLE
  Tensor log_prob(const Tensor& value) const;
  RelaxedOneHotCategorical expand(IntArrayRef batch) const;

 private:
  detail::Ready make();
};

}  // namespace tenon::distributions
