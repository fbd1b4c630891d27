// Operators that older programs and recorded graphs call, in the words of newer ones.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace older_names_family {

#define TENON_INTERNAL_FOR_EACH_CAST(X) X(Byte) X(Char) X(Double) X(Float) X(Int) X(Long) X(Short) X(Half)
#define X(NAME) \
  TENON_OPERATORS_PLAIN(_cast_##NAME, "aten::_cast_" #NAME "(Tensor self, bool non_blocking=False) -> Tensor");
TENON_INTERNAL_FOR_EACH_CAST(X)
#undef X
TENON_OPERATORS_OUT(_stack, "aten::_stack(Tensor[] tensors, int dim=0) -> Tensor");
TENON_OPERATORS_OUT(_logcumsumexp, "aten::_logcumsumexp(Tensor self, int dim) -> Tensor");
TENON_OPERATORS_OUT(_reshape_copy, (base, "aten::_reshape_copy(Tensor self, SymInt[] size) -> Tensor", no_out));
TENON_OPERATORS_OUT(_aminmax, (base, "aten::_aminmax(Tensor self) -> (Tensor, Tensor)", out_tags({Tag::generated})),
                    (dim, "aten::_aminmax.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor, Tensor)",
                     out_tags({Tag::generated})));
TENON_OPERATORS_PLAIN(_dim_arange, "aten::_dim_arange(Tensor like, int dim) -> Tensor");
TENON_OPERATORS_PLAIN(_shape_as_tensor, "aten::_shape_as_tensor(Tensor self) -> Tensor");
TENON_OPERATORS_PLAIN(_reshape_from_tensor, "aten::_reshape_from_tensor(Tensor self, Tensor shape) -> Tensor");
TENON_OPERATORS(_add_relu, (Tensor, "aten::_add_relu.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor"),
                (Scalar, "aten::_add_relu.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor",
                 out_tags({Tag::generated})));
TENON_OPERATORS_OUT(
    _addmm_activation,
    (base,
     "aten::_addmm_activation(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1, bool use_gelu=False) -> Tensor",
     with_method));

}  // namespace older_names_family
}  // namespace tenon::ops
