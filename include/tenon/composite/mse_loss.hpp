// Shapes and dtypes of the mean squared error.
#pragma once
#include <tenon/composite/element_loss.hpp>

namespace tenon::composite {

struct mse_loss_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, const Tensor& target, std::int64_t reduction) const {
    element_loss_output<Int>(out, self, target, reduction);
  }
};
struct mse_loss_backward_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& grad, const Tensor& self, const Tensor& target, std::int64_t) const {
    element_loss_gradient<Int>(out, grad, self, target);
  }
};

}  // namespace tenon::composite

namespace tenon::ops {

TENON_STRUCTURED_OF(mse_loss_base, composite::mse_loss_meta);
TENON_STRUCTURED_OF(mse_loss_backward_base, composite::mse_loss_backward_meta);

}  // namespace tenon::ops
