// Shapes and checks of losses that are linear far from their target, and of the cross entropy of two probabilities.
#pragma once
#include <tenon/composite/element_loss.hpp>

namespace tenon::composite {

inline void check_smooth_l1_beta(double beta) {
  TENON_CHECK(beta >= 0, ValueError, "smooth_l1_loss does not support negative values for beta.");
}
inline void check_huber_delta(double delta) {
  TENON_CHECK(delta > 0, ValueError, "huber_loss does not support non-positive values for delta.");
}
inline void check_same_size(const char* name, const Tensor& self, const Tensor& target) {
  TENON_CHECK(self.sym_sizes() == target.sym_sizes(), ValueError, name, ": the target has size ", target.sym_sizes(),
              ", the input ", self.sym_sizes());
}
/// Nothing is promoted: a weight is brought to the loss's dtype, all else has it already, as in PyTorch.
inline void check_probability_dtypes(const char* name, const Tensor& self, const Tensor& target,
                                     const std::optional<Tensor>& weight, const Tensor& grad = {}) {
  auto same = [&](const char* which, const Tensor& t) {
    TENON_CHECK(t.dtype() == self.dtype(), TypeError, name, ": ", which, " has dtype ", t.dtype(), ", the input ",
                self.dtype(), "; cast one of them");
  };
  same("the target", target);
  if (grad.defined()) same("the gradient", grad);
  if (weight && weight->defined())
    TENON_CHECK(can_cast(weight->dtype(), self.dtype()), TypeError, name, ": the weight has dtype ", weight->dtype(),
                ", which can't be cast to that of the input, ", self.dtype());
}
struct smooth_l1_loss_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, const Tensor& target, std::int64_t reduction, double beta) const {
    check_smooth_l1_beta(beta);
    element_loss_output<Int>(out, self, target, reduction);
  }
};
struct huber_loss_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, const Tensor& target, std::int64_t reduction, double delta) const {
    check_huber_delta(delta);
    element_loss_output<Int>(out, self, target, reduction, self.dtype());
  }
};
struct bounded_loss_backward_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& grad, const Tensor& self, const Tensor& target, std::int64_t,
                  double) const {
    element_loss_gradient<Int>(out, grad, self, target);
  }
};
struct soft_margin_loss_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, const Tensor& target, std::int64_t reduction) const {
    element_loss_output<Int>(out, self, target, reduction, self.dtype());
  }
};
struct soft_margin_loss_backward_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& grad, const Tensor& self, const Tensor& target, std::int64_t) const {
    element_loss_gradient<Int>(out, grad, self, target);
  }
};
struct binary_cross_entropy_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight,
                  std::int64_t reduction) const {
    check_same_size("binary_cross_entropy", self, target);
    check_probability_dtypes("binary_cross_entropy", self, target, weight);
    if (weight && weight->defined()) {
      dims_t<Int> sizes = broadcast_shapes(sizes_of<Int>(self), sizes_of<Int>(*weight));
      TENON_CHECK(sizes_of<Int>(self) == ArrayRef<Int>(sizes), ValueError, "output with shape ", self.sym_sizes(),
                  " doesn't match the broadcast shape ", sizes);
    }
    element_loss_output<Int>(out, self, target, reduction, std::nullopt, OutputCast::Exact);
  }
};
struct binary_cross_entropy_backward_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& grad, const Tensor& self, const Tensor& target,
                  const std::optional<Tensor>& weight, std::int64_t) const {
    check_same_size("binary_cross_entropy_backward", self, target);
    check_probability_dtypes("binary_cross_entropy_backward", self, target, weight, grad);
    element_loss_gradient<Int>(out, grad, self, target, OutputCast::Exact);
  }
};

}  // namespace tenon::composite

namespace tenon::ops {

TENON_STRUCTURED_OF(smooth_l1_loss_base, composite::smooth_l1_loss_meta);
TENON_STRUCTURED_OF(smooth_l1_loss_backward_base, composite::bounded_loss_backward_meta);
TENON_STRUCTURED_OF(huber_loss_base, composite::huber_loss_meta);
TENON_STRUCTURED_OF(huber_loss_backward_base, composite::bounded_loss_backward_meta);
TENON_STRUCTURED_OF(soft_margin_loss_base, composite::soft_margin_loss_meta);
TENON_STRUCTURED_OF(soft_margin_loss_backward_base, composite::soft_margin_loss_backward_meta);
TENON_STRUCTURED_OF(binary_cross_entropy_base, composite::binary_cross_entropy_meta);
TENON_STRUCTURED_OF(binary_cross_entropy_backward_base, composite::binary_cross_entropy_backward_meta);

}  // namespace tenon::ops
