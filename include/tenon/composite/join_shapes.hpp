// What is joined: its shape, dtype and errors.
#pragma once
#include <tenon/ops/join.hpp>
#include <tenon/structured/promotion.hpp>
#include <tenon/structured/structured.hpp>
#include <tenon/tensor/overlap.hpp>

namespace tenon::composite {

/// A 1-D tensor without elements joins anything.
inline bool is_legacy_empty(const Tensor& t) {
  const TensorImpl& impl = t.impl();
  return impl.dim() == 1 && (impl.is_symbolic() ? impl.sym_sizes()[0] == 0 : impl.sizes()[0] == 0);
}
struct CatPlan {
  std::int64_t dim = 0;
  const Tensor* first = nullptr;  // null if every tensor is a legacy empty one
};
inline CatPlan plan_cat(TensorList tensors, std::int64_t dim) {
  TENON_CHECK(!tensors.empty(), ValueError, "torch.cat(): expected a non-empty list of Tensors");
  CatPlan plan;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    TENON_CHECK(tensors[i].dim() > 0, ValueError, "zero-dimensional tensor (at position ", i,
                ") cannot be concatenated");
    if (!plan.first && !is_legacy_empty(tensors[i])) plan.first = &tensors[i];
  }
  plan.dim = plan.first ? wrap_dim(dim, plan.first->dim()) : dim;
  return plan;
}
struct cat_meta {
  template <class Int>
  void operator()(Outputs& out, TensorList tensors, std::int64_t dim) const {
    CatPlan plan = plan_cat(tensors, dim);
    ScalarType dtype = tensors[0].dtype();
    MemoryFormat format = tensors[0].suggest_memory_format();
    for (const Tensor& t : tensors) {
      if (t.dtype() != dtype) dtype = result_type(tensors);
      if (t.suggest_memory_format() != format) format = MemoryFormat::Contiguous;
    }
    Device device = tensors[0].device();
    if (!plan.first) return out.set_output_raw_strided(0, {0}, {}, dtype, device, OutputCast::Allowed);
    dims_t<Int> sizes(sizes_of<Int>(*plan.first));
    Int total = 0;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      const Tensor& t = tensors[i];
      TENON_CHECK(t.device().type == device.type, ValueError,
                  "Expected all tensors to be on the same device, but found at least two devices, ", device, " and ",
                  t.device());
      if (is_legacy_empty(t)) continue;
      TENON_CHECK(t.dim() == plan.first->dim(), ValueError, "Tensors must have same number of dimensions: got ",
                  plan.first->dim(), " and ", t.dim());
      ArrayRef<Int> own = sizes_of<Int>(t);
      for (std::int64_t d = 0; d < t.dim(); ++d)
        if (d != plan.dim && own[d] != sizes[d])
          fail<ValueError>("Sizes of tensors must match except in dimension ", plan.dim, ". Expected size ", sizes[d],
                           " but got size ", own[d], " for tensor number ", i, " in the list.");
      total = total + own[plan.dim];
    }
    sizes[plan.dim] = total;
    dims_t<Int> strides;
    if (format != MemoryFormat::Contiguous) strides = strides_for(sizes, format);
    out.set_output_raw_strided(0, ArrayRef<Int>(sizes), strides, dtype, device, OutputCast::Allowed);
    if (std::is_same_v<Int, std::int64_t> && out.form() == StructuredForm::Out)
      for (std::size_t i = 0; i < tensors.size(); ++i) {
        Overlap o = memory_overlap(out[0], tensors[i]);
        TENON_CHECK(
            o != Overlap::Full && o != Overlap::Partial, ValueError,
            "unsupported operation: the input tensors cannot refer to any of the output memory locations. Found overlap in input tensor ",
            i);
      }
  }
};

}  // namespace tenon::composite

namespace tenon::ops {

TENON_STRUCTURED_OF(cat_base, composite::cat_meta);

}  // namespace tenon::ops
