// Writing the tensors of a module, which the file does not tie to their gradients.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/io/module_state.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::nn::detail {

TENON_COLD_BODY void save_state(NamedTensors tensors, const std::string& path, const Metadata& metadata) {
  for (auto& [name, t] : tensors) t = ops::detach(t);
  save_safetensors(path, tensors, metadata);
}

}  // namespace tenon::nn::detail
