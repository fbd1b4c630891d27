// Derivatives of reductions and scans.
#pragma once
#include <tenon/autograd/derivative.hpp>
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
  if (!dims || dims->empty()) for (auto& s : shape) s = 1;
  else for (std::int64_t d : *dims) shape[wrap_dim(d, static_cast<std::int64_t>(sizes.size()))] = 1;
  return reshape(reduced, IntArrayRef(shape));
}
inline Tensor sum_gradient(const Tensor& grad, IntArrayRef sizes, std::optional<IntArrayRef> dims, bool keepdim) {
  return expand(restore_dims(grad, sizes, dims, keepdim), sizes);
}
inline std::int64_t reduced_count(IntArrayRef sizes, std::optional<IntArrayRef> dims) {
  if (!dims || dims->empty()) return count_elements(sizes);
  std::int64_t n = 1;
  if (!sizes.empty()) for (std::int64_t d : *dims) n *= sizes[wrap_dim(d, static_cast<std::int64_t>(sizes.size()))];
  return n;
}
inline Tensor mean_gradient(const Tensor& grad, IntArrayRef sizes, std::optional<IntArrayRef> dims, bool keepdim) {
  return div(sum_gradient(grad, sizes, dims, keepdim), Scalar(reduced_count(sizes, dims)));
}
/// Elements that share an extreme share its gradient evenly.
inline Tensor extreme_gradient(const Tensor& grad, const Tensor& self, const Tensor& result, std::optional<IntArrayRef> dims, bool keepdim) {
  Tensor top = restore_dims(result, self.sizes(), dims, keepdim), mask = eq(top, self);
  return div(mul(restore_dims(grad, self.sizes(), dims, keepdim), mask), sum(mask, dims, true));
}
inline Tensor extreme_of_all_gradient(const Tensor& grad, const Tensor& self, const Tensor& result) {
  Tensor mask = ne(result, result).item<bool>() ? ne(self, self) : eq(self, result);
  return div(mul(grad, mask), sum(mask));
}
inline Tensor chosen_gradient(const Tensor& grad, IntArrayRef sizes, std::int64_t dim, const Tensor& indices, bool keepdim) {
  Tensor none = new_zeros(grad, sizes);
  if (keepdim || sizes.empty()) return scatter(none, dim, indices, grad);
  return scatter(none, dim, unsqueeze(indices, dim), unsqueeze(grad, dim));
}
inline Tensor cumsum_gradient(const Tensor& grad, std::int64_t dim) {
  if (grad.numel() <= 1) return grad;
  return flip(cumsum(flip(grad, IntArrayRef(dim)), dim), IntArrayRef(dim));
}

}  // namespace gradients

TENON_DERIVATIVE(sum_base, TENON_WRT((self), (grad, self_sizes), expand(grad, self_sizes)));
TENON_DERIVATIVE(sum_dim_IntList, TENON_WRT((self), (grad, self_sizes, dim, keepdim), gradients::sum_gradient(grad, self_sizes, dim, keepdim)));
TENON_DERIVATIVE(nansum_base, TENON_WRT((self), (grad, self, dim, keepdim), mul(gradients::sum_gradient(grad, self.sizes(), dim, keepdim), eq(self, self))));
TENON_DERIVATIVE(mean_base, TENON_WRT((self), (grad, self_sizes), div(expand(grad, self_sizes), Scalar(count_elements(self_sizes)))));
TENON_DERIVATIVE(mean_dim, TENON_WRT((self), (grad, self_sizes, dim, keepdim), gradients::mean_gradient(grad, self_sizes, dim, keepdim)));
TENON_DERIVATIVE(amax_base, TENON_WRT((self), (grad, self, result, dim, keepdim), gradients::extreme_gradient(grad, self, result, dim, keepdim)));
TENON_DERIVATIVE(amin_base, TENON_WRT((self), (grad, self, result, dim, keepdim), gradients::extreme_gradient(grad, self, result, dim, keepdim)));
TENON_DERIVATIVE(max_base, TENON_WRT((self), (grad, self, result), gradients::extreme_of_all_gradient(grad, self, result)));
TENON_DERIVATIVE(min_base, TENON_WRT((self), (grad, self, result), gradients::extreme_of_all_gradient(grad, self, result)));
TENON_DERIVATIVE(max_dim, TENON_WRT((self), (grad, self_sizes, dim, keepdim, indices), gradients::chosen_gradient(grad, self_sizes, dim, indices, keepdim)));
TENON_DERIVATIVE(min_dim, TENON_WRT((self), (grad, self_sizes, dim, keepdim, indices), gradients::chosen_gradient(grad, self_sizes, dim, indices, keepdim)));
TENON_DERIVATIVE(cumsum_base, TENON_WRT((self), (grad, dim), gradients::cumsum_gradient(grad, dim)));

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
