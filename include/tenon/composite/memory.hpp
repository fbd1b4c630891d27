// Tensors in pinned memory.
#pragma once
#include <tenon/composite/options.hpp>
#include <tenon/composite/out_by_copy.hpp>
#include <tenon/composite/pinned_memory.hpp>
#include <tenon/library/library.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/memory.hpp>

namespace tenon::composite {

/// The device does not matter: what one device of CUDA may read every one may.
inline bool is_pinned(const Tensor& self, std::optional<Device>) {
  return self.is_cpu() && is_pinned_memory(self->storage()->data());
}
inline Tensor pin_memory(const Tensor& self, std::optional<Device> device) {
  return is_pinned(self, device) ? self : Tensor(ops::_pin_memory(self, device));
}
/// Strides are kept where elements lie without gaps.
inline Tensor copy_to_pinned(const Tensor& self, std::optional<Device> device) {
  TENON_CHECK(!device || device->type == DeviceType::CUDA, NotImplementedError,
              "pin_memory(): no pinned memory for device ", *device);
  TENON_CHECK(self.is_cpu(), ValueError, "cannot pin a tensor of device ", self.device(),
              "; only dense CPU tensors can be pinned");
  AutoDispatchBelowADInplaceOrView guard;
  TensorOptions o{};
  o.pin_memory = true;
  Tensor out = empty_preserving(self, o.or_like(self));
  return ops::copy_(out, self);
}

}  // namespace tenon::composite

TENON_LIBRARY_FRAGMENT(aten, m) {
  using namespace tenon;
  m.def<ops::is_pinned_base>().def<ops::pin_memory_base>().def<ops::record_stream_base>();
  m.def<ops::_pin_memory_base>().def<ops::_pin_memory_base_out>();
}
TENON_LIBRARY_IMPL(aten, CompositeImplicitAutograd, m) {
  m.impl<tenon::ops::pin_memory_base, &tenon::composite::pin_memory>();
}
TENON_LIBRARY_IMPL(aten, CompositeExplicitAutograd, m) {
  using namespace tenon;
  m.impl<ops::is_pinned_base, &composite::is_pinned>().impl<ops::_pin_memory_base, &composite::copy_to_pinned>();
  composite::implement_out_by_copy<ops::_pin_memory_base_op>(m, Place{__FILE__, __LINE__});
}
