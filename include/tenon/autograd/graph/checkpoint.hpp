// Checkpointing: a part of the forward pass keeps nothing and runs again when its gradients are needed.
#pragma once
#include <functional>
#include <type_traits>
#include <vector>

#include <tenon/autograd/graph/saved_hooks.hpp>
#include <tenon/boxing/each_tensor.hpp>

namespace tenon::autograd {

struct CheckpointOptions {
  /// The second run draws what the first drew, from the default generator; not where other threads draw from it
  /// meanwhile, as in PyTorch.
  bool preserve_rng_state = true;
  /// Throws AutogradError where the second run saves tensors of other shapes or dtypes than the first.
  bool check_determinism = true;
};

namespace detail {
/// Hooks that keep places instead of tensors, and `again` to fill them, which needs `inputs` as they are now.
intrusive_ptr<SavedHookPair> checkpoint_hooks(std::function<void()> again, std::vector<Tensor> inputs,
                                              const CheckpointOptions& options);
}  // namespace detail

/// `f(inputs...)`, of which the graph keeps only the inputs: everything else that gradients need is computed by calling
/// `f` again, once for every backward() or grad() that needs something saved in it. `f` must do the same each time; it
/// is copied, and what it captures stays alive with the graph. Gradients of gradients work; checkpoints nest. Throws
/// AutogradError in the backward pass if an input was written since.
/// Cost: a second forward pass per backward pass; memory for the tensors saved within `f` only while these are used.
template <class F, class... A>
auto checkpoint(const CheckpointOptions& options, F f, A... inputs) {
  static_assert(std::is_invocable_v<F&, const A&...>,
                "tenon: checkpoint(f, inputs...): f cannot be called with the inputs");
  std::vector<Tensor> tensors;
  (tenon::detail::each_tensor(inputs, [&](const Tensor& t) { tensors.push_back(t); }), ...);
  SavedTensorHooks hooks(detail::checkpoint_hooks([f, inputs...]() mutable { (void)f(std::as_const(inputs)...); },
                                                  std::move(tensors), options));
  return f(std::as_const(inputs)...);
}
template <class F, class... A>
  requires(!std::is_convertible_v<F, CheckpointOptions>)
auto checkpoint(F f, A... inputs) { return checkpoint(CheckpointOptions{}, std::move(f), std::move(inputs)...); }

}  // namespace tenon::autograd
