// What gradients are multiplied by: conjugates of complex tensors, and numbers.
#pragma once
#include <tenon/ops/arithmetic.hpp>

namespace tenon::ops::derivatives {

/// The conjugate; a real tensor without a call.
inline Tensor conj_of(const Tensor& t) { return t.is_complex() ? conj_physical(t) : t; }
inline Tensor times_conj(const Tensor& grad, const Tensor& t) {
  return t.is_complex() ? mul(grad, conj_physical(t)) : mul(grad, t);  // of a real tensor not so much as a handle
}
inline Tensor scaled(const Tensor& grad, const Scalar& factor) {
  return factor.equal(1) ? grad : mul(grad, factor.conj());
}

}  // namespace tenon::ops::derivatives
