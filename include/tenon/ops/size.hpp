// The sizes of a tensor.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {

TENON_OPERATORS_PLAIN(size, (base, "aten::size(Tensor self) -> int[]"),
                      (int, "aten::size.int(Tensor self, int dim) -> int", no_device_check, no_device_guard));
TENON_OPERATORS_PLAIN(sym_size, (base, "aten::sym_size(Tensor self) -> SymInt[]"),
                      (int, "aten::sym_size.int(Tensor self, int dim) -> SymInt", no_device_check, no_device_guard,
                       Tag::core));

}  // namespace tenon::ops
