// Products of groups of rows or columns, and of factors of 8 bits.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace grouped_mm_family {

// Offsets say where each group ends along the dimension that only one of the two has, or that both share.
TENON_OPERATORS_PLAIN(
    _grouped_mm,
    "aten::_grouped_mm(Tensor self, Tensor mat2, Tensor? offs=None, Tensor? bias=None, ScalarType? out_dtype=None) -> Tensor");
// Each row of the weight has a scale.
TENON_OPERATORS_PLAIN(_weight_int8pack_mm,
                      "aten::_weight_int8pack_mm(Tensor self, Tensor mat2, Tensor scales) -> Tensor");
// A product of 8-bit floats by a scale for each factor, or for each row of the first and column of the second.
TENON_OPERATORS_OUT(
    _scaled_mm,
    (base,
     "aten::_scaled_mm(Tensor self, Tensor mat2, Tensor scale_a, Tensor scale_b, Tensor? bias=None, Tensor? scale_result=None, ScalarType? out_dtype=None, bool use_fast_accum=False) -> Tensor",
     Tag::needs_exact_strides));

}  // namespace grouped_mm_family
}  // namespace tenon::ops
