// Pooling: means and maxima of windows, with gradients.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace pooling_family {

TENON_OPERATORS_OUT(
    avg_pool1d,
    (base,
     "aten::avg_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=[0], bool ceil_mode=False, bool count_include_pad=True) -> Tensor",
     Tag::core, out_tags({Tag::generated})));
TENON_OPERATORS_OUT(
    avg_pool2d,
    (base,
     "aten::avg_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None) -> Tensor",
     Tag::core));
TENON_OPERATORS_OUT(
    avg_pool2d_backward,
    (base,
     "aten::avg_pool2d_backward(Tensor grad_output, Tensor self, int[2] kernel_size, int[2] stride, int[2] padding, bool ceil_mode, bool count_include_pad, int? divisor_override) -> Tensor",
     "aten::avg_pool2d_backward.grad_input(Tensor grad_output, Tensor self, int[2] kernel_size, int[2] stride, int[2] padding, bool ceil_mode, bool count_include_pad, int? divisor_override, *, Tensor(a!) grad_input) -> Tensor(a!)",
     Tag::core));
TENON_OPERATORS_OUT(
    avg_pool3d,
    (base,
     "aten::avg_pool3d(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None) -> Tensor",
     Tag::core));
TENON_OPERATORS_OUT(
    avg_pool3d_backward,
    (base,
     "aten::avg_pool3d_backward(Tensor grad_output, Tensor self, int[3] kernel_size, int[3] stride, int[3] padding, bool ceil_mode, bool count_include_pad, int? divisor_override) -> Tensor",
     "aten::avg_pool3d_backward.grad_input(Tensor grad_output, Tensor self, int[3] kernel_size, int[3] stride, int[3] padding, bool ceil_mode, bool count_include_pad, int? divisor_override, *, Tensor(a!) grad_input) -> Tensor(a!)"));
TENON_OPERATORS_OUT(adaptive_avg_pool1d, (base, "aten::adaptive_avg_pool1d(Tensor self, int[1] output_size) -> Tensor",
                                          Tag::core, out_tags({Tag::generated})));
TENON_OPERATORS_OUT(adaptive_avg_pool2d, "aten::adaptive_avg_pool2d(Tensor self, SymInt[2] output_size) -> Tensor");
TENON_OPERATORS_OUT(adaptive_avg_pool3d, "aten::adaptive_avg_pool3d(Tensor self, SymInt[3] output_size) -> Tensor");
TENON_OPERATORS_OUT(_adaptive_avg_pool2d,
                    (base, "aten::_adaptive_avg_pool2d(Tensor self, SymInt[2] output_size) -> Tensor", Tag::core,
                     out_tags({Tag::generated})));
TENON_OPERATORS_OUT(_adaptive_avg_pool2d_backward,
                    (base, "aten::_adaptive_avg_pool2d_backward(Tensor grad_output, Tensor self) -> Tensor", Tag::core,
                     out_tags({Tag::generated})));
TENON_OPERATORS_OUT(_adaptive_avg_pool3d,
                    (base, "aten::_adaptive_avg_pool3d(Tensor self, SymInt[3] output_size) -> Tensor", Tag::core,
                     out_tags({Tag::generated})));
TENON_OPERATORS_OUT(_adaptive_avg_pool3d_backward,
                    (base, "aten::_adaptive_avg_pool3d_backward(Tensor grad_output, Tensor self) -> Tensor",
                     out_tags({Tag::generated})));
TENON_OPERATORS_PLAIN(
    max_pool1d,
    "aten::max_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=[0], int[1] dilation=[1], bool ceil_mode=False) -> Tensor");
TENON_OPERATORS_PLAIN(
    max_pool1d_with_indices,
    "aten::max_pool1d_with_indices(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=[0], int[1] dilation=[1], bool ceil_mode=False) -> (Tensor, Tensor)");
TENON_OPERATORS_PLAIN(
    max_pool2d,
    "aten::max_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, int[2] dilation=1, bool ceil_mode=False) -> Tensor");
TENON_OPERATORS_PLAIN(
    max_pool3d,
    "aten::max_pool3d(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, int[3] dilation=1, bool ceil_mode=False) -> Tensor");
TENON_OPERATORS_OUT(
    max_pool2d_with_indices,
    (base,
     "aten::max_pool2d_with_indices(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, int[2] dilation=1, bool ceil_mode=False) -> (Tensor, Tensor)",
     "aten::max_pool2d_with_indices.out(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, int[2] dilation=1, bool ceil_mode=False, *, Tensor(a!) out, Tensor(b!) indices) -> (Tensor(a!), Tensor(b!))",
     Tag::core));
TENON_OPERATORS_OUT(
    max_pool2d_with_indices_backward,
    (base,
     "aten::max_pool2d_with_indices_backward(Tensor grad_output, Tensor self, int[2] kernel_size, int[2] stride, int[2] padding, int[2] dilation, bool ceil_mode, Tensor indices) -> Tensor",
     "aten::max_pool2d_with_indices_backward.grad_input(Tensor grad_output, Tensor self, int[2] kernel_size, int[2] stride, int[2] padding, int[2] dilation, bool ceil_mode, Tensor indices, *, Tensor(a!) grad_input) -> Tensor(a!)",
     Tag::core));
TENON_OPERATORS_OUT(
    max_pool3d_with_indices,
    (base,
     "aten::max_pool3d_with_indices(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, int[3] dilation=1, bool ceil_mode=False) -> (Tensor, Tensor)",
     "aten::max_pool3d_with_indices.out(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, int[3] dilation=1, bool ceil_mode=False, *, Tensor(a!) out, Tensor(b!) indices) -> (Tensor(a!), Tensor(b!))",
     Tag::core));
TENON_OPERATORS_OUT(
    max_pool3d_with_indices_backward,
    (base,
     "aten::max_pool3d_with_indices_backward(Tensor grad_output, Tensor self, int[3] kernel_size, int[3] stride, int[3] padding, int[3] dilation, bool ceil_mode, Tensor indices) -> Tensor",
     "aten::max_pool3d_with_indices_backward.grad_input(Tensor grad_output, Tensor self, int[3] kernel_size, int[3] stride, int[3] padding, int[3] dilation, bool ceil_mode, Tensor indices, *, Tensor(a!) grad_input) -> Tensor(a!)"));
TENON_OPERATORS_PLAIN(adaptive_max_pool1d,
                      "aten::adaptive_max_pool1d(Tensor self, int[1] output_size) -> (Tensor, Tensor)");
TENON_OPERATORS_OUT(
    adaptive_max_pool2d,
    (base, "aten::adaptive_max_pool2d(Tensor self, int[2] output_size) -> (Tensor, Tensor)",
     "aten::adaptive_max_pool2d.out(Tensor self, int[2] output_size, *, Tensor(a!) out, Tensor(b!) indices) -> (Tensor(a!), Tensor(b!))"));
TENON_OPERATORS_OUT(
    adaptive_max_pool2d_backward,
    (base, "aten::adaptive_max_pool2d_backward(Tensor grad_output, Tensor self, Tensor indices) -> Tensor",
     "aten::adaptive_max_pool2d_backward.grad_input(Tensor grad_output, Tensor self, Tensor indices, *, Tensor(a!) grad_input) -> Tensor(a!)"));
TENON_OPERATORS_OUT(
    adaptive_max_pool3d,
    (base, "aten::adaptive_max_pool3d(Tensor self, int[3] output_size) -> (Tensor, Tensor)",
     "aten::adaptive_max_pool3d.out(Tensor self, int[3] output_size, *, Tensor(a!) out, Tensor(b!) indices) -> (Tensor(a!), Tensor(b!))"));
TENON_OPERATORS_OUT(
    adaptive_max_pool3d_backward,
    (base, "aten::adaptive_max_pool3d_backward(Tensor grad_output, Tensor self, Tensor indices) -> Tensor",
     "aten::adaptive_max_pool3d_backward.grad_input(Tensor grad_output, Tensor self, Tensor indices, *, Tensor(a!) grad_input) -> Tensor(a!)"));
TENON_OPERATORS_OUT(
    fractional_max_pool2d,
    (base,
     "aten::fractional_max_pool2d(Tensor self, int[2] kernel_size, int[2] output_size, Tensor random_samples) -> (Tensor, Tensor)",
     "aten::fractional_max_pool2d.output(Tensor self, int[2] kernel_size, int[2] output_size, Tensor random_samples, *, Tensor(a!) output, Tensor(b!) indices) -> (Tensor(a!), Tensor(b!))"));
TENON_OPERATORS_OUT(
    fractional_max_pool2d_backward,
    (base,
     "aten::fractional_max_pool2d_backward(Tensor grad_output, Tensor self, int[2] kernel_size, int[2] output_size, Tensor indices) -> Tensor",
     "aten::fractional_max_pool2d_backward.grad_input(Tensor grad_output, Tensor self, int[2] kernel_size, int[2] output_size, Tensor indices, *, Tensor(a!) grad_input) -> Tensor(a!)"));
TENON_OPERATORS_OUT(
    fractional_max_pool3d,
    (base,
     "aten::fractional_max_pool3d(Tensor self, int[3] kernel_size, int[3] output_size, Tensor random_samples) -> (Tensor, Tensor)",
     "aten::fractional_max_pool3d.output(Tensor self, int[3] kernel_size, int[3] output_size, Tensor random_samples, *, Tensor(a!) output, Tensor(b!) indices) -> (Tensor(a!), Tensor(b!))"));
TENON_OPERATORS_OUT(
    fractional_max_pool3d_backward,
    (base,
     "aten::fractional_max_pool3d_backward(Tensor grad_output, Tensor self, int[3] kernel_size, int[3] output_size, Tensor indices) -> Tensor",
     "aten::fractional_max_pool3d_backward.grad_input(Tensor grad_output, Tensor self, int[3] kernel_size, int[3] output_size, Tensor indices, *, Tensor(a!) grad_input) -> Tensor(a!)"));
TENON_OPERATORS_OUT(max_unpool2d, "aten::max_unpool2d(Tensor self, Tensor indices, SymInt[2] output_size) -> Tensor");
TENON_OPERATORS_OUT(
    max_unpool3d,
    "aten::max_unpool3d(Tensor self, Tensor indices, SymInt[3] output_size, int[3] stride, int[3] padding) -> Tensor");

}  // namespace pooling_family
}  // namespace tenon::ops
