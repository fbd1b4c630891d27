// Writing where a mask is set: shapes, dtypes and errors.
#pragma once
#include <tenon/ops/index.hpp>
#include <tenon/structured/structured.hpp>
#include <tenon/tensor/overlap.hpp>

namespace tenon::composite {

struct masked_fill_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, const Tensor& mask, const Scalar&) const {
    TENON_CHECK(mask.dtype() == kBool, TypeError, "masked_fill_ only supports boolean masks, but got mask with dtype ",
                mask.dtype());
    dims_t<Int> sizes = broadcast_shapes(sizes_of<Int>(self), sizes_of<Int>(mask));
    out.set_output_raw_strided(0, sizes, {}, self.dtype(), self.device());
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
