// What is in a module, by its name.
#pragma once
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <tenon/nn/module.hpp>

namespace tenon::nn {

namespace detail {

[[noreturn]] void nothing_called(const char* function, const char* kind, std::string_view name);
[[noreturn]] void part_of_another_type(std::string_view name);

/// Gives `f` the modules that lie in the visited one and in no other of its parts.
template <class F>
struct ChildVisitor {
  F& f;
  std::vector<std::string> open = {};

  template <class T>
  void operator()(const std::string& name, T& module) {
    if constexpr (!std::is_base_of_v<Tensor, T>) {
      // A layer in a wrapper has the wrapper's name.
      if (open.size() == 1 && name != open[0]) f(name, module);
      open.push_back(name);
    }
  }
  template <class T>
  void leave(const std::string&, T&) {
    open.pop_back();
  }
};
template <class Net, class Wanted>
Tensor tensor_at(const Net& module, std::string_view name, const char* function, const char* kind, Wanted wanted) {
  Tensor found;
  auto visit = [&]<class T>(const std::string& path, const T& t) {
    if (path != name || !wanted(t)) return;
    check_initialized<T>(path);
    found = t;
  };
  walk(module, {}, visit);
  if (!found.defined()) nothing_called(function, kind, name);
  return found;
}

}  // namespace detail

/// The parameter of that name, as named_parameters() has it, or frozen. Aliasing: the module's own tensor.
/// Errors: ValueError if there is none. Source: torch.nn.Module.get_parameter of PyTorch 2.15.
template <class Net>
Tensor get_parameter(const Net& module, std::string_view name) {
  return detail::tensor_at(module, name, "get_parameter()", "parameter",
                           []<class T>(const T&) { return !std::is_same_v<T, Buffer>; });
}
/// The buffer of that name, as named_buffers() has it. Aliasing: the module's own tensor.
/// Errors: ValueError if there is none. Source: torch.nn.Module.get_buffer of PyTorch 2.15.
template <class Net>
Tensor get_buffer(const Net& module, std::string_view name) {
  return detail::tensor_at(module, name, "get_buffer()", "buffer",
                           []<class T>(const T&) { return std::is_same_v<T, Buffer>; });
}
/// The part of that name, of which the caller knows the type: `get_submodule<nn::Linear>(net, "blocks.0.a")`; also in
/// an AnyModule. Aliasing: the part itself. Errors: ValueError if there is none, TypeError if it is no `Part`. Source:
/// torch.nn.Module.get_submodule of PyTorch 2.15.
template <class Part, class Net>
auto& get_submodule(Net& module, std::string_view name) {
  using T = std::conditional_t<std::is_const_v<Net>, const Part, Part>;
  T* found = nullptr;
  bool other = false;
  for_each_module(module, [&]<class Layer>(const std::string& path, Layer& m) {
    if (path != name) return;
    other = true;
    if constexpr (std::is_same_v<std::remove_const_t<Layer>, Part>)
      found = &m;
    else if constexpr (requires { m.template as<Part>(); })
      if (Part* part = m.template as<Part>()) found = part;
  });
  if (!found && other) detail::part_of_another_type(name);
  if (!found) detail::nothing_called("get_submodule()", "part", name);
  return *found;
}
/// Calls `f(name, module)` for the modules in a module that are in no other part of it, in their order. Lists, tuples
/// and maps are no modules: what is in them is the module's own. Source: torch.nn.Module.named_children of
/// PyTorch 2.15.
template <class Net, class F>
void for_each_child(Net& module, F&& f) {
  detail::ChildVisitor<std::remove_reference_t<F>> visit{f};
  detail::descend(module, {}, visit);
}
/// As named_buffers(), without the names. Source: torch.nn.Module.buffers of PyTorch 2.15.
template <class Net>
std::vector<Tensor> buffers(const Net& module) {
  std::vector<Tensor> found;
  for (auto& [name, t] : named_buffers(module)) found.push_back(std::move(t));
  return found;
}

}  // namespace tenon::nn
