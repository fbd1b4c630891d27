// What a derivative keeps of the forward pass: tensors with the version they had, geometries, plain arguments.
#pragma once
#include <tenon/autograd/view.hpp>

namespace tenon::autograd {

/// A tensor as it was when it was saved. A result is kept as an alias without history, else its node would hold itself.
struct SavedTensor {
  Tensor tensor;
  std::uint32_t version = 0;
  std::uint32_t result = 0;  ///< 1 + index for a result of the node

  SavedTensor() = default;
  static SavedTensor input(const Tensor& t) {
    SavedTensor s;
    s.tensor = t;
    if (t.defined()) s.version = t.version();
    return s;
  }
  static SavedTensor output(const Tensor& t, std::uint32_t index) {
    SavedTensor s;
    if (t.defined()) {
      s.tensor = make_alias(t);
      s.version = t.version();
    }
    s.result = index + 1;
    return s;
  }

  /// The tensor again. Throws AutogradError if its memory was written since.
  Tensor unpack(Node& node) const {
    if (!tensor.defined()) return {};
    if (tensor.version() != version) [[unlikely]] {
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
          version,
          " instead. Hint: clone() the tensor before the inplace operation, or apply the operation out of place.");
    }
    if (!result || !is_grad_enabled()) return tensor;
    Tensor t = make_alias(tensor);
    set_gradient_edge(t, intrusive_ptr<Node>::share(&node), result - 1);
    return t;
  }
};

}  // namespace tenon::autograd
