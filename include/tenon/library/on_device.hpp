// Kernels of back ends with several devices: the check that all tensors are on one, and the guard that makes it
// current.
#pragma once
#include <optional>

#include <tenon/boxing/each_tensor.hpp>
#include <tenon/boxing/kernel.hpp>
#include <tenon/dispatch/device_guard.hpp>
#include <tenon/library/declaration.hpp>

namespace tenon {

/// Whether kernels at a key are of a back end that may have several devices: not CPU, not Meta, no layer.
constexpr bool has_devices(DispatchKey key) {
  BackendComponent b = backend_of(key);
  return b != BackendComponent::Invalid && b != BackendComponent::CPU && b != BackendComponent::Meta &&
         functionality_of(key) != DispatchKey::AutogradFunctionality;
}

namespace detail {

/// Throws ValueError: `argument` is on another device than the tensors before it.
[[noreturn]] void device_mismatch(std::string_view op, std::string_view argument, Device found, Device expected);

/// The device of a call: of its first tensor, or of the option of a factory.
class DeviceOfCall {
 public:
  template <class A>
  void see(const A& argument, bool check, const schema::SchemaView& schema, std::size_t i) {
    if constexpr (std::is_same_v<A, std::optional<Device>>) {
      if (argument && !device_) option_ = *argument;
    } else if constexpr (holds_tensors<A>())
      each_tensor(argument, [&](const Tensor& t) {
        if (!device_)
          device_ = t.device();
        else if (check && t.device() != *device_)
          device_mismatch(schema.operator_name(), i < schema.n_args() ? schema.arg_name(i) : "out", t.device(),
                          *device_);
      });
  }
  std::optional<Device> device() const { return device_ ? device_ : option_; }

 private:
  std::optional<Device> device_, option_;
};

template <class Op, class... A>
void enter_device(std::optional<DeviceGuard>& guard, const A&... args) {
  DeviceOfCall of;
  std::size_t i = 0;
  (of.see(args, facts_v<Op>.device_check, view_v<Op>, i++), ...);
  if (facts_v<Op>.device_guard && of.device()) guard.emplace(*of.device());
}
/// A kernel behind its operator's device check and device guard; it has the kernel's own type.
template <class Op, auto F, class Sig = typename callable_of<decltype(F)>::type,
          bool TakesKeys = callable_of<decltype(F)>::takes_keys>
struct on_device;
template <class Op, auto F, class R, class... A>
struct on_device<Op, F, R(A...), false> {
  static R call(A... args) {
    std::optional<DeviceGuard> guard;
    enter_device<Op, std::remove_cvref_t<A>...>(guard, args...);
    return F(static_cast<A&&>(args)...);
  }
};
template <class Op, auto F, class R, class... A>
struct on_device<Op, F, R(A...), true> {
  static R call(KeySet keys, A... args) {
    std::optional<DeviceGuard> guard;
    enter_device<Op, std::remove_cvref_t<A>...>(guard, args...);
    return F(keys, static_cast<A&&>(args)...);
  }
};
/// The kernel to register for a key: the function itself, or behind check and guard if the operator wants either.
template <class Op, auto F, DispatchKey Key>
constexpr auto kernel_for() {
  if constexpr (!std::is_pointer_v<decltype(F)> || !has_devices(Key) || !is_well_formed_v<Op>)
    return F;
  else if constexpr (!kernel_types_ok_v<typename callable_of<decltype(F)>::type> ||
                     !(facts_v<Op>.device_check || facts_v<Op>.device_guard))
    return F;
  else
    return &on_device<Op, F>::call;
}

}  // namespace detail
}  // namespace tenon
