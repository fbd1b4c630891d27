// Tensors by the names of fields: what goes wrong, and new leaves.
#pragma once
#include <tenon/autograd/engine.hpp>
#include <tenon/autograd/mode.hpp>
#include <tenon/base/body.hpp>
#include <tenon/nn/dynamic/named_field.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::nn::detail {

TENON_COLD_BODY void no_tensor_called(std::string_view name, const std::string& known) {
  fail<ValueError>("the layer has no tensor called '", name, "', only ", known.empty() ? "none" : known);
}
TENON_BODY Parameter leaf_like(const Tensor& old, const Tensor& elements) {
  NoGradGuard no_grad;
  Tensor leaf = ops::clone(ops::detach(elements));
  leaf.set_requires_grad(old.requires_grad());
  return Parameter(leaf);
}

}  // namespace tenon::nn::detail
