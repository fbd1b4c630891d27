// Tensors carried over with another size, dtype or device, by the operators that recorded graphs name.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace carried_family {

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
TENON_OPERATORS_PLAIN(_nnpack_available, "aten::_nnpack_available() -> bool");
// Every tensor here is dense.
TENON_OPERATORS_PLAIN(to_dense,
                      (base, "aten::to_dense(Tensor self, ScalarType? dtype=None, *, bool? masked_grad=None) -> Tensor",
                       method_only));
TENON_OPERATORS_PLAIN(to_dense_backward,
                      "aten::to_dense_backward(Tensor grad, Tensor input, bool? masked_grad=None) -> Tensor");
TENON_OPERATORS_PLAIN(dense_dim,
                      (base, "aten::dense_dim(Tensor self) -> int", method_only, no_device_check, no_device_guard));
TENON_OPERATORS_PLAIN(sparse_dim,
                      (base, "aten::sparse_dim(Tensor self) -> int", method_only, no_device_check, no_device_guard));
// Weights without the rows that a mask leaves out, and where each row went.
TENON_OPERATORS_PLAIN(
    _rowwise_prune,
    "aten::_rowwise_prune(Tensor weight, Tensor mask, ScalarType compressed_indices_dtype) -> (Tensor, Tensor)");
// Zeros laid out as `other`, behind the first dimensions of `self`.
TENON_OPERATORS_OUT(
    _new_zeros_with_same_feature_meta,
    (base, "aten::_new_zeros_with_same_feature_meta(Tensor self, Tensor other, *, int self_num_batch_dims=0) -> Tensor",
     out_tags({Tag::generated})));

}  // namespace carried_family
}  // namespace tenon::ops
