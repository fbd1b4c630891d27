// Derivatives of reductions and scans.
#pragma once
#include <limits>

#include <tenon/autograd/derivative.hpp>
#include <tenon/autograd/derivatives/factors.hpp>
#include <tenon/autograd/derivatives/reduced.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/arrange.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/join.hpp>
#include <tenon/ops/math.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::ops {

namespace derivatives {

inline Tensor chosen_gradient(const Tensor& grad, IntArrayRef sizes, std::int64_t dim, const Tensor& indices,
                              bool keepdim) {
  Tensor none = new_zeros(grad, sizes);
  if (keepdim || sizes.empty()) return scatter(none, dim, indices, grad);
  return scatter(none, dim, unsqueeze(indices, dim), unsqueeze(grad, dim));
}
inline Tensor cumsum_gradient(const Tensor& grad, std::int64_t dim) {
  if (grad.numel() <= 1) return grad;
  return flip(cumsum(flip(grad, IntArrayRef(dim)), dim), IntArrayRef(dim));
}
/// The gradient by factors none of which is 0.
inline Tensor cumprod_gradient_by_quotients(const Tensor& grad, const Tensor& self, const Tensor& result,
                                            std::int64_t dim) {
  return div(cumsum_gradient(derivatives::times_conj(grad, result), dim), derivatives::conj_of(self));
}
/// Element k of the gradient sums over the later results, each without factor k.
inline Tensor cumprod_gradient(const Tensor& grad, const Tensor& self, const Tensor& result, std::int64_t dim) {
  if (self.dim() == 0 || self.numel() == 0) return grad;
  dim = wrap_dim(dim, self.dim());
  if (!is_grad_enabled() && !any(eq(self, 0)).item<bool>())
    return cumprod_gradient_by_quotients(grad, self, result, dim);
  std::int64_t n = self.size(dim);
  std::vector<Tensor> parts;
  DimVector one(self.sizes());
  one[dim] = 1;
  Tensor ones = new_ones(self, IntArrayRef(one)), before = ones;
  for (std::int64_t k = 0; k < n; ++k) {
    Tensor without = k + 1 < n ? cumprod(cat({ones, narrow(self, dim, k + 1, n - k - 1)}, dim), dim) : ones;
    parts.push_back(
        sum(derivatives::times_conj(narrow(grad, dim, k, n - k), mul(before, without)), IntArrayRef(dim), true));
    before = mul(before, narrow(self, dim, k, 1));
  }
  return cat(TensorList(parts), dim);
}
inline Tensor variance_gradient(const Tensor& grad, const Tensor& self, std::optional<IntArrayRef> dims,
                                const std::optional<Scalar>& correction, bool keepdim) {
  double divisor =
      static_cast<double>(reduced_count(self.sizes(), dims)) - (correction ? correction->to_double() : 1.0);
  Tensor off = sub(self, mean(self, dims, true)), g = restore_dims(grad, self.sizes(), dims, keepdim);
  if (divisor <= 0)
    return mul(g, masked_fill(full_like(off, Scalar(std::numeric_limits<double>::infinity())), eq(off, Scalar(0)),
                              Scalar(std::numeric_limits<double>::quiet_NaN())));
  return mul(mul(g, Scalar(2.0 / divisor)), off);
}
inline Tensor deviation_gradient(const Tensor& grad, const Tensor& self, const Tensor& result,
                                 std::optional<IntArrayRef> dims, const std::optional<Scalar>& correction,
                                 bool keepdim) {
  // The derivative of this by the gradient divides by the deviation, too.
  Tensor none = eq(result, Scalar(0)), divisor = masked_fill(mul(result, Scalar(2)), none, Scalar(1));
  Tensor half = masked_fill(div(grad, divisor), none, Scalar(0));
  return variance_gradient(half, self, dims, correction, keepdim);
}
/// The gradient of a variance or deviation and a mean of which either may have none.
inline Tensor moments_gradient(const Tensor& of_variance, const Tensor& grad_mean, const Tensor& self,
                               std::optional<IntArrayRef> dims, bool keepdim) {
  if (!grad_mean.defined()) return of_variance;
  Tensor of_mean = div(spread(grad_mean, self.sizes(), dims, keepdim), Scalar(reduced_count(self.sizes(), dims)));
  return of_variance.defined() ? Tensor(add(of_variance, of_mean)) : of_mean;
}
inline Tensor aminmax_gradient(const Tensor& grad_min, const Tensor& grad_max, const Tensor& self, const Tensor& min,
                               const Tensor& max, std::optional<std::int64_t> dim, bool keepdim) {
  std::optional<IntArrayRef> dims;
  if (dim) dims = IntArrayRef(*dim);
  Tensor total;
  for (auto [grad, extreme] : {std::pair(&grad_min, &min), std::pair(&grad_max, &max)}) {
    if (!grad->defined()) continue;
    Tensor part = extreme_gradient(*grad, self, *extreme, dims, keepdim);
    total = total.defined() ? Tensor(add(total, part)) : part;
  }
  return total;
}
inline Tensor logsumexp_gradient(const Tensor& grad, const Tensor& self, const Tensor& result, IntArrayRef dims,
                                 bool keepdim) {
  Tensor share = exp(sub(self, restore_dims(result, self.sizes(), dims, keepdim)));
  return derivatives::times_conj(restore_dims(grad, self.sizes(), dims, keepdim), share);
}

}  // namespace derivatives

TENON_DERIVATIVE(max_dim, TENON_WRT((self), (grad, self_sizes, dim, keepdim, indices),
                                    derivatives::chosen_gradient(grad, self_sizes, dim, indices, keepdim)));
TENON_DERIVATIVE(min_dim, TENON_WRT((self), (grad, self_sizes, dim, keepdim, indices),
                                    derivatives::chosen_gradient(grad, self_sizes, dim, indices, keepdim)));
TENON_DERIVATIVE(cumsum_base, TENON_WRT((self), (grad, dim), derivatives::cumsum_gradient(grad, dim)));

TENON_DERIVATIVE(cumprod_base,
                 TENON_WRT((self), (grad, self, result, dim), derivatives::cumprod_gradient(grad, self, result, dim)));
TENON_DERIVATIVE(var_correction, TENON_WRT((self), (grad, self, dim, correction, keepdim),
                                           derivatives::variance_gradient(grad, self, dim, correction, keepdim)));
TENON_DERIVATIVE(std_correction,
                 TENON_WRT((self), (grad, self, result, dim, correction, keepdim),
                           derivatives::deviation_gradient(grad, self, result, dim, correction, keepdim)));
TENON_DERIVATIVE(var_mean_correction,
                 TENON_WRT((self), (grad0, grad1, self, dim, correction, keepdim),
                           (derivatives::moments_gradient(
                               grad0.defined() ? derivatives::variance_gradient(grad0, self, dim, correction, keepdim)
                                               : Tensor(),
                               grad1, self, dim, keepdim))));
TENON_DERIVATIVE(
    std_mean_correction,
    TENON_WRT((self), (grad0, grad1, self, result0, dim, correction, keepdim),
              (derivatives::moments_gradient(grad0.defined() ? derivatives::deviation_gradient(grad0, self, result0,
                                                                                               dim, correction, keepdim)
                                                             : Tensor(),
                                             grad1, self, dim, keepdim))));
TENON_DERIVATIVE(aminmax_base,
                 TENON_WRT((self), (grad_min, grad_max, self, min, max, dim, keepdim),
                           (derivatives::aminmax_gradient(grad_min, grad_max, self, min, max, dim, keepdim))));
TENON_DERIVATIVE(logsumexp_base, TENON_WRT((self), (grad, self, result, dim, keepdim),
                                           derivatives::logsumexp_gradient(grad, self, result, dim, keepdim)));

TENON_NOT_DIFFERENTIABLE(var_dim_out);
TENON_NOT_DIFFERENTIABLE(std_dim_out);
TENON_NOT_DIFFERENTIABLE(norm_Scalar_out);
TENON_NOT_DIFFERENTIABLE(norm_ScalarOpt_dim_out);
TENON_NOT_DIFFERENTIABLE(norm_ScalarOpt_dtype_out);
TENON_NOT_DIFFERENTIABLE(norm_ScalarOpt_dim_dtype_out);
TENON_NOT_DIFFERENTIABLE(max_other_out);
TENON_NOT_DIFFERENTIABLE(min_other_out);
TENON_NOT_DIFFERENTIABLE(argmax_base);
TENON_NOT_DIFFERENTIABLE(argmin_base);

}  // namespace tenon::ops
