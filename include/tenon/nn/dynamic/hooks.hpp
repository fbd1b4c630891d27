// Functions that are called before and after a module, and before and after its backward pass.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <tenon/nn/container.hpp>
#include <tenon/nn/dynamic/module_call.hpp>
#include <tenon/nn/module.hpp>

namespace tenon::nn {

/// Called before a module with the tensors of its arguments, in a row; what it writes to them the module gets.
using ForwardPreHook = std::function<void(std::vector<Tensor>& inputs)>;
/// Called after a module with the tensors of its arguments and of its result; what it writes to the latter the caller
/// gets.
using ForwardHook = std::function<void(const std::vector<Tensor>& inputs, std::vector<Tensor>& outputs)>;
/// Called before or after a module with the whole call: arguments and results that are no tensors, and the module.
using CallHook = std::function<void(ModuleCall& call)>;
/// Called in the backward pass with the gradients of a module's outputs before the module's own pass; what it returns
/// stands for them from there on, an empty list leaves them.
using BackwardPreHook = std::function<std::vector<Tensor>(const std::vector<Tensor>& grad_output)>;
/// Called with the gradients of a module's inputs as soon as they are computed, and of its outputs; what it returns
/// stands for those of the inputs, an empty list leaves them.
using BackwardHook =
    std::function<std::vector<Tensor>(const std::vector<Tensor>& grad_input, const std::vector<Tensor>& grad_output)>;

/// Options of a hook's registration.
struct HookOptions {
  bool prepend = false;  ///< called before the hooks of its kind that there are, not after them
};

namespace detail {

/// What a call leaves for the hooks of its backward pass; null where there are none.
struct HookedBackward;
using HookedCall = std::shared_ptr<HookedBackward>;

/// A hook that returns nothing changes nothing.
template <class... Grads, class F>
std::function<std::vector<Tensor>(const Grads&...)> gradient_hook(F&& hook) {
  constexpr bool fits = std::is_invocable_v<F&, const Grads&...>;
  static_assert(fits,
                "tenon: a module's backward hook cannot be called with what it gets: (grad_input, grad_output), or "
                "(grad_output) as a pre-hook, each a const std::vector<Tensor>&");
  if constexpr (!fits)
    return {};
  else if constexpr (std::is_void_v<std::invoke_result_t<F&, const Grads&...>>)
    return [f = std::forward<F>(hook)](const Grads&... grads) mutable {
      f(grads...);
      return std::vector<Tensor>();
    };
  else
    return std::forward<F>(hook);
}

}  // namespace detail

/// The hooks of a module, in the order in which they were added; copies have hooks of their own.
class ModuleHooks {
 public:
  /// Returns a number that removes the hook again.
  std::int64_t add_before(CallHook hook, bool first = false) { return add(before_, std::move(hook), first); }
  std::int64_t add_after(CallHook hook, bool first = false) { return add(after_, std::move(hook), first); }
  std::int64_t add(ForwardPreHook hook, bool first = false);
  std::int64_t add(ForwardHook hook, bool first = false);
  std::int64_t add(BackwardPreHook hook, bool first = false) { return add(before_backward_, std::move(hook), first); }
  std::int64_t add(BackwardHook hook, bool first = false) { return add(after_backward_, std::move(hook), first); }
  /// Whether there was such a hook. A call that was made has the hooks of its time in its backward pass.
  bool remove(std::int64_t number) {
    auto is = [&](const auto& hook) { return hook.first == number; };
    return std::erase_if(before_, is) + std::erase_if(after_, is) + std::erase_if(before_backward_, is) +
               std::erase_if(after_backward_, is) >
           0;
  }
  bool empty() const {
    return before_.empty() && after_.empty() && before_backward_.empty() && after_backward_.empty();
  }
  /// Runs the hooks before a call and gives the inputs their place in the graph.
  detail::HookedCall before(ModuleCall& call) const;
  /// The same for the outputs after it.
  void after(const detail::HookedCall& backward, ModuleCall& call) const;

 private:
  template <class Hook>
  using Numbered = std::vector<std::pair<std::int64_t, Hook>>;
  template <class Hook>
  std::int64_t add(Numbered<Hook>& to, Hook hook, bool first) {
    to.emplace(first ? to.begin() : to.end(), ++last_, std::move(hook));
    return last_;
  }
  detail::HookedCall enter(ModuleCall& call) const;

  Numbered<CallHook> before_;
  Numbered<CallHook> after_;
  Numbered<BackwardPreHook> before_backward_;
  Numbered<BackwardHook> after_backward_;
  std::int64_t last_ = 0;
};

/// What hooks are added to: Hooked and AnyModule. Each call returns a number that removes its hook again.
class WithHooks {
 public:
  /// Calls `hook(inputs)` before each call, with the tensors of the arguments, or `hook(call)` with a ModuleCall.
  template <class F>
  std::int64_t register_forward_pre_hook(F&& hook, HookOptions o = {}) {
    constexpr bool of_tensors = std::is_invocable_v<F&, std::vector<Tensor>&>;
    static_assert(
        of_tensors || std::is_invocable_v<F&, ModuleCall&>,
        "tenon: a module's forward pre-hook cannot be called with what it gets: (std::vector<Tensor>& inputs) "
        "or (ModuleCall& call)");
    if constexpr (of_tensors)
      return hooks_.add(ForwardPreHook(std::forward<F>(hook)), o.prepend);
    else
      return hooks_.add_before(std::forward<F>(hook), o.prepend);
  }
  /// Calls `hook(inputs, outputs)` after each call, or `hook(call)` with a ModuleCall.
  template <class F>
  std::int64_t register_forward_hook(F&& hook, HookOptions o = {}) {
    constexpr bool of_tensors = std::is_invocable_v<F&, const std::vector<Tensor>&, std::vector<Tensor>&>;
    static_assert(of_tensors || std::is_invocable_v<F&, ModuleCall&>,
                  "tenon: a module's forward hook cannot be called with what it gets: (const std::vector<Tensor>& "
                  "inputs, std::vector<Tensor>& outputs) or (ModuleCall& call)");
    if constexpr (of_tensors)
      return hooks_.add(ForwardHook(std::forward<F>(hook)), o.prepend);
    else
      return hooks_.add_after(std::forward<F>(hook), o.prepend);
  }
  /// Calls `hook(grad_output)` in each backward pass through a call of this module made from now on.
  /// Source: Module.register_full_backward_pre_hook of PyTorch 2.15.
  template <class F>
  std::int64_t register_full_backward_pre_hook(F&& hook, HookOptions o = {}) {
    return hooks_.add(BackwardPreHook(detail::gradient_hook<std::vector<Tensor>>(std::forward<F>(hook))), o.prepend);
  }
  /// Calls `hook(grad_input, grad_output)` there; outputs that get no gradient have an undefined one. Where no input
  /// requires grad it is called as soon as there is grad_output, grad_input is undefined, and a warning says so.
  /// Errors, in the backward pass: AutogradError if another number of gradients is returned, or one for an input where
  /// none requires grad. Source: Module.register_full_backward_hook of PyTorch 2.15.
  template <class F>
  std::int64_t register_full_backward_hook(F&& hook, HookOptions o = {}) {
    return hooks_.add(
        BackwardHook(detail::gradient_hook<std::vector<Tensor>, std::vector<Tensor>>(std::forward<F>(hook))),
        o.prepend);
  }
  bool remove_hook(std::int64_t number) { return hooks_.remove(number); }

 protected:
  ModuleHooks hooks_;
};

/// A module with hooks, in the place of the module: `Hooked<Linear> head = Linear{64, 10};`. It is called as the module
/// is, and names of parameters stay what they are; `*head` and `head->weight` are the module's own.
template <class M>
class Hooked : public WithHooks {
 public:
  using element_type = M;
  Hooked(M module) : module_(std::move(module)) {}
  M* get() { return &module_; }
  const M* get() const { return &module_; }
  M& operator*() { return module_; }
  const M& operator*() const { return module_; }
  M* operator->() { return &module_; }
  const M* operator->() const { return &module_; }
  explicit operator bool() const { return true; }

  /// The same as for the module, with the hooks around it. Errors: what a hook throws.
  template <class... X>
    requires requires(const M& m, const X&... x) { detail::run(m, x...); }
  auto operator()(const X&... x) const {
    using R = std::remove_cvref_t<decltype(detail::run(module_, x...))>;
    static_assert(!std::is_void_v<R>, "tenon: a module with hooks returns nothing");
    if (hooks_.empty()) return R(detail::run(module_, x...));
    std::tuple<detail::kept_argument_t<X>...> arguments{detail::kept(x)...};
    return std::apply(
        [&](auto&... kept) -> R {
          ModuleCall call(&module_, typeid(M), {detail::CallValue(kept)...});
          detail::HookedCall backward = hooks_.before(call);
          R result = detail::run(module_, std::as_const(kept)...);
          call.set_result(detail::CallValue(result));
          hooks_.after(backward, call);
          return result;
        },
        arguments);
  }

 private:
  M module_;
};

}  // namespace tenon::nn
