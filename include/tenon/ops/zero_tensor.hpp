// Zeros without memory.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace zero_tensor_family {

TENON_OPERATORS_OUT(
    _efficientzerotensor,
    (base,
     "aten::_efficientzerotensor(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
     out_tags({Tag::generated})));
TENON_OPERATORS_PLAIN(_is_zerotensor,
                      (base, "aten::_is_zerotensor(Tensor self) -> bool", with_method, no_device_guard));

}  // namespace zero_tensor_family
}  // namespace tenon::ops
