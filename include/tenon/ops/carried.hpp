// Tensors carried over with another size, dtype or device, by the operators that recorded graphs name.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {

TENON_OPERATORS_OUT(lift, (base, "aten::lift(Tensor self) -> Tensor", out_tags({Tag::generated})));
TENON_OPERATORS_PLAIN(_lazy_clone, (base, "aten::_lazy_clone(Tensor self) -> Tensor", with_method));
// Programs write resize_ and resize_as_.
TENON_OPERATOR_TAGS(out, resize,
                    (base, "aten::resize(Tensor self, SymInt[] size, *, MemoryFormat? memory_format=None) -> Tensor",
                     Tag::generated));
TENON_OPERATOR_TAGS(out, resize_as,
                    (base,
                     "aten::resize_as(Tensor self, Tensor the_template, *, MemoryFormat? memory_format=None) -> Tensor",
                     Tag::generated));
TENON_OPERATORS_OUT(dequantize,
                    (self, "aten::dequantize.self(Tensor self) -> Tensor", with_method, out_tags({Tag::generated})));
TENON_OPERATORS_PLAIN(_to_cpu, "aten::_to_cpu(Tensor[] tensors) -> Tensor[]");
// Compiled graphs say by these where autocast converts.
TENON_OPERATORS_PLAIN(
    _autocast_to_full_precision,
    (base, "aten::_autocast_to_full_precision(Tensor(a) self, bool cuda_enabled, bool cpu_enabled) -> Tensor(a)",
     method_only, no_device_guard));
TENON_OPERATORS_PLAIN(
    _autocast_to_reduced_precision,
    (base,
     "aten::_autocast_to_reduced_precision(Tensor(a) self, bool cuda_enabled, bool cpu_enabled, ScalarType cuda_dtype, ScalarType cpu_dtype) -> Tensor(a)",
     method_only, no_device_guard));
TENON_OPERATORS_PLAIN(is_vulkan_available, "aten::is_vulkan_available() -> bool");

}  // namespace tenon::ops
