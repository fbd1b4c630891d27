// What the back ends' kernels of empty and arange share: checks, geometry, lengths.
#pragma once
#include <cmath>

#include <tenon/composite/out_by_copy.hpp>
#include <tenon/composite/pinned_memory.hpp>
#include <tenon/tensor/default_dtype.hpp>
#include <tenon/tensor/create.hpp>
#include <tenon/tensor/symbolic.hpp>

namespace tenon::composite {

inline void check_strided(const std::optional<Layout>& layout) {
  TENON_CHECK(layout.value_or(Layout::Strided) == Layout::Strided, NotImplementedError,
              "empty(): expected layout strided, got ", *layout);
}
/// Meta tensors stand for those of every device.
inline void check_pinnable(DeviceType type) {
  TENON_CHECK(type == DeviceType::CPU || type == DeviceType::Meta, ValueError, "Only dense CPU tensors can be pinned");
}
/// A tensor of the host in pinned memory.
inline Tensor make_pinned_tensor(IntArrayRef size, IntArrayRef stride, ScalarType dtype) {
  // The geometry is a Meta tensor's, which judges it.
  Tensor shaped = make_tensor(size, stride, dtype, kMeta);
  Allocator& from = pinned_allocator();
  std::size_t bytes = shaped->storage()->nbytes();
  Tensor t(intrusive_ptr<TensorImpl>::adopt(new TensorImpl(StorageImpl::adopt(from.allocate(bytes), bytes, &from),
                                                           new_tensor_keys(DeviceType::CPU), dtype, kCPU)));
  t->set_geometry(shaped.sizes(), shaped.strides(), 0);
  if (is_inference_mode()) t->set_inference(true);
  return t;
}

/// The strides of a new tensor in a memory format; none for row-major ones.
template <class Int>
dims_t<Int> strides_of_format(ArrayRef<Int> size, std::optional<MemoryFormat> format) {
  MemoryFormat order = format.value_or(MemoryFormat::Contiguous);
  TENON_CHECK(order != MemoryFormat::Preserve, ValueError, "unsupported memory format Preserve");
  if (order == MemoryFormat::Contiguous) return {};
  return strides_for(size, order);
}
template <class Int>
void check_strides(ArrayRef<Int> size, ArrayRef<Int> stride) {
  TENON_CHECK(size.size() == stride.size(), ValueError, "dimensionality of sizes (", size.size(),
              ") must match dimensionality of strides (", stride.size(), ")");
  for (const Int& s : stride)
    TENON_CHECK(s >= 0, ValueError, "Storage size calculation overflowed with sizes=", size, " and strides=", stride);
}

template <DeviceType Type>
[[gnu::noinline]] Tensor empty_on(IntArrayRef size, std::optional<ScalarType> dtype,
                                  const std::optional<Layout>& layout, const std::optional<Device>& device,
                                  const std::optional<bool>& pin_memory, const std::optional<MemoryFormat>& format) {
  check_strided(layout);
  DimVector strides = strides_of_format(size, format);
  if (pin_memory.value_or(false)) {
    check_pinnable(Type);
    if constexpr (Type == DeviceType::CPU)
      return make_pinned_tensor(size, strides, dtype.value_or(get_default_dtype()));
  }
  return make_tensor(size, strides, dtype.value_or(get_default_dtype()), device.value_or(Device(Type)));
}
template <DeviceType Type>
Tensor empty_strided_on(IntArrayRef size, IntArrayRef stride, std::optional<ScalarType> dtype,
                        std::optional<Layout> layout, std::optional<Device> device, std::optional<bool> pin_memory) {
  check_strided(layout);
  check_strides(size, stride);
  if (pin_memory.value_or(false)) {
    check_pinnable(Type);
    if constexpr (Type == DeviceType::CPU) return make_pinned_tensor(size, stride, dtype.value_or(get_default_dtype()));
  }
  return make_tensor(size, stride, dtype.value_or(get_default_dtype()), device.value_or(Device(Type)));
}

/// How many values the range holds; whole numbers are counted as integers so that long ranges stay exact.
inline std::int64_t arange_length(ScalarType type, const Scalar& start, const Scalar& end, const Scalar& step) {
  TENON_CHECK(is_floating_type(type) || is_integral_type(type, false), NotImplementedError, "arange(): dtype ", type,
              " is not implemented");
  double a = start.to_double(), b = end.to_double(), s = step.to_double(), length;
  TENON_CHECK(s > 0 || s < 0, ValueError, "step must be nonzero");
  TENON_CHECK(std::isfinite(a) && std::isfinite(b), ValueError, "unsupported range: ", a, " -> ", b);
  TENON_CHECK(s > 0 ? b >= a : b <= a, ValueError, "upper bound and lower bound inconsistent with step sign");
  if (type == kLong && start.is_integral(true) && end.is_integral(true) && step.is_integral(true)) {
    std::int64_t i = start.to_int(), j = end.to_int(), k = step.to_int();
    std::int64_t count = (j - i + k - (k > 0 ? 1 : -1)) / k;
    length = static_cast<double>(count);
  } else {
    length = std::ceil((b - a) / s);
  }
  TENON_CHECK(length >= 0 && length <= 0x1p62, ValueError, "invalid size, possible overflow?");
  return static_cast<std::int64_t>(length);
}

/// Gives `out` the shape of the range; returns how many values it holds.
inline std::int64_t resize_for_arange(const Scalar& start, const Scalar& end, const Scalar& step, Tensor& out) {
  AutoDispatchBelowADInplaceOrView guard;
  std::int64_t n = arange_length(out.dtype(), start, end, step);
  if (out.sym_numel() != n) resize_out(out, n);
  return n;
}

/// The same for `range`, to which both ends belong; the dtype's rounding of ends and step decides.
inline std::int64_t resize_for_range(const Scalar& start, const Scalar& end, const Scalar& step, Tensor& out) {
  const ScalarType type = out.dtype();
  if (!(is_floating_type(type) && has_arithmetic(type)) && !is_integral_type(type, false))
    not_implemented_for("range_cpu", type);
  const bool whole = is_integral_type(type, false);
  auto number = [&](const Scalar& s) { return whole ? static_cast<double>(s.to_int()) : s.to_double(); };
  TENON_CHECK(std::isfinite(start.to_double()) && std::isfinite(end.to_double()), ValueError,
              "unsupported range: ", start.to_double(), " -> ", end.to_double());
  const double a = number(start), b = number(end), s = number(step);
  TENON_CHECK(s > 0 || s < 0, ValueError, "step must be nonzero");
  TENON_CHECK(s > 0 ? b >= a : b <= a, ValueError, "upper bound and lower bound inconsistent with step sign");
  const double length = (b - a) / s + 1;
  TENON_CHECK(length <= 0x1p62, ValueError, "invalid size, possible overflow?");
  AutoDispatchBelowADInplaceOrView guard;
  const auto n = static_cast<std::int64_t>(length);
  if (out.sym_numel() != n) resize_out(out, n);
  return n;
}

}  // namespace tenon::composite
