// Lists of tensors as one, and back.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace flatten_dense_family {

TENON_OPERATORS_PLAIN(flatten_dense_tensors, "aten::flatten_dense_tensors(Tensor[] tensors) -> Tensor");
TENON_OPERATORS_PLAIN(unflatten_dense_tensors,
                      "aten::unflatten_dense_tensors(Tensor flat, Tensor[] tensors) -> Tensor[]");

}  // namespace flatten_dense_family
}  // namespace tenon::ops
