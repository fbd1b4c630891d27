// Tensors whose memory is a file.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace from_file_family {

TENON_OPERATORS_OUT(
    from_file,
    (base,
     "aten::from_file(str filename, bool? shared=None, int? size=0, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
     out_tags({Tag::generated})));

}  // namespace from_file_family
}  // namespace tenon::ops
