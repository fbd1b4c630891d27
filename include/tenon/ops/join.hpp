// Joining tensors.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace join_family {

TENON_OPERATORS_OUT(cat, (base, "aten::cat(Tensor[] tensors, int dim=0) -> Tensor", Tag::core));
TENON_OPERATORS_OUT(stack, "aten::stack(Tensor[] tensors, int dim=0) -> Tensor");
TENON_OPERATORS_OUT(hstack, "aten::hstack(Tensor[] tensors) -> Tensor");
TENON_OPERATORS_OUT(vstack, "aten::vstack(Tensor[] tensors) -> Tensor");
TENON_OPERATORS_OUT(row_stack, "aten::row_stack(Tensor[] tensors) -> Tensor");
TENON_OPERATORS_OUT(dstack, "aten::dstack(Tensor[] tensors) -> Tensor");
TENON_OPERATORS_OUT(column_stack, "aten::column_stack(Tensor[] tensors) -> Tensor");
// No function: `concat` joins texts.
TENON_OPERATOR_TAGS(out, concat, "aten::concat(Tensor[] tensors, int dim=0) -> Tensor")
TENON_OPERATORS_OUT(concatenate, "aten::concatenate(Tensor[] tensors, int dim=0) -> Tensor");
TENON_OPERATORS_OUT(block_diag, (base, "aten::block_diag(Tensor[] tensors) -> Tensor", out_tags({Tag::generated})));
TENON_OPERATORS_OUT(_chunk_cat, "aten::_chunk_cat(Tensor[] tensors, int dim, int num_chunks) -> Tensor");
TENON_OPERATORS_PLAIN(meshgrid, "aten::meshgrid(Tensor[] tensors) -> Tensor[]",
                      (indexing, "aten::meshgrid.indexing(Tensor[] tensors, *, str indexing) -> Tensor[]"));
TENON_OPERATORS_PLAIN(cartesian_prod,
                      (base, "aten::cartesian_prod(Tensor[] tensors) -> Tensor", Tag::maybe_aliasing_or_mutating));
TENON_OPERATORS_PLAIN(combinations, "aten::combinations(Tensor self, int r=2, bool with_replacement=False) -> Tensor");
TENON_OPERATORS_PLAIN(broadcast_tensors, (base, "aten::broadcast_tensors(Tensor[] tensors) -> Tensor[]",
                                          no_device_check, no_device_guard));

}  // namespace join_family
}  // namespace tenon::ops
