// Conjugates. They are computed where they are asked for, so that nothing is left to resolve.
#pragma once
#include <tenon/library/library.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/complex.hpp>

namespace tenon::composite {

inline Tensor conj(const Tensor& self) { return self.is_complex() ? ops::conj_physical(self) : self; }
inline Tensor resolved(const Tensor& self) { return self; }

}  // namespace tenon::composite

TENON_LIBRARY_FRAGMENT(aten, m) {
  namespace ops = tenon::ops;
  m.def<ops::conj_base>().def<ops::resolve_conj_base>().def<ops::resolve_neg_base>();
  m.impl<ops::conj_base, &tenon::composite::conj>();
  m.impl<ops::resolve_conj_base, &tenon::composite::resolved>();
  m.impl<ops::resolve_neg_base, &tenon::composite::resolved>();
}
