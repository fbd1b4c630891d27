// Memory of the host that a device reads and writes by itself, and memory of a device that several streams use.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace memory_family {

TENON_OPERATORS_PLAIN(is_pinned, (base, "aten::is_pinned(Tensor self, Device? device=None) -> bool", method_only));
TENON_OPERATORS_PLAIN(pin_memory,
                      (base, "aten::pin_memory(Tensor(a) self, Device? device=None) -> Tensor(a)", method_only));
TENON_OPERATORS_OUT(_pin_memory, (base, "aten::_pin_memory(Tensor self, Device? device=None) -> Tensor",
                                  out_tags({Tag::generated})));
TENON_OPERATORS_PLAIN(record_stream, (base, "aten::record_stream(Tensor(a!) self, Stream s) -> ()", method_only));

}  // namespace memory_family
}  // namespace tenon::ops
