// Derivatives of sampling at the points of a grid.
#pragma once
#include <tenon/autograd/derivative.hpp>
#include <tenon/ops/grid_sampler.hpp>

namespace tenon::ops {

#define TENON_INTERNAL_GRID(NAME)                                                                                 \
  TENON_DERIVATIVE(                                                                                               \
      NAME##_base,                                                                                                \
      TENON_WRT((input, grid), (grad, input, grid, interpolation_mode, padding_mode, align_corners, needs), [&] { \
        bool mask[] = {needs[0], needs[1]};                                                                       \
        return NAME##_backward(grad, input, grid, interpolation_mode, padding_mode, align_corners,                \
                               ArrayRef<bool>(mask, 2));                                                          \
      }()))
TENON_INTERNAL_GRID(grid_sampler_2d);
TENON_INTERNAL_GRID(grid_sampler_3d);
#undef TENON_INTERNAL_GRID

}  // namespace tenon::ops
