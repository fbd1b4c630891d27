// What a derivative keeps of the forward pass: tensors with the version they had, geometries, plain arguments.
#pragma once
#include <tenon/autograd/view.hpp>

namespace tenon {

namespace autograd {

namespace detail {
struct SavedHookScope;
struct UnpackScope;
TENON_THREAD_WORD(SavedHookScope*, saved_hooks, nullptr);  // the innermost scope's
TENON_THREAD_WORD(UnpackScope*, unpacked, nullptr);        // what the node that runs has unpacked
}  // namespace detail

/// A tensor as it was when it was saved. A result is kept as an alias without history, else its node would hold itself.
struct SavedTensor {
  Tensor tensor;
  std::uint32_t version = 0;       ///< or the place among what the node has packed
  std::uint32_t result : 30 = 0;   ///< 1 + index for a result of the node
  std::uint32_t computed : 1 = 0;  ///< an argument that had a history
  std::uint32_t packed : 1 = 0;    ///< kept in another form by saved-tensor hooks

  SavedTensor() = default;
  /// Throws AutogradError for an inference tensor, whose writes nobody counts.
  static SavedTensor input(const Tensor& t, Node& node) {
    SavedTensor s;
    s.set_input(t, node);
    return s;
  }
  /// The same of one that holds nothing yet.
  void set_input(const Tensor& t, Node& node) {
    if (detail::saved_hooks) [[unlikely]]
      if (pack(t, node)) return;
    if (!t.defined()) return;
    if (t->is_inference()) [[unlikely]]
      report_inference();
    new (&tensor) Tensor(t);
    version = t->storage()->version();
    if (const AutogradMeta* meta = meta_of(t)) computed = static_cast<bool>(meta->grad_fn);
  }
  static SavedTensor output(const Tensor& t, std::uint32_t index, Node& node) {
    SavedTensor s;
    s.result = (index + 1) & 0x3fffffff;
    if (detail::saved_hooks) [[unlikely]]
      if (s.pack(t, node)) return s;
    if (t.defined()) {
      s.tensor = make_alias(t);
      s.version = t->storage()->version();
    }
    return s;
  }

  /// The tensor again. Throws AutogradError if its memory was written or its history cut since.
  const Tensor& unpack(const Node& node) const {
    if (packed) [[unlikely]]
      return unpack_in_scope(node);
    if (tensor.defined() && tensor->storage()->version() != version) [[unlikely]]
      report_written(node);
    if (computed && !meta_of(tensor)->grad_fn) [[unlikely]]
      report_detached();
    return tensor;
  }
  /// The same for a result: where gradients of gradients are asked for, with its place in the graph.
  Tensor unpack_output(Node& node) const;
  /// Asks the hooks for a packed tensor.
  Tensor unpack_packed(const Node& node) const;
  [[noreturn, gnu::cold]] static void report_inference();

 private:
  bool pack(const Tensor& t, Node& node);
  const Tensor& unpack_in_scope(const Node& node) const;
  [[noreturn, gnu::cold]] static void report_detached();
  [[noreturn]] void report_written(const Node& node) const;
};

/// A copy with its history, for formulas that read what an in-place operation changes, and for their own gradients.
Tensor copy_before_write(const Tensor& t);

}  // namespace autograd
}  // namespace tenon
