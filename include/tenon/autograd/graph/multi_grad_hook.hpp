// One hook for several tensors: when all their gradients are there, or the first of them.
#pragma once
#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

#include <tenon/autograd/graph/hooks.hpp>

namespace tenon::autograd {

enum class MultiGradMode : std::uint8_t { All, Any };

/// Takes a hook of several tensors away again.
class MultiGradHandle {
 public:
  MultiGradHandle() = default;
  explicit MultiGradHandle(std::vector<RemovableHandle> handles) : handles_(std::move(handles)) {}
  void remove() {
    for (RemovableHandle& handle : handles_) handle.remove();
  }

 private:
  std::vector<RemovableHandle> handles_;
};

namespace detail {
MultiGradHandle add_hook_of_all(TensorList tensors, std::function<void(TensorList)> hook);
MultiGradHandle add_hook_of_any(TensorList tensors, std::function<void(const Tensor&)> hook);
}  // namespace detail

/// Calls `hook(grads)` once in each run, when the gradients of all tensors are there that the run comes by; those of
/// the others are undefined. As `register_multi_grad_hook<MultiGradMode::Any>(tensors, hook)` it is `hook(grad)`, with
/// the first gradient that is there. The hook changes nothing.
/// Errors: AutogradError if a tensor requires no grad; by Any such a tensor is passed over.
/// Source: torch.autograd.graph.register_multi_grad_hook of PyTorch 2.15.
template <MultiGradMode Mode = MultiGradMode::All, class F>
MultiGradHandle register_multi_grad_hook(TensorList tensors, F&& hook) {
  constexpr bool all = Mode == MultiGradMode::All;
  using Given = std::conditional_t<all, TensorList, const Tensor&>;
  static_assert(std::is_invocable_v<F&, Given>,
                "tenon: a hook of several tensors cannot be called with what it gets: (TensorList grads), by Any "
                "(const Tensor& grad)");
  if constexpr (!std::is_invocable_v<F&, Given>)
    return MultiGradHandle();
  else if constexpr (all)
    return detail::add_hook_of_all(tensors, std::forward<F>(hook));
  else
    return detail::add_hook_of_any(tensors, std::forward<F>(hook));
}

}  // namespace tenon::autograd
