// What a state has beyond a module's tensors.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include <tenon/nn/module.hpp>

namespace tenon::nn::detail {

/// The names of `tensors` that `own` has not. Errors: ValueError in the name of `caller` for the first, if `strict`.
inline std::vector<std::string> unexpected_keys(std::string_view caller, const NamedTensors& own,
                                                const NamedTensors& tensors, bool strict) {
  std::vector<std::string> names;
  for (const auto& [name, t] : tensors) {
    bool known = find_tensor(own, name) != nullptr;
    TENON_CHECK(known || !strict, ValueError, caller, "(): tensor '", name, "': the module has no tensor of that name");
    if (!known) names.push_back(name);
  }
  return names;
}

}  // namespace tenon::nn::detail
