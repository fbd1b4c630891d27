// Copies, fills and conversions.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace copy_family {

TENON_OPERATORS_INPLACE(copy, (base, "aten::copy_(Tensor(a!) self, Tensor src, bool non_blocking=False) -> Tensor(a!)",
                               method_only, no_device_check, no_device_guard));
TENON_OPERATORS_INPLACE(
    fill, (Scalar, "aten::fill_.Scalar(Tensor(a!) self, Scalar value) -> Tensor(a!)", with_method, no_device_check),
    (Tensor, "aten::fill_.Tensor(Tensor(a!) self, Tensor value) -> Tensor(a!)", with_method, no_device_check));
TENON_OPERATORS_OUT(
    fill, (Scalar, "aten::fill.Scalar(Tensor self, Scalar value) -> Tensor", Tag::core, out_tags({Tag::generated})),
    (Tensor, "aten::fill.Tensor(Tensor self, Tensor value) -> Tensor", "Tensor_out", out_tags({Tag::generated})));
TENON_OPERATORS_INPLACE(zero, (base, "aten::zero_(Tensor(a!) self) -> Tensor(a!)", with_method, no_device_check));
TENON_OPERATORS_OUT(clone, (base, "aten::clone(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor",
                            with_method, Tag::core, Tag::pointwise, out_tags({Tag::generated})));
TENON_OPERATORS_PLAIN(contiguous,
                      (base, "aten::contiguous(Tensor(a) self, *, MemoryFormat memory_format=0) -> Tensor(a)",
                       method_only));
TENON_OPERATOR_TAGS(
    plain, to,
    (dtype,
     "aten::to.dtype(Tensor(a) self, ScalarType dtype, bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None) -> Tensor(a)",
     method_only, no_device_check, no_device_guard),
    (device,
     "aten::to.device(Tensor(a) self, Device device, ScalarType dtype, bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None) -> Tensor(a)",
     method_only, no_device_check, no_device_guard),
    (other,
     "aten::to.other(Tensor(a) self, Tensor other, bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None) -> Tensor(a)",
     method_only, no_device_check, no_device_guard),
    (dtype_layout,
     "aten::to.dtype_layout(Tensor(a) self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None) -> Tensor(a)",
     method_only, no_device_check, no_device_guard));
struct to_function
    : basic_overload_set<to_function,
                         declared_operators<to_function, to_dtype_op, to_device_op, to_other_op, to_dtype_layout_op>> {
  using basic_overload_set::operator();
  /// `t.to(device)`, which no schema takes by position.
  template <class T, class D>
    requires(std::is_same_v<std::remove_cvref_t<T>, Tensor>&& std::is_convertible_v<D, Device> &&
             !std::is_convertible_v<D, ScalarType>)
  Tensor operator()(T&& self, D&& device) const { return (*this)(self, "device"_a = Device(device)); }
};
inline constexpr to_function to{};
TENON_OPERATORS_OUT(
    _to_copy,
    (base,
     "aten::_to_copy(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, bool non_blocking=False, MemoryFormat? memory_format=None) -> Tensor",
     no_device_check, no_device_guard, Tag::core, out_tags({Tag::generated})));
TENON_OPERATORS_PLAIN(type_as, (base, "aten::type_as(Tensor self, Tensor other) -> Tensor", method_only));
TENON_OPERATORS_PLAIN(lift_fresh, "aten::lift_fresh(Tensor(a) self) -> Tensor(a)");
TENON_OPERATORS_INPLACE(
    resize, (base, "aten::resize_(Tensor(a!) self, SymInt[] size, *, MemoryFormat? memory_format=None) -> Tensor(a!)",
             method_only, no_device_check, no_device_guard, Tag::core, Tag::inplace_view));
// Functional forms of what overwrites a whole tensor: what it held before gives the result its shape and dtype.
// Programs write copy_ and the like; functionalization calls these.
TENON_OPERATOR_TAGS(plain, copy,
                    (base, "aten::copy(Tensor self, Tensor src, bool non_blocking=False) -> Tensor", Tag::core));
TENON_OPERATOR_TAGS(out, zero, (base, "aten::zero(Tensor self) -> Tensor", Tag::generated));
TENON_OPERATORS_PLAIN(chalf,
                      (base, "aten::chalf(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor", method_only));

}  // namespace copy_family
}  // namespace tenon::ops
