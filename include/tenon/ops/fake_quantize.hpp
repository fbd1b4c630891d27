// Elements as a quantised dtype would hold them, in the dtype that they have.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace fake_quantize_family {

// A mask says where an element lies within the bounds: only there it has a gradient.
TENON_OPERATORS_PLAIN(
    fake_quantize_per_tensor_affine,
    (base,
     "aten::fake_quantize_per_tensor_affine(Tensor self, float scale, int zero_point, int quant_min, int quant_max) -> Tensor",
     no_device_check),
    (tensor_qparams,
     "aten::fake_quantize_per_tensor_affine.tensor_qparams(Tensor self, Tensor scale, Tensor zero_point, int quant_min, int quant_max) -> Tensor",
     no_device_check));
TENON_OPERATORS_PLAIN(
    fake_quantize_per_channel_affine,
    (base,
     "aten::fake_quantize_per_channel_affine(Tensor self, Tensor scale, Tensor zero_point, int axis, int quant_min, int quant_max) -> Tensor",
     no_device_check));
TENON_OPERATORS_OUT(
    fake_quantize_per_tensor_affine_cachemask,
    (base,
     "aten::fake_quantize_per_tensor_affine_cachemask(Tensor self, float scale, int zero_point, int quant_min, int quant_max) -> (Tensor output, Tensor mask)",
     "aten::fake_quantize_per_tensor_affine_cachemask.out(Tensor self, float scale, int zero_point, int quant_min, int quant_max, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))",
     out_tags({Tag::generated})));
TENON_OPERATORS_OUT(
    _fake_quantize_per_tensor_affine_cachemask_tensor_qparams,
    (base,
     "aten::_fake_quantize_per_tensor_affine_cachemask_tensor_qparams(Tensor self, Tensor scale, Tensor zero_point, Tensor fake_quant_enabled, int quant_min, int quant_max) -> (Tensor output, Tensor mask)",
     "aten::_fake_quantize_per_tensor_affine_cachemask_tensor_qparams.out(Tensor self, Tensor scale, Tensor zero_point, Tensor fake_quant_enabled, int quant_min, int quant_max, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))",
     out_tags({Tag::generated})));
TENON_OPERATORS_OUT(
    fake_quantize_per_channel_affine_cachemask,
    (base,
     "aten::fake_quantize_per_channel_affine_cachemask(Tensor self, Tensor scale, Tensor zero_point, int axis, int quant_min, int quant_max) -> (Tensor output, Tensor mask)",
     "aten::fake_quantize_per_channel_affine_cachemask.out(Tensor self, Tensor scale, Tensor zero_point, int axis, int quant_min, int quant_max, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))",
     out_tags({Tag::generated})));
TENON_OPERATORS_PLAIN(fake_quantize_per_tensor_affine_cachemask_backward,
                      "aten::fake_quantize_per_tensor_affine_cachemask_backward(Tensor grad, Tensor mask) -> Tensor");
TENON_OPERATORS_PLAIN(fake_quantize_per_channel_affine_cachemask_backward,
                      "aten::fake_quantize_per_channel_affine_cachemask_backward(Tensor grad, Tensor mask) -> Tensor");
// Scales and zero points that have gradients.
TENON_OPERATORS_OUT(
    _fake_quantize_learnable_per_tensor_affine,
    (base,
     "aten::_fake_quantize_learnable_per_tensor_affine(Tensor self, Tensor scale, Tensor zero_point, int quant_min, int quant_max, float grad_factor=1.) -> Tensor",
     out_tags({Tag::generated})));
TENON_OPERATORS_OUT(
    _fake_quantize_learnable_per_channel_affine,
    (base,
     "aten::_fake_quantize_learnable_per_channel_affine(Tensor self, Tensor scale, Tensor zero_point, int axis, int quant_min, int quant_max, float grad_factor=1.) -> Tensor",
     out_tags({Tag::generated})));
TENON_OPERATORS_PLAIN(
    _fake_quantize_learnable_per_tensor_affine_backward,
    "aten::_fake_quantize_learnable_per_tensor_affine_backward(Tensor grad, Tensor self, Tensor scale, Tensor zero_point, int quant_min, int quant_max, float grad_factor=1.) -> (Tensor, Tensor, Tensor)");
TENON_OPERATORS_PLAIN(
    _fake_quantize_learnable_per_channel_affine_backward,
    "aten::_fake_quantize_learnable_per_channel_affine_backward(Tensor grad, Tensor self, Tensor scale, Tensor zero_point, int axis, int quant_min, int quant_max, float grad_factor=1.) -> (Tensor, Tensor, Tensor)");

}  // namespace fake_quantize_family
}  // namespace tenon::ops
