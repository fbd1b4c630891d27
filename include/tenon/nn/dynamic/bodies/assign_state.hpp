// Matching a state's tensors to a module's.
#pragma once
#include <tenon/autograd/engine.hpp>
#include <tenon/base/body.hpp>
#include <tenon/nn/dynamic/assign_state.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::nn::detail {

TENON_BODY IncompatibleKeys match_tensors(const NamedTensors& own, const StateToLoad& state, bool strict,
                                          std::vector<Tensor>& found) {
  const NamedTensors& tensors = state.tensors();
  IncompatibleKeys apart;
  for (const auto& [name, old] : own) {
    const Tensor* given = find_tensor(tensors, name);
    TENON_CHECK(given || !strict, ValueError, "assign_state(): expected a tensor named '", name, "', got none among ",
                tensors.size(), " tensors");
    if (!given) {
      apart.missing_keys.push_back(name);
      found.emplace_back();
      continue;
    }
    TENON_CHECK(given->defined(), ValueError, "assign_state(): tensor '", name, "' is undefined");
    TENON_CHECK(old.defined(), ValueError, "assign_state(): tensor '", name, "': shape ", given->sizes(),
                " is none of the lazy layer that it is for");
    TENON_CHECK(given->sizes() == old.sizes(), ValueError, "assign_state(): tensor '", name, "': expected shape ",
                old.sizes(), ", got ", given->sizes());
    TENON_CHECK(!old.requires_grad() || given->is_floating_point() || given->is_complex(), ValueError,
                "assign_state(): tensor '", name, "': expected elements that can be trained, got ", given->dtype());
    found.push_back(*given);
  }
  state.finish("assign_state", own, strict, apart);
  return apart;
}
TENON_BODY Tensor taken_over(const Tensor& old, const Tensor& given, Replaced& known) {
  for (const auto& [from, to] : known)
    if (from.is_same(old)) return to;
  Tensor taken = ops::detach(given);
  if (old.requires_grad()) taken.set_requires_grad(true);
  known.emplace_back(old, taken);
  return taken;
}

}  // namespace tenon::nn::detail
