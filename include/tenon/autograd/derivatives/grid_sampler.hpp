// Derivatives of sampling at the points of a grid, and of its gradients.
#pragma once
#include <tenon/autograd/derivative.hpp>
#include <tenon/autograd/derivatives/grid_sampler_twice.hpp>
#include <tenon/ops/grid_sampler.hpp>

namespace tenon::ops {

#define TENON_INTERNAL_GRID(NAME)                                                                                 \
  TENON_DERIVATIVE(                                                                                               \
      NAME##_base,                                                                                                \
      TENON_WRT((input, grid), (grad, input, grid, interpolation_mode, padding_mode, align_corners, needs), [&] { \
        bool mask[] = {needs[0], needs[1]};                                                                       \
        return NAME##_backward(grad, input, grid, interpolation_mode, padding_mode, align_corners,                \
                               ArrayRef<bool>(mask, 2));                                                          \
      }()));                                                                                                      \
  TENON_DERIVATIVE(                                                                                               \
      NAME##_backward_base,                                                                                       \
      TENON_WRT((grad_output, input, grid),                                                                       \
                (grad0, grad1, grad_output, input, grid, interpolation_mode, padding_mode, align_corners),        \
                derivatives::grid_sampler_twice(grad0, grad1, grad_output, input, grid, interpolation_mode,       \
                                                padding_mode, align_corners)))
TENON_INTERNAL_GRID(grid_sampler_2d);
TENON_INTERNAL_GRID(grid_sampler_3d);
#undef TENON_INTERNAL_GRID

}  // namespace tenon::ops
