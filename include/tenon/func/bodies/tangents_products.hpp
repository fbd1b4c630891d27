// Tangents of products, sums, rectifiers and extremes: the operators themselves again, and no gradient.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/func/detail/rule_table.hpp>
#include <tenon/func/reverse.hpp>
#include <tenon/func/tangents_products.hpp>
#include <tenon/ops/activation.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/complex.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/indexing.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::func::detail {

inline Tensor called(const TangentCall& c, Stack call) {
  c.op.call_boxed(call);
  return call[0].to_tensor();
}
/// The only result, and its tangent in its dtype: numbers of another, which promotion leaves alone, may have made it.
inline bool give_tangent(TangentCall& c, Stack& results, Stack& tangents, const Tensor& tangent) {
  if (results.empty()) results = {Value(called(c, c.primals))};
  ScalarType dtype = results[0].to_tensor().dtype();
  tangents = {Value(tangent.dtype() == dtype ? tangent : Tensor(ops::to(tangent, dtype)))};
  return true;
}
inline Tensor plus(const Tensor& sum, const Tensor& next) { return sum.defined() ? Tensor(ops::add(sum, next)) : next; }

/// Linear in each of two arguments, to which a third may be added.
template <std::size_t First, bool Added>
bool product_tangent(TangentCall& c, Stack& results, Stack& tangents) {
  constexpr std::size_t third = First == 0 ? 2 : 0;
  bool added = Added && c.has_tangent(third);
  Tensor sum;
  for (std::size_t i : {First, First + 1}) {
    if (!c.has_tangent(i)) continue;
    Stack call = c.primals;
    call[i] = c.tangents[i];
    if constexpr (Added) {
      if (First == 0) call[third] = added ? c.tangents[third] : Value();
      if (First == 1 && added) call[third] = c.tangents[third];
      if (First == 1 && !added) call[3] = Value(Scalar(0));
      added = false;
    }
    sum = plus(sum, called(c, std::move(call)));
  }
  return sum.defined() && give_tangent(c, results, tangents, sum);
}

/// self + alpha * other, of which one may have no tangent.
inline bool sum_tangent(TangentCall& c, Stack& results, Stack& tangents) {
  if (c.has_tangent(0) && c.has_tangent(1)) {
    Stack call = c.primals;
    call[0] = c.tangents[0];
    call[1] = c.tangents[1];
    return give_tangent(c, results, tangents, called(c, std::move(call)));
  }
  results = {Value(called(c, c.primals))};
  std::size_t i = c.has_tangent(1);
  Tensor tangent = ops::expand(c.tangents[i].to_tensor(), results[0].to_tensor().sizes());
  if (i == 0) return give_tangent(c, results, tangents, ops::clone(tangent));
  tangent = ops::mul(tangent, c.primals[2].to_scalar());
  bool subtracts = c.schema().base_name() == "sub";
  return give_tangent(c, results, tangents, subtracts ? Tensor(ops::neg(tangent)) : tangent);
}

/// (change of self - quotient * change of other) / other: a quotient that is infinite stays so.
inline bool quotient_tangent(TangentCall& c, Stack& results, Stack& tangents) {
  Tensor quotient = called(c, c.primals), change;
  results = {Value(quotient)};
  if (c.has_tangent(1)) {
    const Tensor& of_other = c.tangents[1].to_tensor();
    // What is kept for gradients of the change is not what the function may write.
    if (is_recorded(quotient) || is_recorded(of_other)) quotient = ops::clone(quotient);
    change = ops::neg(ops::mul(quotient, of_other));
  }
  if (c.has_tangent(0)) change = plus(change, c.tangents[0].to_tensor());
  Stack call{Value(change), c.primals[1]};
  return give_tangent(c, results, tangents, called(c, std::move(call)));
}

inline bool relu_tangent(TangentCall& c, Stack& results, Stack& tangents) {
  results = {Value(called(c, c.primals))};
  return give_tangent(c, results, tangents,
                      ops::threshold_backward(c.tangents[0].to_tensor(), results[0].to_tensor(), 0));
}

/// At 0, where the gradient goes the way of what is below, a change goes that of what is above.
inline bool prelu_tangent(TangentCall& c, Stack& results, Stack& tangents) {
  const Tensor &self = c.primals[0].to_tensor(), &weight = c.primals[1].to_tensor();
  Tensor below, above = ops::zeros_like(self);
  if (c.has_tangent(0)) {
    above = c.tangents[0].to_tensor();
    below = ops::mul(weight, above);
  }
  if (c.has_tangent(1)) below = plus(below, ops::mul(c.tangents[1].to_tensor(), self));
  return give_tangent(c, results, tangents, ops::where(ops::ge(self, 0), above, below));
}

/// The change of the size counts along the angle, also where the size is 0 or negative.
inline bool polar_tangent(TangentCall& c, Stack& results, Stack& tangents) {
  const Tensor &size = c.primals[0].to_tensor(), &angle = c.primals[1].to_tensor();
  results = {Value(called(c, c.primals))};
  Tensor change;
  if (c.has_tangent(0)) change = ops::mul(ops::polar(ops::ones_like(size), angle), c.tangents[0].to_tensor());
  if (c.has_tangent(1)) {
    Tensor across = ops::mul(results[0].to_tensor(), Scalar(Complex<double>(0, 1)));
    change = plus(change, ops::mul(across, c.tangents[1].to_tensor()));
  }
  return give_tangent(c, results, tangents, ops::expand(change, results[0].to_tensor().sizes()));
}

// ---- reductions into named places

/// The tensor that argument `index` leads to, at the elements of `from`; by slices, or for each element.
inline Tensor at_places(const TangentCall& c, const Tensor& from) {
  std::int64_t dim = c.primals[1].to_int();
  const Tensor& index = c.primals[2].to_tensor();
  return c.schema().base_name() == "index_reduce" ? ops::index_select(from, dim, index) : ops::gather(from, dim, index);
}
inline Tensor added_at_places(const TangentCall& c, const Tensor& to, const Tensor& what) {
  std::int64_t dim = c.primals[1].to_int();
  const Tensor& index = c.primals[2].to_tensor();
  return c.schema().base_name() == "index_reduce" ? ops::index_add(to, dim, index, what)
                                                  : ops::scatter_add(to, dim, index, what);
}
/// Extremes without what was there before: it has no share in the change of a place, though in gradients it has.
inline bool reduce_into_tangent(TangentCall& c, Stack& results, Stack& tangents) {
  bool extreme = c.primals[4].to_string_view() == "amax" || c.primals[4].to_string_view() == "amin";
  if (!extreme || c.primals[5].to_bool()) return false;
  const Tensor &self = c.primals[0].to_tensor(), &source = c.primals[3].to_tensor();
  if (c.schema().base_name() != "index_reduce" && source.sizes() != c.primals[2].to_tensor().sizes()) return false;
  Tensor result = called(c, c.primals), chosen = ops::to(ops::eq(source, at_places(c, result)), result.dtype());
  results = {Value(result)};
  Tensor none = ops::zeros_like(result), written = added_at_places(c, none, ops::ones_like(source)),
         change = c.has_tangent(3) ? added_at_places(c, none, ops::mul(c.tangents[3].to_tensor(), chosen)) : none;
  Tensor count = ops::clamp_min(added_at_places(c, none, chosen), 1);
  Tensor kept = c.has_tangent(0) ? c.tangents[0].to_tensor() : Tensor(ops::zeros_like(self));
  return give_tangent(c, results, tangents, ops::where(ops::gt(written, 0), ops::div(change, count), kept));
}

TENON_COLD_BODY void add_product_tangents() {
  auto& rules = RuleTable<TangentRule>::get();
  rules.add_all(&product_tangent<0, false>, "mm bmm mv dot vdot matmul mul.Tensor mul.Scalar div.Scalar");
  rules.add_all(&product_tangent<0, true>, "linear convolution");
  rules.add_all(&product_tangent<1, true>, "addmm addmv addbmm baddbmm addr");
  rules.add_all(&sum_tangent, "add.Tensor sub.Tensor");
  rules.add_all(&quotient_tangent, "div.Tensor");
  rules.add_all(&relu_tangent, "relu");
  rules.add_all(&prelu_tangent, "_prelu_kernel");
  rules.add_all(&polar_tangent, "polar");
  rules.add_all(&reduce_into_tangent, "scatter_reduce.two index_reduce");
}

}  // namespace tenon::func::detail
