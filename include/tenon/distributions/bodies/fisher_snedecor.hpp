// The F distribution, by operators.
#pragma once
#include <tenon/distributions/detail/univariate.hpp>
#include <tenon/distributions/fisher_snedecor.hpp>
#include <tenon/distributions/gamma.hpp>

namespace tenon::distributions {

TENON_INTERNAL_UNIVARIATE(FisherSnedecor, df1, &FisherSnedecor::df1, &FisherSnedecor::df2)
TENON_INTERNAL_SAMPLE_BY_RSAMPLE(FisherSnedecor)
TENON_BODY detail::Ready FisherSnedecor::make() {
  return {name, {{"df1", &df1, constraints::positive()}, {"df2", &df2, constraints::positive()}}, validate_args};
}
TENON_BODY Constraint FisherSnedecor::support() const { return constraints::positive(); }
TENON_BODY Tensor FisherSnedecor::mean() const {
  Tensor finite = df2.masked_fill(df2 <= 2, detail::kNaN);
  return finite / (finite - 2);
}
TENON_BODY Tensor FisherSnedecor::mode() const {
  return ((df1 - 2) / df1 * df2 / (df2 + 2)).masked_fill(df1 <= 2, detail::kNaN);
}
TENON_BODY Tensor FisherSnedecor::variance() const {
  Tensor finite = df2.masked_fill(df2 <= 4, detail::kNaN);
  return 2 * finite.pow(2) * (df1 + finite - 2) / (df1 * (finite - 2).pow(2) * (finite - 4));
}
TENON_BODY Tensor FisherSnedecor::rsample(IntArrayRef sample_shape, const std::optional<Generator>& generator) const {
  Tensor above = Gamma{0.5 * df1, df1, false}.rsample(sample_shape, generator);
  Tensor below = Gamma{0.5 * df2, df2, false}.rsample(sample_shape, generator);
  return (above / below).clamp_min(finfo(below.dtype()).tiny);
}
TENON_BODY Tensor FisherSnedecor::log_prob(const Tensor& value) const {
  detail::check_value(*this, "log_prob", value);
  Tensor a = 0.5 * df1, b = 0.5 * df2, ratio = df1 / df2;
  return (a + b).lgamma() - a.lgamma() - b.lgamma() + a * ratio.log() + (a - 1) * value.log() -
         (a + b) * (ratio * value).log1p();
}

}  // namespace tenon::distributions
