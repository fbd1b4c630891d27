// The result dtype of several operands: tensors with dimensions decide before zero-dim tensors, these before numbers.
#pragma once
#include <tenon/base/promote_types.hpp>
#include <tenon/tensor/default_dtype.hpp>
#include <tenon/tensor/tensor.hpp>

namespace tenon {

/// Collects operands one by one; `result()` is their common dtype.
class PromotionState {
 public:
  void add(const Tensor& x) {
    if (!x.defined()) return;
    ScalarType type = x.dtype();
    if (x->is_wrapped_number())
      add_number(type);
    else if (x.dim() == 0)
      join(zero_dim_, type);
    else
      join(dimensioned_, type);
  }
  void add(const Scalar& s) { add_number(s.type()); }
  ScalarType result() const { return combine(dimensioned_, combine(zero_dim_, number_)); }

 private:
  void add_number(ScalarType type) {
    if (is_complex_type(type))
      type = to_complex_type(get_default_dtype());
    else if (is_floating_type(type))
      type = get_default_dtype();
    join(number_, type);
  }
  static void join(ScalarType& state, ScalarType type) {
    state = state == ScalarType::Undefined ? type : promote_types(state, type);
  }
  /// `higher` wins unless `lower` is of a wider category; a floating type then keeps its precision.
  static ScalarType combine(ScalarType higher, ScalarType lower) {
    if (higher == ScalarType::Undefined) return lower;
    if (lower == ScalarType::Undefined) return higher;
    if (is_floating_type(higher) && is_complex_type(lower)) return to_complex_type(higher);
    if (category_of(lower) > category_of(higher)) return promote_types(higher, lower);
    return higher;
  }
  ScalarType dimensioned_ = ScalarType::Undefined, zero_dim_ = ScalarType::Undefined, number_ = ScalarType::Undefined;
};

ScalarType result_type(TensorList tensors);
ScalarType result_type(const Tensor& a, const Tensor& b);
ScalarType result_type(const Tensor& a, const Scalar& b);
ScalarType result_type(const Scalar& a, const Tensor& b);
ScalarType result_type(const Scalar& a, const Scalar& b);

}  // namespace tenon
