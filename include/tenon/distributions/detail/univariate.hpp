// What the bodies of distributions share: operators, and the shapes of those that draw single numbers.
#pragma once
#include <cmath>
#include <limits>
#include <numbers>

#include <tenon/autograd/mode.hpp>
#include <tenon/base/body.hpp>
#include <tenon/distributions/distribution.hpp>
#include <tenon/ops/activation.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/bits.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/elements.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/indexing.hpp>
#include <tenon/ops/join.hpp>
#include <tenon/ops/loss.hpp>
#include <tenon/ops/math.hpp>
#include <tenon/ops/nonzero.hpp>
#include <tenon/ops/operators.hpp>
#include <tenon/ops/random.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/special.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/tensor/type_info.hpp>

namespace tenon::distributions::detail {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kLogTwoPi = 1.8378770664093454836;

/// Probabilities off both ends, whose logarithms are infinite.
inline Tensor clamped(const Tensor& probs) {
  double eps = finfo(probs.dtype()).eps;
  return probs.clamp(eps, 1 - eps);
}
inline Tensor standard_normal(const Tensor& like, IntArrayRef shape, const std::optional<Generator>& generator) {
  return empty_beside(like, shape).normal_(0.0, 1.0, "generator"_a = generator);
}

}  // namespace tenon::distributions::detail

/// Shapes of a distribution NAME of single numbers whose first parameter is FIRST and all of whose are listed.
#define TENON_INTERNAL_UNIVARIATE(NAME, FIRST, ...)                        \
  TENON_BODY DimVector NAME::batch_shape() const { return FIRST.sizes(); } \
  TENON_BODY DimVector NAME::event_shape() const { return {}; }            \
  TENON_BODY NAME NAME::expand(IntArrayRef batch) const { return detail::expanded(*this, batch, {__VA_ARGS__}); }
/// Samples of a distribution that are those with derivatives, not recorded.
#define TENON_INTERNAL_SAMPLE_BY_RSAMPLE(NAME)                                                                \
  TENON_BODY Tensor NAME::sample(IntArrayRef sample_shape, const std::optional<Generator>& generator) const { \
    NoGradGuard no_grad;                                                                                      \
    return rsample(sample_shape, generator);                                                                  \
  }
