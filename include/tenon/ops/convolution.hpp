// Convolutions and their gradients.
#pragma once
#include <tenon/library/forms.hpp>

namespace tenon::ops {

TENON_OPERATOR_OUT(
    convolution_base,
    "aten::convolution(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt groups) -> Tensor");
TENON_FUNCTION(convolution, convolution_base, convolution_base_out);
TENON_OPERATOR(
    convolution_overrideable_base,
    "aten::convolution_overrideable(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt groups) -> Tensor");
TENON_FUNCTION(convolution_overrideable, convolution_overrideable_base);
TENON_OPERATOR(
    convolution_backward_base,
    "aten::convolution_backward(Tensor grad_output, Tensor input, Tensor weight, SymInt[]? bias_sizes, SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt groups, bool[3] output_mask) -> (Tensor, Tensor, Tensor)");
TENON_FUNCTION(convolution_backward, convolution_backward_base);
TENON_OPERATOR(
    convolution_backward_overrideable_base,
    "aten::convolution_backward_overrideable(Tensor grad_output, Tensor input, Tensor weight, SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt groups, bool[3] output_mask) -> (Tensor grad_input, Tensor grad_weight, Tensor grad_bias)");
TENON_FUNCTION(convolution_backward_overrideable, convolution_backward_overrideable_base);
TENON_OPERATOR(
    _convolution_double_backward_base,
    "aten::_convolution_double_backward(Tensor? ggI, Tensor? ggW, Tensor? ggb, Tensor gO, Tensor weight, Tensor self, SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt groups, bool[3] output_mask) -> (Tensor, Tensor, Tensor)");
TENON_FUNCTION(_convolution_double_backward, _convolution_double_backward_base);
TENON_OPERATOR(
    _convolution_base,
    "aten::_convolution(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt groups, bool benchmark, bool deterministic, bool cudnn_enabled, bool allow_tf32) -> Tensor");
TENON_OPERATOR(
    _convolution_deprecated,
    "aten::_convolution.deprecated(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, int[] output_padding, SymInt groups, bool benchmark, bool deterministic, bool cudnn_enabled) -> Tensor");
TENON_FUNCTION(_convolution, _convolution_base, _convolution_deprecated);
TENON_OPERATOR(
    _convolution_mode_base,
    "aten::_convolution_mode(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, str padding, SymInt[] dilation, SymInt groups) -> Tensor");
TENON_FUNCTION(_convolution_mode, _convolution_mode_base);

TENON_OPERATOR(
    conv1d_base,
    "aten::conv1d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[1] stride=[1], SymInt[1] padding=[0], SymInt[1] dilation=[1], SymInt groups=1) -> Tensor");
TENON_OPERATOR(
    conv1d_padding,
    "aten::conv1d.padding(Tensor input, Tensor weight, Tensor? bias=None, SymInt[1] stride=[1], str padding=\"valid\", SymInt[1] dilation=[1], SymInt groups=1) -> Tensor");
TENON_FUNCTION(conv1d, conv1d_base, conv1d_padding);
TENON_OPERATOR(
    conv2d_base,
    "aten::conv2d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[2] stride=[1, 1], SymInt[2] padding=[0, 0], SymInt[2] dilation=[1, 1], SymInt groups=1) -> Tensor");
TENON_OPERATOR(
    conv2d_padding,
    "aten::conv2d.padding(Tensor input, Tensor weight, Tensor? bias=None, SymInt[2] stride=[1, 1], str padding=\"valid\", SymInt[2] dilation=[1, 1], SymInt groups=1) -> Tensor");
TENON_FUNCTION(conv2d, conv2d_base, conv2d_padding);
TENON_OPERATOR(
    conv3d_base,
    "aten::conv3d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[3] stride=[1, 1, 1], SymInt[3] padding=[0, 0, 0], SymInt[3] dilation=[1, 1, 1], SymInt groups=1) -> Tensor");
TENON_OPERATOR(
    conv3d_padding,
    "aten::conv3d.padding(Tensor input, Tensor weight, Tensor? bias=None, SymInt[3] stride=[1, 1, 1], str padding=\"valid\", SymInt[3] dilation=[1, 1, 1], SymInt groups=1) -> Tensor");
TENON_FUNCTION(conv3d, conv3d_base, conv3d_padding);
TENON_OPERATOR(
    conv_transpose1d_base,
    "aten::conv_transpose1d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[1] stride=[1], SymInt[1] padding=[0], SymInt[1] output_padding=[0], SymInt groups=1, SymInt[1] dilation=[1]) -> Tensor");
TENON_FUNCTION(conv_transpose1d, conv_transpose1d_base);
TENON_OPERATOR(
    conv_transpose2d_input,
    "aten::conv_transpose2d.input(Tensor input, Tensor weight, Tensor? bias=None, SymInt[2] stride=[1, 1], SymInt[2] padding=[0, 0], SymInt[2] output_padding=[0, 0], SymInt groups=1, SymInt[2] dilation=[1, 1]) -> Tensor");
TENON_FUNCTION(conv_transpose2d, conv_transpose2d_input);
TENON_OPERATOR(
    conv_transpose3d_input,
    "aten::conv_transpose3d.input(Tensor input, Tensor weight, Tensor? bias=None, SymInt[3] stride=[1, 1, 1], SymInt[3] padding=[0, 0, 0], SymInt[3] output_padding=[0, 0, 0], SymInt groups=1, SymInt[3] dilation=[1, 1, 1]) -> Tensor");
TENON_FUNCTION(conv_transpose3d, conv_transpose3d_input);

}  // namespace tenon::ops
