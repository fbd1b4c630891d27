// Elementwise activations and their gradients.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace activation_family {

TENON_OPERATORS(sigmoid, (base, "aten::sigmoid(Tensor self) -> Tensor", with_method, inplace_function, no_device_check,
                          Tag::core, Tag::pointwise));
TENON_OPERATORS(relu, (base, "aten::relu(Tensor self) -> Tensor", with_method, inplace_function, no_device_check,
                       Tag::core, Tag::pointwise, out_tags({Tag::generated})));
TENON_OPERATORS(silu, (base, "aten::silu(Tensor self) -> Tensor", Tag::pointwise));
TENON_OPERATORS(mish, (base, "aten::mish(Tensor self) -> Tensor", Tag::pointwise, inplace_tags(), out_tags()));
TENON_OPERATORS(hardswish, (base, "aten::hardswish(Tensor self) -> Tensor", no_device_check));
TENON_OPERATORS(hardsigmoid,
                (base, "aten::hardsigmoid(Tensor self) -> Tensor", no_device_check, Tag::pointwise, out_tags()));
TENON_OPERATORS_OUT(log_sigmoid, (base, "aten::log_sigmoid(Tensor self) -> Tensor", no_device_check));
TENON_OPERATORS(gelu, (base, "aten::gelu(Tensor self, *, str approximate=\"none\") -> Tensor", no_device_check,
                       Tag::core, Tag::pointwise, inplace_tags(), out_tags()));
TENON_OPERATORS_OUT(softplus, (base, "aten::softplus(Tensor self, Scalar beta=1, Scalar threshold=20) -> Tensor",
                               no_device_check, Tag::pointwise, out_tags()));
TENON_OPERATORS_OUT(softshrink, (base, "aten::softshrink(Tensor self, Scalar lambd=0.5) -> Tensor", no_device_check,
                                 Tag::pointwise, out_tags()));
TENON_OPERATORS_OUT(hardshrink, (base, "aten::hardshrink(Tensor self, Scalar lambd=0.5) -> Tensor", with_method,
                                 no_device_check, Tag::pointwise, out_tags()));
TENON_OPERATORS(leaky_relu, (base, "aten::leaky_relu(Tensor self, Scalar negative_slope=0.01) -> Tensor",
                             no_device_check, Tag::core, Tag::pointwise, out_tags()));
TENON_OPERATORS(elu, (base, "aten::elu(Tensor self, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1) -> Tensor",
                      no_device_check, Tag::core, Tag::pointwise, out_tags()));
TENON_OPERATORS(hardtanh, (base, "aten::hardtanh(Tensor self, Scalar min_val=-1, Scalar max_val=1) -> Tensor",
                           no_device_check, Tag::core, Tag::pointwise, out_tags()));
TENON_OPERATORS_OUT(glu, (base, "aten::glu(Tensor self, int dim=-1) -> Tensor", no_device_check));
TENON_OPERATORS_OUT(
    glu_backward,
    (base, "aten::glu_backward(Tensor grad_output, Tensor self, int dim) -> Tensor",
     "aten::glu_backward.grad_input(Tensor grad_output, Tensor self, int dim, *, Tensor(a!) grad_input) -> Tensor(a!)"));
TENON_OPERATORS_PLAIN(prelu, (base, "aten::prelu(Tensor self, Tensor weight) -> Tensor", with_method));
TENON_OPERATORS_PLAIN(_prelu_kernel, "aten::_prelu_kernel(Tensor self, Tensor weight) -> Tensor");
TENON_OPERATORS_PLAIN(
    _prelu_kernel_backward,
    "aten::_prelu_kernel_backward(Tensor grad_output, Tensor self, Tensor weight) -> (Tensor, Tensor)");
TENON_OPERATORS_OUT(
    sigmoid_backward,
    (base, "aten::sigmoid_backward(Tensor grad_output, Tensor output) -> Tensor",
     "aten::sigmoid_backward.grad_input(Tensor grad_output, Tensor output, *, Tensor(a!) grad_input) -> Tensor(a!)",
     Tag::pointwise));
TENON_OPERATORS_OUT(
    tanh_backward,
    (base, "aten::tanh_backward(Tensor grad_output, Tensor output) -> Tensor",
     "aten::tanh_backward.grad_input(Tensor grad_output, Tensor output, *, Tensor(a!) grad_input) -> Tensor(a!)",
     Tag::pointwise));
TENON_OPERATORS_OUT(
    threshold_backward,
    (base, "aten::threshold_backward(Tensor grad_output, Tensor self, Scalar threshold) -> Tensor",
     "aten::threshold_backward.grad_input(Tensor grad_output, Tensor self, Scalar threshold, *, Tensor(a!) grad_input) -> Tensor(a!)",
     Tag::pointwise, out_tags()));
TENON_OPERATORS(relu6, (base, "aten::relu6(Tensor self) -> Tensor", no_out, Tag::pointwise, inplace_tags()));
TENON_OPERATORS(selu, (base, "aten::selu(Tensor self) -> Tensor", no_out, no_device_check, Tag::pointwise));
TENON_OPERATORS(celu, (base, "aten::celu(Tensor self, Scalar alpha=1.) -> Tensor", no_device_check, Tag::pointwise,
                       out_tags({Tag::generated})));
TENON_OPERATORS(threshold, (base, "aten::threshold(Tensor self, Scalar threshold, Scalar value) -> Tensor",
                            no_device_check, Tag::pointwise, inplace_tags(), out_tags()));
TENON_OPERATORS_OUT(
    gelu_backward,
    (base, "aten::gelu_backward(Tensor grad_output, Tensor self, *, str approximate=\"none\") -> Tensor",
     "aten::gelu_backward.grad_input(Tensor grad_output, Tensor self, *, str approximate=\"none\", Tensor(a!) grad_input) -> Tensor(a!)",
     Tag::pointwise, out_tags()));
TENON_OPERATORS_OUT(
    elu_backward,
    (base,
     "aten::elu_backward(Tensor grad_output, Scalar alpha, Scalar scale, Scalar input_scale, bool is_result, Tensor self_or_result) -> Tensor",
     "aten::elu_backward.grad_input(Tensor grad_output, Scalar alpha, Scalar scale, Scalar input_scale, bool is_result, Tensor self_or_result, *, Tensor(a!) grad_input) -> Tensor(a!)"));
TENON_OPERATORS_OUT(
    leaky_relu_backward,
    (base,
     "aten::leaky_relu_backward(Tensor grad_output, Tensor self, Scalar negative_slope, bool self_is_result) -> Tensor",
     "aten::leaky_relu_backward.grad_input(Tensor grad_output, Tensor self, Scalar negative_slope, bool self_is_result, *, Tensor(a!) grad_input) -> Tensor(a!)"));
TENON_OPERATORS_OUT(
    hardtanh_backward,
    (base, "aten::hardtanh_backward(Tensor grad_output, Tensor self, Scalar min_val, Scalar max_val) -> Tensor",
     "aten::hardtanh_backward.grad_input(Tensor grad_output, Tensor self, Scalar min_val, Scalar max_val, *, Tensor(a!) grad_input) -> Tensor(a!)"));
TENON_OPERATORS_OUT(
    hardsigmoid_backward,
    (base, "aten::hardsigmoid_backward(Tensor grad_output, Tensor self) -> Tensor",
     "aten::hardsigmoid_backward.grad_input(Tensor grad_output, Tensor self, *, Tensor(a!) grad_input) -> Tensor(a!)"));
TENON_OPERATORS_OUT(
    hardshrink_backward,
    (base, "aten::hardshrink_backward(Tensor grad_out, Tensor self, Scalar lambd) -> Tensor",
     "aten::hardshrink_backward.grad_input(Tensor grad_out, Tensor self, Scalar lambd, *, Tensor(a!) grad_input) -> Tensor(a!)",
     with_method));
TENON_OPERATORS_OUT(
    softshrink_backward,
    (base, "aten::softshrink_backward(Tensor grad_output, Tensor self, Scalar lambd) -> Tensor",
     "aten::softshrink_backward.grad_input(Tensor grad_output, Tensor self, Scalar lambd, *, Tensor(a!) grad_input) -> Tensor(a!)"));
TENON_OPERATORS_OUT(
    softplus_backward,
    (base, "aten::softplus_backward(Tensor grad_output, Tensor self, Scalar beta, Scalar threshold) -> Tensor",
     "aten::softplus_backward.grad_input(Tensor grad_output, Tensor self, Scalar beta, Scalar threshold, *, Tensor(a!) grad_input) -> Tensor(a!)"));
TENON_OPERATORS_OUT(
    silu_backward,
    (base, "aten::silu_backward(Tensor grad_output, Tensor self) -> Tensor",
     "aten::silu_backward.grad_input(Tensor grad_output, Tensor self, *, Tensor(a!) grad_input) -> Tensor(a!)",
     Tag::pointwise));
TENON_OPERATORS_OUT(hardswish_backward, (base, "aten::hardswish_backward(Tensor grad_output, Tensor self) -> Tensor",
                                         out_tags({Tag::generated})));
TENON_OPERATORS_PLAIN(mish_backward, (base, "aten::mish_backward(Tensor grad_output, Tensor self) -> Tensor"));
TENON_OPERATORS_PLAIN(infinitely_differentiable_gelu_backward,
                      (base, "aten::infinitely_differentiable_gelu_backward(Tensor grad, Tensor self) -> Tensor",
                       no_device_check, no_device_guard));
TENON_OPERATORS_OUT(
    log_sigmoid_forward,
    (base, "aten::log_sigmoid_forward(Tensor self) -> (Tensor output, Tensor buffer)",
     "aten::log_sigmoid_forward.output(Tensor self, *, Tensor(a!) output, Tensor(b!) buffer) -> (Tensor(a!), Tensor(b!))",
     no_device_check));
TENON_OPERATORS_OUT(
    log_sigmoid_backward,
    (base, "aten::log_sigmoid_backward(Tensor grad_output, Tensor self, Tensor buffer) -> Tensor",
     "aten::log_sigmoid_backward.grad_input(Tensor grad_output, Tensor self, Tensor buffer, *, Tensor(a!) grad_input) -> Tensor(a!)"));
TENON_OPERATORS_OUT(glu_jvp, (base, "aten::glu_jvp(Tensor glu, Tensor x, Tensor dx, int dim) -> Tensor",
                              out_tags({Tag::generated})));
TENON_OPERATORS_OUT(
    glu_backward_jvp,
    (base,
     "aten::glu_backward_jvp(Tensor grad_x, Tensor grad_glu, Tensor x, Tensor dgrad_glu, Tensor dx, int dim) -> Tensor",
     out_tags({Tag::generated})));

}  // namespace activation_family
}  // namespace tenon::ops
