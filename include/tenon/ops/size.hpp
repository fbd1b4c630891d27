// The sizes of a tensor, and where it lies.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace size_family {

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
TENON_OPERATORS_PLAIN(sym_stride, (int, "aten::sym_stride.int(Tensor self, int dim) -> SymInt", no_device_check,
                                   no_device_guard, Tag::core));
TENON_OPERATORS_PLAIN(storage_offset, (base, "aten::storage_offset(Tensor self) -> int", method_only, no_device_check,
                                       no_device_guard));
TENON_OPERATORS_PLAIN(sym_storage_offset, (base, "aten::sym_storage_offset(Tensor self) -> SymInt", no_device_check,
                                           no_device_guard, Tag::core));
TENON_OPERATORS_PLAIN(is_contiguous,
                      (base, "aten::is_contiguous(Tensor self) -> bool", method_only, no_device_check, no_device_guard),
                      (memory_format,
                       "aten::is_contiguous.memory_format(Tensor self, MemoryFormat memory_format) -> bool",
                       method_only, no_device_check, no_device_guard));
TENON_OPERATORS_PLAIN(sym_is_contiguous,
                      (base, "aten::sym_is_contiguous(Tensor self, MemoryFormat memory_format=0) -> SymBool",
                       no_device_check, no_device_guard, Tag::core));
TENON_OPERATORS_PLAIN(get_device,
                      (base, "aten::get_device(Tensor self) -> int", method_only, no_device_check, no_device_guard));

}  // namespace size_family
}  // namespace tenon::ops
