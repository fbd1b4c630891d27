// Copies that make a tensor: clone, contiguous, to; and resize_.
#pragma once
#include <tenon/composite/options.hpp>
#include <tenon/composite/out_by_copy.hpp>
#include <tenon/composite/restride.hpp>
#include <tenon/tensor/view_geometry.hpp>

namespace tenon::composite {

inline Tensor clone(const Tensor& self, std::optional<MemoryFormat> format) {
  AutoDispatchBelowADInplaceOrView guard;
  TensorOptions like = TensorOptions{}.or_like(self);
  Tensor out = format.value_or(MemoryFormat::Preserve) == MemoryFormat::Preserve
                   ? empty_preserving(self, like)
                   : empty(self.sym_sizes(), like, format);
  return ops::copy_(out, self);
}
inline Tensor& clone_out(const Tensor& self, std::optional<MemoryFormat> format, Tensor& out) {
  return copy_to_out(ops::clone(self, "memory_format"_a = format), out);
}

/// The functional forms of fill_.
template <class V>
Tensor filled(const Tensor& self, const V& value) {
  AutoDispatchBelowADInplaceOrView guard;
  Tensor out = empty_preserving(self, TensorOptions{}.or_like(self));
  return ops::fill_(out, value);
}
inline Tensor fill_Scalar_new(const Tensor& self, const Scalar& value) { return filled(self, value); }
inline Tensor fill_Tensor_new(const Tensor& self, const Tensor& value) { return filled(self, value); }
inline Tensor& fill_Scalar_out(const Tensor& self, const Scalar& value, Tensor& out) {
  return copy_to_out(filled(self, value), out);
}
inline Tensor& fill_Tensor_out(const Tensor& self, const Tensor& value, Tensor& out) {
  return copy_to_out(filled(self, value), out);
}

inline Tensor contiguous(const Tensor& self, MemoryFormat format) {
  if (self.is_contiguous(format)) return self;
  TENON_CHECK(format != MemoryFormat::Preserve, ValueError,
              "preserve memory format is unsupported by the contiguous operator");
  return ops::clone(self, "memory_format"_a = format);
}

inline bool is_same_place(Device a, Device b) {
  return a.type == b.type && (a.index == b.index || a.index < 0 || b.index < 0);
}

inline Tensor to_options(const Tensor& self, const TensorOptions& o, bool non_blocking, bool copy,
                         std::optional<MemoryFormat> format) {
  MemoryFormat wanted = format.value_or(MemoryFormat::Preserve);
  bool same = !copy && (!o.dtype || *o.dtype == self.dtype()) && (!o.layout || *o.layout == self.layout()) &&
              (!o.device || is_same_place(*o.device, self.device())) &&
              (wanted == MemoryFormat::Preserve || self.suggest_memory_format() == wanted);
  if (same) return self;
  return ops::_to_copy(self, "dtype"_a = o.dtype, "layout"_a = o.layout, "device"_a = o.device,
                       "pin_memory"_a = o.pin_memory, "non_blocking"_a = non_blocking, "memory_format"_a = format);
}
inline Tensor to_copy(const Tensor& self, std::optional<ScalarType> dtype, std::optional<Layout> layout,
                      std::optional<Device> device, std::optional<bool> pin_memory, bool non_blocking,
                      std::optional<MemoryFormat> format) {
  TENON_CHECK(layout.value_or(self.layout()) == self.layout(), NotImplementedError, "to(): conversion from layout ",
              self.layout(), " to ", *layout, " is not implemented");
  AutoDispatchBelowADInplaceOrView guard;
  TensorOptions o = TensorOptions{dtype, layout, device, pin_memory}.or_like(self);
  Tensor out = format.value_or(MemoryFormat::Preserve) == MemoryFormat::Preserve ? empty_preserving(self, o)
                                                                                 : empty(self.sym_sizes(), o, format);
  return ops::copy_(out, self, non_blocking);
}
inline Tensor to_dtype(const Tensor& self, ScalarType dtype, bool non_blocking, bool copy,
                       std::optional<MemoryFormat> format) {
  return to_options(self, {dtype, {}, {}, {}}, non_blocking, copy, format);
}
inline Tensor to_device(const Tensor& self, Device device, ScalarType dtype, bool non_blocking, bool copy,
                        std::optional<MemoryFormat> format) {
  return to_options(self, {dtype, {}, device, {}}, non_blocking, copy, format);
}
inline Tensor to_other(const Tensor& self, const Tensor& other, bool non_blocking, bool copy,
                       std::optional<MemoryFormat> format) {
  return to_options(self, TensorOptions{}.or_like(other), non_blocking, copy, format);
}
inline Tensor to_dtype_layout(const Tensor& self, std::optional<ScalarType> dtype, std::optional<Layout> layout,
                              std::optional<Device> device, std::optional<bool> pin_memory, bool non_blocking,
                              bool copy, std::optional<MemoryFormat> format) {
  return to_options(self, {dtype, layout, device, pin_memory}, non_blocking, copy, format);
}
inline Tensor type_as(const Tensor& self, const Tensor& other) {
  return to_options(self, TensorOptions{}.or_like(other), false, false, std::nullopt);
}

/// The result in `out`, whose dtype and device it has.
inline Tensor& to_copy_out(const Tensor& self, bool non_blocking, std::optional<MemoryFormat> format, Tensor& out) {
  return copy_to_out(ops::_to_copy(self, "dtype"_a = out.dtype(), "device"_a = out.device(),
                                   "non_blocking"_a = non_blocking, "memory_format"_a = format),
                     out);
}
inline Tensor chalf(const Tensor& self, std::optional<MemoryFormat> format) {
  return ops::to(self, kComplexHalf, false, false, format);
}
inline Tensor lift_fresh(const Tensor& self) {
  TENON_CHECK(self.defined(), ValueError, "lift_fresh(): expected a defined Tensor, got an undefined one");
  return self;
}

inline Tensor& resize_(Tensor& self, IntArrayRef size, std::optional<MemoryFormat> format) {
  if (self.sizes() != size) {
    for (auto s : size) TENON_CHECK(s >= 0, ValueError, "resize_(): expected sizes of at least 0, got ", size);
    lay_out(self, size, contiguous_strides(size));
  }
  if (format) {
    TENON_CHECK(*format != MemoryFormat::Preserve, ValueError, "Unsupported memory format ", *format);
    self->set_geometry(size, strides_for(size, *format), self.storage_offset());
  }
  return self;
}
/// For Meta tensors, which may be symbolic.
inline Tensor& resize_meta(Tensor& self, SymIntArrayRef size, std::optional<MemoryFormat> format) {
  auto plain = maybe_as_ints(size);
  if (plain && !self.is_symbolic()) return resize_(self, *plain, format);
  if (!format && self.sym_sizes() == size) return self;
  for (const SymInt& s : size) TENON_CHECK(s >= 0, ValueError, "resize_(): expected sizes of at least 0, got ", size);
  MemoryFormat order = format.value_or(MemoryFormat::Contiguous);
  TENON_CHECK(order != MemoryFormat::Preserve, ValueError, "Unsupported memory format ", order);
  self->set_sym_geometry(size, strides_for(size, order), self.sym_storage_offset(), order == MemoryFormat::Contiguous);
  return self;
}

}  // namespace tenon::composite

TENON_LIBRARY_FRAGMENT(aten, m) {
  using namespace tenon;
  m.def<ops::fill_Scalar>().def<ops::fill_Scalar_out>().def<ops::fill_Tensor>().def<ops::fill_Tensor_out>();
  m.def<ops::clone_base>().def<ops::clone_base_out>().def<ops::contiguous_base>().def<ops::_to_copy_base>();
  m.def<ops::_to_copy_base_out>().def<ops::chalf_base>();
  m.def<ops::to_device>()
      .def<ops::to_dtype>()
      .def<ops::to_dtype_layout>()
      .def<ops::to_other>()
      .def<ops::type_as_base>();
  m.def<ops::lift_fresh_base>().def<ops::resize_base_>();
}
TENON_LIBRARY_IMPL(aten, CompositeImplicitAutograd, m) {
  using namespace tenon;
  namespace k = tenon::composite;
  m.impl<ops::contiguous_base, &k::contiguous>().impl<ops::type_as_base, &k::type_as>();
  m.impl<ops::chalf_base, &k::chalf>();
  m.impl<ops::to_device, &k::to_device>()
      .impl<ops::to_dtype, &k::to_dtype>()
      .impl<ops::to_dtype_layout, &k::to_dtype_layout>()
      .impl<ops::to_other, &k::to_other>();
}
TENON_LIBRARY_IMPL(aten, CompositeExplicitAutograd, m) {
  using namespace tenon;
  namespace k = tenon::composite;
  m.impl<ops::fill_Scalar, &k::fill_Scalar_new>()
      .impl<ops::fill_Scalar_out, &k::fill_Scalar_out>()
      .impl<ops::fill_Tensor, &k::fill_Tensor_new>()
      .impl<ops::fill_Tensor_out, &k::fill_Tensor_out>();
  m.impl<ops::clone_base, &k::clone>()
      .impl<ops::clone_base_out, &k::clone_out>()
      .impl<ops::_to_copy_base, &k::to_copy>()
      .impl<ops::_to_copy_base_out, &k::to_copy_out>()
      .impl<ops::lift_fresh_base, &k::lift_fresh>();
}
TENON_LIBRARY_IMPL(aten, CPU, m) { m.impl<tenon::ops::resize_base_, &tenon::composite::resize_>(); }
TENON_LIBRARY_IMPL(aten, Meta, m) { m.impl<tenon::ops::resize_base_, &tenon::composite::resize_meta>(); }
