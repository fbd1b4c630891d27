// Activations that are made of other operators.
#pragma once
#include <array>
#include <tuple>

#include <tenon/autograd/derivative.hpp>
#include <tenon/composite/glu.hpp>
#include <tenon/composite/out_by_copy.hpp>
#include <tenon/ops/activation.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/join.hpp>
#include <tenon/ops/math.hpp>
#include <tenon/ops/special.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/structured/promotion.hpp>
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
  // The gate is an element of its type; 16-bit floats are rounded once more, at the end.
  auto wide = [](const Tensor& t) { return is_reduced_floating_type(t.dtype()) ? Tensor(ops::to(t, kFloat)) : t; };
  Tensor open = wide(gate), shut = ops::add(ops::neg(open), 1);
  Tensor of_gate = ops::mul(ops::mul(ops::mul(shut, open), wide(x)), wide(grad));
  if (of_gate.dtype() != self.dtype()) of_gate = ops::to(of_gate, self.dtype());
  return ops::contiguous(ops::cat({ops::mul(grad, gate), of_gate}, dim));
}
inline Tensor& glu_backward_out(const Tensor& grad, const Tensor& self, std::int64_t dim, Tensor& out) {
  return copy_to_out(ops::glu_backward(grad, self, dim), out);
}

/// What moves the result where the argument moves by `dx`.
inline Tensor glu_jvp(const Tensor& glu, const Tensor& x, const Tensor& dx, std::int64_t dim) {
  dim = halved_dim<SymInt>(x.sym_sizes(), dim);
  SymInt half = x.sym_sizes()[static_cast<std::size_t>(dim)] / 2;
  Tensor gate = ops::sigmoid(ops::narrow(x, dim, half, half)), da = ops::narrow(dx, dim, SymInt(0), half),
         db = ops::narrow(dx, dim, half, half);
  return ops::add(ops::mul(da, gate), ops::mul(glu, ops::sub(db, ops::mul(gate, db))));
}
inline Tensor glu_backward_jvp(const Tensor& grad_x, const Tensor&, const Tensor& x, const Tensor& dgrad,
                               const Tensor& dx, std::int64_t dim) {
  dim = halved_dim<SymInt>(x.sym_sizes(), dim);
  SymInt half = x.sym_sizes()[static_cast<std::size_t>(dim)] / 2;
  Tensor a = ops::narrow(x, dim, SymInt(0), half), gate = ops::sigmoid(ops::narrow(x, dim, half, half)),
         da = ops::narrow(dx, dim, SymInt(0), half), db = ops::narrow(dx, dim, half, half),
         grad_a = ops::narrow(grad_x, dim, SymInt(0), half), gated = ops::mul(a, gate),
         shut_db = ops::sub(db, ops::mul(db, gate));
  Tensor first = ops::add(ops::mul(dgrad, gate), ops::mul(grad_a, shut_db));
  Tensor slope = ops::sub(ops::sub(da, ops::mul(da, gate)), ops::mul(gated, shut_db));
  Tensor second = ops::add(ops::mul(first, ops::sub(a, gated)), ops::mul(grad_a, slope));
  return ops::cat({first, second}, dim);
}
inline std::tuple<Tensor, Tensor> log_sigmoid_forward(const Tensor& self) {
  return {ops::log_sigmoid(self), ops::contiguous(ops::exp(ops::neg(ops::abs(self))))};
}
/// Types that are neither float nor double are computed with as float.
inline Tensor gelu_backward_in_steps(const Tensor& grad, const Tensor& self) {
  ScalarType dtype = result_type(grad, self);
  if (is_reduced_floating_type(dtype) || is_integral_type(dtype, true))
    return ops::to(gelu_backward_in_steps(ops::to(grad, kFloat), ops::to(self, kFloat)), dtype);
  Tensor below = ops::mul(ops::add(ops::erf(ops::mul(self, 0.70710678118654752440)), 1), 0.5);
  Tensor density = ops::exp(ops::mul(ops::mul(self, -0.5), self));
  return ops::mul(ops::addcmul(below, self, density, "value"_a = 0.39894228040143267794), grad);
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
  m.impl<_prelu_kernel_backward_base, &composite::prelu_kernel_backward>(DispatchKey::CompositeExplicitAutograd);
  m.def<infinitely_differentiable_gelu_backward_base>();
  m.impl<infinitely_differentiable_gelu_backward_base, &composite::gelu_backward_in_steps>();
  define_forms(m, glu_jvp_base);
  define_forms(m, glu_backward_jvp_base);
  define_forms(m, log_sigmoid_forward_base);
  m.impl<glu_jvp_base, &composite::glu_jvp>().impl<glu_backward_jvp_base, &composite::glu_backward_jvp>();
  m.impl<log_sigmoid_forward_base, &composite::log_sigmoid_forward>(DispatchKey::CompositeExplicitAutograd);
  composite::implement_out_by_copy<glu_jvp_base_op>(m, CallSite::now());
  composite::implement_out_by_copy<glu_backward_jvp_base_op>(m, CallSite::now());
  composite::implement_out_by_copy<log_sigmoid_forward_base_op>(m, CallSite::now());
  define_forms(m, glu_backward_base);
  m.impl<glu_backward_base, &composite::glu_backward>();
  m.impl<glu_backward_base_out, &composite::glu_backward_out>(DispatchKey::CompositeExplicitAutograd);
}
/// What the two gradients pass back; at 0, where they go the way of what is below, this goes that of what is above.
inline std::array<Tensor, 3> prelu_twice(const Tensor& of_self, const Tensor& of_weight, const Tensor& grad_output,
                                         const Tensor& self, const Tensor& weight) {
  auto or_zero = [&](const Tensor& x) { return x.defined() ? x : Tensor(zeros_like(grad_output)); };
  Tensor by_self = or_zero(of_self), by_weight = or_zero(of_weight), above = ge(self, 0);
  auto below = [&](const Tensor& x) { return Tensor(where(above, Scalar(0.0), x)); };
  return {where(above, by_self, add(mul(by_self, weight), mul(by_weight, self))), below(mul(grad_output, by_weight)),
          below(mul(grad_output, by_self))};
}
TENON_DERIVATIVE(_prelu_kernel_backward_base,
                 TENON_WRT((grad_output, self, weight), (grad0, grad1, grad_output, self, weight),
                           prelu_twice(grad0, grad1, grad_output, self, weight)));
TENON_NOT_DIFFERENTIABLE(celu_base_out);
TENON_NOT_DIFFERENTIABLE(glu_jvp_base_out);
TENON_NOT_DIFFERENTIABLE(glu_backward_jvp_base_out);
TENON_DERIVATIVE(log_sigmoid_forward_base,
                 TENON_WRT((self), (grad, self, buffer),
                           (grad.defined() ? Tensor(log_sigmoid_backward(grad, self, buffer)) : Tensor())));
TENON_STRUCTURED_KERNEL(glu_base, CPU, &composite::glu);
TENON_DERIVATIVE(glu_base, TENON_WRT((self), (grad, self, dim), (glu_backward(grad, self, dim))));

}  // namespace tenon::ops
