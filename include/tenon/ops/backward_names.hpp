// Gradients by their own names, and the helpers of scans and products, which recorded graphs call.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace backward_names_family {

TENON_OPERATORS_PLAIN(matrix_exp_backward, "aten::matrix_exp_backward(Tensor self, Tensor grad) -> Tensor");
TENON_OPERATORS_PLAIN(_cummax_helper,
                      "aten::_cummax_helper(Tensor self, Tensor(a!) values, Tensor(b!) indices, int dim) -> ()");
TENON_OPERATORS_PLAIN(_cummin_helper,
                      "aten::_cummin_helper(Tensor self, Tensor(a!) values, Tensor(b!) indices, int dim) -> ()");
TENON_OPERATORS_OUT(_compute_linear_combination,
                    (base, "aten::_compute_linear_combination(Tensor input, Tensor coefficients) -> Tensor"));
TENON_OPERATORS_OUT(_cholesky_solve_helper,
                    (base, "aten::_cholesky_solve_helper(Tensor self, Tensor A, bool upper) -> Tensor",
                     out_tags({Tag::generated})));
TENON_OPERATORS_OUT(
    _slow_conv2d_backward,
    (output_mask,
     "aten::_slow_conv2d_backward.output_mask(Tensor grad_output, Tensor self, Tensor weight, SymInt[2] kernel_size, SymInt[2] stride, SymInt[2] padding, bool[3] output_mask) -> (Tensor grad_input, Tensor grad_weight, Tensor grad_bias)",
     out_tags({Tag::generated})));
TENON_OPERATOR_TAGS(
    plain, _slow_conv2d_backward,
    (grad_input,
     "aten::_slow_conv2d_backward.grad_input(Tensor grad_output, Tensor self, Tensor weight, SymInt[2] kernel_size, SymInt[2] stride, SymInt[2] padding, *, Tensor(a!) grad_input, Tensor(b!) grad_weight, Tensor(c!) grad_bias) -> (Tensor(a!), Tensor(b!), Tensor(c!))"));
TENON_OPERATORS_PLAIN(
    _thnn_differentiable_lstm_cell_backward,
    "aten::_thnn_differentiable_lstm_cell_backward(Tensor? grad_hy, Tensor? grad_cy, Tensor input_gates, Tensor hidden_gates, Tensor? input_bias, Tensor? hidden_bias, Tensor cx, Tensor cy) -> (Tensor, Tensor, Tensor, Tensor, Tensor)");
TENON_OPERATORS_PLAIN(
    _thnn_differentiable_gru_cell_backward,
    "aten::_thnn_differentiable_gru_cell_backward(Tensor grad_hy, Tensor input_gates, Tensor hidden_gates, Tensor hx, Tensor? input_bias, Tensor? hidden_bias) -> (Tensor, Tensor, Tensor, Tensor, Tensor)");
TENON_OPERATORS_OUT(
    _grid_sampler_2d_cpu_fallback,
    (base,
     "aten::_grid_sampler_2d_cpu_fallback(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners) -> Tensor",
     out_tags({Tag::generated})));
TENON_OPERATORS_PLAIN(
    _grid_sampler_2d_cpu_fallback_backward,
    "aten::_grid_sampler_2d_cpu_fallback_backward(Tensor grad_output, Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners) -> (Tensor, Tensor)");

}  // namespace backward_names_family
}  // namespace tenon::ops
