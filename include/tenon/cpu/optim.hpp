// The optimisers' steps on CPU tensors.
#pragma once
#include <tenon/composite/optim_steps.hpp>
#include <tenon/cpu/detail/tensor_support.hpp>
#include <tenon/cpu/optim_kernels.hpp>
#include <tenon/library/library.hpp>

namespace tenon::cpu {

/// Steps by the loops of the processor's instruction set.
struct OptimSteps {
  template <class Step>
  static void run(const composite::OptimItem& item, const Step& step) {
    composite::on_flat_tensors(item, [&](const Tensor& p, const Tensor& g, const Tensor* states) {
      // Complex numbers are pairs of real ones to every rule.
      bool wide = to_real_type(p.dtype()) == kDouble;
      std::int64_t n = p.numel() * (p.is_complex() ? 2 : 1), size = wide ? 8 : 4;
      auto at = [&](const Tensor& x, std::int64_t i) -> void* {
        return x.defined() ? static_cast<char*>(x.data_ptr()) + i * size : nullptr;
      };
      parallel_for(0, n, kGrain, [&](std::int64_t first, std::int64_t last) {
        void* state[] = {at(states[0], first), at(states[1], first), at(states[2], first)};
        apply(wide, step, at(p, first), at(g, first), state, last - first);
      });
    });
  }

 private:
  static constexpr std::int64_t kGrain = 1 << 15;  // elements
  static void apply(bool wide, const math::steps::SgdStep& step, void* p, const void* g, void** s, std::int64_t n) {
    active_tables().optim->sgd(wide, step, p, g, s[0], n);
  }
  static void apply(bool wide, const math::steps::AdagradStep& step, void* p, const void* g, void** s, std::int64_t n) {
    active_tables().optim->adagrad(wide, step, p, g, s[0], n);
  }
  static void apply(bool wide, const math::steps::RmspropStep& step, void* p, const void* g, void** s, std::int64_t n) {
    active_tables().optim->rmsprop(wide, step, p, g, s[0], s[1], s[2], n);
  }
  static void apply(bool wide, const math::steps::AdamStep& step, void* p, const void* g, void** s, std::int64_t n) {
    active_tables().optim->adam(wide, step, p, g, s[0], s[1], s[2], n);
  }
  static void apply(bool wide, const math::steps::AdadeltaStep& step, void* p, const void* g, void** s,
                    std::int64_t n) {
    active_tables().optim->adadelta(wide, step, p, g, s[0], s[1], n);
  }
  static void apply(bool wide, const math::steps::AdamaxStep& step, void* p, const void* g, void** s, std::int64_t n) {
    active_tables().optim->adamax(wide, step, p, g, s[0], s[1], n);
  }
  static void apply(bool wide, const math::steps::NadamStep& step, void* p, const void* g, void** s, std::int64_t n) {
    active_tables().optim->nadam(wide, step, p, g, s[0], s[1], n);
  }
  static void apply(bool wide, const math::steps::RadamStep& step, void* p, const void* g, void** s, std::int64_t n) {
    active_tables().optim->radam(wide, step, p, g, s[0], s[1], n);
  }
  static void apply(bool wide, const math::steps::AsgdStep& step, void* p, const void* g, void** s, std::int64_t n) {
    active_tables().optim->asgd(wide, step, p, g, s[0], n);
  }
  static void apply(bool wide, const math::steps::RpropStep& step, void* p, const void* g, void** s, std::int64_t n) {
    active_tables().optim->rprop(wide, step, p, g, s[0], s[1], n);
  }
};

}  // namespace tenon::cpu

TENON_LIBRARY_FRAGMENT(aten, m) {
  m.def<tenon::ops::_fused_sgd_base_>();
  m.def<tenon::ops::_fused_adagrad_base_>();
  m.def<tenon::ops::_fused_adam_base_>();
  m.def<tenon::ops::_fused_adamw_base_>();
  auto define = [&]<class Given, class By>(Given, By) {
    m.def<Given{}>().template impl<Given{}, &tenon::composite::with_tensor_rate<Given, By{}>::call>(
        tenon::DispatchKey::CompositeExplicitAutograd);
  };
  define(tenon::ops::_fused_sgd_tensor_lr_, tenon::ops::_fused_sgd_base_);
  define(tenon::ops::_fused_adagrad_tensor_lr_, tenon::ops::_fused_adagrad_base_);
  define(tenon::ops::_fused_adam_tensor_lr_, tenon::ops::_fused_adam_base_);
  define(tenon::ops::_fused_adamw_tensor_lr_, tenon::ops::_fused_adamw_base_);
}
TENON_LIBRARY_FRAGMENT(tenon, m) { m.def<tenon::ops::_fused_rmsprop_base_>(); }
TENON_LIBRARY_IMPL(aten, CPU, m) {
  using namespace tenon;
  cpu::install_kernels_for<&cpu::KernelTables::optim, ops::_fused_sgd_base_, ops::_fused_adagrad_base_,
                           ops::_fused_adam_base_, ops::_fused_adamw_base_, ops::_fused_rmsprop_base_>();
  m.impl<tenon::ops::_fused_sgd_base_, &tenon::composite::fused_sgd_<tenon::cpu::OptimSteps>>();
  m.impl<tenon::ops::_fused_adagrad_base_, &tenon::composite::fused_adagrad_<tenon::cpu::OptimSteps>>();
  m.impl<tenon::ops::_fused_adam_base_, &tenon::composite::fused_adam_<tenon::cpu::OptimSteps, false>>();
  m.impl<tenon::ops::_fused_adamw_base_, &tenon::composite::fused_adam_<tenon::cpu::OptimSteps, true>>();
}
TENON_LIBRARY_IMPL(tenon, CPU, m) {
  m.impl<tenon::ops::_fused_rmsprop_base_, &tenon::composite::fused_rmsprop_<tenon::cpu::OptimSteps>>();
}
