// Copies of tensors that share nothing with what they were made from: storage by storage.
#pragma once
#include <tenon/autograd/deepcopy.hpp>
#include <tenon/autograd/mode.hpp>
#include <tenon/base/body.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/tensor/create.hpp>

namespace tenon {

TENON_BODY Tensor DeepCopy::operator()(const Tensor& tensor) {
  if (!tensor.defined()) return tensor;
  for (const auto& [known, copy] : tensors_)
    if (known.is_same(tensor)) return copy;
  TENON_CHECK(
      tensor.is_leaf(), ValueError,
      "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the moment. If "
      "you were attempting to deepcopy a module, this may be because of a weight_norm usage.");
  Tensor out;
  {
    NoGradGuard no_grad;
    const Memory* memory = nullptr;
    for (const Memory& m : memory_)
      if (m.whole.storage() == tensor.storage() && m.whole.dtype() == tensor.dtype()) memory = &m;
    if (!memory) {
      auto elements = static_cast<std::int64_t>(tensor.storage().nbytes() / tensor.element_size());
      Tensor whole = make_alias(tensor, {elements}, {1}, 0);
      memory = &memory_.emplace_back(Memory{whole, ops::clone(whole)});
    }
    out = make_alias(memory->copy, tensor.sizes(), tensor.strides(), tensor.storage_offset());
  }
  tensors_.emplace_back(tensor, out);
  if (tensor.requires_grad()) out.set_requires_grad(true);
  if (Tensor grad = tensor.grad(); grad.defined()) out.grad() = (*this)(grad.is_leaf() ? grad : ops::detach(grad));
  return out;
}

TENON_BODY Tensor deepcopy(const Tensor& tensor) { return DeepCopy()(tensor); }

}  // namespace tenon
