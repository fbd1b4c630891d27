// Cutting a tensor into pieces.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace split_family {

TENON_OPERATORS_PLAIN(
    tensor_split,
    (sections, "aten::tensor_split.sections(Tensor(a -> *) self, SymInt sections, int dim=0) -> Tensor(a)[]",
     with_method),
    (indices, "aten::tensor_split.indices(Tensor(a -> *) self, SymInt[] indices, int dim=0) -> Tensor(a)[]",
     with_method),
    (tensor_indices_or_sections,
     "aten::tensor_split.tensor_indices_or_sections(Tensor(a -> *) self, Tensor tensor_indices_or_sections, int dim=0) -> Tensor(a)[]",
     with_method));
TENON_OPERATORS_PLAIN(hsplit, (int, "aten::hsplit.int(Tensor(a -> *) self, int sections) -> Tensor(a)[]", with_method),
                      (array, "aten::hsplit.array(Tensor(a -> *) self, int[] indices) -> Tensor(a)[]", with_method));
TENON_OPERATORS_PLAIN(vsplit, (int, "aten::vsplit.int(Tensor(a -> *) self, int sections) -> Tensor(a)[]", with_method),
                      (array, "aten::vsplit.array(Tensor(a -> *) self, int[] indices) -> Tensor(a)[]", with_method));
TENON_OPERATORS_PLAIN(dsplit, (int, "aten::dsplit.int(Tensor(a -> *) self, int sections) -> Tensor(a)[]", with_method),
                      (array, "aten::dsplit.array(Tensor(a -> *) self, int[] indices) -> Tensor(a)[]", with_method));

// Pieces of which the caller promises not to write to one while another is used: autograd knows no views here.
TENON_OPERATORS_OUT(unsafe_split,
                    (Tensor, "aten::unsafe_split.Tensor(Tensor self, SymInt split_size, int dim=0) -> Tensor[]",
                     "Tensor_out", with_method, no_device_check, no_device_guard, out_tags({Tag::generated})));
TENON_OPERATORS_OUT(unsafe_split_with_sizes,
                    (base, "aten::unsafe_split_with_sizes(Tensor self, SymInt[] split_sizes, int dim=0) -> Tensor[]",
                     with_method, no_device_check, no_device_guard, out_tags({Tag::generated})));
TENON_OPERATORS_PLAIN(unsafe_chunk, (base, "aten::unsafe_chunk(Tensor self, int chunks, int dim=0) -> Tensor[]",
                                     with_method, no_device_check, no_device_guard, Tag::maybe_aliasing_or_mutating));

}  // namespace split_family
}  // namespace tenon::ops
