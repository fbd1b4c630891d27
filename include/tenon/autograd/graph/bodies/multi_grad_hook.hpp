// Counting the gradients that a hook of several tensors waits for.
#pragma once
#include <any>
#include <memory>

#include <tenon/autograd/graph/callback.hpp>
#include <tenon/autograd/graph/multi_grad_hook.hpp>
#include <tenon/base/body.hpp>

namespace tenon::autograd::detail {

/// A hook of all gradients; what of them has come so far is kept in the run.
class HookOfAll : public std::enable_shared_from_this<HookOfAll> {
 public:
  HookOfAll(TensorList tensors, std::function<void(TensorList)> hook) : hook_(std::move(hook)) {
    for (const Tensor& t : tensors) nodes_.emplace_back(gradient_edge(t).node);
  }
  void came(std::size_t i, const Tensor& grad) {
    std::any& kept = kept_in_run(shared_from_this());
    if (!kept.has_value()) {
      Waiting run{0, std::vector<Tensor>(nodes_.size())};
      for (const auto& node : nodes_)
        if (auto there = node.lock()) run.missing += run_comes_by(*there);
      kept = std::move(run);
    }
    Waiting& run = *std::any_cast<Waiting>(&kept);
    run.grads[i] = grad;
    if (--run.missing != 0) return;
    std::vector<Tensor> complete = std::move(run.grads);
    kept.reset();
    hook_(complete);
  }

 private:
  struct Waiting {
    std::size_t missing = 0;
    std::vector<Tensor> grads;
  };
  std::function<void(TensorList)> hook_;
  std::vector<weak_intrusive_ptr<Node>> nodes_;  // whose hooks hold this
};

TENON_COLD_BODY MultiGradHandle add_hook_of_all(TensorList tensors, std::function<void(TensorList)> hook) {
  for (const Tensor& t : tensors)
    if (!t.requires_grad()) fail<AutogradError>("cannot register a hook on a tensor that doesn't require gradient");
  auto state = std::make_shared<HookOfAll>(tensors, std::move(hook));
  std::vector<RemovableHandle> handles;
  for (std::size_t i = 0; i < tensors.size(); ++i)
    handles.push_back(register_hook(tensors[i], [state, i](const Tensor& grad) { state->came(i, grad); }));
  return MultiGradHandle(std::move(handles));
}

TENON_COLD_BODY MultiGradHandle add_hook_of_any(TensorList tensors, std::function<void(const Tensor&)> hook) {
  auto shared = std::make_shared<std::function<void(const Tensor&)>>(std::move(hook));
  std::vector<RemovableHandle> handles;
  for (const Tensor& t : tensors)
    if (t.requires_grad())
      handles.push_back(register_hook(t, [shared](const Tensor& grad) {
        std::any& ran = kept_in_run(shared);
        if (ran.has_value()) return;
        ran = true;
        (*shared)(grad);
      }));
  return MultiGradHandle(std::move(handles));
}

}  // namespace tenon::autograd::detail
