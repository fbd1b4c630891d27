// Functions of real elements that have limits, which are elements too: shrinking, and the slope of logit.
#pragma once
#include <tenon/math/arithmetic.hpp>

namespace tenon::math {

/// The gradient of logit: `grad` by its slope at x, `outside` where x lies below `low` or above 1 - `low`.
template <class E, class X>
TENON_HOST_DEVICE X logit_slope(X grad, X x, X low, X outside) {
  X high = rounded<E>(X(1) - low);
  return select((x < low) | (x > high), outside, grad / rounded<E>(x * rounded<E>(X(1) - x)));
}
/// `value` where x lies outside [-limit, limit], else 0.
template <class X>
TENON_HOST_DEVICE X hard_shrunk(X value, X x, X limit) {
  return select((x >= -limit) & (x <= limit), X(0), value);
}
/// x moved towards 0 by `limit`, and no further.
template <class X>
TENON_HOST_DEVICE X soft_shrunk(X x, X limit) {
  return select(x > limit, x - limit, select(x < -limit, x + limit, x * X(0)));
}

}  // namespace tenon::math
