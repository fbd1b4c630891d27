// What a derivative keeps of the forward pass: tensors with the version they had, geometries, plain arguments.
#pragma once
#include <tenon/autograd/view.hpp>

namespace tenon::autograd {

/// A tensor as it was when it was saved. A result is kept as an alias without history, else its node would hold itself.
struct SavedTensor {
  Tensor tensor;
  std::uint32_t version = 0;
  std::uint32_t result : 31 = 0;   ///< 1 + index for a result of the node
  std::uint32_t computed : 1 = 0;  ///< an argument that had a history

  SavedTensor() = default;
  /// Throws AutogradError for an inference tensor, whose writes nobody counts.
  static SavedTensor input(const Tensor& t) {
    SavedTensor s;
    s.tensor = t;
    if (t.defined()) {
      if (t->is_inference()) [[unlikely]]
        report_inference();
      s.version = t.version();
      s.computed = meta_of(t) && meta_of(t)->grad_fn;
    }
    return s;
  }
  static SavedTensor output(const Tensor& t, std::uint32_t index) {
    SavedTensor s;
    if (t.defined()) {
      s.tensor = make_alias(t);
      s.version = t.version();
    }
    s.result = (index + 1) & 0x7fffffff;
    return s;
  }

  /// The tensor again. Throws AutogradError if its memory was written or its history cut since.
  const Tensor& unpack(const Node& node) const {
    if (tensor.defined() && tensor.version() != version) [[unlikely]]
      report_written(node);
    if (computed && !meta_of(tensor)->grad_fn) [[unlikely]]
      report_detached();
    return tensor;
  }
  /// The same for a result: where gradients of gradients are asked for, with its place in the graph.
  Tensor unpack_output(Node& node) const;

 private:
  [[noreturn, gnu::cold]] static void report_inference();
  [[noreturn, gnu::cold]] static void report_detached();
  [[noreturn]] void report_written(const Node& node) const;
};

/// A copy with its history, for formulas that read what an in-place operation changes, and for their own gradients.
Tensor copy_before_write(const Tensor& t);

}  // namespace tenon::autograd
