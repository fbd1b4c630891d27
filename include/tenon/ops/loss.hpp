// Softmax and loss functions.
#pragma once
#include <tenon/library/forms.hpp>

namespace tenon::ops {

TENON_OPERATOR_OUT(_softmax_base, "aten::_softmax(Tensor self, int dim, bool half_to_float) -> Tensor");
TENON_OPERATOR_OUT(_log_softmax_base, "aten::_log_softmax(Tensor self, int dim, bool half_to_float) -> Tensor");
TENON_OPERATOR_OUT_AS(
    _softmax_backward_data_base,
    "aten::_softmax_backward_data(Tensor grad_output, Tensor output, int dim, ScalarType input_dtype) -> Tensor",
    "aten::_softmax_backward_data.out(Tensor grad_output, Tensor output, int dim, ScalarType input_dtype, *, Tensor(a!) grad_input) -> Tensor(a!)");
TENON_OPERATOR_OUT(
    _log_softmax_backward_data_base,
    "aten::_log_softmax_backward_data(Tensor grad_output, Tensor output, int dim, ScalarType input_dtype) -> Tensor",
    "out");
TENON_FUNCTION(_softmax, _softmax_base, _softmax_base_out);
TENON_FUNCTION(_log_softmax, _log_softmax_base, _log_softmax_base_out);
TENON_FUNCTION(_softmax_backward_data, _softmax_backward_data_base);
TENON_FUNCTION(_log_softmax_backward_data, _log_softmax_backward_data_base);
TENON_OPERATOR(softmax_int, "aten::softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor");
TENON_OPERATOR(softmax_int_out,
               "aten::softmax.int_out(Tensor self, int dim, ScalarType? dtype=None, *, Tensor(a!) out) -> Tensor(a!)");
TENON_FUNCTION(softmax, softmax_int, softmax_int_out);
TENON_OPERATOR(log_softmax_int, "aten::log_softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor");
TENON_OPERATOR(
    log_softmax_int_out,
    "aten::log_softmax.int_out(Tensor self, int dim, ScalarType? dtype=None, *, Tensor(a!) out) -> Tensor(a!)");
TENON_FUNCTION(log_softmax, log_softmax_int, log_softmax_int_out);
TENON_OPERATOR_OUT_AS(
    nll_loss_forward_base,
    "aten::nll_loss_forward(Tensor self, Tensor target, Tensor? weight, int reduction, SymInt ignore_index) -> (Tensor output, Tensor total_weight)",
    "aten::nll_loss_forward.output(Tensor self, Tensor target, Tensor? weight, int reduction, SymInt ignore_index, *, Tensor(a!) output, Tensor(b!) total_weight) -> (Tensor(a!), Tensor(b!))");
TENON_OPERATOR_OUT_AS(
    nll_loss_backward_base,
    "aten::nll_loss_backward(Tensor grad_output, Tensor self, Tensor target, Tensor? weight, int reduction, SymInt ignore_index, Tensor total_weight) -> Tensor",
    "aten::nll_loss_backward.grad_input(Tensor grad_output, Tensor self, Tensor target, Tensor? weight, int reduction, SymInt ignore_index, Tensor total_weight, *, Tensor(a!) grad_input) -> Tensor(a!)");
TENON_FUNCTION(nll_loss_forward, nll_loss_forward_base);
TENON_FUNCTION(nll_loss_backward, nll_loss_backward_base);
TENON_OPERATOR(
    nll_loss_base,
    "aten::nll_loss(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, SymInt ignore_index=-100) -> Tensor");
TENON_OPERATOR(
    nll_loss_base_out,
    "aten::nll_loss.out(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, SymInt ignore_index=-100, *, Tensor(a!) out) -> Tensor(a!)");
TENON_FUNCTION(nll_loss, nll_loss_base, nll_loss_base_out);
TENON_OPERATOR(
    cross_entropy_loss_base,
    "aten::cross_entropy_loss(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, SymInt ignore_index=-100, float label_smoothing=0.) -> Tensor");
TENON_OPERATOR(
    nll_loss_nd_base,
    "aten::nll_loss_nd(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, SymInt ignore_index=-100) -> Tensor");
TENON_FUNCTION(nll_loss_nd, nll_loss_nd_base);
TENON_FUNCTION(cross_entropy_loss, cross_entropy_loss_base);
TENON_OPERATOR_OUT(mse_loss_base, "aten::mse_loss(Tensor self, Tensor target, int reduction=1) -> Tensor");
TENON_OPERATOR_OUT_AS(
    mse_loss_backward_base,
    "aten::mse_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction) -> Tensor",
    "aten::mse_loss_backward.grad_input(Tensor grad_output, Tensor self, Tensor target, int reduction, *, Tensor(a!) grad_input) -> Tensor(a!)");
TENON_FUNCTION(mse_loss, mse_loss_base, mse_loss_base_out);
TENON_FUNCTION(mse_loss_backward, mse_loss_backward_base);

}  // namespace tenon::ops
