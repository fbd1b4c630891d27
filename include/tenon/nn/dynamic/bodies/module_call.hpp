// The tensors of a call's values.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/nn/dynamic/module_call.hpp>

namespace tenon::nn {

TENON_BODY std::vector<Tensor> ModuleCall::inputs() const {
  std::vector<Tensor> found;
  for (const detail::CallValue& v : arguments_) v.collect(v.at, found);
  return found;
}
TENON_BODY std::vector<Tensor> ModuleCall::outputs() const {
  std::vector<Tensor> found;
  if (result_.at) result_.collect(result_.at, found);
  return found;
}
TENON_BODY void ModuleCall::set_inputs(const std::vector<Tensor>& tensors) {
  const std::size_t expected = inputs().size();
  TENON_CHECK(tensors.size() == expected, ValueError, "ModuleCall: expected ", expected, " tensors as inputs, got ",
              tensors.size(), "; a hook changes them, and leaves their number");
  std::size_t next = 0;
  for (const detail::CallValue& v : arguments_) v.replace(v.at, tensors, next);
}
TENON_BODY void ModuleCall::set_outputs(const std::vector<Tensor>& tensors) {
  const std::size_t expected = outputs().size();
  TENON_CHECK(tensors.size() == expected, ValueError, "ModuleCall: expected ", expected, " tensors as outputs, got ",
              tensors.size(), "; a hook changes them, and leaves their number");
  std::size_t next = 0;
  if (result_.at) result_.replace(result_.at, tensors, next);
}

}  // namespace tenon::nn
