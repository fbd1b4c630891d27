// The gradient of what a mask scatters: shape and errors.
#pragma once
#include <tenon/composite/masked_shapes.hpp>
#include <tenon/ops/factory.hpp>

namespace tenon::composite {

inline Tensor masked_scatter_backward_meta(const Tensor& grad, const Tensor& mask, SymIntArrayRef sizes) {
  check_selects(grad, mask);
  return ops::new_empty(grad, sizes);
}

TENON_LIBRARY_FRAGMENT(aten, m) {
  m.def<ops::masked_scatter_backward_base>();
  m.impl<ops::masked_scatter_backward_base, &masked_scatter_backward_meta>(DispatchKey::Meta);
}

}  // namespace tenon::composite
