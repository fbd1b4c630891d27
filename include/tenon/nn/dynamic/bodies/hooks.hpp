// The places of a module's inputs and outputs in the graph, at which hooks meet their gradients.
#pragma once
#include <optional>

#include <tenon/autograd/graph/function.hpp>
#include <tenon/autograd/mode.hpp>
#include <tenon/base/body.hpp>
#include <tenon/base/warning.hpp>
#include <tenon/nn/dynamic/hooks.hpp>

namespace tenon::nn {

namespace detail {

struct HookedBackward {
  std::vector<BackwardPreHook> before;
  std::vector<BackwardHook> after;
  std::size_t inputs = 0;
  bool inputs_require_grad = false;
  std::optional<std::vector<Tensor>> grad_output;  // between the outputs' gradients and the inputs'

  std::vector<Tensor> outputs_reached(std::vector<Tensor> grads) {
    for (const BackwardPreHook& hook : before) {
      std::vector<Tensor> now = hook(grads);
      if (now.empty()) continue;
      TENON_CHECK(now.size() == grads.size(), AutogradError,
                  "Backward pre hook returned an invalid number of grad_output, got ", now.size(), ", but expected ",
                  grads.size());
      grads = std::move(now);
    }
    if (inputs_require_grad)
      grad_output = grads;
    else if (!after.empty())
      end_at_outputs(grads);
    return grads;
  }
  std::vector<Tensor> inputs_reached(std::vector<Tensor> grads) {
    // Gradients of gradients come here without having passed the outputs.
    if (!grad_output) return grads;
    const std::vector<Tensor> from = *std::exchange(grad_output, std::nullopt);
    for (const BackwardHook& hook : after) {
      std::vector<Tensor> now = hook(grads, from);
      if (now.empty()) continue;
      TENON_CHECK(now.size() == grads.size(), AutogradError,
                  "Backward hook returned an invalid number of grad_input, got ", now.size(), ", but expected ",
                  grads.size());
      grads = std::move(now);
    }
    return grads;
  }

 private:
  void end_at_outputs(const std::vector<Tensor>& grads) const {
    warn(
        "Full backward hook is firing when gradients are computed with respect to module outputs since no inputs "
        "require gradients.");
    for (const BackwardHook& hook : after)
      for (const Tensor& t : hook(std::vector<Tensor>(inputs), grads))
        TENON_CHECK(!t.defined(), AutogradError,
                    "Backward hook for Modules where no input requires gradient should always return None or None for "
                    "all gradients.");
  }
};

/// Gives tensors back as results of its own.
template <class Gate>
struct GateFunction : autograd::Function<Gate> {
  static std::vector<Tensor> forward(autograd::AutogradContext& ctx, const HookedCall& call,
                                     const std::vector<Tensor>& tensors) {
    std::vector<Tensor> apart;
    for (const Tensor& t : tensors)
      if (t.defined() && !t.requires_grad()) apart.push_back(t);
    ctx.mark_non_differentiable(std::move(apart));
    ctx.set_materialize_grads(Gate::zeros_for_none);
    ctx.saved_data["call"] = call;
    return tensors;
  }
  static std::vector<Tensor> jvp(autograd::AutogradContext&, TensorList tangents) {
    return {tangents.begin(), tangents.end()};
  }
  static HookedBackward& call_of(const autograd::AutogradContext& ctx) { return *ctx.get<HookedCall>("call"); }
};
struct ModuleInputs : GateFunction<ModuleInputs> {
  static constexpr bool zeros_for_none = true;
  static std::vector<Tensor> backward(autograd::AutogradContext& ctx, TensorList grads) {
    return call_of(ctx).inputs_reached({grads.begin(), grads.end()});
  }
};
struct ModuleOutputs : GateFunction<ModuleOutputs> {
  static constexpr bool zeros_for_none = false;
  static std::vector<Tensor> backward(autograd::AutogradContext& ctx, TensorList grads) {
    return call_of(ctx).outputs_reached({grads.begin(), grads.end()});
  }
};

inline bool any_requires_grad(const std::vector<Tensor>& tensors) {
  if (!is_grad_enabled()) return false;
  for (const Tensor& t : tensors)
    if (t.defined() && t.requires_grad()) return true;
  return false;
}

}  // namespace detail

TENON_BODY std::int64_t ModuleHooks::add(ForwardPreHook hook, bool first) {
  auto of_call = [hook = std::move(hook)](ModuleCall& call) {
    std::vector<Tensor> inputs = call.inputs();
    hook(inputs);
    call.set_inputs(inputs);
  };
  return add_before(std::move(of_call), first);
}
TENON_BODY std::int64_t ModuleHooks::add(ForwardHook hook, bool first) {
  auto of_call = [hook = std::move(hook)](ModuleCall& call) {
    std::vector<Tensor> outputs = call.outputs();
    hook(call.inputs(), outputs);
    call.set_outputs(outputs);
  };
  return add_after(std::move(of_call), first);
}
TENON_BODY detail::HookedCall ModuleHooks::before(ModuleCall& call) const {
  for (const auto& [number, hook] : before_) hook(call);
  return before_backward_.empty() && after_backward_.empty() ? nullptr : enter(call);
}
TENON_BODY void ModuleHooks::after(const detail::HookedCall& backward, ModuleCall& call) const {
  for (const auto& [number, hook] : after_) hook(call);
  if (!backward) return;
  std::vector<Tensor> outputs = call.outputs();
  if (detail::any_requires_grad(outputs)) call.set_outputs(detail::ModuleOutputs::apply(backward, outputs));
}
TENON_BODY detail::HookedCall ModuleHooks::enter(ModuleCall& call) const {
  auto backward = std::make_shared<detail::HookedBackward>();
  for (const auto& [number, hook] : before_backward_) backward->before.push_back(hook);
  for (const auto& [number, hook] : after_backward_) backward->after.push_back(hook);
  const std::vector<Tensor> inputs = call.inputs();
  backward->inputs = inputs.size();
  backward->inputs_require_grad = detail::any_requires_grad(inputs);
  if (backward->inputs_require_grad) call.set_inputs(detail::ModuleInputs::apply(backward, inputs));
  return backward;
}

}  // namespace tenon::nn
