// Shapes and dtypes of the mean squared error.
#pragma once
#include <tenon/composite/nll_loss.hpp>
#include <tenon/structured/pointwise.hpp>

namespace tenon::composite {

struct mse_loss_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, const Tensor& target, std::int64_t reduction) const {
    ScalarType dtype = result_type(self, target);
    dims_t<Int> sizes = broadcast_shapes(sizes_of<Int>(self), sizes_of<Int>(target));
    if (reduction != kNoReduction)
      return out.set_output_raw_strided(0, {}, {}, dtype, self.device(), OutputCast::Allowed);
    const Tensor* operands[] = {&self, &target};
    out.set_output_raw_strided(0, ArrayRef<Int>(sizes), tenon::detail::result_strides(sizes, operands, 2), dtype,
                               self.device(), OutputCast::Allowed);
  }
};
struct mse_loss_backward_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& grad, const Tensor& self, const Tensor& target, std::int64_t) const {
    dims_t<Int> sizes =
        broadcast_shapes(broadcast_shapes(sizes_of<Int>(self), sizes_of<Int>(target)), sizes_of<Int>(grad));
    const Tensor* operands[] = {&self, &target, &grad};
    out.set_output_raw_strided(0, sizes, tenon::detail::result_strides(sizes, operands, 3), result_type(self, target),
                               self.device(), OutputCast::Allowed);
  }
};

}  // namespace tenon::composite

namespace tenon::ops {

TENON_STRUCTURED_OF(mse_loss_base, composite::mse_loss_meta);
TENON_STRUCTURED_OF(mse_loss_backward_base, composite::mse_loss_backward_meta);

}  // namespace tenon::ops
