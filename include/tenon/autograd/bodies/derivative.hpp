// Derivatives of operators whose results do not depend on their arguments.
#pragma once
#include <tenon/autograd/derivative.hpp>
#include <tenon/base/body.hpp>
#include <tenon/ops/factory.hpp>

namespace tenon::autograd::detail {

TENON_BODY void zero_gradient(DerivativeNode& n, const Tensor* grads, Tensor* out) {
  for (unsigned i = 0; i < n.n_edges(); ++i)
    if (n.should_compute(i)) out[i] = ops::zeros_like(grads[0]);
}

}  // namespace tenon::autograd::detail
