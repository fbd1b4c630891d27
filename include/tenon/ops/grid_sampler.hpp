// Sampling at the points of a grid, and grids of affine maps.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace grid_sampler_family {

TENON_OPERATORS_PLAIN(
    grid_sampler,
    "aten::grid_sampler(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners) -> Tensor");
TENON_OPERATORS_OUT(
    grid_sampler_2d,
    (base,
     "aten::grid_sampler_2d(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners) -> Tensor",
     Tag::core, out_tags({Tag::generated})));
TENON_OPERATORS_OUT(
    grid_sampler_2d_backward,
    (base,
     "aten::grid_sampler_2d_backward(Tensor grad_output, Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners, bool[2] output_mask) -> (Tensor, Tensor)",
     "aten::grid_sampler_2d_backward.out(Tensor grad_output, Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners, bool[2] output_mask, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))",
     out_tags({Tag::generated})));
TENON_OPERATORS_OUT(
    grid_sampler_3d,
    (base,
     "aten::grid_sampler_3d(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners) -> Tensor",
     out_tags({Tag::generated})));
TENON_OPERATORS_OUT(
    grid_sampler_3d_backward,
    (base,
     "aten::grid_sampler_3d_backward(Tensor grad_output, Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners, bool[2] output_mask) -> (Tensor, Tensor)",
     "aten::grid_sampler_3d_backward.out(Tensor grad_output, Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners, bool[2] output_mask, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))",
     out_tags({Tag::generated})));
TENON_OPERATORS_OUT(affine_grid_generator,
                    (base, "aten::affine_grid_generator(Tensor theta, SymInt[] size, bool align_corners) -> Tensor",
                     out_tags({Tag::generated})));
TENON_OPERATORS_PLAIN(affine_grid_generator_backward,
                      "aten::affine_grid_generator_backward(Tensor grad, SymInt[] size, bool align_corners) -> Tensor");

}  // namespace grid_sampler_family
}  // namespace tenon::ops
