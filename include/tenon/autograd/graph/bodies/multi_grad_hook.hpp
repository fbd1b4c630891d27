// Counting the gradients that a hook of several tensors waits for.
#pragma once
#include <any>
#include <memory>

#include <tenon/autograd/graph/callback.hpp>
#include <tenon/autograd/graph/detail/run.hpp>
#include <tenon/autograd/graph/extras.hpp>
#include <tenon/autograd/graph/multi_grad_hook.hpp>
#include <tenon/base/body.hpp>

namespace tenon::autograd::detail {

/// A hook of all gradients; what of them has come so far is kept in the run.
class HookOfAll : public std::enable_shared_from_this<HookOfAll> {
 public:
  HookOfAll(TensorList tensors, std::function<void(TensorList)> hook) : hook_(std::move(hook)) {
    for (const Tensor& t : tensors) places_.emplace_back(gradient_edge(t).node);
  }
  void came(std::size_t i, const Tensor& grad) {
    std::any& kept = kept_in_run(shared_from_this());
    if (!kept.has_value()) {
      Waiting run{0, std::vector<Tensor>(places_.size())};
      for (const Place& place : places_) run.missing += place.is_reached(*current_run->run);
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
  /// A node whose hooks hold this, so that it is not held in return. Its address may be another's by now, that of its
  /// extras may not.
  struct Place {
    explicit Place(const intrusive_ptr<Node>& of) : node(of.get()) {
      if (node) extras = weak_intrusive_ptr<NodeExtras>(intrusive_ptr<NodeExtras>::share(&of->need_extras()));
    }
    bool is_reached(Run& run) const {
      if (!node || !run.comes_by(node)) return false;
      auto known = extras.lock();
      return known && node->extras() == known.get();
    }
    const Node* node;
    weak_intrusive_ptr<NodeExtras> extras;
  };
  std::function<void(TensorList)> hook_;
  std::vector<Place> places_;
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
