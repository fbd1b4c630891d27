// Tangents of products, sums and rectifiers: the operators themselves again, and no gradient.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/func/detail/rule_table.hpp>
#include <tenon/func/tangents_products.hpp>
#include <tenon/ops/activation.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/copy.hpp>
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
  if (c.has_tangent(1)) change = ops::neg(ops::mul(quotient, c.tangents[1].to_tensor()));
  if (c.has_tangent(0)) change = plus(change, c.tangents[0].to_tensor());
  Stack call{Value(change), c.primals[1]};
  return give_tangent(c, results, tangents, called(c, std::move(call)));
}

inline bool relu_tangent(TangentCall& c, Stack& results, Stack& tangents) {
  results = {Value(called(c, c.primals))};
  return give_tangent(c, results, tangents,
                      ops::threshold_backward(c.tangents[0].to_tensor(), results[0].to_tensor(), 0));
}

TENON_COLD_BODY void add_product_tangents() {
  auto& rules = RuleTable<TangentRule>::get();
  rules.add_all(&product_tangent<0, false>, "mm bmm mv dot vdot matmul mul.Tensor mul.Scalar div.Scalar");
  rules.add_all(&product_tangent<0, true>, "linear convolution");
  rules.add_all(&product_tangent<1, true>, "addmm addmv addbmm baddbmm addr");
  rules.add_all(&sum_tangent, "add.Tensor sub.Tensor");
  rules.add_all(&quotient_tangent, "div.Tensor");
  rules.add_all(&relu_tangent, "relu");
}

}  // namespace tenon::func::detail
