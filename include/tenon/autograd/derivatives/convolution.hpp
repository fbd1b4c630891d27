// Derivatives of convolutions.
#pragma once
#include <tenon/autograd/derivative.hpp>
#include <tenon/autograd/derivatives/factors.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/convolution.hpp>

namespace tenon::ops {

namespace derivatives {

inline std::tuple<Tensor, Tensor, Tensor> convolution_gradients(const Tensor& grad, const Tensor& input,
                                                                const Tensor& weight, IntArrayRef stride,
                                                                IntArrayRef padding, IntArrayRef dilation,
                                                                bool transposed, IntArrayRef output_padding,
                                                                std::int64_t groups, autograd::Needs needs) {
  bool mask[] = {needs[0], needs[1], needs[2]};
  std::int64_t channels = grad.sizes()[1];
  return convolution_backward(grad, conj_of(input), conj_of(weight), IntArrayRef(channels), stride, padding, dilation,
                              transposed, output_padding, groups, ArrayRef<bool>(mask, 3));
}
inline std::tuple<Tensor, Tensor, Tensor> convolution_twice(
    const Tensor& grad_input, const Tensor& grad_weight, const Tensor& grad_bias, const Tensor& grad_output,
    const Tensor& input, const Tensor& weight, IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation,
    bool transposed, IntArrayRef output_padding, std::int64_t groups, autograd::Needs needs) {
  bool mask[] = {needs[0], needs[1], needs[2]};
  auto [o, i, w] = _convolution_double_backward(grad_input, grad_weight, grad_bias, conj_of(grad_output),
                                                conj_of(weight), conj_of(input), stride, padding, dilation, transposed,
                                                output_padding, groups, ArrayRef<bool>(mask, 3));
  return {o, i, w};
}

}  // namespace derivatives

TENON_DERIVATIVE(convolution_base,
                 TENON_WRT((input, weight, bias),
                           (grad, input, weight, stride, padding, dilation, transposed, output_padding, groups, needs),
                           derivatives::convolution_gradients(grad, input, weight, stride, padding, dilation,
                                                              transposed, output_padding, groups, needs)));
TENON_DERIVATIVE(convolution_backward_base,
                 TENON_WRT((grad_output, input, weight),
                           (grad0, grad1, grad2, grad_output, input, weight, stride, padding, dilation, transposed,
                            output_padding, groups, needs),
                           derivatives::convolution_twice(grad0, grad1, grad2, grad_output, input, weight, stride,
                                                          padding, dilation, transposed, output_padding, groups,
                                                          needs)));
TENON_DERIVATIVE(convolution_overrideable_base,
                 TENON_WRT((input, weight, bias),
                           (grad, input, weight, stride, padding, dilation, transposed, output_padding, groups, needs),
                           derivatives::convolution_gradients(grad, input, weight, stride, padding, dilation,
                                                              transposed, output_padding, groups, needs)));

}  // namespace tenon::ops
