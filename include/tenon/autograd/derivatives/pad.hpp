// Derivatives of padding by reflection and by repeated edges.
#pragma once
#include <tenon/autograd/derivative.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/pad.hpp>

namespace tenon::ops {

// A gradient's derivative is the padding itself: it is linear, and of the tensor it takes the shape alone.
#define TENON_INTERNAL_PAD(NAME)                                                                                 \
  TENON_DERIVATIVE(NAME##_base, TENON_WRT((self), (grad, self, padding), NAME##_backward(grad, self, padding))); \
  TENON_DERIVATIVE(NAME##_backward_base, TENON_WRT((grad_output), (grad, padding), NAME(grad, padding)),         \
                   TENON_WRT((self), (self), zeros_like(self)))
TENON_INTERNAL_PAD(reflection_pad1d);
TENON_INTERNAL_PAD(reflection_pad2d);
TENON_INTERNAL_PAD(reflection_pad3d);
TENON_INTERNAL_PAD(replication_pad1d);
TENON_INTERNAL_PAD(replication_pad2d);
TENON_INTERNAL_PAD(replication_pad3d);
#undef TENON_INTERNAL_PAD

}  // namespace tenon::ops
