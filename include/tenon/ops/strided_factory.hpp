// New tensors with strides of the caller's.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace strided_factory_family {

TENON_OPERATORS_OUT(
    new_empty_strided,
    (base,
     "aten::new_empty_strided(Tensor self, SymInt[] size, SymInt[] stride, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
     method_only, out_tags({Tag::generated})));
// Dense, with dimensions in memory in this order, the outermost first.
TENON_OPERATORS_OUT(
    empty_permuted,
    (base,
     "aten::empty_permuted(SymInt[] size, int[] physical_layout, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
     out_tags({Tag::generated})));

}  // namespace strided_factory_family
}  // namespace tenon::ops
