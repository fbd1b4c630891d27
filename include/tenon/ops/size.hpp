// The sizes of a tensor.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {

TENON_OPERATORS_PLAIN(size, (base, "aten::size(Tensor self) -> int[]"),
                      (int, "aten::size.int(Tensor self, int dim) -> int", no_device_check, no_device_guard));
TENON_OPERATORS_PLAIN(sym_size, (base, "aten::sym_size(Tensor self) -> SymInt[]"),
                      (int, "aten::sym_size.int(Tensor self, int dim) -> SymInt", no_device_check, no_device_guard,
                       Tag::core));
TENON_OPERATORS_PLAIN(numel, (base, "aten::numel(Tensor self) -> int", method_only, no_device_check, no_device_guard));
TENON_OPERATORS_PLAIN(sym_numel,
                      (base, "aten::sym_numel(Tensor self) -> SymInt", no_device_check, no_device_guard, Tag::core));
TENON_OPERATORS_PLAIN(dim, (base, "aten::dim(Tensor self) -> int", method_only, no_device_check, no_device_guard));
TENON_OPERATORS_PLAIN(stride, (base, "aten::stride(Tensor self) -> int[]"),
                      (int, "aten::stride.int(Tensor self, int dim) -> int", no_device_check, no_device_guard));

}  // namespace tenon::ops
