// Forms of operators that recorded graphs name, beside those that programs write.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace named_forms_family {

TENON_OPERATOR_TAGS(
    plain, copy_into,
    (out, "aten::copy.out(Tensor self, Tensor src, bool non_blocking=False, *, Tensor(a!) out) -> Tensor(a!)",
     Tag::generated));
TENON_OPERATOR_TAGS(plain, empty_strided_into,
                    (out, "aten::empty_strided.out(SymInt[] size, SymInt[] stride, *, Tensor(a!) out) -> Tensor(a!)",
                     Tag::generated));
TENON_OPERATOR_TAGS(plain, _conj_physical_into,
                    (out, "aten::_conj_physical.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", Tag::generated));
TENON_OPERATOR_TAGS(
    plain, adaptive_avg_pool3d_backward_into,
    (grad_input,
     "aten::adaptive_avg_pool3d_backward.grad_input(Tensor grad_output, Tensor self, *, Tensor(a!) grad_input) -> Tensor(a!)"));
TENON_OPERATORS_PLAIN(_debug_has_internal_overlap, "aten::_debug_has_internal_overlap(Tensor self) -> int");
TENON_OPERATORS_PLAIN(_has_compatible_shallow_copy_type,
                      "aten::_has_compatible_shallow_copy_type(Tensor self, Tensor from) -> bool");

}  // namespace named_forms_family
}  // namespace tenon::ops
