// The autograd side of Tensor: leaves, gradients, backward.
#pragma once
#include <tenon/autograd/engine.hpp>
#include <tenon/autograd/meta.hpp>
#include <tenon/base/body.hpp>

namespace tenon {

TENON_BODY const Tensor& Tensor::set_requires_grad(bool on) const {
  if (on && !is_differentiable_type(dtype()))
    fail<AutogradError>("only Tensors of floating point and complex dtype can require gradients");
  if (on && impl().is_inference() && !is_inference_mode())
    fail<AutogradError>("Setting requires_grad=True on inference tensor outside InferenceMode is not allowed.");
  if (!on && !impl().autograd()) return *this;
  if (!is_leaf()) {
    if (on) return *this;
    fail<AutogradError>(
        "you can only change requires_grad flags of leaf variables. If you want to use a computed variable in a subgraph that doesn't require differentiation use var_no_grad = var.detach().");
  }
  autograd::need_meta(*this).leaf_requires_grad = on;
  return *this;
}
TENON_BODY const Tensor& Tensor::requires_grad_(bool on) const { return set_requires_grad(on); }
TENON_BODY Tensor& Tensor::grad() const { return autograd::need_meta(*this).grad; }
TENON_BODY intrusive_ptr<Node> Tensor::grad_fn() const { return autograd::grad_fn_of(*this); }
TENON_BODY bool Tensor::is_leaf() const { return autograd::is_leaf(*this); }
TENON_BODY bool Tensor::is_view() const { return autograd::is_view(*this); }
TENON_BODY void Tensor::backward(const Tensor& gradient, bool retain_graph, bool create_graph) const {
  autograd::backward(TensorList(*this), TensorList(gradient), retain_graph || create_graph, create_graph);
}

}  // namespace tenon
