// Elements and whole tensors, repeated.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace repeat_family {

TENON_OPERATORS_OUT(repeat, (base, "aten::repeat(Tensor self, SymInt[] repeats) -> Tensor", method_only, Tag::core,
                             out_tags({Tag::generated})));
TENON_OPERATORS_PLAIN(tile, (base, "aten::tile(Tensor self, SymInt[] dims) -> Tensor", with_method));
TENON_OPERATORS_OUT(
    repeat_interleave,
    (Tensor, "aten::repeat_interleave.Tensor(Tensor repeats, *, SymInt? output_size=None) -> Tensor", "Tensor_out",
     Tag::dynamic_output_shape, out_tags({Tag::generated})),
    (self_Tensor,
     "aten::repeat_interleave.self_Tensor(Tensor self, Tensor repeats, int? dim=None, *, SymInt? output_size=None) -> Tensor",
     no_out, with_method),
    (self_int,
     "aten::repeat_interleave.self_int(Tensor self, SymInt repeats, int? dim=None, *, SymInt? output_size=None) -> Tensor",
     no_out, with_method));

}  // namespace repeat_family
}  // namespace tenon::ops
