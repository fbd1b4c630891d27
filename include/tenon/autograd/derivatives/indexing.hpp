// Derivatives of indexing by lists of tensors, by flat positions and by masks.
#pragma once
#include <tenon/autograd/derivative.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/indexing.hpp>
#include <tenon/ops/nonzero.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/bits.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::ops {

namespace derivatives {

/// Saved indices as an operator takes them.
inline std::vector<std::optional<Tensor>> index_list(const std::vector<Tensor>& saved) {
  std::vector<std::optional<Tensor>> out;
  for (const Tensor& t : saved)
    if (t.defined())
      out.emplace_back(t);
    else
      out.emplace_back();
  return out;
}
inline Tensor index_gradient(const Tensor& grad, IntArrayRef sizes, const std::vector<Tensor>& indices) {
  return _index_put_impl(new_zeros(grad, sizes), index_list(indices), grad, true, true);
}
inline Tensor index_put_self_gradient(const Tensor& grad, const std::vector<Tensor>& indices, IntArrayRef values_sizes,
                                      bool accumulate) {
  return accumulate ? grad : Tensor(index_put(grad, index_list(indices), new_zeros(grad, values_sizes), false));
}
inline Tensor fill_value_gradient(const Tensor& grad, std::int64_t dim, const Tensor& index) {
  Tensor filled = index_fill(zeros_like(grad, "dtype"_a = kBool), dim, index, Scalar(true));
  return sum(where(filled, grad, Scalar(0.0)));
}
inline Tensor put_self_gradient(const Tensor& grad, const Tensor& index, IntArrayRef source_sizes, bool accumulate) {
  return accumulate ? grad : Tensor(put(grad, index, new_zeros(grad, source_sizes), false));
}

}  // namespace derivatives

TENON_DERIVATIVE(index_Tensor, TENON_WRT((self), (grad, self_sizes, indices),
                                         derivatives::index_gradient(grad, self_sizes, indices)));
TENON_DERIVATIVE(_unsafe_index_Tensor, TENON_WRT((self), (grad, self_sizes, indices),
                                                 derivatives::index_gradient(grad, self_sizes, indices)));
TENON_DERIVATIVE(index_put_base,
                 TENON_WRT((self), (grad, indices, values_sizes, accumulate),
                           derivatives::index_put_self_gradient(grad, indices, values_sizes, accumulate)),
                 TENON_WRT((values), (grad, indices), index(grad, derivatives::index_list(indices))));
TENON_DERIVATIVE(_index_put_impl_base,
                 TENON_WRT((self), (grad, indices, values_sizes, accumulate),
                           derivatives::index_put_self_gradient(grad, indices, values_sizes, accumulate)),
                 TENON_WRT((values), (grad, indices), index(grad, derivatives::index_list(indices))));
TENON_DERIVATIVE(_unsafe_index_put_base,
                 TENON_WRT((self), (grad, indices, values_sizes, accumulate),
                           derivatives::index_put_self_gradient(grad, indices, values_sizes, accumulate)),
                 TENON_WRT((values), (grad, indices), index(grad, derivatives::index_list(indices))));
TENON_DERIVATIVE(_unsafe_masked_index_base,
                 TENON_WRT((self), (grad, self_sizes, mask, indices),
                           _unsafe_masked_index_put_accumulate(new_zeros(grad, self_sizes), mask,
                                                               derivatives::index_list(indices), grad)));
TENON_DERIVATIVE(_unsafe_masked_index_put_accumulate_base, TENON_WRT((self), (grad), grad),
                 TENON_WRT((values), (grad, mask, indices),
                           _unsafe_masked_index(grad, mask, derivatives::index_list(indices), Scalar(0))));
TENON_DERIVATIVE(take_base,
                 TENON_WRT((self), (grad, self_sizes, index), put(new_zeros(grad, self_sizes), index, grad, true)));
TENON_DERIVATIVE(put_base,
                 TENON_WRT((self), (grad, index, source_sizes, accumulate),
                           derivatives::put_self_gradient(grad, index, source_sizes, accumulate)),
                 TENON_WRT((source), (grad, index, source_sizes), reshape(take(grad, index), source_sizes)));
TENON_DERIVATIVE(index_fill_int_Scalar, TENON_WRT((self), (grad, dim, index), index_fill(grad, dim, index, Scalar(0))));
TENON_DERIVATIVE(index_fill_int_Tensor, TENON_WRT((self), (grad, dim, index), index_fill(grad, dim, index, Scalar(0))),
                 TENON_WRT((value), (grad, dim, index), derivatives::fill_value_gradient(grad, dim, index)));
TENON_DERIVATIVE(masked_select_base, TENON_WRT((self), (grad, self, mask), masked_select_backward(grad, self, mask)));
TENON_NOT_DIFFERENTIABLE(nonzero_base);
TENON_NOT_DIFFERENTIABLE(nonzero_static_base);

}  // namespace tenon::ops
