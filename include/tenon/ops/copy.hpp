// Copies, fills and conversions.
#pragma once
#include <tenon/library/forms.hpp>

namespace tenon::ops {

TENON_OPERATOR(copy_base_, "aten::copy_(Tensor(a!) self, Tensor src, bool non_blocking=False) -> Tensor(a!)");
TENON_FUNCTION(copy_, copy_base_);
TENON_OPERATOR(fill_Scalar_, "aten::fill_.Scalar(Tensor(a!) self, Scalar value) -> Tensor(a!)");
TENON_OPERATOR(fill_Tensor_, "aten::fill_.Tensor(Tensor(a!) self, Tensor value) -> Tensor(a!)");
TENON_FUNCTION(fill_, fill_Scalar_, fill_Tensor_);
TENON_OPERATOR_OUT(fill_Scalar, "aten::fill.Scalar(Tensor self, Scalar value) -> Tensor");
TENON_OPERATOR_OUT(fill_Tensor, "aten::fill.Tensor(Tensor self, Tensor value) -> Tensor", "Tensor_out");
TENON_FUNCTION(fill, fill_Scalar, fill_Tensor);
TENON_OPERATOR(zero_base_, "aten::zero_(Tensor(a!) self) -> Tensor(a!)");
TENON_FUNCTION(zero_, zero_base_);
TENON_OPERATOR_OUT(clone_base, "aten::clone(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor");
TENON_FUNCTION(clone, clone_base);
TENON_OPERATOR(contiguous_base, "aten::contiguous(Tensor(a) self, *, MemoryFormat memory_format=0) -> Tensor(a)");
TENON_FUNCTION(contiguous, contiguous_base);
TENON_OPERATOR(
    to_device,
    "aten::to.device(Tensor(a) self, Device device, ScalarType dtype, bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None) -> Tensor(a)");
TENON_OPERATOR(
    to_dtype,
    "aten::to.dtype(Tensor(a) self, ScalarType dtype, bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None) -> Tensor(a)");
TENON_OPERATOR(
    to_dtype_layout,
    "aten::to.dtype_layout(Tensor(a) self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None) -> Tensor(a)");
TENON_OPERATOR(
    to_other,
    "aten::to.other(Tensor(a) self, Tensor other, bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None) -> Tensor(a)");
TENON_OPERATOR(
    _to_copy_base,
    "aten::_to_copy(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, bool non_blocking=False, MemoryFormat? memory_format=None) -> Tensor");
struct to_function : overload_set<to_function, to_dtype, to_device, to_other, to_dtype_layout> {
  using overload_set<to_function, to_dtype, to_device, to_other, to_dtype_layout>::operator();
  /// `t.to(device)`, which no schema takes by position.
  template <class T, class D>
    requires(std::is_same_v<std::remove_cvref_t<T>, Tensor>&& std::is_convertible_v<D, Device> &&
             !std::is_convertible_v<D, ScalarType>)
  Tensor operator()(T&& self, D&& device) const { return (*this)(self, "device"_a = Device(device)); }
};
inline constexpr to_function to{};
TENON_FUNCTION(_to_copy, _to_copy_base);
TENON_OPERATOR(type_as_base, "aten::type_as(Tensor self, Tensor other) -> Tensor");
TENON_FUNCTION(type_as, type_as_base);
TENON_OPERATOR(lift_fresh_base, "aten::lift_fresh(Tensor(a) self) -> Tensor(a)");
TENON_FUNCTION(lift_fresh, lift_fresh_base);
TENON_OPERATOR(resize_base_,
               "aten::resize_(Tensor(a!) self, SymInt[] size, *, MemoryFormat? memory_format=None) -> Tensor(a!)");
TENON_FUNCTION(resize_, resize_base_);

}  // namespace tenon::ops
