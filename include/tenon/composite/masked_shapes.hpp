// Writing where a mask is set: shapes, dtypes and errors.
#pragma once
#include <type_traits>

#include <tenon/base/warning.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/structured/structured.hpp>
#include <tenon/tensor/overlap.hpp>

namespace tenon::composite {

/// The strides to ask for: in place PyTorch still fills elements that share a place, with a warning.
template <class Int>
dims_t<Int> filled_strides(const Outputs& out, const char* name, dims_t<Int> strides) {
  if constexpr (std::is_same_v<Int, std::int64_t>) {
    const Tensor& self = out.maybe_get_output();
    if (out.form() == StructuredForm::InPlace && !self->is_symbolic() && has_internal_overlap(self)) {
      warn("Use of ", name,
           " on expanded tensors is deprecated. Please clone() the tensor before performing this operation. This also "
           "applies to advanced indexing e.g. tensor[mask] = scalar");
      return self.strides();
    }
  }
  return strides;
}

struct masked_fill_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, const Tensor& mask, const Scalar&) const {
    TENON_CHECK(mask.dtype() == kBool, TypeError, "masked_fill_ only supports boolean masks, but got mask with dtype ",
                mask.dtype());
    dims_t<Int> sizes = broadcast_shapes(sizes_of<Int>(self), sizes_of<Int>(mask));
    out.set_output_raw_strided(0, sizes, filled_strides<Int>(out, "masked_fill_", {}), self.dtype(), self.device());
    if (out.form() != StructuredForm::Functional) check_no_partial_overlap(out[0], mask);
  }
};
struct masked_fill_tensor_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, const Tensor& mask, const Tensor& value) const {
    TENON_CHECK(value.dim() == 0, ValueError,
                "masked_fill_ only supports a 0-dimensional value tensor, but got tensor with ", value.dim(),
                " dimension(s).");
    masked_fill_meta{}.operator()<Int>(out, self, mask, Scalar(0));
  }
};
struct masked_scatter_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, const Tensor& mask, const Tensor& source) const {
    TENON_CHECK(self.dtype() == source.dtype(), TypeError,
                "masked_scatter: expected self and source to have same dtypes but got ", self.dtype(), " and ",
                source.dtype());
    TENON_CHECK(mask.dtype() == kBool, TypeError,
                "masked_scatter_ only supports boolean masks, but got mask with dtype ", mask.dtype());
    out.set_output_raw_strided(0, broadcast_shapes(sizes_of<Int>(self), sizes_of<Int>(mask)), {}, self.dtype(),
                               self.device());
  }
};
/// The gradient of what a mask scatters.
inline void check_selects(const Tensor& grad, const Tensor& mask) {
  TENON_CHECK(mask.dtype() == kBool, TypeError,
              "masked_scatter_backward only supports boolean masks, but got mask with dtype ", mask.dtype());
  broadcast_shapes(grad.sym_sizes(), mask.sym_sizes());
}

}  // namespace tenon::composite

namespace tenon::ops {

TENON_STRUCTURED_OF(masked_fill_Scalar, composite::masked_fill_meta);
TENON_STRUCTURED_OF(masked_fill_Tensor, composite::masked_fill_tensor_meta);
TENON_STRUCTURED_OF(masked_scatter_base, composite::masked_scatter_meta);

}  // namespace tenon::ops
