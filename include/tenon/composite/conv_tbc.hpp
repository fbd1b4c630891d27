// Convolution over time of tensors of shape (time, batch, channels): a product for each place of the kernel.
#pragma once
#include <tuple>

#include <tenon/composite/out_by_copy.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/convolution.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/join.hpp>
#include <tenon/ops/linalg.hpp>
#include <tenon/ops/pad.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::composite {

inline Tensor padded_in_time(const Tensor& x, std::int64_t pad) {
  SymInt around[] = {0, 0, 0, 0, pad, pad};
  return pad == 0 ? x : Tensor(ops::constant_pad_nd(x, SymIntArrayRef(around), Scalar(0)));
}
/// weight: (kernel, channels in, channels out); the result: (time + 2 pad - kernel + 1, batch, channels out).
inline Tensor conv_tbc(const Tensor& self, const Tensor& weight, const Tensor& bias, std::int64_t pad) {
  TENON_CHECK(self.dim() == 3, ValueError, "Input must have 3 dims: time, batch, in_channel");
  TENON_CHECK(weight.dim() == 3, ValueError,
              "Weight tensor must have 3 dims: kernel_width, in_channels, out_channels.");
  TENON_CHECK(bias.dim() == 1, ValueError, "Bias must be 1-D");
  TENON_CHECK(self.sym_size(2) == weight.sym_size(1), ValueError,
              "Input dim 2 (input channels) is not == dim 1 in the weight tensor");
  TENON_CHECK(weight.sym_size(2) == bias.sym_size(0), ValueError,
              "Bias size must equal dim 2 in the weight tensor (output channels).");
  const std::int64_t taps = weight.sym_size(0).guard_int(__FILE__, __LINE__);
  const SymInt steps = self.sym_size(0) + 2 * pad - taps + 1;
  TENON_CHECK(steps >= 0, ValueError, "Trying to create tensor with negative dimension ", steps, ": [", steps, ", ",
              self.sym_size(1), ", ", weight.sym_size(2), "]");
  const SymInt shape[] = {steps, self.sym_size(1), weight.sym_size(2)};
  const Tensor x = padded_in_time(self, pad);
  Tensor sum = ops::expand(bias, SymIntArrayRef(shape));
  for (std::int64_t k = 0; k < taps; ++k)
    sum = ops::add(sum, ops::matmul(ops::narrow(x, 0, k, steps), ops::select(weight, 0, k)));
  return taps == 0 ? Tensor(ops::clone(sum)) : sum;
}
/// Gradients of the three, from that of the result, which comes first.
inline std::tuple<Tensor, Tensor, Tensor> conv_tbc_backward(const Tensor& grad, const Tensor& input,
                                                            const Tensor& weight, const Tensor&, std::int64_t pad) {
  const std::int64_t taps = weight.sym_size(0).guard_int(__FILE__, __LINE__);
  const SymInt steps = grad.sym_size(0), rows = grad.sym_size(0) * grad.sym_size(1);
  const Tensor x = padded_in_time(input, pad);
  const SymInt of_grad[] = {rows, grad.sym_size(2)}, of_input[] = {rows, input.sym_size(2)};
  const Tensor g = ops::reshape(grad, SymIntArrayRef(of_grad));
  Tensor to_input;
  std::vector<Tensor> to_weight;
  for (std::int64_t k = 0; k < taps; ++k) {
    SymInt behind = x.sym_size(0) - steps - k, around[] = {0, 0, 0, 0, k, behind};
    Tensor part =
        ops::constant_pad_nd(ops::matmul(grad, ops::t(ops::select(weight, 0, k))), SymIntArrayRef(around), Scalar(0));
    to_input = to_input.defined() ? Tensor(ops::add(to_input, part)) : part;
    to_weight.emplace_back(ops::matmul(ops::t(ops::reshape(ops::narrow(x, 0, k, steps), SymIntArrayRef(of_input))), g));
  }
  if (taps == 0) return {ops::zeros_like(input), ops::zeros_like(weight), ops::sum(g, {0})};
  return {ops::narrow(to_input, 0, pad, input.sym_size(0)), ops::stack(to_weight), ops::sum(g, {0})};
}

TENON_LIBRARY_FRAGMENT(aten, m) {
  define_forms(m, ops::conv_tbc_base);
  m.impl<ops::conv_tbc_base, &conv_tbc>();
  implement_out_by_copy<ops::conv_tbc_base_op>(m, Place{__FILE__, __LINE__});
  m.def<ops::conv_tbc_backward_base>();
  m.impl<ops::conv_tbc_backward_base, &conv_tbc_backward>();
}

}  // namespace tenon::composite
