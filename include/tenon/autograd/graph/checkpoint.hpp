// Checkpointing: a part of the forward pass keeps nothing and runs again when its gradients are needed.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>
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
  /// The second run ends where all is there that the first saved: what `f` does behind that is work for nothing, and
  /// where it writes to what was saved it would make the gradients wrong. It ends by an exception that is no Error.
  bool early_stop = true;
};

namespace detail {
/// The first run of a checkpoint, which may ask for gradients itself before all is saved.
struct FirstRun {
  std::shared_ptr<bool> ended = std::make_shared<bool>(false);
  ~FirstRun() { *ended = true; }
};
/// Hooks that keep places instead of tensors, and `again` to fill them, which needs `inputs` as they are now.
intrusive_ptr<SavedHookPair> checkpoint_hooks(std::function<void()> again, std::vector<Tensor> inputs,
                                              const CheckpointOptions& options, std::shared_ptr<bool> ended);
}  // namespace detail

/// `f(inputs...)`, of which the graph keeps only the inputs: everything else that gradients need is computed by calling
/// `f` again, once for every backward() or grad() that needs something saved in it. `f` must do the same each time; it
/// is copied, and what it captures stays alive with the graph. Gradients of gradients work, those that `f` asks for
/// itself too; checkpoints nest. Throws AutogradError in the backward pass if an input was written since.
/// Cost: a second forward pass per backward pass; memory for the tensors saved within `f` only while these are used.
template <class F, class... A>
auto checkpoint(const CheckpointOptions& options, F f, A... inputs) {
  static_assert(std::is_invocable_v<F&, const A&...>,
                "tenon: checkpoint(f, inputs...): f cannot be called with the inputs");
  std::vector<Tensor> tensors;
  (tenon::detail::each_tensor(inputs, [&](const Tensor& t) { tensors.push_back(t); }), ...);
  detail::FirstRun first;
  SavedTensorHooks hooks(detail::checkpoint_hooks([f, inputs...]() mutable { (void)f(std::as_const(inputs)...); },
                                                  std::move(tensors), options, first.ended));
  return f(std::as_const(inputs)...);
}
template <class F, class... A>
  requires(!std::is_convertible_v<F, CheckpointOptions>)
auto checkpoint(F f, A... inputs) { return checkpoint(CheckpointOptions{}, std::move(f), std::move(inputs)...); }

namespace detail {
void check_segments(std::size_t functions, std::int64_t segments);
template <class F>
Tensor call_part(const F& part, const Tensor& x) {
  if constexpr (std::is_invocable_v<const F&, const Tensor&>)
    return part(x);
  else
    return part.forward(x);
}
template <class... F>
constexpr std::size_t count_parts(const std::tuple<F...>&) {
  return sizeof...(F);
}
template <class List>
std::size_t count_parts(const List& list) {
  return static_cast<std::size_t>(list.size());
}
/// Parts [first, last) one after another.
template <class... F>
Tensor run_parts(const std::tuple<F...>& parts, std::size_t first, std::size_t last, Tensor x) {
  std::size_t at = 0;
  auto step = [&](const auto& part) {
    if (at >= first && at < last) x = call_part(part, x);
    ++at;
  };
  std::apply([&](const auto&... part) { (step(part), ...); }, parts);
  return x;
}
template <class List>
Tensor run_parts(const List& parts, std::size_t first, std::size_t last, Tensor x) {
  for (; first < last; ++first) x = call_part(parts[first], x);
  return x;
}
}  // namespace detail

/// Calls functions one after another, a list or a tuple of them or an nn::Sequential, in `segments` parts of which all
/// but the last are checkpoints: these keep what enters them alone. The functions are copied once.
/// Errors: ValueError unless there are between 1 and as many segments as functions.
/// Source: torch.utils.checkpoint.checkpoint_sequential of PyTorch 2.15.
template <class Functions>
Tensor checkpoint_sequential(const Functions& functions, std::int64_t segments, const Tensor& input,
                             const CheckpointOptions& options = {}) {
  if constexpr (requires { std::tuple_size<decltype(functions.parts)>::value; }) {
    return checkpoint_sequential(functions.parts, segments, input, options);
  } else {
    std::size_t count = detail::count_parts(functions), first = 0;
    detail::check_segments(count, segments);
    std::size_t size = count / static_cast<std::size_t>(segments);
    auto kept = std::make_shared<const Functions>(functions);
    Tensor x = input;
    for (; segments > 1; --segments, first += size)
      x = checkpoint(
          options, [kept, first, size](const Tensor& in) { return detail::run_parts(*kept, first, first + size, in); },
          x);
    return detail::run_parts(functions, first, count, std::move(x));
  }
}

}  // namespace tenon::autograd
