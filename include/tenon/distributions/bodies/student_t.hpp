// Student's distribution, by operators.
#pragma once
#include <tenon/distributions/detail/univariate.hpp>
#include <tenon/distributions/student_t.hpp>
#include <tenon/distributions/gamma.hpp>

namespace tenon::distributions {

TENON_INTERNAL_UNIVARIATE(StudentT, df, &StudentT::df, &StudentT::loc, &StudentT::scale)
TENON_INTERNAL_SAMPLE_BY_RSAMPLE(StudentT)
TENON_BODY detail::Ready StudentT::make() {
  return {name,
          {{"df", &df, constraints::positive()},
           {"loc", &loc, constraints::real()},
           {"scale", &scale, constraints::positive()}},
          validate_args};
}
TENON_BODY Constraint StudentT::support() const { return constraints::real(); }
TENON_BODY Tensor StudentT::mean() const { return loc.masked_fill(df <= 1, detail::kNaN); }
TENON_BODY Tensor StudentT::mode() const { return loc; }
TENON_BODY Tensor StudentT::variance() const {
  Tensor finite = df.masked_fill(df <= 2, 3);
  Tensor v = (scale.pow(2) * finite / (finite - 2)).masked_fill(df <= 2, detail::kInfinity);
  return v.masked_fill(df <= 1, detail::kNaN);
}
TENON_BODY Tensor StudentT::rsample(IntArrayRef sample_shape, const std::optional<Generator>& generator) const {
  Tensor x = detail::standard_normal(df, detail::joined(sample_shape, df.sizes()), generator);
  return loc + scale * x * (Chi2{df, false}.rsample(sample_shape, generator) / df).rsqrt();
}
TENON_BODY Tensor StudentT::log_prob(const Tensor& value) const {
  detail::check_value(*this, "log_prob", value);
  Tensor y = (value - loc) / scale;
  Tensor z =
      scale.log() + 0.5 * df.log() + 0.5 * std::log(std::numbers::pi) + (0.5 * df).lgamma() - (0.5 * (df + 1)).lgamma();
  return -0.5 * (df + 1) * (y.pow(2) / df).log1p() - z;
}
TENON_BODY Tensor StudentT::entropy() const {
  Tensor half = 0.5 * df, next = 0.5 * (df + 1);
  Tensor log_beta = half.lgamma() + 0.5 * std::log(std::numbers::pi) - next.lgamma();
  return scale.log() + next * (next.digamma() - half.digamma()) + 0.5 * df.log() + log_beta;
}

}  // namespace tenon::distributions
