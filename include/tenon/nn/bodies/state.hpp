// Loading of a module's state, checked whole before anything changes.
#pragma once
#include <tenon/autograd/engine.hpp>
#include <tenon/autograd/mode.hpp>
#include <tenon/base/body.hpp>
#include <tenon/nn/state.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::nn::detail {

TENON_BODY std::string extra_state_name(const std::string& path) { return join(path, "_extra_state"); }
TENON_BODY std::string prefix_of(const std::string& path) { return path.empty() ? path : path + "."; }

TENON_BODY NamedTensors& StateToLoad::changed() {
  if (given_ != &changed_) {
    changed_ = *given_;
    given_ = &changed_;
  }
  return changed_;
}
TENON_BODY void StateToLoad::set_extra_states() const {
  std::size_t i = 0;
  try {
    for (; i < extra_states.size(); ++i)
      if (const Tensor* given = find_tensor(tensors(), extra_states[i].name))
        extra_states[i].set(extra_states[i].module, *given);
  } catch (...) {
    while (i-- > 0)
      if (find_tensor(tensors(), extra_states[i].name))
        extra_states[i].set(extra_states[i].module, extra_states[i].now);
    throw;
  }
}
TENON_BODY void StateToLoad::finish(std::string_view caller, const NamedTensors& own, bool strict,
                                    IncompatibleKeys& apart) const {
  for (const ExtraState& extra : extra_states) {
    if (!extra.now.defined() || find_tensor(tensors(), extra.name)) continue;
    TENON_CHECK(!strict, ValueError, caller, "(): expected the extra state '", extra.name, "', got none among ",
                tensors().size(), " tensors");
    apart.missing_keys.push_back(extra.name);
  }
  for (const auto& [name, t] : tensors()) {
    bool known = find_tensor(own, name) != nullptr;
    for (const ExtraState& extra : extra_states) known |= extra.name == name;
    TENON_CHECK(known || !strict, ValueError, caller, "(): tensor '", name, "': the module has no tensor of that name");
    if (!known) apart.unexpected_keys.push_back(name);
  }
  set_extra_states();
}

TENON_BODY IncompatibleKeys load_tensors(const NamedTensors& own, const StateToLoad& state, bool strict) {
  const NamedTensors& tensors = state.tensors();
  IncompatibleKeys apart;
  std::vector<std::pair<Tensor, Tensor>> copies;
  for (const auto& [name, to] : own) {
    const Tensor* from = find_tensor(tensors, name);
    if (!from && !strict) {
      apart.missing_keys.push_back(name);
      continue;
    }
    if (!from) {
      std::string given;
      for (std::size_t i = 0; i < tensors.size() && i < 12; ++i)
        given += concat(i ? ", '" : ": '", tensors[i].first, "' ", tensors[i].second.sizes());
      fail<ValueError>("load_state(): expected a tensor named '", name, "', got none among ", tensors.size(),
                       " tensors", given, tensors.size() > 12 ? ", .." : "");
    }
    TENON_CHECK(to.defined(), ValueError, "load_state(): tensor '", name, "': shape ", from->sizes(),
                " is none of the lazy layer that it is for");
    // One number was saved as a list of one by early versions of PyTorch.
    bool one = to.dim() == 0 && from->sizes() == IntArrayRef({1});
    TENON_CHECK(one || from->sizes() == to.sizes(), ValueError, "load_state(): tensor '", name, "': expected shape ",
                to.sizes(), ", got ", from->sizes());
    copies.emplace_back(to, one ? Tensor(ops::select(*from, 0, 0)) : *from);
  }
  state.finish("load_state", own, strict, apart);
  NoGradGuard no_grad;
  for (auto& [to, from] : copies) ops::copy_(to, from);
  return apart;
}

}  // namespace tenon::nn::detail
