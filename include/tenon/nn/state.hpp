// What is saved of a module, by name, and how it is put back.
#pragma once
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <tenon/nn/module.hpp>

namespace tenon::nn {

/// What load_state() did not find: names of the module that were not given, and given ones that it has not.
struct IncompatibleKeys {
  std::vector<std::string> missing_keys, unexpected_keys;
};

namespace detail {

/// What a module's `extra_state()` gives, and how it is put back.
struct ExtraState {
  std::string name;
  Tensor now;
  void* module;
  void (*set)(void* module, const Tensor& state);
};
std::string extra_state_name(const std::string& path);
/// A path as hooks get it: `layers.0.`, empty for the whole.
std::string prefix_of(const std::string& path);

template <class Net>
concept has_extra_state = requires(const Net& m) {
  Tensor(m.extra_state());
};
template <class Net>
concept has_state_hook = requires(const Net& m, NamedTensors& state, const std::string& prefix) {
  m.state_dict_post_hook(state, prefix);
};
template <class Net>
concept has_load_hook = requires(const Net& m, NamedTensors& state, const std::string& prefix) {
  m.load_state_dict_pre_hook(state, prefix);
};

template <class Net>
void find_extra_state(std::vector<ExtraState>& found, const std::string& path, Net& module) {
  if constexpr (requires { module.tenon_extra_state(found, path); }) {
    module.tenon_extra_state(found, path);
  } else if constexpr (has_extra_state<Net>) {
    constexpr bool settable = requires(const Tensor& state) { module.set_extra_state(state); };
    static_assert(settable,
                  "tenon: a module with extra_state() is loaded by its `void set_extra_state(const Tensor&)`, which a "
                  "constant module must have as a const function");
    if constexpr (settable)
      found.push_back({extra_state_name(path), module.extra_state(), const_cast<std::remove_const_t<Net>*>(&module),
                       [](void* m, const Tensor& state) { static_cast<Net*>(m)->set_extra_state(state); }});
  }
}

/// A state on its way into a module: hooks may change their copy of it.
class StateToLoad {
 public:
  explicit StateToLoad(const NamedTensors& given) : given_(&given) {}
  StateToLoad(const StateToLoad&) = delete;
  const NamedTensors& tensors() const { return *given_; }
  NamedTensors& changed();
  /// What is left once tensors are matched: names which of the extra states are missing and what is unknown beside them
  /// and the tensors `own`, then gives modules their extra states. Errors: ValueError in the name of `caller` for a
  /// name if `strict`; what a module throws, and then those before it have their old state again.
  void finish(std::string_view caller, const NamedTensors& own, bool strict, IncompatibleKeys& apart) const;

  std::vector<ExtraState> extra_states;

 private:
  void set_extra_states() const;
  const NamedTensors* given_;
  NamedTensors changed_;
};

/// Makes the layers of lazy ones whose sizes these tensors tell.
template <class Net>
void fit_lazy(const Net& module, const NamedTensors& tensors) {
  auto fit = [&]<class Part>(const std::string& path, const Part& part) {
    if constexpr (requires { part.tenon_fit(path, tensors); }) part.tenon_fit(path, tensors);
  };
  descend(module, {}, fit);
}
/// What comes before tensors are matched: hooks of a module and of all in it, extra states, lazy layers.
template <class Net>
void prepare(Net& module, StateToLoad& state) {
  auto look = [&]<class T>(const std::string& path, T& part) {
    if constexpr (!std::is_base_of_v<Tensor, T>) {
      if constexpr (has_load_hook<T>) part.load_state_dict_pre_hook(state.changed(), prefix_of(path));
      find_extra_state(state.extra_states, path, part);
    }
  };
  descend(module, {}, look);
  fit_lazy(module, state.tensors());
}
/// Copies tensors into a module's own, by name; one of its own that is undefined has no size yet.
IncompatibleKeys load_tensors(const NamedTensors& own, const StateToLoad& state, bool strict);

struct StateVisitor {
  NamedTensors& found;
  template <class T>
  void operator()(const std::string& name, const T& x) const {
    if constexpr (std::is_base_of_v<Tensor, T>) {
      check_initialized<T>(name);
      if (in_state(x)) found.emplace_back(name, x);
    } else if constexpr (has_extra_state<T>) {
      if (Tensor state = x.extra_state(); state.defined()) found.emplace_back(extra_state_name(name), std::move(state));
    }
  }
  template <class T>
  void leave(const std::string& path, const T& module) const {
    if constexpr (has_state_hook<T>) module.state_dict_post_hook(found, prefix_of(path));
  }
};

}  // namespace detail

/// What is saved of a module, by name: every defined tensor, parameter or not, but for buffers that are not
/// persistent; what the `Tensor extra_state() const` of a module gives, as `NAME._extra_state`. Where a module has
/// `void state_dict_post_hook(NamedTensors& state, const std::string& prefix) const`, that may change the list behind
/// it and all in it; `prefix` is what its own names begin with, as `layers.0.`. Aliasing: the module's own tensors.
template <class Net>
NamedTensors state(const Net& module) {
  NamedTensors found;
  detail::StateVisitor visit{found};
  detail::descend(module, {}, visit);
  return found;
}

/// Copies tensors into a module's by name; dtypes are converted. A lazy layer takes its size from them, a module with
/// `extra_state()` gets its own by `void set_extra_state(const Tensor&)`. Before all that the function
/// `void load_state_dict_pre_hook(NamedTensors& state, const std::string& prefix) const` of a module may change what is
/// loaded: rename what an older version saved, say. Without `strict`, names of the module that are absent and names
/// that are unknown to it are left alone and given back.
/// Errors: ValueError if a name of the module is absent, unknown to it, or of another shape; then no tensor has
/// changed. What a function of a module throws passes on, with nothing changed either.
template <class Net>
IncompatibleKeys load_state(Net&& module, const NamedTensors& tensors, bool strict = true) {
  detail::StateToLoad given(tensors);
  detail::prepare(module, given);
  NamedTensors own;
  auto visit = [&]<class T>(const std::string& name, const T& t) {
    if constexpr (std::is_same_v<T, detail::UninitializedParameter>)
      own.emplace_back(name, Tensor());
    else if (detail::in_state(t))
      own.emplace_back(name, t);
  };
  detail::walk(std::as_const(module), {}, visit);
  return detail::load_tensors(own, given, strict);
}

}  // namespace tenon::nn
