// Counting the gradients that a hook of several tensors waits for.
#pragma once
#include <map>
#include <memory>
#include <mutex>

#include <tenon/autograd/graph/callback.hpp>
#include <tenon/autograd/graph/multi_grad_hook.hpp>
#include <tenon/base/body.hpp>

namespace tenon::autograd::detail {

/// What several runs, on any threads, have brought so far.
class HookOfAll {
 public:
  HookOfAll(TensorList tensors, std::function<void(TensorList)> hook) : hook_(std::move(hook)) {
    for (const Tensor& t : tensors) nodes_.emplace_back(gradient_edge(t).node);
  }
  void came(std::size_t i, const Tensor& grad) {
    std::vector<Tensor> complete;
    {
      std::lock_guard lock(mutex_);
      auto [at, first] = runs_.try_emplace(current_run_number());
      Waiting& run = at->second;
      if (first) {
        run.grads.resize(nodes_.size());
        for (const auto& node : nodes_)
          if (auto there = node.lock()) run.missing += run_comes_by(*there);
      }
      run.grads[i] = grad;
      if (--run.missing != 0) return;
      complete = std::move(run.grads);
      runs_.erase(at);
    }
    hook_(complete);
  }

 private:
  struct Waiting {
    std::size_t missing = 0;
    std::vector<Tensor> grads;
  };
  std::function<void(TensorList)> hook_;
  std::vector<weak_intrusive_ptr<Node>> nodes_;  // whose hooks hold this
  std::mutex mutex_;
  std::map<std::uint64_t, Waiting> runs_;
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
  struct First {
    std::function<void(const Tensor&)> hook;
    std::mutex mutex;
    std::map<std::uint64_t, bool> ran;
  };
  auto state = std::make_shared<First>();
  state->hook = std::move(hook);
  std::vector<RemovableHandle> handles;
  for (const Tensor& t : tensors)
    if (t.requires_grad())
      handles.push_back(register_hook(t, [state](const Tensor& grad) {
        std::uint64_t run = current_run_number();
        {
          std::lock_guard lock(state->mutex);
          if (std::exchange(state->ran[run], true)) return;
        }
        queue_callback([state, run] {
          std::lock_guard lock(state->mutex);
          state->ran.erase(run);
        });
        state->hook(grad);
      }));
  return MultiGradHandle(std::move(handles));
}

}  // namespace tenon::autograd::detail
