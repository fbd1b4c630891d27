// Hooks: functions that see, and may change, gradients on their way through the graph.
#pragma once
#include <concepts>
#include <functional>
#include <type_traits>
#include <vector>

#include <tenon/autograd/graph/extras.hpp>

namespace tenon {

/// Takes a hook away again. Copies are handles of the same hook; a handle keeps no graph.
class RemovableHandle {
 public:
  RemovableHandle() = default;
  RemovableHandle(const intrusive_ptr<autograd::NodeExtras>& of, std::uint64_t id) : of_(of), id_(id) {}
  void remove() {
    if (auto extras = of_.lock()) extras->remove(id_);
  }
  std::uint64_t id() const { return id_; }

 private:
  weak_intrusive_ptr<autograd::NodeExtras> of_;
  std::uint64_t id_ = 0;
};

namespace autograd {

namespace detail {

RemovableHandle add_tensor_hook(const Tensor& t, std::function<Tensor(const Tensor&)> hook);
RemovableHandle add_accumulation_hook(const Tensor& leaf, std::function<void(const Tensor&)> hook);
RemovableHandle add_node_hook(Node& node, std::function<std::vector<Tensor>(TensorList)> hook);
RemovableHandle add_node_hook(Node& node, std::function<std::vector<Tensor>(TensorList, TensorList)> hook);

/// A hook that returns nothing changes nothing.
template <class Signature>
struct hook_of;
template <class R, class... A>
struct hook_of<R(A...)> {
  template <class F>
  static std::function<R(A...)> make(F&& hook) {
    static_assert(std::is_invocable_v<F&, A...>,
                  "tenon: a hook cannot be called with what it gets: a tensor's gets (const Tensor& grad), a node's "
                  "(TensorList grads) before it runs and (TensorList results, TensorList grads) after it");
    if constexpr (std::is_invocable_v<F&, A...>) {
      using Given = std::invoke_result_t<F&, A...>;
      static_assert(std::is_void_v<Given> || std::is_convertible_v<Given, R>,
                    "tenon: a hook returns something else than gradients: nothing, or a Tensor for a tensor's hook, a "
                    "std::vector<Tensor> for a node's");
      if constexpr (std::is_void_v<Given> && !std::is_void_v<R>)
        return [f = std::forward<F>(hook)](A... a) mutable {
          f(a...);
          return R();
        };
      else
        return std::forward<F>(hook);
    } else {
      return {};
    }
  }
};

}  // namespace detail

/// Calls `hook(grad)` with each gradient of a tensor before it is used; a defined tensor that it returns replaces the
/// gradient. Hooks of a tensor run in the order in which they came. After an in-place change the hook still belongs to
/// the value before.
/// Errors: AutogradError if the tensor requires no grad, or, in the run, if a gradient of another shape is returned.
template <class F>
RemovableHandle register_hook(const Tensor& t, F&& hook) {
  return detail::add_tensor_hook(t, detail::hook_of<Tensor(const Tensor&)>::make(std::forward<F>(hook)));
}
/// Calls `hook(leaf)` each time that a gradient was added to the leaf's grad().
/// Errors: AutogradError if the tensor is no leaf or requires no grad.
template <class F>
RemovableHandle register_post_accumulate_grad_hook(const Tensor& leaf, F&& hook) {
  return detail::add_accumulation_hook(leaf, detail::hook_of<void(const Tensor&)>::make(std::forward<F>(hook)));
}
/// Calls `hook(grads)` before the node runs, with the gradients of its results; a list that is not empty replaces them.
template <class F>
RemovableHandle register_prehook(Node& node, F&& hook) {
  return detail::add_node_hook(node, detail::hook_of<std::vector<Tensor>(TensorList)>::make(std::forward<F>(hook)));
}
/// Calls `hook(results, grads)` after the node ran, with what it gives along its edges and what it got; a list that is
/// not empty replaces what it gives.
template <class F>
RemovableHandle register_hook(Node& node, F&& hook) {
  return detail::add_node_hook(
      node, detail::hook_of<std::vector<Tensor>(TensorList, TensorList)>::make(std::forward<F>(hook)));
}

}  // namespace autograd

template <class F>
RemovableHandle Tensor::register_hook(F&& hook) const {
  return autograd::register_hook(*this, std::forward<F>(hook));
}
template <class F>
RemovableHandle Tensor::register_post_accumulate_grad_hook(F&& hook) const {
  return autograd::register_post_accumulate_grad_hook(*this, std::forward<F>(hook));
}

}  // namespace tenon
