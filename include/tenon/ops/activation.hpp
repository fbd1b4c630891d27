// Elementwise activations and their gradients.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {

TENON_OPERATORS(sigmoid, "aten::sigmoid(Tensor self) -> Tensor");
TENON_OPERATORS(relu, "aten::relu(Tensor self) -> Tensor");
TENON_OPERATORS(silu, "aten::silu(Tensor self) -> Tensor");
TENON_OPERATORS(mish, "aten::mish(Tensor self) -> Tensor");
TENON_OPERATORS(hardswish, "aten::hardswish(Tensor self) -> Tensor");
TENON_OPERATORS(hardsigmoid, "aten::hardsigmoid(Tensor self) -> Tensor");
TENON_OPERATORS_OUT(log_sigmoid, "aten::log_sigmoid(Tensor self) -> Tensor");
TENON_OPERATORS(gelu, "aten::gelu(Tensor self, *, str approximate=\"none\") -> Tensor");
TENON_OPERATORS_OUT(softplus, "aten::softplus(Tensor self, Scalar beta=1, Scalar threshold=20) -> Tensor");
TENON_OPERATORS_OUT(softshrink, "aten::softshrink(Tensor self, Scalar lambd=0.5) -> Tensor");
TENON_OPERATORS_OUT(hardshrink, "aten::hardshrink(Tensor self, Scalar lambd=0.5) -> Tensor");
TENON_OPERATORS(leaky_relu, "aten::leaky_relu(Tensor self, Scalar negative_slope=0.01) -> Tensor");
TENON_OPERATORS(elu, "aten::elu(Tensor self, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1) -> Tensor");
TENON_OPERATORS(hardtanh, "aten::hardtanh(Tensor self, Scalar min_val=-1, Scalar max_val=1) -> Tensor");
TENON_OPERATORS_OUT(
    sigmoid_backward,
    (base, "aten::sigmoid_backward(Tensor grad_output, Tensor output) -> Tensor",
     "aten::sigmoid_backward.grad_input(Tensor grad_output, Tensor output, *, Tensor(a!) grad_input) -> Tensor(a!)"));
TENON_OPERATORS_OUT(
    tanh_backward,
    (base, "aten::tanh_backward(Tensor grad_output, Tensor output) -> Tensor",
     "aten::tanh_backward.grad_input(Tensor grad_output, Tensor output, *, Tensor(a!) grad_input) -> Tensor(a!)"));
TENON_OPERATORS_OUT(
    threshold_backward,
    (base, "aten::threshold_backward(Tensor grad_output, Tensor self, Scalar threshold) -> Tensor",
     "aten::threshold_backward.grad_input(Tensor grad_output, Tensor self, Scalar threshold, *, Tensor(a!) grad_input) -> Tensor(a!)"));

}  // namespace tenon::ops
