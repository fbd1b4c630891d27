// What the engine does before and after a node that has hooks.
#pragma once
#include <algorithm>
#include <vector>

#include <tenon/autograd/graph/extras.hpp>
#include <tenon/dispatch/registry.hpp>

namespace tenon::autograd::detail {

/// A hook may change values, not what they belong to, nor make one of none.
[[gnu::cold]] inline void check_hooked(const Tensor& before, const Tensor& after) {
  if (before.is_same(after)) return;
  if (!before.defined())
    fail<AutogradError>("a hook has replaced an undefined gradient by a value of size ", after.sizes(),
                        "; return an undefined tensor where it is given one");
  if (after.dtype() != before.dtype())
    fail<AutogradError>("a hook has changed the type of value (was ", before.dtype(), " got ", after.dtype(), ")");
  if (after.device() != before.device()) fail<AutogradError>("a hook has changed the device of value");
  if (after.sizes() != before.sizes())
    fail<AutogradError>("a hook has changed the size of value (was ", before.sizes(), " got ", after.sizes(), ")");
}

/// Marks the thread while it reads hooks: for a node at a time, since a run may be long.
struct HookSection : tenon::detail::CallSection {
  HookSection() : CallSection(Registry::get().readers()) {}
};

/// The hooks of the results, one result after another by their first hooks, then those that keep gradients.
inline void tensor_hooks(const HookSection& section, Node& node, NodeExtras& extras, Tensor* grads) {
  auto call = [&](const NodeExtras::ResultHook& hook) {
    if (hook.index >= node.n_inputs()) return;
    Tensor& grad = grads[hook.index];
    Tensor result = hook.call(grad);
    if (!result.defined()) return;
    check_hooked(grad, result);
    grad = std::move(result);
  };
  if (node.n_inputs() < 2) {
    extras.tensor_hooks.each(section, call);
  } else {
    std::vector<std::uint32_t> results;
    extras.tensor_hooks.each(section, [&](const NodeExtras::ResultHook& hook) {
      if (std::find(results.begin(), results.end(), hook.index) == results.end()) results.push_back(hook.index);
    });
    for (std::uint32_t index : results)
      extras.tensor_hooks.each(section, [&](const NodeExtras::ResultHook& hook) {
        if (hook.index == index) call(hook);
      });
  }
  extras.retains.each(section, call);
}

inline void replace_list(std::vector<Tensor> result, Tensor* list, std::size_t n) {
  if (result.empty()) return;
  if (result.size() != n)
    fail<AutogradError>("a hook has returned an incorrect number of values (got ", result.size(), ", but expected ", n,
                        ")");
  for (std::size_t i = 0; i < n; ++i) {
    if (result[i].defined()) check_hooked(list[i], result[i]);
    list[i] = std::move(result[i]);
  }
}

/// All hooks that come before the node; what it is given, if hooks after it want to know.
inline std::vector<Tensor> hooks_before(Node& node, NodeExtras& extras, Tensor* grads) {
  HookSection section;
  tensor_hooks(section, node, extras, grads);
  extras.before.each(section, [&](const auto& hook) {
    replace_list(hook(TensorList(grads, node.n_inputs())), grads, node.n_inputs());
  });
  return extras.after.empty() ? std::vector<Tensor>() : std::vector<Tensor>(grads, grads + node.n_inputs());
}
inline void hooks_after(Node& node, NodeExtras& extras, Tensor* results, const std::vector<Tensor>& given) {
  // One that came while the node ran belongs to later runs.
  if (given.size() != node.n_inputs() || extras.after.empty()) return;
  extras.after.each(HookSection(), [&](const auto& hook) {
    replace_list(hook(TensorList(results, node.n_edges()), TensorList(given)), results, node.n_edges());
  });
}

}  // namespace tenon::autograd::detail
