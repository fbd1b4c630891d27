// Derivatives of operators whose results do not depend on their arguments.
#pragma once
#include <tenon/autograd/derivative.hpp>
#include <tenon/base/body.hpp>
#include <tenon/ops/factory.hpp>

namespace tenon::autograd::detail {

TENON_BODY void zero_gradient(DerivativeNode& n, const Tensor* grads, Tensor* out) {
  if (n.should_compute(0)) out[0] = ops::zeros_like(grads[0]);
}

}  // namespace tenon::autograd::detail
