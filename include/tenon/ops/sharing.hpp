// Questions about the memory of tensors.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace sharing_family {

// Whether both show the same elements of the same memory.
TENON_OPERATORS_PLAIN(is_set_to, (base, "aten::is_set_to(Tensor self, Tensor tensor) -> bool", method_only,
                                  no_device_check, no_device_guard));
TENON_OPERATORS_PLAIN(_has_same_storage_numel, "aten::_has_same_storage_numel(Tensor self, Tensor other) -> bool");

}  // namespace sharing_family
}  // namespace tenon::ops
