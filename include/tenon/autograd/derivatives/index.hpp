// Derivatives of joining, selecting and scattering.
#pragma once
#include <tenon/autograd/derivative.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/arrange.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/join.hpp>
#include <tenon/ops/pad.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/sort.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::ops {

namespace derivatives {

inline Tensor in_dtype(const Tensor& t, ScalarType dtype) { return t.dtype() == dtype ? t : Tensor(to(t, dtype)); }
inline std::vector<Tensor> cat_gradient(const Tensor& grad, const std::vector<autograd::Geometry>& tensors,
                                        std::int64_t dim) {
  std::vector<Tensor> pieces;
  auto legacy_empty = [](const autograd::Geometry& g) { return g.sizes.size() == 1 && g.sizes[0] == 0; };
  bool wrapped = false;
  std::int64_t at = 0;
  for (const auto& g : tensors) {
    if (legacy_empty(g)) {
      pieces.push_back(zeros(IntArrayRef(g.sizes), "dtype"_a = g.dtype, "device"_a = g.device));
      continue;
    }
    if (!wrapped) dim = wrap_dim(dim, static_cast<std::int64_t>(g.sizes.size()));
    wrapped = true;
    std::int64_t length = g.sizes[dim];
    pieces.push_back(in_dtype(narrow(grad, dim, at, length), g.dtype));
    at += length;
  }
  return pieces;
}
inline std::vector<Tensor> stack_gradient(const Tensor& grad, const std::vector<autograd::Geometry>& tensors,
                                          std::int64_t dim) {
  std::vector<Tensor> pieces;
  for (std::size_t i = 0; i < tensors.size(); ++i)
    pieces.push_back(in_dtype(select(grad, dim, static_cast<std::int64_t>(i)), tensors[i].dtype));
  return pieces;
}
inline Tensor index_add_source_gradient(const Tensor& grad, IntArrayRef source_sizes, std::int64_t dim,
                                        const Tensor& index, const Scalar& alpha) {
  Tensor g = index_select(grad, dim, index);
  g = g.sizes() == source_sizes ? g : Tensor(reshape(g, source_sizes));
  return alpha.equal(1) ? g : mul(g, alpha.conj());
}
inline Tensor roll_gradient(const Tensor& grad, IntArrayRef shifts, IntArrayRef dims) {
  DimVector back(shifts);
  for (auto& s : back) s = -s;
  return roll(grad, IntArrayRef(back), dims);
}

/// Of a source the elements that an index has places for; what lies beyond them goes nowhere.
inline Tensor source_gradient(const Tensor& grad, std::int64_t dim, const Tensor& index, IntArrayRef sizes) {
  Tensor taken = gather(grad, dim, index);
  if (taken.sizes() == sizes) return taken;
  std::vector<std::int64_t> beyond;
  for (std::size_t d = sizes.size(); d-- > 0;) {
    beyond.push_back(0);
    beyond.push_back(sizes[d] - taken.sizes()[d]);
  }
  return constant_pad_nd(taken, IntArrayRef(beyond), Scalar(0));
}

}  // namespace derivatives

TENON_DERIVATIVE(cat_base, TENON_WRT((tensors), (grad, tensors_geometries, dim),
                                     derivatives::cat_gradient(grad, tensors_geometries, dim)));
TENON_DERIVATIVE(stack_base, TENON_WRT((tensors), (grad, tensors_geometries, dim),
                                       derivatives::stack_gradient(grad, tensors_geometries, dim)));
TENON_DERIVATIVE(index_select_base, TENON_WRT((self), (grad, self_sizes, dim, index),
                                              index_select_backward(grad, self_sizes, dim, index)));
TENON_DERIVATIVE(index_add_base, TENON_WRT((self), (grad), grad),
                 TENON_WRT((source), (grad, source, dim, index, alpha),
                           derivatives::index_add_source_gradient(grad, source.sizes(), dim, index, alpha)));
TENON_DERIVATIVE(gather_base, TENON_WRT((self), (grad, self_sizes, dim, index),
                                        scatter_add(new_zeros(grad, self_sizes), dim, index, grad)));
TENON_DERIVATIVE(scatter_src, TENON_WRT((self), (grad, dim, index), scatter(grad, dim, index, Scalar(0))),
                 TENON_WRT((src), (grad, dim, index, src_sizes),
                           derivatives::source_gradient(grad, dim, index, src_sizes)));
TENON_DERIVATIVE(scatter_value, TENON_WRT((self), (grad, dim, index), scatter(grad, dim, index, Scalar(0))));
TENON_DERIVATIVE(scatter_add_base, TENON_WRT((self), (grad), grad),
                 TENON_WRT((src), (grad, dim, index, src_sizes),
                           derivatives::source_gradient(grad, dim, index, src_sizes)));
TENON_DERIVATIVE(masked_fill_Scalar, TENON_WRT((self), (grad, mask), masked_fill(grad, mask, Scalar(0))));
TENON_DERIVATIVE(masked_fill_Tensor, TENON_WRT((self), (grad, mask), masked_fill(grad, mask, Scalar(0))),
                 TENON_WRT((value), (grad, mask), sum(where(mask, grad, Scalar(0.0)))));
TENON_DERIVATIVE(roll_base, TENON_WRT((self), (grad, shifts, dims), derivatives::roll_gradient(grad, shifts, dims)));
TENON_DERIVATIVE(sort_base, TENON_WRT((self), (grad, self_sizes, dim, indices),
                                      scatter(new_zeros(grad, self_sizes), dim, indices, grad)));
TENON_NOT_DIFFERENTIABLE(argsort_stable);
TENON_DERIVATIVE(sort_stable, TENON_WRT((self), (grad, self_sizes, dim, indices),
                                        scatter(new_zeros(grad, self_sizes), dim, indices, grad)));
TENON_DERIVATIVE(topk_base, TENON_WRT((self), (grad, self_sizes, dim, indices),
                                      scatter(new_zeros(grad, self_sizes), dim, indices, grad)));
TENON_DERIVATIVE(flip_base, TENON_WRT((self), (grad, dims), flip(grad, dims)));

}  // namespace tenon::ops
