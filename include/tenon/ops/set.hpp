// Tensors that take over the memory of another, and what they hold.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace set_family {

TENON_OPERATORS_INPLACE(
    set, (base, "aten::set_(Tensor(a!) self) -> Tensor(a!)", method_only, Tag::inplace_view),
    (source_Storage, "aten::set_.source_Storage(Tensor(a!) self, Storage source) -> Tensor(a!)", method_only,
     no_device_check, no_device_guard, Tag::inplace_view),
    (source_Storage_storage_offset,
     "aten::set_.source_Storage_storage_offset(Tensor(a!) self, Storage source, SymInt storage_offset, SymInt[] size, SymInt[] stride=[]) -> Tensor(a!)",
     method_only, no_device_check, no_device_guard, Tag::inplace_view),
    (source_Tensor, "aten::set_.source_Tensor(Tensor(a!) self, Tensor source) -> Tensor(a!)", method_only,
     no_device_check, no_device_guard, Tag::inplace_view),
    (source_Tensor_storage_offset,
     "aten::set_.source_Tensor_storage_offset(Tensor(a!) self, Tensor source, SymInt storage_offset, SymInt[] size, SymInt[] stride=[]) -> Tensor(a!)",
     method_only, no_device_check, no_device_guard, Tag::inplace_view));
// Functional forms, which graphs name; programs write set_.
TENON_OPERATOR_TAGS(
    out, set, (base, "aten::set(Tensor self) -> Tensor", Tag::generated),
    (source_Storage, "aten::set.source_Storage(Tensor self, Storage source) -> Tensor", Tag::generated),
    (source_Storage_storage_offset,
     "aten::set.source_Storage_storage_offset(Tensor self, Storage source, SymInt storage_offset, SymInt[] size, SymInt[] stride=[]) -> Tensor",
     Tag::generated),
    (source_Tensor, "aten::set.source_Tensor(Tensor self, Tensor source) -> Tensor", Tag::generated));
TENON_OPERATORS_PLAIN(set_data, (base, "aten::set_data(Tensor(a!) self, Tensor new_data) -> ()", method_only));

}  // namespace set_family
}  // namespace tenon::ops
