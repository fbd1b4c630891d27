// leaky_relu by random slopes: what their bounds must be, and what stands for them outside of training.
#pragma once
#include <cmath>

#include <tenon/base/error.hpp>
#include <tenon/ops/activation.hpp>

namespace tenon::composite {

inline void check_rrelu(double lower, double upper) {
  TENON_CHECK(lower <= upper, ValueError, "Lower bound should be less than or equal to the upper bound");
  TENON_CHECK(std::isfinite(lower), ValueError, "rrelu: lower bound must be finite, got ", lower);
  TENON_CHECK(std::isfinite(upper), ValueError, "rrelu: upper bound must be finite, got ", upper);
}
inline Tensor rrelu_mean(const Tensor& self, const Scalar& lower, const Scalar& upper) {
  return ops::leaky_relu(self, Scalar((lower.to_double() + upper.to_double()) / 2));
}

}  // namespace tenon::composite
