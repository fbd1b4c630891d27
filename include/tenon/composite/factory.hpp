// Tensors made from nothing: unset, constant and counted ones.
#pragma once
#include <tenon/composite/options.hpp>
#include <tenon/composite/new_tensor.hpp>
#include <tenon/composite/out_by_copy.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/tensor/view_geometry.hpp>

namespace tenon::composite {

// --- unset memory ---

/// For Meta tensors, which may be symbolic.
inline Tensor empty_meta(SymIntArrayRef size, std::optional<ScalarType> dtype, std::optional<Layout> layout,
                         std::optional<Device> device, std::optional<bool> pin_memory,
                         std::optional<MemoryFormat> format) {
  ScalarType type = dtype.value_or(get_default_dtype());
  if (auto plain = maybe_as_ints(size))
    return empty_on<DeviceType::Meta>(*plain, type, layout, device, pin_memory, format);
  check_strided(layout);
  return make_tensor_symbolic(size, strides_of_format(size, format), type, device.value_or(kMeta));
}

inline Tensor empty_strided_meta(SymIntArrayRef size, SymIntArrayRef stride, std::optional<ScalarType> dtype,
                                 std::optional<Layout> layout, std::optional<Device> device,
                                 std::optional<bool> pin_memory) {
  auto plain_size = maybe_as_ints(size), plain_stride = maybe_as_ints(stride);
  if (plain_size && plain_stride)
    return empty_strided_on<DeviceType::Meta>(*plain_size, *plain_stride, dtype, layout, device, pin_memory);
  check_strided(layout);
  check_strides(size, stride);
  return make_tensor_symbolic(size, stride, dtype.value_or(get_default_dtype()), device.value_or(kMeta));
}

inline Tensor empty_like_of(const Tensor& self, const TensorOptions& given, std::optional<MemoryFormat> format) {
  TensorOptions o = given.or_like(self);
  if (format.value_or(MemoryFormat::Preserve) != MemoryFormat::Preserve)
    return composite::empty(self.sym_sizes(), o, format);
  return empty_preserving(self, o);
}

// --- one value ---

inline TensorOptions full_options(const Scalar& value, const TensorOptions& o) {
  if (o.dtype) return o;
  if (value.is_boolean()) return o.with(kBool);
  if (value.is_integral()) return o.with(kLong);
  return o.with(value.is_complex() ? to_complex_type(get_default_dtype()) : get_default_dtype());
}
inline Tensor full_of(SymIntArrayRef size, const Scalar& value, const TensorOptions& o) {
  Tensor t = composite::empty(size, full_options(value, o));
  return ops::fill_(t, value);
}
inline Tensor zeros_of(SymIntArrayRef size, const TensorOptions& o) {
  Tensor t = composite::empty(size, o);
  return ops::zero_(t);
}
inline Tensor& scalar_tensor_out(const Scalar& value, Tensor& out) {
  AutoDispatchBelowADInplaceOrView guard;
  resize_out(out, SymIntArrayRef());
  return ops::fill_(out, value);
}
inline Tensor& full_out(SymIntArrayRef size, const Scalar& value, Tensor& out) {
  AutoDispatchBelowADInplaceOrView guard;
  ops::resize_(out, size);
  return ops::fill_(out, value);
}

inline void fill_identity(Tensor& out) {
  ops::zero_(out);
  Tensor diagonal = ops::diagonal(out);
  ops::fill_(diagonal, 1);
}
inline void check_identity(const SymInt& n, const SymInt& m) {
  TENON_CHECK(n >= 0, ValueError, "n must be greater or equal to 0, got ", n);
  TENON_CHECK(m >= 0, ValueError, "m must be greater or equal to 0, got ", m);
}
inline Tensor& eye_m_out(SymInt n, SymInt m, Tensor& out) {
  check_identity(n, m);
  AutoDispatchBelowADInplaceOrView guard;
  SymInt size[] = {std::move(n), std::move(m)};
  resize_out(out, size);
  fill_identity(out);
  return out;
}
inline Tensor& eye_out(SymInt n, Tensor& out) { return eye_m_out(n, n, out); }

#define TENON_INTERNAL_OPTIONS                                                                 \
  std::optional<ScalarType> dtype, std::optional<Layout> layout, std::optional<Device> device, \
      std::optional<bool> pin_memory
#define TENON_INTERNAL_GIVEN (TensorOptions{dtype, layout, device, pin_memory})

inline Tensor zeros(SymIntArrayRef size, TENON_INTERNAL_OPTIONS) { return zeros_of(size, TENON_INTERNAL_GIVEN); }
inline Tensor ones(SymIntArrayRef size, TENON_INTERNAL_OPTIONS) {
  return full_of(size, 1, TENON_INTERNAL_GIVEN.with(dtype.value_or(get_default_dtype())));
}
inline Tensor full(SymIntArrayRef size, const Scalar& value, TENON_INTERNAL_OPTIONS) {
  return full_of(size, value, TENON_INTERNAL_GIVEN);
}
inline Tensor eye_m(SymInt n, SymInt m, TENON_INTERNAL_OPTIONS) {
  check_identity(n, m);
  AutoDispatchBelowADInplaceOrView guard;
  SymInt size[] = {std::move(n), std::move(m)};
  Tensor t = composite::empty(size, TENON_INTERNAL_GIVEN);
  fill_identity(t);
  return t;
}
inline Tensor eye(SymInt n, TENON_INTERNAL_OPTIONS) { return eye_m(n, n, dtype, layout, device, pin_memory); }
inline Tensor scalar_tensor(const Scalar& value, TENON_INTERNAL_OPTIONS) {
  AutoDispatchBelowADInplaceOrView guard;
  Tensor t = composite::empty({}, TENON_INTERNAL_GIVEN);
  return ops::fill_(t, value);
}
inline Tensor& empty_out(SymIntArrayRef size, std::optional<MemoryFormat> format, Tensor& out) {
  AutoDispatchBelowADInplaceOrView guard;
  return ops::resize_(out, size, "memory_format"_a = format);
}
inline Tensor& zeros_out(SymIntArrayRef size, Tensor& out) { return full_out(size, 0, out); }
inline Tensor& ones_out(SymIntArrayRef size, Tensor& out) { return full_out(size, 1, out); }

// Operators that take a tensor are steps of a computation: what they do inside is not recorded or counted again.
inline Tensor empty_like(const Tensor& self, TENON_INTERNAL_OPTIONS, std::optional<MemoryFormat> format) {
  return empty_like_of(self, TENON_INTERNAL_GIVEN, format);
}
inline Tensor zeros_like(const Tensor& self, TENON_INTERNAL_OPTIONS, std::optional<MemoryFormat> format) {
  AutoDispatchBelowADInplaceOrView guard;
  Tensor t = empty_like_of(self, TENON_INTERNAL_GIVEN, format);
  return ops::zero_(t);
}
inline Tensor ones_like(const Tensor& self, TENON_INTERNAL_OPTIONS, std::optional<MemoryFormat> format) {
  AutoDispatchBelowADInplaceOrView guard;
  Tensor t = empty_like_of(self, TENON_INTERNAL_GIVEN, format);
  return ops::fill_(t, 1);
}
inline Tensor full_like(const Tensor& self, const Scalar& value, TENON_INTERNAL_OPTIONS,
                        std::optional<MemoryFormat> format) {
  AutoDispatchBelowADInplaceOrView guard;
  Tensor t = empty_like_of(self, TENON_INTERNAL_GIVEN, format);
  return ops::fill_(t, value);
}
inline Tensor& empty_like_out(const Tensor& self, std::optional<MemoryFormat> format, Tensor& out) {
  return copy_to_out(empty_like_of(self, TensorOptions{}.or_like(out), format), out);
}
inline Tensor& zeros_like_out(const Tensor& self, std::optional<MemoryFormat> format, Tensor& out) {
  return copy_to_out(
      ops::zeros_like(self, "dtype"_a = out.dtype(), "device"_a = out.device(), "memory_format"_a = format), out);
}
inline Tensor& ones_like_out(const Tensor& self, std::optional<MemoryFormat> format, Tensor& out) {
  return copy_to_out(
      ops::ones_like(self, "dtype"_a = out.dtype(), "device"_a = out.device(), "memory_format"_a = format), out);
}
inline Tensor& full_like_out(const Tensor& self, const Scalar& value, std::optional<MemoryFormat> format, Tensor& out) {
  return copy_to_out(
      ops::full_like(self, value, "dtype"_a = out.dtype(), "device"_a = out.device(), "memory_format"_a = format), out);
}

inline Tensor new_empty(const Tensor& self, SymIntArrayRef size, TENON_INTERNAL_OPTIONS) {
  return composite::empty(size, TENON_INTERNAL_GIVEN.or_like(self));
}
inline Tensor new_zeros(const Tensor& self, SymIntArrayRef size, TENON_INTERNAL_OPTIONS) {
  AutoDispatchBelowADInplaceOrView guard;
  return zeros_of(size, TENON_INTERNAL_GIVEN.or_like(self));
}
inline Tensor new_ones(const Tensor& self, SymIntArrayRef size, TENON_INTERNAL_OPTIONS) {
  AutoDispatchBelowADInplaceOrView guard;
  return full_of(size, 1, TENON_INTERNAL_GIVEN.or_like(self));
}
inline Tensor new_full(const Tensor& self, SymIntArrayRef size, const Scalar& value, TENON_INTERNAL_OPTIONS) {
  AutoDispatchBelowADInplaceOrView guard;
  return full_of(size, value, TENON_INTERNAL_GIVEN.or_like(self));
}
inline Tensor& new_empty_out(const Tensor& self, SymIntArrayRef size, Tensor& out) {
  return copy_to_out(ops::new_empty(self, size, "dtype"_a = out.dtype(), "device"_a = out.device()), out);
}
inline Tensor& new_zeros_out(const Tensor& self, SymIntArrayRef size, Tensor& out) {
  return copy_to_out(ops::new_zeros(self, size, "dtype"_a = out.dtype(), "device"_a = out.device()), out);
}
inline Tensor& new_ones_out(const Tensor& self, SymIntArrayRef size, Tensor& out) {
  return copy_to_out(ops::new_ones(self, size, "dtype"_a = out.dtype(), "device"_a = out.device()), out);
}
inline Tensor& new_full_out(const Tensor& self, SymIntArrayRef size, const Scalar& value, Tensor& out) {
  return copy_to_out(ops::new_full(self, size, value, "dtype"_a = out.dtype(), "device"_a = out.device()), out);
}

// --- counted ---

inline Tensor& arange_start_out_meta(const Scalar& start, const Scalar& end, const Scalar& step, Tensor& out) {
  resize_for_arange(start, end, step, out);
  return out;
}
inline Tensor& arange_out(const Scalar& end, Tensor& out) { return ops::arange(0, end, "out"_a = out); }

inline Tensor arange_start_step(const Scalar& start, const Scalar& end, const Scalar& step, TENON_INTERNAL_OPTIONS) {
  bool whole = start.is_integral(true) && end.is_integral(true) && step.is_integral(true);
  ScalarType type = dtype.value_or(whole ? kLong : get_default_dtype());
  Tensor t = composite::empty(arange_length(type, start, end, step), TENON_INTERNAL_GIVEN.with(type));
  if (t.is_meta()) return t;
  AutoDispatchBelowADInplaceOrView guard;
  return ops::arange(start, end, step, "out"_a = t);
}
inline Tensor arange_start(const Scalar& start, const Scalar& end, TENON_INTERNAL_OPTIONS) {
  return arange_start_step(start, end, 1, dtype, layout, device, pin_memory);
}
inline Tensor arange(const Scalar& end, TENON_INTERNAL_OPTIONS) {
  return arange_start_step(0, end, 1, dtype, layout, device, pin_memory);
}
inline Tensor range_step(const Scalar& start, const Scalar& end, const Scalar& step, TENON_INTERNAL_OPTIONS) {
  Tensor t = composite::empty(0, TENON_INTERNAL_GIVEN);
  AutoDispatchBelowADInplaceOrView guard;
  return ops::range_step_out(start, end, step, t);
}
inline Tensor range(const Scalar& start, const Scalar& end, TENON_INTERNAL_OPTIONS) {
  return range_step(start, end, 1, dtype, layout, device, pin_memory);
}
inline Tensor& range_out(const Scalar& start, const Scalar& end, Tensor& out) {
  return ops::range_step_out(start, end, 1, out);
}
inline Tensor& range_step_out_meta(const Scalar& start, const Scalar& end, const Scalar& step, Tensor& out) {
  resize_for_range(start, end, step, out);
  return out;
}

#undef TENON_INTERNAL_OPTIONS
#undef TENON_INTERNAL_GIVEN

}  // namespace tenon::composite

TENON_LIBRARY_FRAGMENT(aten, m) {
  using namespace tenon;
  m.def<ops::empty_memory_format>()
      .def<ops::empty_memory_format_out>()
      .def<ops::empty_strided_base>()
      .def<ops::empty_like_base>()
      .def<ops::empty_like_base_out>();
  m.def<ops::zeros_base>().def<ops::zeros_base_out>().def<ops::zeros_like_base>().def<ops::zeros_like_base_out>();
  m.def<ops::ones_base>().def<ops::ones_base_out>().def<ops::ones_like_base>().def<ops::ones_like_base_out>();
  m.def<ops::full_base>()
      .def<ops::full_base_out>()
      .def<ops::full_like_base>()
      .def<ops::full_like_base_out>()
      .def<ops::scalar_tensor_base>()
      .def<ops::scalar_tensor_base_out>();
  m.def<ops::eye_base>().def<ops::eye_base_out>().def<ops::eye_m>().def<ops::eye_m_out>();
  m.def<ops::arange_base>()
      .def<ops::arange_base_out>()
      .def<ops::arange_start>()
      .def<ops::arange_start_step_out>()
      .def<ops::arange_start_step>();
  m.def<ops::range_step>().def<ops::range_step_out>().def<ops::range_base>().def<ops::range_base_out>();
  m.def<ops::new_empty_base>().def<ops::new_empty_base_out>().def<ops::new_zeros_base>().def<ops::new_zeros_base_out>();
  m.def<ops::new_ones_base>().def<ops::new_ones_base_out>().def<ops::new_full_base>().def<ops::new_full_base_out>();
}
TENON_LIBRARY_IMPL(aten, BackendSelect, m) {
  using namespace tenon;
  composite::select_back_end<ops::empty_memory_format>(m);
  composite::select_back_end<ops::empty_strided_base>(m);
  composite::select_back_end<ops::zeros_base>(m);
  composite::select_back_end<ops::ones_base>(m);
  composite::select_back_end<ops::full_base>(m);
  composite::select_back_end<ops::scalar_tensor_base>(m);
  composite::select_back_end<ops::eye_base, ops::eye_m>(m);
  composite::select_back_end<ops::arange_base>(m);
  composite::select_back_end<ops::arange_start>(m);
  composite::select_back_end<ops::arange_start_step, ops::range_step>(m);
  composite::select_back_end<ops::range_base>(m);
}
TENON_LIBRARY_IMPL(aten, Meta, m) {
  using namespace tenon;
  m.impl<ops::empty_memory_format, &composite::empty_meta>();
  m.impl<ops::empty_strided_base, &composite::empty_strided_meta>();
  m.impl<ops::arange_start_step_out, &composite::arange_start_out_meta>();
  m.impl<ops::range_step_out, &composite::range_step_out_meta>();
}
TENON_LIBRARY_IMPL(aten, CompositeExplicitAutograd, m) {
  using namespace tenon;
  namespace k = tenon::composite;
  m.impl<ops::empty_memory_format_out, &k::empty_out>()
      .impl<ops::empty_like_base, &k::empty_like>()
      .impl<ops::empty_like_base_out, &k::empty_like_out>();
  m.impl<ops::zeros_base, &k::zeros>()
      .impl<ops::zeros_base_out, &k::zeros_out>()
      .impl<ops::zeros_like_base, &k::zeros_like>()
      .impl<ops::zeros_like_base_out, &k::zeros_like_out>();
  m.impl<ops::ones_base, &k::ones>()
      .impl<ops::ones_base_out, &k::ones_out>()
      .impl<ops::ones_like_base, &k::ones_like>()
      .impl<ops::ones_like_base_out, &k::ones_like_out>();
  m.impl<ops::full_base, &k::full>()
      .impl<ops::full_base_out, &k::full_out>()
      .impl<ops::full_like_base, &k::full_like>()
      .impl<ops::full_like_base_out, &k::full_like_out>();
  m.impl<ops::scalar_tensor_base, &k::scalar_tensor>().impl<ops::scalar_tensor_base_out, &k::scalar_tensor_out>();
  m.impl<ops::eye_base, &k::eye>()
      .impl<ops::eye_base_out, &k::eye_out>()
      .impl<ops::eye_m, &k::eye_m>()
      .impl<ops::eye_m_out, &k::eye_m_out>();
  m.impl<ops::arange_base, &k::arange>()
      .impl<ops::arange_base_out, &k::arange_out>()
      .impl<ops::arange_start, &k::arange_start>()
      .impl<ops::arange_start_step, &k::arange_start_step>();
  m.impl<ops::range_step, &k::range_step>()
      .impl<ops::range_base, &k::range>()
      .impl<ops::range_base_out, &k::range_out>();
  m.impl<ops::new_empty_base, &k::new_empty>()
      .impl<ops::new_empty_base_out, &k::new_empty_out>()
      .impl<ops::new_zeros_base, &k::new_zeros>()
      .impl<ops::new_zeros_base_out, &k::new_zeros_out>();
  m.impl<ops::new_ones_base, &k::new_ones>()
      .impl<ops::new_ones_base_out, &k::new_ones_out>()
      .impl<ops::new_full_base, &k::new_full>()
      .impl<ops::new_full_base_out, &k::new_full_out>();
}
