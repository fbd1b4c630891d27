// Derivatives of up- and downsampling: linear, so the backward operators pass back what the forward ones compute.
#pragma once
#include <tenon/autograd/derivative.hpp>
#include <tenon/ops/upsample.hpp>

namespace tenon::ops {

#define TENON_INTERNAL_RESAMPLED(NAME, ...)                                                              \
  TENON_DERIVATIVE(NAME##_base, TENON_WRT((self), (grad, self_sizes, output_size, __VA_ARGS__),          \
                                          NAME##_backward(grad, output_size, self_sizes, __VA_ARGS__))); \
  TENON_DERIVATIVE(NAME##_backward_base, TENON_WRT((grad_output), (grad, output_size, __VA_ARGS__),      \
                                                   NAME##_base(grad, output_size, __VA_ARGS__)))
TENON_INTERNAL_RESAMPLED(upsample_nearest1d, scales);
TENON_INTERNAL_RESAMPLED(upsample_nearest2d, scales_h, scales_w);
TENON_INTERNAL_RESAMPLED(upsample_nearest3d, scales_d, scales_h, scales_w);
TENON_INTERNAL_RESAMPLED(_upsample_nearest_exact1d, scales);
TENON_INTERNAL_RESAMPLED(_upsample_nearest_exact2d, scales_h, scales_w);
TENON_INTERNAL_RESAMPLED(_upsample_nearest_exact3d, scales_d, scales_h, scales_w);
TENON_INTERNAL_RESAMPLED(upsample_linear1d, align_corners, scales);
TENON_INTERNAL_RESAMPLED(upsample_bilinear2d, align_corners, scales_h, scales_w);
TENON_INTERNAL_RESAMPLED(upsample_trilinear3d, align_corners, scales_d, scales_h, scales_w);
TENON_INTERNAL_RESAMPLED(upsample_bicubic2d, align_corners, scales_h, scales_w);
TENON_INTERNAL_RESAMPLED(_upsample_bilinear2d_aa, align_corners, scales_h, scales_w);
TENON_INTERNAL_RESAMPLED(_upsample_bicubic2d_aa, align_corners, scales_h, scales_w);
TENON_INTERNAL_RESAMPLED(_upsample_lanczos2d_aa, align_corners, scales_h, scales_w);
#undef TENON_INTERNAL_RESAMPLED

}  // namespace tenon::ops
