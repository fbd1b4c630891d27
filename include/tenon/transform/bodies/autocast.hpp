// The kernel that casts, what it keeps, and the scopes.
#pragma once
#include <algorithm>
#include <string>
#include <unordered_map>

#include <tenon/autograd/mode.hpp>
#include <tenon/base/body.hpp>
#include <tenon/boxing/each_tensor.hpp>
#include <tenon/boxing/replace_tensors.hpp>
#include <tenon/dispatch/registration_stack.hpp>
#include <tenon/dispatch/registry.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/transform/autocast.hpp>
#include <tenon/transform/detail/autocast_rules.hpp>

namespace tenon {
namespace detail {

/// What leaves are cast to. Holds them, so that no other gets their address.
class AutocastCache {
 public:
  Tensor cast(const Tensor& leaf, ScalarType dtype) {
    Entry& e = entries_[leaf.operator->()];
    // A cast that was made unrecorded has no gradient to give.
    if (e.cast.defined() && e.cast.dtype() == dtype && e.version == leaf.version() &&
        (e.cast.requires_grad() || !is_grad_enabled()))
      return e.cast;
    Tensor made = ops::to(leaf, dtype);
    // What a transform wraps ends with the transform.
    if (dense_keys(leaf.device().type).has_all(made.keys())) e = {leaf, made, leaf.version()};
    return made;
  }
  void clear() { entries_.clear(); }

 private:
  struct Entry {
    Tensor leaf, cast;
    std::uint32_t version = 0;
  };
  std::unordered_map<const TensorImpl*, Entry> entries_;
};

inline bool is_castable(const Tensor& t) {
  return t.device().is_cpu() && is_floating_type(t.dtype()) && t.dtype() != kDouble;
}
inline Tensor autocast_to(const Tensor& t, ScalarType dtype) {
  const bool keep = autocast_cache && autocast_settings.cache_enabled && dtype == autocast_settings.cpu &&
                    t.dtype() == kFloat && dense_keys(t.device().type).has_all(t.keys()) && t.requires_grad() &&
                    t.is_leaf() && !t.is_view() && !t->is_inference();
  return keep ? autocast_cache->cast(t, dtype) : ops::to(t, dtype);
}
inline void call_with_casts(const OperatorHandle& op, Stack& stack, ScalarType dtype) {
  ExcludeDispatchKeyGuard below(DispatchKey::AutocastCPU);
  for (std::size_t i = stack.size() - op.schema().n_args(); i < stack.size(); ++i)
    replace_tensors(stack[i], [&](Tensor& t) {
      if (is_castable(t) && t.dtype() != dtype) t = autocast_to(t, dtype);
    });
  op.call_boxed(stack);
}
inline ScalarType dtype_by_rule(const OperatorHandle& op, const Stack& stack, AutocastRule rule) {
  if (rule == AutocastRule::Float32) return kFloat;
  ScalarType dtype = autocast_settings.cpu;
  if (rule == AutocastRule::Promote)
    for (std::size_t i = stack.size() - op.schema().n_args(); i < stack.size(); ++i)
      each_tensor(stack[i], [&](const Tensor& t) {
        if (is_castable(t) && t.dtype() != autocast_settings.cpu) dtype = kFloat;
      });
  return dtype;
}
inline Kernel autocast_kernel(AutocastRule rule) {
  return Kernel([rule](const OperatorHandle& op, KeySet, Stack& stack) {
    call_with_casts(op, stack, dtype_by_rule(op, stack, rule));
  });
}

inline void check_autocast_device(const char* function, Device device) {
  TENON_CHECK(device.is_cpu(), ValueError, function, ": argument 'device': expected cpu, got ", device);
}
inline RegistrationStack register_autocast_rules() {
  RegistrationStack all;
  Registry& registry = Registry::get();
  Registry::Lock lock(registry);
  // Operators without a rule.
  if (!registry.tables().fallback_at(DispatchKey::AutocastCPU))
    all.push(registry.add_fallback(DispatchKey::AutocastCPU, Kernel(fallthrough()), Place(__FILE__, __LINE__)));
  auto add = [&](AutocastRule rule, std::string_view names) {
    const Kernel kernel = autocast_kernel(rule);
    for (std::size_t end = 0; !names.empty(); names.remove_prefix(std::min(end + 1, names.size()))) {
      end = std::min(names.find(' '), names.size());
      const std::string name = concat("aten::", names.substr(0, end));
      // Another shared object may have been first, or a user with a rule of his own.
      OperatorEntry* known = registry.find(name);
      if (known && known->kernel_at(DispatchKey::AutocastCPU)) continue;
      all.push(registry.implement(name, DispatchKey::AutocastCPU, Kernel(kernel), Place(__FILE__, __LINE__)));
    }
  };
  add(AutocastRule::LowerPrecision, autocast_lower_precision);
  add(AutocastRule::Float32, autocast_float32);
  add(AutocastRule::Promote, autocast_promote);
  return all;
}
inline void install_autocast_rules() { static const RegistrationStack rules = register_autocast_rules(); }
inline Registration implement_autocast(std::string_view name, Device device, Kernel kernel) {
  check_autocast_device("register_autocast()", device);
  TENON_CHECK(name.find("::") != std::string_view::npos, ValueError,
              "register_autocast(): argument 'name': expected a namespace and a name, such as 'my::op', got '", name,
              "'");
  install_autocast_rules();  // before, so that what the user says counts
  return Registry::get().implement(name, DispatchKey::AutocastCPU, std::move(kernel).override_existing(),
                                   Place(__FILE__, __LINE__));
}

}  // namespace detail

TENON_COLD_BODY AutocastGuard::AutocastGuard(Device device, AutocastOptions options) {
  detail::check_autocast_device("AutocastGuard", device);
  AutocastSettings& now = detail::autocast_settings;
  const ScalarType dtype = options.dtype.value_or(now.cpu);
  TENON_CHECK(dtype == kBFloat16 || dtype == kHalf, ValueError,
              "AutocastGuard: option 'dtype': expected bfloat16 or float16, got ", dtype);
  if (options.enabled) detail::install_autocast_rules();
  if (!detail::autocast_cache) {
    cache_.reset(new detail::AutocastCache);
    detail::autocast_cache = cache_.get();
  }
  now.cpu = dtype;
  now.cache_enabled = options.cache_enabled.value_or(now.cache_enabled);
  set_excluded(DispatchKey::AutocastCPU, !options.enabled);
}
TENON_COLD_BODY AutocastGuard::~AutocastGuard() {
  before_.swap();
  if (cache_) detail::autocast_cache = nullptr;
}

TENON_COLD_BODY bool is_autocast_enabled(Device device) {
  detail::check_autocast_device("is_autocast_enabled()", device);
  return !is_excluded(DispatchKey::AutocastCPU);
}
TENON_COLD_BODY ScalarType get_autocast_dtype(Device device) {
  detail::check_autocast_device("get_autocast_dtype()", device);
  return detail::autocast_settings.cpu;
}
TENON_COLD_BODY bool is_autocast_cache_enabled() { return detail::autocast_settings.cache_enabled; }
TENON_COLD_BODY void clear_autocast_cache() {
  if (detail::autocast_cache) detail::autocast_cache->clear();
}

TENON_COLD_BODY Registration register_autocast(std::string_view name, Device device, AutocastRule rule) {
  return detail::implement_autocast(name, device, detail::autocast_kernel(rule));
}
TENON_COLD_BODY Registration register_autocast(std::string_view name, Device device, ScalarType cast_inputs) {
  TENON_CHECK(is_floating_type(cast_inputs), ValueError,
              "register_autocast(): argument 'cast_inputs': expected a floating dtype, got ", cast_inputs);
  return detail::implement_autocast(name, device, Kernel([cast_inputs](const OperatorHandle& op, KeySet, Stack& stack) {
                                      detail::call_with_casts(op, stack, cast_inputs);
                                    }));
}

}  // namespace tenon
