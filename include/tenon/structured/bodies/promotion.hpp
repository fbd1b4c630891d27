// The result dtype of several operands.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/structured/promotion.hpp>

namespace tenon {

TENON_BODY ScalarType result_type(TensorList tensors) {
  PromotionState state;
  for (const Tensor& t : tensors) state.add(t);
  return state.result();
}

TENON_BODY ScalarType result_type(const Tensor& a, const Tensor& b) {
  PromotionState state;
  state.add(a);
  state.add(b);
  return state.result();
}

TENON_BODY ScalarType result_type(const Tensor& a, const Scalar& b) {
  PromotionState state;
  state.add(a);
  state.add(b);
  return state.result();
}

TENON_BODY ScalarType result_type(const Scalar& a, const Tensor& b) { return result_type(b, a); }

TENON_BODY ScalarType result_type(const Scalar& a, const Scalar& b) {
  PromotionState state;
  state.add(a);
  state.add(b);
  return state.result();
}

}  // namespace tenon
