// Gradients by their own names, and the helpers of scans and products, which recorded graphs call.
#pragma once
#include <tenon/composite/alias.hpp>
#include <tenon/composite/out_by_copy.hpp>
#include <tenon/ops/activation.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/backward_names.hpp>
#include <tenon/ops/convolution.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/grid_sampler.hpp>
#include <tenon/ops/join.hpp>
#include <tenon/ops/linalg.hpp>
#include <tenon/ops/math.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/scan.hpp>
#include <tenon/ops/solve.hpp>
#include <tenon/ops/split.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::composite {

inline void cummax_helper(const Tensor& self, Tensor& values, Tensor& indices, std::int64_t dim) {
  AutoDispatchBelowADInplaceOrView guard;
  ops::cummax(self, dim, "values"_a = values, "indices"_a = indices);
}
inline void cummin_helper(const Tensor& self, Tensor& values, Tensor& indices, std::int64_t dim) {
  AutoDispatchBelowADInplaceOrView guard;
  ops::cummin(self, dim, "values"_a = values, "indices"_a = indices);
}
/// Sums of the tensors that `input` holds along its first dimension, a row of coefficients for each.
inline Tensor compute_linear_combination(const Tensor& input, const Tensor& coefficients) {
  TENON_CHECK(input.dim() > 0 && coefficients.dim() == 2 && coefficients.sym_size(1) == input.sym_size(0), ValueError,
              "_compute_linear_combination(): expected coefficients with a column for each of the first dimension of "
              "input, got shapes ",
              coefficients.sym_sizes(), " and ", input.sym_sizes());
  SymDimVector sizes(input.sym_sizes());
  SymInt each = 1;
  for (std::size_t d = 1; d < sizes.size(); ++d) each = each * sizes[d];
  Tensor flat = ops::reshape(input, SymIntArrayRef(SymDimVector{sizes[0], each}));
  sizes[0] = coefficients.sym_size(0);
  return ops::reshape(ops::mm(coefficients, flat), SymIntArrayRef(sizes));
}
/// Of A one triangle counts.
inline Tensor cholesky_solve_helper(const Tensor& self, const Tensor& A, bool upper) {
  return ops::cholesky_solve(self, upper ? ops::triu(A) : ops::tril(A), upper);
}

// --- convolutions ---

using ConvolutionGradients = std::tuple<Tensor, Tensor, Tensor>;
inline ConvolutionGradients slow_conv2d_backward(const Tensor& grad, const Tensor& self, const Tensor& weight,
                                                 SymIntArrayRef kernel_size, SymIntArrayRef stride,
                                                 SymIntArrayRef padding, ArrayRef<bool> mask) {
  TENON_CHECK(kernel_size.size() == 2, ValueError, "It is expected kernel_size equals to 2, but got size ",
              kernel_size.size());
  const SymDimVector channels{weight.sym_size(0)}, ones{SymInt(1), SymInt(1)}, none{SymInt(0), SymInt(0)};
  const bool single = self.dim() == 3;  // without a batch
  auto [input, filter, bias] = ops::convolution_backward(
      single ? Tensor(ops::unsqueeze(grad, 0)) : grad, single ? Tensor(ops::unsqueeze(self, 0)) : self, weight,
      SymIntArrayRef(channels), stride, padding, SymIntArrayRef(ones), false, SymIntArrayRef(none), SymInt(1), mask);
  if (single && input.defined()) input = ops::squeeze(input, 0);
  return {input, filter, bias};
}
inline std::tuple<Tensor&, Tensor&, Tensor&> slow_conv2d_backward_into(const Tensor& grad, const Tensor& self,
                                                                       const Tensor& weight, SymIntArrayRef kernel_size,
                                                                       SymIntArrayRef stride, SymIntArrayRef padding,
                                                                       Tensor& grad_input, Tensor& grad_weight,
                                                                       Tensor& grad_bias) {
  AutoDispatchBelowADInplaceOrView guard;
  const bool mask[] = {true, true, true};
  auto [input, filter, bias] =
      slow_conv2d_backward(grad, self, weight, kernel_size, stride, padding, ArrayRef<bool>(mask, 3));
  copy_to_out(input, grad_input);
  copy_to_out(filter, grad_weight);
  copy_to_out(bias, grad_bias);
  return {grad_input, grad_weight, grad_bias};
}

// --- cells of recurrent networks, whose gates lie side by side ---

using CellGradients = std::tuple<Tensor, Tensor, Tensor, Tensor, Tensor>;
inline std::vector<Tensor> gates_of(const Tensor& sums, std::int64_t count) {
  TENON_CHECK(sums.dim() == 2 && sums.sym_size(1) % SymInt(count) == SymInt(0) && sums.sym_size(1) >= SymInt(count),
              ValueError, "expected a row for each example with ", count, " gates side by side, got shape ",
              sums.sym_sizes());
  return ops::chunk(sums, count, 1);
}
inline Tensor with_bias(const Tensor& gates, const std::optional<Tensor>& bias) {
  return bias && bias->defined() ? Tensor(ops::add(gates, *bias)) : gates;
}
inline Tensor bias_gradient(const Tensor& grad, const std::optional<Tensor>& bias) {
  return bias && bias->defined() ? Tensor(ops::sum(grad, IntArrayRef{0})) : Tensor();
}
inline CellGradients lstm_cell_backward(const std::optional<Tensor>& grad_hy, const std::optional<Tensor>& grad_cy,
                                        const Tensor& input_gates, const Tensor& hidden_gates,
                                        const std::optional<Tensor>& input_bias,
                                        const std::optional<Tensor>& hidden_bias, const Tensor& cx, const Tensor& cy) {
  const bool h = grad_hy && grad_hy->defined(), c = grad_cy && grad_cy->defined();
  if (!h && !c) return {};
  Tensor sums = ops::add(with_bias(input_gates, input_bias), with_bias(hidden_gates, hidden_bias));
  std::vector<Tensor> gate = gates_of(sums, 4);
  Tensor in = ops::sigmoid(gate[0]), forget = ops::sigmoid(gate[1]), cell = ops::tanh(gate[2]),
         out = ops::sigmoid(gate[3]), shown = ops::tanh(cy), state, from_out;
  if (h) {
    state = ops::tanh_backward(ops::mul(*grad_hy, out), shown);
    if (c) state = ops::add(state, *grad_cy);
    from_out = ops::sigmoid_backward(ops::mul(*grad_hy, shown), out);
  } else {
    state = *grad_cy;
    from_out = ops::zeros_like(out);
  }
  Tensor gates = ops::cat(std::vector<Tensor>{ops::sigmoid_backward(ops::mul(state, cell), in),
                                              ops::sigmoid_backward(ops::mul(state, cx), forget),
                                              ops::tanh_backward(ops::mul(state, in), cell), from_out},
                          1);
  return {gates, gates, ops::mul(state, forget), bias_gradient(gates, input_bias), bias_gradient(gates, hidden_bias)};
}
inline CellGradients gru_cell_backward(const Tensor& grad, const Tensor& input_gates, const Tensor& hidden_gates,
                                       const Tensor& hx, const std::optional<Tensor>& input_bias,
                                       const std::optional<Tensor>& hidden_bias) {
  std::vector<Tensor> in = gates_of(with_bias(input_gates, input_bias), 3),
                      hidden = gates_of(with_bias(hidden_gates, hidden_bias), 3);
  Tensor reset = ops::sigmoid(ops::add(in[0], hidden[0])), update = ops::sigmoid(ops::add(in[1], hidden[1])),
         fresh = ops::tanh(ops::add(in[2], ops::mul(reset, hidden[2])));
  Tensor to_state = ops::mul(grad, update), to_fresh = ops::tanh_backward(ops::sub(grad, to_state), fresh),
         to_update = ops::sigmoid_backward(ops::mul(grad, ops::sub(hx, fresh)), update),
         to_reset = ops::sigmoid_backward(ops::mul(to_fresh, hidden[2]), reset);
  Tensor to_input = ops::cat(std::vector<Tensor>{to_reset, to_update, to_fresh}, 1),
         to_hidden = ops::cat(std::vector<Tensor>{to_reset, to_update, ops::mul(to_fresh, reset)}, 1);
  return {to_input, to_hidden, to_state, bias_gradient(to_input, input_bias), bias_gradient(to_hidden, hidden_bias)};
}

inline std::tuple<Tensor, Tensor> grid_sampler_2d_fallback_backward(const Tensor& grad, const Tensor& input,
                                                                    const Tensor& grid, std::int64_t interpolation,
                                                                    std::int64_t padding, bool align_corners) {
  return ops::grid_sampler_2d_backward(grad, input, grid, interpolation, padding, align_corners,
                                       std::array<bool, 2>{true, true});
}

TENON_LIBRARY_FRAGMENT(aten, m) {
  constexpr DispatchKey all = DispatchKey::CompositeExplicitAutograd;
  m.def<ops::_cummax_helper_base>().def<ops::_cummin_helper_base>().def<ops::_slow_conv2d_backward_grad_input>();
  m.impl<ops::_cummax_helper_base, &cummax_helper>(all).impl<ops::_cummin_helper_base, &cummin_helper>(all);
  m.impl<ops::_slow_conv2d_backward_grad_input, &slow_conv2d_backward_into>(all);
  define_with_copied_out(m, ops::_compute_linear_combination_base);
  define_with_copied_out(m, ops::_cholesky_solve_helper_base);
  define_with_copied_out(m, ops::_slow_conv2d_backward_output_mask);
  m.impl<ops::_compute_linear_combination_base, &compute_linear_combination>();
  m.impl<ops::_cholesky_solve_helper_base, &cholesky_solve_helper>();
  m.impl<ops::_slow_conv2d_backward_output_mask, &slow_conv2d_backward>();
  add_alias<ops::_grid_sampler_2d_cpu_fallback_base, ops::grid_sampler_2d_base>(m);
  m.def<ops::_grid_sampler_2d_cpu_fallback_backward_base>();
  m.impl<ops::_grid_sampler_2d_cpu_fallback_backward_base, &grid_sampler_2d_fallback_backward>();
  m.def<ops::_thnn_differentiable_lstm_cell_backward_base>().def<ops::_thnn_differentiable_gru_cell_backward_base>();
  m.impl<ops::_thnn_differentiable_lstm_cell_backward_base, &lstm_cell_backward>();
  m.impl<ops::_thnn_differentiable_gru_cell_backward_base, &gru_cell_backward>();
}

}  // namespace tenon::composite
