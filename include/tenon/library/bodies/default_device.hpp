// The kernel that names the default device in calls of factories.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/boxing/each_tensor.hpp>
#include <tenon/dispatch/registry.hpp>
#include <tenon/library/default_device.hpp>

namespace tenon {
namespace detail {

inline void name_device(const OperatorHandle& op, KeySet keys, Stack& stack) {
  const schema::SchemaView& s = op.schema();
  const std::size_t first = stack.size() - s.n_args();
  if (int device = s.find_argument("device"); device >= 0) {
    Value& given = stack[first + static_cast<std::size_t>(device)];
    bool like_a_tensor = false;
    for (std::size_t i = first; i < stack.size(); ++i)
      each_tensor(stack[i], [&](const Tensor&) { like_a_tensor = true; });
    if (given.is_none() && !like_a_tensor) given = Value(default_device);
  }
  // What an operator calls knows where it makes what.
  ExcludeDispatchKeyGuard within(kDefaultDeviceKey);
  op.redispatch_boxed(keys & KeySet::full_after(kDefaultDeviceKey), stack);
}
inline void install_name_device() {
  static const Kernel kernel([](const OperatorHandle& op, KeySet keys, Stack& stack) { name_device(op, keys, stack); });
  static Registration fallback;
  Registry& registry = Registry::get();
  Registry::Lock lock(registry);
  const Kernel::State* there = registry.tables().fallback_at(kDefaultDeviceKey);
  if (there && there->record.boxed != kernel.state()->record.boxed)
    fail<RegistrationError>("set_default_device(): the key ", kDefaultDeviceKey, " has another fallback (",
                            there->place, "); end that registration");
  if (!there) fallback = registry.add_fallback(kDefaultDeviceKey, kernel, Place(__FILE__, __LINE__));
}

}  // namespace detail

TENON_COLD_BODY void set_default_device(std::optional<Device> device) {
  if (device) detail::install_name_device();
  detail::default_device = device.value_or(kCPU);
  set_included(detail::kDefaultDeviceKey, device.has_value());
}

}  // namespace tenon
