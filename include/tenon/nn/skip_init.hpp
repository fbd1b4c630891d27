// Modules whose elements are not drawn: torch.nn.utils.skip_init.
#pragma once
#include <tenon/library/default_device.hpp>
#include <tenon/nn/module.hpp>

namespace tenon::nn::utils {

/// What `make()` gives, made on the device kMeta and then emptied onto the default device: nothing is drawn and the
/// elements are unset, buffers too. `auto layer = skip_init([] { return nn::Linear{5, 1}; });`
/// Source: torch.nn.utils.skip_init of PyTorch 2.15.
template <class Make>
auto skip_init(Make make) {
  const Device device = get_default_device();
  auto module = [&] {
    DefaultDeviceGuard meta(kMeta);
    return make();
  }();
  to_empty(module, device);
  return module;
}

}  // namespace tenon::nn::utils
