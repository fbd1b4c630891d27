// Where values would stand in a sorted sequence, and whether they are in a set.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace search_family {

TENON_OPERATORS_OUT(
    searchsorted,
    (Tensor,
     "aten::searchsorted.Tensor(Tensor sorted_sequence, Tensor self, *, bool out_int32=False, bool right=False, str? side=None, Tensor? sorter=None) -> Tensor",
     "Tensor_out"),
    (Scalar,
     "aten::searchsorted.Scalar(Tensor sorted_sequence, Scalar self, *, bool out_int32=False, bool right=False, str? side=None, Tensor? sorter=None) -> Tensor"));
TENON_OPERATORS_OUT(
    bucketize,
    (Tensor,
     "aten::bucketize.Tensor(Tensor self, Tensor boundaries, *, bool out_int32=False, bool right=False) -> Tensor",
     "Tensor_out"),
    (Scalar,
     "aten::bucketize.Scalar(Scalar self, Tensor boundaries, *, bool out_int32=False, bool right=False) -> Tensor",
     out_tags({Tag::generated})));
TENON_OPERATORS_OUT(
    isin,
    (Tensor_Tensor,
     "aten::isin.Tensor_Tensor(Tensor elements, Tensor test_elements, *, bool assume_unique=False, bool invert=False) -> Tensor"),
    (Tensor_Scalar,
     "aten::isin.Tensor_Scalar(Tensor elements, Scalar test_element, *, bool assume_unique=False, bool invert=False) -> Tensor"),
    (Scalar_Tensor,
     "aten::isin.Scalar_Tensor(Scalar element, Tensor test_elements, *, bool assume_unique=False, bool invert=False) -> Tensor"));

}  // namespace search_family
}  // namespace tenon::ops
