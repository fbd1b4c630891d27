// What a derivative keeps of the forward pass: reading it again.
#pragma once
#include <tenon/autograd/graph/saved_hooks.hpp>
#include <tenon/autograd/saved.hpp>
#include <tenon/autograd/detail/freed_graph.hpp>
#include <tenon/autograd/detail/written.hpp>
#include <tenon/base/body.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::autograd {

TENON_BODY bool SavedTensor::pack(const Tensor& t, Node& node) {
  if (!t.defined() || t->is_wrapped_number()) return false;
  if (t->is_inference()) report_inference();
  if (!detail::saved_hooks->pair) fail<AutogradError>(detail::saved_hooks->refusal);
  detail::PackedTensor entry;
  entry.hooks = detail::saved_hooks->pair;
  {
    NoGradGuard no_grad;
    detail::NoSavedHooks no_hooks;
    bool counts = static_cast<bool>(t.storage());
    std::uint32_t before = counts ? t->storage()->version() : 0;
    entry.value = entry.hooks->pack(result ? make_alias(t) : t);
    if (counts && t->storage()->version() != before)
      fail<AutogradError>(
          "A saved tensor pack hook is modifying its input in place. Tensors provided as input to pack hook can not be modified by in-place operations as this can lead to unexpected side-effects. Please open an issue if you need to perform in-place operations on the input to a pack hook.");
  }
  if (!result) entry.edge = gradient_edge(t);
  NodeExtras& extras = node.need_extras();
  packed = 1;
  version = static_cast<std::uint32_t>(extras.packed.size());
  extras.packed.push_back(std::move(entry));
  return true;
}

TENON_BODY Tensor SavedTensor::unpack_packed(const Node& node) const {
  NodeExtras* extras = node.extras();
  if (!extras || version >= extras->packed.size()) detail::report_freed_graph();
  const detail::PackedTensor& entry = extras->packed[version];
  Tensor t;
  {
    detail::NoSavedHooks no_hooks;
    t = entry.hooks->unpack(entry.value);
  }
  if (!t.defined() || result) return t;
  t = make_alias(t);
  if (entry.edge) set_gradient_edge(t, entry.edge.node, entry.edge.index);
  return t;
}

TENON_BODY const Tensor& SavedTensor::unpack_in_scope(const Node& node) const {
  if (!detail::unpacked)
    fail<InternalError>("a packed tensor of ", node.name(), " is read while the node does not run");
  for (const auto& known : detail::unpacked->tensors)
    if (known.saved == this) return known.tensor;
  return detail::unpacked->tensors.emplace_back(detail::UnpackScope::Known{this, unpack_packed(node)}).tensor;
}

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
  detail::report_written_since(*this, node, concat("; saved as ", node.place_of(*this)));
}

TENON_BODY Tensor copy_before_write(const Tensor& t) { return ops::clone(t); }

}  // namespace tenon::autograd
