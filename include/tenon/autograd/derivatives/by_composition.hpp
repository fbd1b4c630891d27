// Derivatives of a function that is written as differentiable operators: it is run again under autograd.
#pragma once
#include <vector>

#include <tenon/autograd/engine.hpp>
#include <tenon/autograd/mode.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::ops::derivatives {

using Tensors = std::vector<Tensor>;

/// What `f` passes back to its inputs from the gradients of its results; an undefined gradient counts as zero, and so
/// does an undefined result here. Recorded itself where grad mode is on, so that it has derivatives of any order.
template <class F>
Tensors back_through(F f, const Tensors& inputs, const Tensors& grads) {
  bool again = is_grad_enabled();
  // A backward pass that records nothing has switched autograd off for the calls of its formulas.
  LocalKeysGuard keys;
  local_keys().excluded = local_keys().excluded.without_functionalities(key_sets::autograd_and_inplace_or_view);
  EnableGradGuard guard;
  Tensors leaves, wanted;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Tensor& t = inputs[i];
    leaves.push_back(t);
    if (!t.defined() || !(t.is_floating_point() || t.is_complex())) continue;
    // An input that has a history of its own is cut off from the others' by a view.
    leaves[i] = again && t.requires_grad() ? Tensor(alias(t)) : t.detach();
    if (!leaves[i].requires_grad()) leaves[i].requires_grad_();
    wanted.push_back(leaves[i]);
    places.push_back(i);
  }
  Tensors results = f(leaves), from, weights;
  for (std::size_t i = 0; i < results.size(); ++i)
    if (i < grads.size() && grads[i].defined() && results[i].defined() && results[i].requires_grad()) {
      from.push_back(results[i]);
      weights.push_back(grads[i]);
    }
  Tensors out(inputs.size());
  if (from.empty() || wanted.empty()) return out;
  Tensors got = autograd::grad(from, wanted, weights, std::nullopt, again, true);
  for (std::size_t i = 0; i < places.size(); ++i) out[places[i]] = std::move(got[i]);
  return out;
}

/// What the gradients of `f` pass back: to the gradients of its results first, then to its inputs.
template <class F>
Tensors back_through_gradients(F f, const Tensors& inputs, const Tensors& grads, const Tensors& grads_of_gradients) {
  Tensors all = grads;
  all.insert(all.end(), inputs.begin(), inputs.end());
  auto n = static_cast<std::ptrdiff_t>(grads.size());
  return back_through(
      [&](const Tensors& x) {
        return back_through(f, Tensors(x.begin() + n, x.end()), Tensors(x.begin(), x.begin() + n));
      },
      all, grads_of_gradients);
}

}  // namespace tenon::ops::derivatives
