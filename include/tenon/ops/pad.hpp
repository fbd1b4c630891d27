// Tensors with elements added at the ends of dimensions, or taken off there.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace pad_family {

TENON_OPERATORS_OUT(constant_pad_nd,
                    (base, "aten::constant_pad_nd(Tensor self, SymInt[] pad, Scalar value=0) -> Tensor", Tag::core,
                     out_tags({Tag::generated})));
TENON_OPERATORS_PLAIN(pad, "aten::pad(Tensor self, SymInt[] pad, str mode=\"constant\", float? value=None) -> Tensor");
TENON_OPERATORS_PLAIN(_pad_enum, "aten::_pad_enum(Tensor self, SymInt[] pad, int mode, float? value=None) -> Tensor");
TENON_OPERATORS_PLAIN(_pad_circular, "aten::_pad_circular(Tensor self, SymInt[] pad) -> Tensor");

TENON_OPERATORS_OUT(reflection_pad1d,
                    (base, "aten::reflection_pad1d(Tensor self, SymInt[2] padding) -> Tensor", Tag::core));
TENON_OPERATORS_OUT(
    reflection_pad1d_backward,
    (base, "aten::reflection_pad1d_backward(Tensor grad_output, Tensor self, SymInt[2] padding) -> Tensor",
     "aten::reflection_pad1d_backward.grad_input(Tensor grad_output, Tensor self, SymInt[2] padding, *, Tensor(a!) grad_input) -> Tensor(a!)"));
TENON_OPERATORS_OUT(reflection_pad2d,
                    (base, "aten::reflection_pad2d(Tensor self, SymInt[4] padding) -> Tensor", Tag::core));
TENON_OPERATORS_OUT(
    reflection_pad2d_backward,
    (base, "aten::reflection_pad2d_backward(Tensor grad_output, Tensor self, SymInt[4] padding) -> Tensor",
     "aten::reflection_pad2d_backward.grad_input(Tensor grad_output, Tensor self, SymInt[4] padding, *, Tensor(a!) grad_input) -> Tensor(a!)"));
TENON_OPERATORS_OUT(reflection_pad3d,
                    (base, "aten::reflection_pad3d(Tensor self, SymInt[6] padding) -> Tensor", Tag::core));
TENON_OPERATORS_OUT(
    reflection_pad3d_backward,
    (base, "aten::reflection_pad3d_backward(Tensor grad_output, Tensor self, SymInt[6] padding) -> Tensor",
     "aten::reflection_pad3d_backward.grad_input(Tensor grad_output, Tensor self, SymInt[6] padding, *, Tensor(a!) grad_input) -> Tensor(a!)"));
TENON_OPERATORS_OUT(replication_pad1d, "aten::replication_pad1d(Tensor self, SymInt[2] padding) -> Tensor");
TENON_OPERATORS_OUT(
    replication_pad1d_backward,
    (base, "aten::replication_pad1d_backward(Tensor grad_output, Tensor self, SymInt[2] padding) -> Tensor",
     "aten::replication_pad1d_backward.grad_input(Tensor grad_output, Tensor self, SymInt[2] padding, *, Tensor(a!) grad_input) -> Tensor(a!)"));
TENON_OPERATORS_OUT(replication_pad2d,
                    (base, "aten::replication_pad2d(Tensor self, SymInt[4] padding) -> Tensor", Tag::core));
TENON_OPERATORS_OUT(
    replication_pad2d_backward,
    (base, "aten::replication_pad2d_backward(Tensor grad_output, Tensor self, SymInt[4] padding) -> Tensor",
     "aten::replication_pad2d_backward.grad_input(Tensor grad_output, Tensor self, SymInt[4] padding, *, Tensor(a!) grad_input) -> Tensor(a!)"));
TENON_OPERATORS_OUT(replication_pad3d,
                    (base, "aten::replication_pad3d(Tensor self, SymInt[6] padding) -> Tensor", Tag::core));
TENON_OPERATORS_OUT(
    replication_pad3d_backward,
    (base, "aten::replication_pad3d_backward(Tensor grad_output, Tensor self, SymInt[6] padding) -> Tensor",
     "aten::replication_pad3d_backward.grad_input(Tensor grad_output, Tensor self, SymInt[6] padding, *, Tensor(a!) grad_input) -> Tensor(a!)"));

}  // namespace pad_family
}  // namespace tenon::ops
