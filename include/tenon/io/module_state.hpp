// Modules and optimisers in safetensors files.
#pragma once
#include <concepts>
#include <string>
#include <type_traits>

#include <tenon/io/safetensors.hpp>
#include <tenon/nn/state.hpp>

namespace tenon::nn {

namespace detail {
void save_state(NamedTensors tensors, const std::string& path, const Metadata& metadata);
/// An optimiser and the like: they say what is saved of them.
template <class T>
concept has_own_state = requires(T& t, const NamedTensors& tensors) {
  { t.state() } -> std::convertible_to<NamedTensors>;
  t.load_state(tensors);
};
}  // namespace detail

/// Writes the state of a module to a safetensors file under its name in the module; of an optimiser its `state()`,
/// which holds its options too. Errors: as save_safetensors().
template <class Net>
void save(const Net& module, const std::string& path, const Metadata& metadata = {}) {
  if constexpr (detail::has_own_state<Net>)
    detail::save_state(module.state(), path, metadata);
  else
    detail::save_state(state(module), path, metadata);
}
/// Copies a safetensors file into a module or an optimiser; `strict` as load_state(), of modules alone. Errors:
/// FileError as load_safetensors(), ValueError as load_state().
template <class Net>
IncompatibleKeys load(Net&& module, const std::string& path, bool strict = true) {
  try {
    if constexpr (detail::has_own_state<std::remove_cvref_t<Net>>) {
      TENON_CHECK(strict, ValueError, "load(): what is not a module is loaded whole, strict = false is for modules");
      module.load_state(load_safetensors(path));
      return {};
    } else {
      return load_state(module, load_safetensors(path), strict);
    }
  } catch (ValueError& e) {
    e.add_context(concat("file ", path));
    throw;
  }
}

}  // namespace tenon::nn
