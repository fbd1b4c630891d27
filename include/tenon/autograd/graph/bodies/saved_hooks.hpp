// Saved tensors in the host's memory.
#pragma once
#include <tenon/autograd/graph/saved_hooks.hpp>
#include <tenon/base/body.hpp>
#include <tenon/ops/copy.hpp>

namespace tenon::autograd::detail {

TENON_BODY intrusive_ptr<SavedHookPair> host_hooks(bool pin_memory) {
  if (pin_memory) fail<NotImplementedError>("save_on_host(): pinned memory needs a device, and the program has none");
  using Kept = std::pair<Device, Tensor>;
  auto pair = make_intrusive<SavedHookPair>();
  pair->pack = [](const Tensor& t) {
    return std::any(Kept(t.device(), t.device() == kCPU ? make_alias(t) : ops::to(t, Device(kCPU), t.dtype())));
  };
  pair->unpack = [](const std::any& value) {
    const Kept& kept = *std::any_cast<Kept>(&value);
    return kept.first == kCPU ? kept.second : ops::to(kept.second, kept.first, kept.second.dtype());
  };
  return pair;
}

}  // namespace tenon::autograd::detail
