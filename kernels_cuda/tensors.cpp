// Registers what tensors on a device need first: memory, copies between devices, fills.
#include <tenon/base/component.hpp>
#include <tenon/composite/copy_checks.hpp>
#include <tenon/composite/new_tensor.hpp>
#include <tenon/composite/pinned_memory.hpp>
#include <tenon/dispatch/device_guard.hpp>
#include <tenon/library/library.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/memory.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/tensor/devices_allocator.hpp>
#include <tenon/tensor/overlap.hpp>

#include "support.hpp"

namespace tenon::cuda {
namespace {

/// The device's memory as tensors take it.
class DeviceAllocator final : public DevicesAllocator {
 public:
  DataPtr allocate_on(std::size_t bytes, Device device) override {
    if (!device.has_index()) return allocate(bytes);
    DeviceGuard guard(device);
    return allocate(bytes);
  }
  DataPtr allocate(std::size_t bytes) override {
    void* data = bytes ? runtime::allocate(bytes) : nullptr;
    return DataPtr(data, data, &give, Device(DeviceType::CUDA, runtime::current_device()));
  }

 private:
  static void give(void* data) {
    if (data) runtime::release(data);
  }
};

/// Memory of the host that devices read and write by themselves.
class HostAllocator final : public Allocator {
 public:
  DataPtr allocate(std::size_t bytes) override {
    void* data = bytes ? runtime::allocate_pinned(bytes) : nullptr;
    return DataPtr(data, data, &give, kCPU);
  }
  static Allocator& get() {
    static HostAllocator allocator;
    TENON_CHECK(runtime::device_count() > 0, ValueError, "pin_memory(): no device cuda:0: the process has 0 of CUDA");
    return allocator;
  }

 private:
  static void give(void* data) {
    if (data) runtime::release_pinned(data);
  }
};

Device device_for(const std::optional<Device>& asked) {
  Device device = asked.value_or(Device(DeviceType::CUDA));
  int count = runtime::device_count();
  // Without a driver there is no current device to ask for.
  if (!device.has_index()) device.index = count > 0 ? runtime::current_device() : std::int8_t{0};
  TENON_CHECK(device.index < count, ValueError, "no device ", device, ": the process has ", count, " of CUDA");
  return device;
}
Tensor empty(IntArrayRef size, std::optional<ScalarType> dtype, std::optional<Layout> layout,
             std::optional<Device> device, std::optional<bool> pin_memory, std::optional<MemoryFormat> format) {
  Device on = device_for(device);
  DeviceGuard guard(on);
  return composite::empty_on<DeviceType::CUDA>(size, dtype, layout, on, pin_memory, format);
}
Tensor empty_strided(IntArrayRef size, IntArrayRef stride, std::optional<ScalarType> dtype,
                     std::optional<Layout> layout, std::optional<Device> device, std::optional<bool> pin_memory) {
  Device on = device_for(device);
  DeviceGuard guard(on);
  return composite::empty_strided_on<DeviceType::CUDA>(size, stride, dtype, layout, on, pin_memory);
}
Tensor& resize_(Tensor& self, IntArrayRef size, std::optional<MemoryFormat> format) {
  for (auto s : size) TENON_CHECK(s >= 0, ValueError, "resize_(): expected sizes of at least 0, got ", size);
  MemoryFormat order = format.value_or(MemoryFormat::Contiguous);
  TENON_CHECK(order != MemoryFormat::Preserve, ValueError, "Unsupported memory format ", order);
  if (self.sizes() == size && !format) return self;
  DimVector strides = strides_for(size, order);
  std::size_t bytes = storage_bytes(size, strides, self.element_size(), self.storage_offset()),
              before = self->storage()->nbytes();
  if (bytes > before) {
    auto had = static_cast<std::int64_t>(before);
    Tensor kept = make_tensor({&had, 1}, {}, kByte, self.device());
    if (before) runtime::copy_on_device(kept.data_ptr(), self->storage()->data(), before);
    self->storage()->resize(bytes);
    if (before) runtime::copy_on_device(self->storage()->data(), kept.data_ptr(), before);
  }
  self->set_geometry(size, strides, self.storage_offset());
  return self;
}

/// A row-major tensor of the CPU with what `self` gets from `src`, without flags.
Tensor on_host(const Tensor& src, IntArrayRef sizes, ScalarType dtype) {
  Tensor host = make_tensor(sizes, {}, dtype);
  ops::copy_(host, src);
  return host;
}
bool has_flags(const Tensor& t) { return t.is_conj() || t.is_neg(); }
bool is_plain(const Tensor& t) { return t.is_contiguous() && !has_flags(t); }
/// Elements in row-major order, without flags, on the device that they are on.
Tensor plain(const Tensor& t, ScalarType dtype) {
  if (is_plain(t) && t.dtype() == dtype) return t;
  Tensor fresh = make_tensor(t.sizes(), {}, dtype, t.device());
  copy_elements(fresh, t, t.is_conj(), t.is_neg());
  return fresh;
}
void copy_home(Tensor& self, const Tensor& src, bool non_blocking) {
  DeviceGuard guard(src.device());
  bool direct = is_plain(self) && self.sizes() == src.sizes();
  // The host converts, but into pinned memory elements go as they are to be, and nobody waits.
  if (non_blocking && direct && runtime::is_pinned(self.data_ptr())) {
    Tensor from = plain(src, self.dtype());
    runtime::copy_pinned(self.data_ptr(), from.data_ptr(), self.nbytes(), self.data_ptr());
    return;
  }
  Tensor from = plain(src, src.dtype());
  if (direct && self.dtype() == src.dtype()) {
    runtime::copy_to_host(self.data_ptr(), from.data_ptr(), self.nbytes());
    return;
  }
  Tensor host = make_tensor(src.sizes(), {}, src.dtype());
  runtime::copy_to_host(host.data_ptr(), from.data_ptr(), host.nbytes());
  ops::copy_(self, host);
}
void copy_there(Tensor& self, const Tensor& src, bool non_blocking) {
  DeviceGuard guard(self.device());
  bool as_is = is_plain(src) && src.dtype() == self.dtype() && src.sizes() == self.sizes();
  Tensor host = as_is ? src : on_host(src, self.sizes(), self.dtype());
  bool direct = is_plain(self);
  Tensor to = direct ? self : make_tensor(self.sizes(), {}, self.dtype(), self.device());
  if (non_blocking && runtime::is_pinned(host.data_ptr()))
    runtime::copy_pinned(to.data_ptr(), host.data_ptr(), host.nbytes(), host.data_ptr());
  else
    runtime::copy_to_device(to.data_ptr(), host.data_ptr(), host.nbytes());
  if (!direct) copy_elements(self, to, self.is_conj(), self.is_neg());
}
void copy_across(Tensor& self, const Tensor& src) {
  Tensor from;
  {
    DeviceGuard guard(src.device());
    from = plain(src, self.dtype());
  }
  DeviceGuard guard(self.device());
  bool direct = is_plain(self) && self.sizes() == src.sizes();
  Tensor to = direct ? self : make_tensor(src.sizes(), {}, self.dtype(), self.device());
  runtime::copy_across(to.data_ptr(), self.device().index, from.data_ptr(), src.device().index, from.nbytes());
  if (!direct) copy_elements(self, to, self.is_conj(), self.is_neg());
}
Tensor& copy_(Tensor& self, const Tensor& src, bool non_blocking) {
  if (self.is_same(src)) return self;
  composite::check_copied(src);
  composite::check_has_data(src);
  composite::check_shape_for_copy(self, src);
  if (self.numel() == 0) return self;
  AutoDispatchBelowADInplaceOrView below;
  auto is_here = [](const Tensor& t) { return t.device().type == DeviceType::CUDA; };
  TENON_CHECK((is_here(self) || self.is_cpu()) && (is_here(src) || src.is_cpu()), NotImplementedError,
              "copy_(): no kernel copies from device ", src.device(), " to ", self.device());
  check_no_internal_overlap(self);
  if (!is_here(self)) {
    copy_home(self, src, non_blocking);
  } else if (!is_here(src)) {
    copy_there(self, src, non_blocking);
  } else if (self.device() != src.device()) {
    copy_across(self, src);
  } else {
    DeviceGuard guard(self.device());
    bool conjugate = self.is_conj() != src.is_conj(), negate = self.is_neg() != src.is_neg();
    if (self->storage() == src->storage()) {
      if (is_same_view(self, src) && !conjugate && !negate) return self;
      check_no_partial_overlap(self, src);
    }
    copy_elements(self, src, conjugate, negate);
  }
  return self;
}
void record_stream(Tensor& self, Stream stream) {
  TENON_CHECK(stream.device.type == DeviceType::CUDA, ValueError,
              "record_stream(): expected a stream of CUDA, got one ", "of ", stream.device);
  if (const void* data = self->storage()->data()) runtime::record_stream(data, stream);
}

Tensor& fill_Scalar(Tensor& self, const Scalar& value) {
  Operand element;
  element.dtype = self.dtype();
  visit_element_type(self.dtype(), [&]<class T>(type_tag<T>) {
    T v = checked_element<T>(value);
    std::memcpy(element.element, static_cast<const void*>(&v), sizeof v);
  });
  fill_elements(self, element);
  return self;
}
Tensor& fill_Tensor(Tensor& self, const Tensor& value) {
  composite::check_fill_value(value);
  if (value.is_cpu() && !value.is_conj() && !value.is_neg()) {
    fill_elements(self, operand_of(value));
    return self;
  }
  return copy_(self, value, false);
}
Tensor& zero_(Tensor& self) { return fill_Scalar(self, 0); }

/// Behind what the tensor's own device was given.
void read(void* to, const void* from, std::size_t bytes) {
  DeviceGuard guard(Device(DeviceType::CUDA, runtime::device_of(from)));
  runtime::copy_to_host(to, from, bytes);
}

}  // namespace

namespace {
struct Install {
  Install() {
    static DeviceAllocator allocator;
    set_allocator(DeviceType::CUDA, &allocator);
  }
};
const Install install;
}  // namespace

}  // namespace tenon::cuda

extern const tenon::cuda::Component tenon_cuda_component = {TENON_CUDA_TOOLKIT, &tenon::cuda::runtime::device_count,
                                                            &tenon::cuda::read};

extern const tenon::PinnedMemory tenon_cuda_pinned_memory = {&tenon::cuda::HostAllocator::get,
                                                             &tenon::cuda::runtime::is_pinned};

TENON_LIBRARY_IMPL(aten, CUDA, m) {
  using namespace tenon;
  m.impl<ops::empty_memory_format, &cuda::empty>()
      .impl<ops::empty_strided_base, &cuda::empty_strided>()
      .impl<ops::resize_base_, &cuda::resize_>()
      .impl<ops::copy_base_, &cuda::copy_>()
      .impl<ops::fill_Scalar_, &cuda::fill_Scalar>()
      .impl<ops::fill_Tensor_, &cuda::fill_Tensor>()
      .impl<ops::zero_base_, &cuda::zero_>()
      .impl<ops::record_stream_base, &cuda::record_stream>();
}
