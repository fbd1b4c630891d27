// What a derivative keeps of the forward pass: reading it again.
#pragma once
#include <tenon/autograd/saved.hpp>
#include <tenon/base/body.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::autograd {

TENON_BODY Tensor SavedTensor::unpack_output(Node& node) const {
  const Tensor& alias = unpack(node);
  // Places and counts among the results have no history.
  if (!is_grad_enabled() || !alias.defined() || !is_differentiable_type(alias.dtype())) return alias;
  Tensor t = make_alias(alias);
  set_gradient_edge(t, intrusive_ptr<Node>::share(&node), result - 1);
  return t;
}

TENON_BODY void SavedTensor::report_inference() {
  fail<AutogradError>(
      "Inference tensors cannot be saved for backward. Make a clone() to get a normal tensor and use it in autograd, or use NoGradGuard instead of InferenceMode.");
}

TENON_BODY void SavedTensor::report_detached() {
  fail<AutogradError>(
      "Trying to use a saved tensor that has been detached in-place, i.e. with .detach_(). This is not supported, use out-of-place `.detach()` instead");
}

TENON_BODY void SavedTensor::report_written(const Node& node) const {
  std::string origin;
  if (!result) {
    if (auto fn = grad_fn_of(tensor))
      origin = concat(", which is output ", meta_of(tensor)->result_index, " of ", fn->name(), ",");
  } else {
    origin = concat(", which is output ", result - 1, " of ", node.name(), ",");
  }
  fail<AutogradError>(
      "one of the variables needed for gradient computation has been modified by an inplace operation: [",
      tensor.dtype(), " ", tensor.sizes(), "]", origin, " is at version ", tensor.version(), "; expected version ",
      version, " instead. Hint: clone() the tensor before the inplace operation, or apply the operation out of place.");
}

TENON_BODY Tensor copy_before_write(const Tensor& t) { return ops::clone(t); }

}  // namespace tenon::autograd
