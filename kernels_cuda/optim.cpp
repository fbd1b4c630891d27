// Registers the optimisers' steps on CUDA.
#include <tenon/composite/optim_steps_tenon.hpp>
#include <tenon/dispatch/device_guard.hpp>
#include <tenon/library/library.hpp>

#include "support.hpp"

namespace tenon::cuda {
namespace {

struct OptimSteps {
  template <class Step>
  static void run(const composite::OptimItem& item, const Step& step) {
    DeviceGuard guard(item.param.device());
    composite::on_flat_tensors(item, [&](const Tensor& p, const Tensor& g, const Tensor* states) {
      // Complex numbers are pairs of real ones to every rule.
      OptimCall c{
          to_real_type(p.dtype()) == kDouble, p.numel() * (p.is_complex() ? 2 : 1), p.data_ptr(), g.data_ptr(), {}};
      if (c.n == 0) return;
      for (int k = 0; k < 3; ++k) c.state[k] = states[k].defined() ? states[k].data_ptr() : nullptr;
      optim_step(c, step, runtime::current_stream());
      runtime::check_launch(item.op);
    });
  }
};

}  // namespace
}  // namespace tenon::cuda

TENON_LIBRARY_IMPL(aten, CUDA, m) {
  using namespace tenon;
  namespace k = tenon::composite;
  m.impl<ops::_fused_sgd_base_, &k::fused_sgd_<cuda::OptimSteps>>()
      .impl<ops::_fused_adagrad_base_, &k::fused_adagrad_<cuda::OptimSteps>>()
      .impl<ops::_fused_adam_base_, &k::fused_adam_<cuda::OptimSteps, false>>()
      .impl<ops::_fused_adamw_base_, &k::fused_adam_<cuda::OptimSteps, true>>();
}
TENON_LIBRARY_IMPL(tenon, CUDA, m) {
  using namespace tenon;
  namespace k = tenon::composite;
  m.impl<ops::_fused_rmsprop_base_, &k::fused_rmsprop_<cuda::OptimSteps>>()
      .impl<ops::_fused_adadelta_base_, &k::fused_adadelta_<cuda::OptimSteps>>()
      .impl<ops::_fused_adamax_base_, &k::fused_adamax_<cuda::OptimSteps>>()
      .impl<ops::_fused_nadam_base_, &k::fused_nadam_<cuda::OptimSteps>>();
  m.impl<ops::_fused_radam_base_, &k::fused_radam_<cuda::OptimSteps>>()
      .impl<ops::_fused_asgd_base_, &k::fused_asgd_<cuda::OptimSteps>>()
      .impl<ops::_fused_rprop_base_, &k::fused_rprop_<cuda::OptimSteps>>();
}
