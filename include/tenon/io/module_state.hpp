// Modules and optimisers in safetensors files.
#pragma once
#include <string>

#include <tenon/io/safetensors.hpp>
#include <tenon/nn/module.hpp>

namespace tenon::nn {

namespace detail {
void save_state(NamedTensors tensors, const std::string& path, const Metadata& metadata);
}

/// Writes every tensor of a module to a safetensors file under its name in the module. Errors: as save_safetensors().
template <class Net>
void save(const Net& module, const std::string& path, const Metadata& metadata = {}) {
  detail::save_state(state(module), path, metadata);
}
/// Copies a safetensors file into a module. Errors: FileError as load_safetensors(), ValueError as load_state().
template <class Net>
void load(const Net& module, const std::string& path) {
  try {
    load_state(module, load_safetensors(path));
  } catch (ValueError& e) {
    e.add_context(concat("file ", path));
    throw;
  }
}

}  // namespace tenon::nn
