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

/// A kind of device that has autocast.
struct AutocastDevice {
  DeviceType type;
  DispatchKey key;
  ScalarType AutocastSettings::*setting;

  ScalarType dtype() const { return autocast_settings.*setting; }
  bool casts(const Tensor& t) const {
    return t.device().type == type && is_floating_type(t.dtype()) && t.dtype() != kDouble;
  }
};
inline constexpr AutocastDevice autocast_on_cpu{DeviceType::CPU, DispatchKey::AutocastCPU, &AutocastSettings::cpu};
inline constexpr AutocastDevice autocast_on_cuda{DeviceType::CUDA, DispatchKey::AutocastCUDA, &AutocastSettings::cuda};

inline Tensor autocast_to(const AutocastDevice& on, const Tensor& t, ScalarType dtype) {
  const bool keep = autocast_cache && autocast_settings.cache_enabled && dtype == on.dtype() && t.dtype() == kFloat &&
                    dense_keys(t.device().type).has_all(t.keys()) && t.requires_grad() && t.is_leaf() && !t.is_view() &&
                    !t->is_inference();
  return keep ? autocast_cache->cast(t, dtype) : ops::to(t, dtype);
}
inline void call_with_casts(const AutocastDevice& on, const OperatorHandle& op, Stack& stack, ScalarType dtype) {
  ExcludeDispatchKeyGuard below(on.key);
  for (std::size_t i = stack.size() - op.schema().n_args(); i < stack.size(); ++i)
    replace_tensors(stack[i], [&](Tensor& t) {
      if (on.casts(t) && t.dtype() != dtype) t = autocast_to(on, t, dtype);
    });
  op.call_boxed(stack);
}
inline ScalarType dtype_by_rule(const AutocastDevice& on, const OperatorHandle& op, const Stack& stack,
                                AutocastRule rule) {
  if (rule == AutocastRule::Float32) return kFloat;
  ScalarType dtype = on.dtype();
  if (rule == AutocastRule::Promote)
    for (std::size_t i = stack.size() - op.schema().n_args(); i < stack.size(); ++i)
      each_tensor(stack[i], [&](const Tensor& t) {
        if (on.casts(t) && t.dtype() != on.dtype()) dtype = kFloat;
      });
  return dtype;
}
inline Kernel autocast_kernel(const AutocastDevice& on, AutocastRule rule) {
  return Kernel([&on, rule](const OperatorHandle& op, KeySet, Stack& stack) {
    call_with_casts(on, op, stack, dtype_by_rule(on, op, stack, rule));
  });
}
/// Of operators whose argument `dtype` says what they compute in.
inline Kernel autocast_result_kernel(const AutocastDevice& on) {
  return Kernel([&on](const OperatorHandle& op, KeySet, Stack& stack) {
    ExcludeDispatchKeyGuard below(on.key);
    const std::size_t first = stack.size() - op.schema().n_args();
    const int at = op.schema().find_argument("dtype");
    if (at >= 0 && on.casts(stack[first].to_tensor())) {
      Value& dtype = stack[first + static_cast<std::size_t>(at)];
      if (dtype.is_none()) dtype = Value(kFloat);
    }
    op.call_boxed(stack);
  });
}
inline Kernel autocast_unsafe_kernel() {
  return Kernel([](const OperatorHandle& op, KeySet, Stack&) {
    fail<ValueError>(op.name(),
                     ": unsafe under autocast on cuda; call binary_cross_entropy_with_logits, or "
                     "nn::BCEWithLogitsLoss, with what went into the sigmoid");
  });
}

inline const AutocastDevice& autocast_device(const char* function, Device device) {
  TENON_CHECK(device.is_cpu() || device.is_cuda(), ValueError, function,
              ": argument 'device': expected cpu or cuda, got ", device);
  return device.is_cpu() ? autocast_on_cpu : autocast_on_cuda;
}
inline RegistrationStack register_autocast_rules(const AutocastDevice& on) {
  RegistrationStack all;
  Registry& registry = Registry::get();
  Registry::Lock lock(registry);
  // Operators without a rule.
  if (!registry.tables().fallback_at(on.key))
    all.push(registry.add_fallback(on.key, Kernel(fallthrough()), Place(__FILE__, __LINE__)));
  auto add = [&](const Kernel& kernel, std::string_view names) {
    for (std::size_t end = 0; !names.empty(); names.remove_prefix(std::min(end + 1, names.size()))) {
      end = std::min(names.find(' '), names.size());
      const std::string name = concat("aten::", names.substr(0, end));
      // Another shared object may have been first, or a user with a rule of his own.
      OperatorEntry* known = registry.find(name);
      if (known && known->kernel_at(on.key)) continue;
      all.push(registry.implement(name, on.key, Kernel(kernel), Place(__FILE__, __LINE__)));
    }
  };
  const bool cpu = on.type == DeviceType::CPU;
  add(autocast_kernel(on, AutocastRule::LowerPrecision),
      cpu ? autocast_lower_precision : autocast_cuda_lower_precision);
  add(autocast_kernel(on, AutocastRule::Float32), cpu ? autocast_float32 : autocast_cuda_float32);
  add(autocast_kernel(on, AutocastRule::Promote), cpu ? autocast_promote : autocast_cuda_promote);
  if (!cpu) {
    add(autocast_result_kernel(on), autocast_cuda_float32_result);
    add(autocast_unsafe_kernel(), "binary_cross_entropy");
  }
  return all;
}
inline void install_autocast_rules(const AutocastDevice& on) {
  if (on.type == DeviceType::CPU)
    static const RegistrationStack cpu = register_autocast_rules(autocast_on_cpu);
  else
    static const RegistrationStack cuda = register_autocast_rules(autocast_on_cuda);
}
inline Registration implement_autocast(std::string_view name, const AutocastDevice& on, Kernel kernel) {
  TENON_CHECK(name.find("::") != std::string_view::npos, ValueError,
              "register_autocast(): argument 'name': expected a namespace and a name, such as 'my::op', got '", name,
              "'");
  install_autocast_rules(on);  // before, so that what the user says counts
  return Registry::get().implement(name, on.key, std::move(kernel).override_existing(), Place(__FILE__, __LINE__));
}

}  // namespace detail

TENON_COLD_BODY AutocastGuard::AutocastGuard(Device device, AutocastOptions options) {
  const detail::AutocastDevice& on = detail::autocast_device("AutocastGuard", device);
  AutocastSettings& now = detail::autocast_settings;
  const ScalarType dtype = options.dtype.value_or(on.dtype());
  TENON_CHECK(dtype == kBFloat16 || dtype == kHalf, ValueError,
              "AutocastGuard: option 'dtype': expected bfloat16 or float16, got ", dtype);
  if (options.enabled) detail::install_autocast_rules(on);
  if (!detail::autocast_cache) {
    cache_.reset(new detail::AutocastCache);
    detail::autocast_cache = cache_.get();
  }
  now.*on.setting = dtype;
  now.cache_enabled = options.cache_enabled.value_or(now.cache_enabled);
  set_excluded(on.key, !options.enabled);
}
TENON_COLD_BODY AutocastGuard::~AutocastGuard() {
  before_.swap();
  if (cache_) detail::autocast_cache = nullptr;
}

TENON_COLD_BODY bool is_autocast_enabled(Device device) {
  return !is_excluded(detail::autocast_device("is_autocast_enabled()", device).key);
}
TENON_COLD_BODY ScalarType get_autocast_dtype(Device device) {
  return detail::autocast_device("get_autocast_dtype()", device).dtype();
}
TENON_COLD_BODY bool is_autocast_cache_enabled() { return detail::autocast_settings.cache_enabled; }
TENON_COLD_BODY void clear_autocast_cache() {
  if (detail::autocast_cache) detail::autocast_cache->clear();
}

TENON_COLD_BODY Registration register_autocast(std::string_view name, Device device, AutocastRule rule) {
  const detail::AutocastDevice& on = detail::autocast_device("register_autocast()", device);
  return detail::implement_autocast(name, on, detail::autocast_kernel(on, rule));
}
TENON_COLD_BODY Registration register_autocast(std::string_view name, Device device, ScalarType cast_inputs) {
  TENON_CHECK(is_floating_type(cast_inputs), ValueError,
              "register_autocast(): argument 'cast_inputs': expected a floating dtype, got ", cast_inputs);
  const detail::AutocastDevice& on = detail::autocast_device("register_autocast()", device);
  return detail::implement_autocast(name, on,
                                    Kernel([&on, cast_inputs](const OperatorHandle& op, KeySet, Stack& stack) {
                                      detail::call_with_casts(on, op, stack, cast_inputs);
                                    }));
}

}  // namespace tenon
