// Activations that are made of other operators.
#pragma once
#include <tuple>

#include <tenon/autograd/derivative.hpp>
#include <tenon/composite/glu.hpp>
#include <tenon/composite/out_by_copy.hpp>
#include <tenon/ops/activation.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/join.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/structured/structured.hpp>
#include <tenon/tensor/geometry.hpp>

namespace tenon::composite {

/// A weight, or one for each channel, which is dimension 1.
inline Tensor prelu(const Tensor& self, const Tensor& weight) {
  TENON_CHECK(self.defined() && weight.defined(), ValueError, "prelu(): expected defined tensors");
  TENON_CHECK(self.dtype() == weight.dtype(), TypeError, "prelu: Type promoting not supported. Got ",
              enumerator_name(self.dtype()), " and ", enumerator_name(weight.dtype()));
  if (weight.sym_numel() != 1) {
    TENON_CHECK(self.dim() > 0, ValueError, "Not allow zero-dim input tensor.");
    SymInt channels = self.dim() > 1 ? self.sym_sizes()[1] : SymInt(1);
    TENON_CHECK(channels == weight.sym_numel(), ValueError,
                "Mismatch of parameter numbers and input channel size. Found parameter numbers = ", weight.sym_numel(),
                " and channel size = ", channels, ".");
  }
  TENON_CHECK(weight.dim() <= 1, ValueError,
              "prelu: Expected `weight` to be a scalar or 1D tensor, but got: ndim = ", weight.dim());
  if (self.dim() == weight.dim()) return ops::_prelu_kernel(self, weight);
  SymDimVector sizes(static_cast<std::size_t>(self.dim()), SymInt(1));
  if (self.dim() > 1) sizes[1] = weight.sym_numel();
  return ops::_prelu_kernel(self, ops::view(weight, SymIntArrayRef(sizes)));
}
inline std::tuple<Tensor, Tensor> prelu_kernel_backward(const Tensor& grad, const Tensor& self, const Tensor& weight) {
  Tensor above = ops::gt(self, 0);
  return {ops::where(above, grad, ops::mul(grad, weight)), ops::where(above, Scalar(0.0), ops::mul(grad, self))};
}

inline Tensor glu_backward(const Tensor& grad, const Tensor& self, std::int64_t dim) {
  dim = halved_dim<SymInt>(self.sym_sizes(), dim);
  SymInt half = self.sym_sizes()[static_cast<std::size_t>(dim)] / 2;
  Tensor x = ops::narrow(self, dim, SymInt(0), half), gate = ops::sigmoid(ops::narrow(self, dim, half, half));
  Tensor gated = ops::mul(grad, gate);
  return ops::cat({gated, ops::mul(ops::mul(gated, x), ops::add(ops::neg(gate), 1))}, dim);
}
inline Tensor& glu_backward_out(const Tensor& grad, const Tensor& self, std::int64_t dim, Tensor& out) {
  return copy_to_out(ops::glu_backward(grad, self, dim), out);
}

inline Tensor relu6(const Tensor& self) { return ops::hardtanh(self, 0, 6); }
inline Tensor& relu6_(Tensor& self) { return ops::hardtanh_(self, 0, 6); }
/// The fixed point of mean 0 and variance 1 (Klambauer et al., 2017).
inline constexpr double kSeluAlpha = 1.6732632423543772848170429916717, kSeluScale = 1.0507009873554804934193349852946;
inline Tensor selu(const Tensor& self) { return ops::elu(self, kSeluAlpha, kSeluScale); }
inline Tensor& selu_(Tensor& self) { return ops::elu_(self, kSeluAlpha, kSeluScale); }
inline double inverse_of_alpha(const Scalar& alpha) {
  TENON_CHECK(alpha.to_double() != 0, ValueError, "ZeroDivisionError: alpha cannot be 0 for CELU");
  return 1 / alpha.to_double();
}
inline Tensor celu(const Tensor& self, const Scalar& alpha) {
  return ops::elu(self, alpha, 1.0, inverse_of_alpha(alpha));
}
inline Tensor& celu_(Tensor& self, const Scalar& alpha) { return ops::elu_(self, alpha, 1.0, inverse_of_alpha(alpha)); }

}  // namespace tenon::composite

namespace tenon::ops {

TENON_LIBRARY_FRAGMENT(aten, m) {
  define_forms(m, relu6_base);
  define_forms(m, selu_base);
  define_forms(m, celu_base);
  m.impl<relu6_base, &composite::relu6>().impl<relu6_base_, &composite::relu6_>();
  m.impl<selu_base, &composite::selu>().impl<selu_base_, &composite::selu_>();
  m.impl<celu_base, &composite::celu>().impl<celu_base_, &composite::celu_>();
  composite::implement_out_by_copy<celu_base_op>(m, Place{__FILE__, __LINE__});
  m.def<prelu_base>().def<_prelu_kernel_backward_base>();
  m.impl<prelu_base, &composite::prelu>();
  m.impl<_prelu_kernel_backward_base, &composite::prelu_kernel_backward>();
  define_forms(m, glu_backward_base);
  m.impl<glu_backward_base, &composite::glu_backward>();
  m.impl<glu_backward_base_out, &composite::glu_backward_out>(DispatchKey::CompositeExplicitAutograd);
}
TENON_NOT_DIFFERENTIABLE(celu_base_out);
TENON_STRUCTURED_KERNEL(glu_base, CPU, &composite::glu);
TENON_DERIVATIVE(glu_base, TENON_WRT((self), (grad, self, dim), (glu_backward(grad, self, dim))));

}  // namespace tenon::ops
