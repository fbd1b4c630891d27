// Derivatives of reductions into named places and of segments.
#pragma once
#include <string_view>
#include <utility>

#include <tenon/autograd/derivative.hpp>
#include <tenon/autograd/derivatives/factors.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/bits.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/indexing.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/reduce_into.hpp>

namespace tenon::ops {

namespace derivatives {

/// How places are reached: by an index for every element of the source, or by one for each of its slices.
struct ByElement {
  std::int64_t dim;
  const Tensor& index;
  Tensor gather(const Tensor& t) const { return ops::gather(t, dim, index); }
  Tensor add(const Tensor& to, const Tensor& src) const { return scatter_add(to, dim, index, src); }
  Tensor clear(const Tensor& t) const { return scatter(t, dim, index, Scalar(0)); }
  Tensor reduce(const Tensor& self, const Tensor& src, std::string_view how, bool include_self) const {
    return scatter_reduce(self, dim, index, src, how, "include_self"_a = include_self);
  }
};
struct BySlice {
  std::int64_t dim;
  const Tensor& index;
  Tensor gather(const Tensor& t) const { return index_select(t, dim, index); }
  Tensor add(const Tensor& to, const Tensor& src) const { return index_add(to, dim, index, src); }
  Tensor clear(const Tensor& t) const { return index_fill(t, dim, index.to(kLong), Scalar(0)); }
  Tensor reduce(const Tensor& self, const Tensor& src, std::string_view how, bool include_self) const {
    return index_reduce(self, dim, index, src, how, "include_self"_a = include_self);
  }
};
/// The gradients of what was there and of what was reduced into it.
template <class Places>
std::pair<Tensor, Tensor> reduce_into_gradients(const Places& places, const Tensor& grad, const Tensor& self,
                                                const Tensor& src, std::string_view how, bool include_self,
                                                const Tensor& result) {
  Tensor of_self, of_src;
  if (how == "sum") {
    of_self = grad;
    of_src = places.gather(grad);
  } else if (how == "mean") {
    Tensor count = places.add(include_self ? ones_like(grad) : zeros_like(grad), ones_like(src));
    Tensor share = div(grad, masked_fill(count, eq(count, Scalar(0)), Scalar(1)));
    of_self = share;
    of_src = places.gather(share);
  } else if (how == "amax" || how == "amin") {
    Tensor self_is = eq(self, result), src_is = eq(src, places.gather(result));
    // Extremes share the gradient evenly.
    Tensor count = places.add(self_is.to(grad.dtype()), src_is.to(grad.dtype())), share = div(grad, count);
    of_self = mul(share, self_is);
    of_src = mul(places.gather(share), src_is);
  } else {
    // A factor's gradient is the product of the others, also where it is zero: the only zero is left out.
    Tensor self_zero = eq(self, Scalar(0)), others = masked_fill(self, self_zero, Scalar(1));
    of_self = div(mul(grad, conj_of(places.reduce(others, src, how, include_self))), conj_of(others));
    Tensor zero = eq(src, Scalar(0)), zeros = places.gather(places.add(zeros_like(self), zero.to(self.dtype())));
    Tensor only = logical_and(zero, eq(zeros, Scalar(1)));
    Tensor without = places.reduce(self, masked_fill(src, only, Scalar(1)), how, include_self);
    of_src = where(only, places.gather(mul(grad, conj_of(without))),
                   div(places.gather(mul(grad, conj_of(result))), conj_of(masked_fill(src, zero, Scalar(1)))));
  }
  if (!include_self) of_self = places.clear(of_self);
  return {of_self, of_src};
}

}  // namespace derivatives

TENON_DERIVATIVE(scatter_reduce_two,
                 TENON_WRT((self), (grad, self, dim, index, src, reduce, include_self, result),
                           (derivatives::reduce_into_gradients(derivatives::ByElement{dim, index}, grad, self, src,
                                                               reduce, include_self, result)
                                .first)),
                 TENON_WRT((src), (grad, self, dim, index, src, reduce, include_self, result),
                           (derivatives::reduce_into_gradients(derivatives::ByElement{dim, index}, grad, self, src,
                                                               reduce, include_self, result)
                                .second)));
TENON_DERIVATIVE(index_reduce_base,
                 TENON_WRT((self), (grad, self, dim, index, source, reduce, include_self, result),
                           (derivatives::reduce_into_gradients(derivatives::BySlice{dim, index}, grad, self, source,
                                                               reduce, include_self, result)
                                .first)),
                 TENON_WRT((source), (grad, self, dim, index, source, reduce, include_self, result),
                           (derivatives::reduce_into_gradients(derivatives::BySlice{dim, index}, grad, self, source,
                                                               reduce, include_self, result)
                                .second)));
TENON_DERIVATIVE(segment_reduce_base,
                 TENON_WRT((data), (grad, result, data, reduce, lengths, offsets, axis, initial),
                           _segment_reduce_backward(grad, result, data, reduce, lengths, offsets, axis, initial)));

}  // namespace tenon::ops
