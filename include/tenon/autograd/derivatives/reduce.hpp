// Derivatives of reductions and scans.
#pragma once
#include <limits>

#include <tenon/autograd/derivative.hpp>
#include <tenon/autograd/derivatives/factors.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/pointwise.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::ops {

namespace gradients {

/// A reduced tensor with its reduced dimensions of size 1 again. No dimensions stand for all.
inline Tensor restore_dims(const Tensor& reduced, IntArrayRef sizes, std::optional<IntArrayRef> dims, bool keepdim) {
  if (keepdim || sizes.empty()) return reduced;
  DimVector shape(sizes);
  if (!dims || dims->empty())
    for (auto& s : shape) s = 1;
  else
    for (std::int64_t d : *dims) shape[wrap_dim(d, static_cast<std::int64_t>(sizes.size()))] = 1;
  return reshape(reduced, IntArrayRef(shape));
}
inline Tensor sum_gradient(const Tensor& grad, IntArrayRef sizes, std::optional<IntArrayRef> dims, bool keepdim) {
  return expand(restore_dims(grad, sizes, dims, keepdim), sizes);
}
inline std::int64_t reduced_count(IntArrayRef sizes, std::optional<IntArrayRef> dims) {
  if (!dims || dims->empty()) return count_elements(sizes);
  std::int64_t n = 1;
  if (!sizes.empty())
    for (std::int64_t d : *dims) n *= sizes[wrap_dim(d, static_cast<std::int64_t>(sizes.size()))];
  return n;
}
inline Tensor mean_gradient(const Tensor& grad, IntArrayRef sizes, std::optional<IntArrayRef> dims, bool keepdim) {
  return div(sum_gradient(grad, sizes, dims, keepdim), Scalar(reduced_count(sizes, dims)));
}
/// Elements that share an extreme share its gradient evenly.
inline Tensor extreme_gradient(const Tensor& grad, const Tensor& self, const Tensor& result,
                               std::optional<IntArrayRef> dims, bool keepdim) {
  Tensor top = restore_dims(result, self.sizes(), dims, keepdim), mask = eq(top, self);
  return div(mul(restore_dims(grad, self.sizes(), dims, keepdim), mask), sum(mask, dims, true));
}
inline Tensor extreme_of_all_gradient(const Tensor& grad, const Tensor& self, const Tensor& result) {
  Tensor mask = ne(result, result).item<bool>() ? ne(self, self) : eq(self, result);
  return div(mul(grad, mask), sum(mask));
}
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
/// grad times the product of all other elements along a dimension, without dividing by elements that may be zero.
inline Tensor others_product_gradient(const Tensor& grad, const Tensor& self, std::int64_t dim) {
  std::int64_t n = self.size(dim);
  if (n == 1) return grad;
  DimVector one(self.sizes());
  one[dim] = 1;
  Tensor ones = new_ones(self, IntArrayRef(one));
  Tensor before = cumprod(cat({ones, narrow(self, dim, 0, n - 1)}, dim), dim);
  Tensor behind =
      flip(cumprod(cat({ones, flip(narrow(self, dim, 1, n - 1), IntArrayRef(dim))}, dim), dim), IntArrayRef(dim));
  Tensor others = mul(before, behind);
  return derivatives::times_conj(grad, others);
}
inline Tensor prod_gradient(const Tensor& grad, const Tensor& self) {
  if (self.numel() == 0) return zeros_like(self);
  if (self.dim() == 0) return grad;
  Tensor flat = reshape(self, IntArrayRef(self.numel()));
  return reshape(others_product_gradient(grad, flat, 0), self.sizes());
}
inline Tensor prod_dim_gradient(const Tensor& grad, const Tensor& self, std::int64_t dim, bool keepdim) {
  if (self.dim() == 0) return grad;
  if (self.numel() == 0) return zeros_like(self);
  dim = wrap_dim(dim, self.dim());
  return others_product_gradient(keepdim ? grad : Tensor(unsqueeze(grad, dim)), self, dim);
}
/// Element k of the gradient sums over the later results, each without factor k.
inline Tensor cumprod_gradient(const Tensor& grad, const Tensor& self, const Tensor& result, std::int64_t dim) {
  if (self.dim() == 0 || self.numel() == 0) return grad;
  dim = wrap_dim(dim, self.dim());
  if (!is_grad_enabled() && !any(eq(self, 0)).item<bool>())
    return div(cumsum_gradient(derivatives::times_conj(grad, result), dim), derivatives::conj_of(self));
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
  if (divisor <= 0) return mul(mul(g, Scalar(std::numeric_limits<double>::quiet_NaN())), off);
  return mul(mul(g, Scalar(2.0 / divisor)), off);
}
inline Tensor deviation_gradient(const Tensor& grad, const Tensor& self, const Tensor& result,
                                 std::optional<IntArrayRef> dims, const std::optional<Scalar>& correction,
                                 bool keepdim) {
  Tensor half = masked_fill(div(grad, mul(result, Scalar(2))), eq(result, Scalar(0)), Scalar(0));
  return variance_gradient(half, self, dims, correction, keepdim);
}
inline Tensor logsumexp_gradient(const Tensor& grad, const Tensor& self, const Tensor& result, IntArrayRef dims,
                                 bool keepdim) {
  Tensor share = exp(sub(self, restore_dims(result, self.sizes(), dims, keepdim)));
  return derivatives::times_conj(restore_dims(grad, self.sizes(), dims, keepdim), share);
}
inline Tensor norm_gradient(const Tensor& grad, const Tensor& self, const Scalar& ord, std::optional<IntArrayRef> dims,
                            bool keepdim, const Tensor& result) {
  double p = ord.to_double();
  Tensor g = restore_dims(grad, self.sizes(), dims, keepdim), n = restore_dims(result, self.sizes(), dims, keepdim);
  auto unless_zero = [](const Tensor& t, const Tensor& of) { return masked_fill(t, eq(of, Scalar(0)), Scalar(0)); };
  if (p == 0) return {};  // a count passes no gradient
  Tensor size = abs(self);
  if (p == 2) return mul(self, unless_zero(div(g, n), n));
  Tensor direction = self.is_complex() ? where(eq(self, Scalar(0)), Scalar(0.0), div(self, size)) : sign(self);
  if (p == 1) return mul(direction, g);
  if (p - p != 0) {  // infinite
    Tensor mask = eq(size, n);
    return mul(mul(direction, mask), div(g, sum(mask, dims, true)));
  }
  if (p < 1) return mul(mul(direction, unless_zero(pow(size, Scalar(p - 1)), self)), mul(g, pow(n, Scalar(1 - p))));
  return mul(mul(direction, pow(size, Scalar(p - 1))), unless_zero(div(g, pow(n, Scalar(p - 1))), n));
}

}  // namespace gradients

TENON_DERIVATIVE(sum_base, TENON_WRT((self), (grad, self_sizes), expand(grad, self_sizes)));
TENON_DERIVATIVE(sum_dim_IntList, TENON_WRT((self), (grad, self_sizes, dim, keepdim),
                                            gradients::sum_gradient(grad, self_sizes, dim, keepdim)));
TENON_DERIVATIVE(nansum_base,
                 TENON_WRT((self), (grad, self, dim, keepdim),
                           mul(gradients::sum_gradient(grad, self.sizes(), dim, keepdim), eq(self, self))));
TENON_DERIVATIVE(mean_base, TENON_WRT((self), (grad, self_sizes),
                                      div(expand(grad, self_sizes), Scalar(count_elements(self_sizes)))));
TENON_DERIVATIVE(mean_dim, TENON_WRT((self), (grad, self_sizes, dim, keepdim),
                                     gradients::mean_gradient(grad, self_sizes, dim, keepdim)));
TENON_DERIVATIVE(amax_base, TENON_WRT((self), (grad, self, result, dim, keepdim),
                                      gradients::extreme_gradient(grad, self, result, dim, keepdim)));
TENON_DERIVATIVE(amin_base, TENON_WRT((self), (grad, self, result, dim, keepdim),
                                      gradients::extreme_gradient(grad, self, result, dim, keepdim)));
TENON_DERIVATIVE(max_base,
                 TENON_WRT((self), (grad, self, result), gradients::extreme_of_all_gradient(grad, self, result)));
TENON_DERIVATIVE(min_base,
                 TENON_WRT((self), (grad, self, result), gradients::extreme_of_all_gradient(grad, self, result)));
TENON_DERIVATIVE(max_dim, TENON_WRT((self), (grad, self_sizes, dim, keepdim, indices),
                                    gradients::chosen_gradient(grad, self_sizes, dim, indices, keepdim)));
TENON_DERIVATIVE(min_dim, TENON_WRT((self), (grad, self_sizes, dim, keepdim, indices),
                                    gradients::chosen_gradient(grad, self_sizes, dim, indices, keepdim)));
TENON_DERIVATIVE(cumsum_base, TENON_WRT((self), (grad, dim), gradients::cumsum_gradient(grad, dim)));

TENON_DERIVATIVE(cumprod_base,
                 TENON_WRT((self), (grad, self, result, dim), gradients::cumprod_gradient(grad, self, result, dim)));
TENON_DERIVATIVE(prod_base, TENON_WRT((self), (grad, self), gradients::prod_gradient(grad, self)));
TENON_DERIVATIVE(prod_dim_int,
                 TENON_WRT((self), (grad, self, dim, keepdim), gradients::prod_dim_gradient(grad, self, dim, keepdim)));
TENON_DERIVATIVE(var_correction, TENON_WRT((self), (grad, self, dim, correction, keepdim),
                                           gradients::variance_gradient(grad, self, dim, correction, keepdim)));
TENON_DERIVATIVE(std_correction,
                 TENON_WRT((self), (grad, self, result, dim, correction, keepdim),
                           gradients::deviation_gradient(grad, self, result, dim, correction, keepdim)));
TENON_DERIVATIVE(logsumexp_base, TENON_WRT((self), (grad, self, result, dim, keepdim),
                                           gradients::logsumexp_gradient(grad, self, result, dim, keepdim)));
TENON_DERIVATIVE(linalg_vector_norm_base, TENON_WRT((self), (grad, self, ord, dim, keepdim, result),
                                                    gradients::norm_gradient(grad, self, ord, dim, keepdim, result)));

TENON_NOT_DIFFERENTIABLE(count_nonzero_base);
TENON_NOT_DIFFERENTIABLE(count_nonzero_dim_IntList);
TENON_NOT_DIFFERENTIABLE(var_out);
TENON_NOT_DIFFERENTIABLE(std_out);
TENON_NOT_DIFFERENTIABLE(norm_Scalar_out);
TENON_NOT_DIFFERENTIABLE(norm_out);
TENON_NOT_DIFFERENTIABLE(max_out);
TENON_NOT_DIFFERENTIABLE(min_out);
TENON_NOT_DIFFERENTIABLE(argmax_base);
TENON_NOT_DIFFERENTIABLE(argmin_base);
TENON_NOT_DIFFERENTIABLE(all_base);
TENON_NOT_DIFFERENTIABLE(all_dim);
TENON_NOT_DIFFERENTIABLE(all_dims);
TENON_NOT_DIFFERENTIABLE(any_base);
TENON_NOT_DIFFERENTIABLE(any_dim);
TENON_NOT_DIFFERENTIABLE(any_dims);

}  // namespace tenon::ops
