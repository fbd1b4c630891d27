// Loading a state by taking its tensors over, in place of copying their elements.
#pragma once
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <tenon/nn/parameter.hpp>
#include <tenon/nn/state.hpp>
#include <tenon/tensor/tensor.hpp>

namespace tenon::nn {

namespace detail {
/// As load_tensors(), but finds the given tensor of each own one, undefined if there is none, and changes extra states
/// alone.
IncompatibleKeys match_tensors(const NamedTensors& own, const StateToLoad& state, bool strict,
                               std::vector<Tensor>& found);
/// A leaf with the memory of `given` that requires grad where `old` does.
Tensor taken_over(const Tensor& old, const Tensor& given, Replaced& known);
}  // namespace detail

/// Makes the tensors of a module those of a state, by name: dtypes, devices and memory are the given ones', nothing is
/// copied. For a model that was made on the device kMeta, and for one that shall have the dtypes of a file. Parameters
/// are new leaves that require grad as the old ones do: make optimisers afterwards. Tensors that modules share stay
/// shared. Without `strict`, as load_state(). Aliasing: the module has the memory that it is given.
/// Errors: ValueError as load_state(); then nothing has changed. Source: torch.nn.Module.load_state_dict of PyTorch
/// 2.15 with `assign`.
template <class Net>
IncompatibleKeys assign_state(Net& module, const NamedTensors& tensors, bool strict = true) {
  detail::StateToLoad given(tensors);
  detail::prepare(module, given);
  NamedTensors own;
  std::vector<Tensor*> places;
  auto visit = [&]<class T>(const std::string& name, T& t) {
    if constexpr (std::is_same_v<T, detail::UninitializedParameter>) {
      own.emplace_back(name, Tensor());
    } else {
      if (!detail::in_state(t)) return;
      own.emplace_back(name, t);
    }
    places.push_back(&t);
  };
  detail::walk(module, {}, visit);
  std::vector<Tensor> found;
  IncompatibleKeys apart = detail::match_tensors(own, given, strict, found);
  detail::Replaced known;
  for (std::size_t i = 0; i < places.size(); ++i)
    if (found[i].defined()) *places[i] = detail::taken_over(own[i].second, found[i], known);
  return apart;
}

}  // namespace tenon::nn
