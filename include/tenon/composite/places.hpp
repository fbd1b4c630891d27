// Extremes of two tensors by the names of reductions.
#pragma once
#include <tenon/composite/place_shapes.hpp>
#include <tenon/ops/compare.hpp>

namespace tenon::composite {

inline Tensor max_other(const Tensor& self, const Tensor& other) { return ops::maximum(self, other); }
inline Tensor min_other(const Tensor& self, const Tensor& other) { return ops::minimum(self, other); }
inline Tensor& max_out(const Tensor& self, const Tensor& other, Tensor& out) {
  return ops::maximum(self, other, "out"_a = out);
}
inline Tensor& min_out(const Tensor& self, const Tensor& other, Tensor& out) {
  return ops::minimum(self, other, "out"_a = out);
}

TENON_LIBRARY_FRAGMENT(aten, m) {
  m.def<ops::max_other>().def<ops::min_other>().def<ops::max_other_out>().def<ops::min_other_out>();
  m.impl<ops::max_other, &max_other>().impl<ops::min_other, &min_other>();
  m.impl<ops::max_other_out, &max_out>(DispatchKey::CompositeExplicitAutograd)
      .impl<ops::min_other_out, &min_out>(DispatchKey::CompositeExplicitAutograd);
}

}  // namespace tenon::composite
