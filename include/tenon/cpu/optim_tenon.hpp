// The steps on CPU tensors of the optimisers for which PyTorch has no operator.
#pragma once
#include <tenon/composite/optim_steps_tenon.hpp>
#include <tenon/cpu/optim.hpp>

TENON_LIBRARY_FRAGMENT(tenon, m) {
  using namespace tenon;
  m.def<ops::_fused_adadelta_base_>().def<ops::_fused_adamax_base_>().def<ops::_fused_nadam_base_>();
  m.def<ops::_fused_radam_base_>().def<ops::_fused_asgd_base_>().def<ops::_fused_rprop_base_>();
}
TENON_LIBRARY_IMPL(tenon, CPU, m) {
  using namespace tenon;
  namespace k = tenon::composite;
  m.impl<ops::_fused_adadelta_base_, &k::fused_adadelta_<cpu::OptimSteps>>()
      .impl<ops::_fused_adamax_base_, &k::fused_adamax_<cpu::OptimSteps>>()
      .impl<ops::_fused_nadam_base_, &k::fused_nadam_<cpu::OptimSteps>>();
  m.impl<ops::_fused_radam_base_, &k::fused_radam_<cpu::OptimSteps>>()
      .impl<ops::_fused_asgd_base_, &k::fused_asgd_<cpu::OptimSteps>>()
      .impl<ops::_fused_rprop_base_, &k::fused_rprop_<cpu::OptimSteps>>();
}
