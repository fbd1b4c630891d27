// What a layer's parameters are before anything is learned.
#pragma once
#include <tenon/autograd/engine.hpp>
#include <tenon/library/default_device.hpp>
#include <tenon/nn/init.hpp>
#include <tenon/tensor/create.hpp>

namespace tenon::nn::detail {

/// A leaf that requires grad, its elements unset.
inline Tensor new_leaf(IntArrayRef sizes, ScalarType dtype) {
  Tensor t = make_tensor(sizes, {}, dtype, get_default_device());
  t.set_requires_grad(true);
  return t;
}
inline Tensor uniform_leaf(IntArrayRef sizes, double bound, ScalarType dtype) {
  Tensor t = new_leaf(sizes, dtype);
  init::uniform_(t, -bound, bound);
  return t;
}
inline Tensor filled_leaf(IntArrayRef sizes, double value, ScalarType dtype) {
  Tensor t = new_leaf(sizes, dtype);
  init::constant_(t, value);
  return t;
}

}  // namespace tenon::nn::detail
