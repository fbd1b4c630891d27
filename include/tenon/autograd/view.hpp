// Views and in-place changes in the graph: a change of a view is a change of its base.
#pragma once
#include <tenon/autograd/meta.hpp>

namespace tenon::autograd {

/// The place of a tensor in its storage and what it holds.
struct Geometry {
  DimVector sizes, strides;
  std::int64_t offset = 0;
  ScalarType dtype = kFloat;
  Device device;
  Geometry() = default;
  explicit Geometry(const Tensor& t) { assign(t); }
  void assign(const Tensor& t) {
    sizes = t.sizes();
    strides = t.strides();
    offset = t.storage_offset();
    dtype = t.dtype();
    device = t.device();
  }
};

/// The gradient of `base` when its memory was read as a view: zeros but where the view reads, added where it reads
/// twice. Shapes: grad as `sizes`; the result as base. Differentiable. Cost: a copy of the base's extent.
Tensor as_strided_backward(Tensor grad, const Geometry& base, IntArrayRef view_sizes, IntArrayRef view_strides,
                           std::int64_t offset);

/// Refuses in-place changes that would make recorded gradients wrong; called before the change, where some argument
/// requires grad and grad mode is on. `op`: who changes it.
void check_inplace(const Tensor& t, std::string_view op);
/// Makes `node` the origin of a tensor that was changed in place; of its base if it is a view.
void rebase_history(const Tensor& t, intrusive_ptr<Node> node);
/// Makes a fresh alias of `base` a differentiable view of it. `maker`: the operator that made it, if that has no
/// derivative; its name must live as long as the program.
void make_any_view(const Tensor& base, const Tensor& view, bool one_of_several, std::string_view maker = {});
/// The same; most views are of no view, and made where gradients are recorded.
[[gnu::always_inline]] inline void make_view(const Tensor& base, const Tensor& view, bool one_of_several) {
  const AutogradMeta* from = meta_of(base);
  TensorImpl& made = *view.unsafe_impl();
  if (one_of_several || (from && from->view) || !is_grad_enabled() || is_inference_mode() || made.is_inference() ||
      made.autograd()) [[unlikely]]
    return make_any_view(base, view, one_of_several);
  made.make_autograd<AutogradMeta>(base, made.storage()->version());
}

[[noreturn, gnu::cold]] void report_inference_write();
[[noreturn, gnu::cold]] void report_undefined_write(std::string_view op);
/// Refuses a write to an undefined tensor, and to an inference tensor outside inference mode: it has no version that
/// could tell of it.
inline void check_write(const Tensor& t, std::string_view op) {
  if (!t.defined()) [[unlikely]]
    report_undefined_write(op);
  if (t->is_inference() && !is_inference_mode()) [[unlikely]]
    report_inference_write();
}

}  // namespace tenon::autograd
