// Conjugates, which are views until they are resolved.
#pragma once
#include <tenon/library/library.hpp>
#include <tenon/ops/complex.hpp>
#include <tenon/ops/copy.hpp>

namespace tenon::composite {

/// A real tensor is its own conjugate.
inline Tensor conj(const Tensor& self) { return self.is_complex() ? ops::_conj(self) : self; }
inline bool is_conj(const Tensor& self) { return self.is_conj(); }
inline bool is_neg(const Tensor& self) { return self.is_neg(); }

inline Tensor resolved(const Tensor& self) {
  return ops::clone(self, "memory_format"_a = self.suggest_memory_format());
}
inline Tensor resolve_conj(const Tensor& self) { return self.is_conj() ? resolved(self) : self; }
inline Tensor resolve_neg(const Tensor& self) { return self.is_neg() ? resolved(self) : self; }

}  // namespace tenon::composite

TENON_LIBRARY_FRAGMENT(aten, m) {
  namespace ops = tenon::ops;
  namespace c = tenon::composite;
  m.def<ops::conj_base>().def<ops::is_conj_base>().def<ops::is_neg_base>();
  m.def<ops::resolve_conj_base>().def<ops::resolve_neg_base>();
  m.impl<ops::conj_base, &c::conj>().impl<ops::is_conj_base, &c::is_conj>().impl<ops::is_neg_base, &c::is_neg>();
  m.impl<ops::resolve_conj_base, &c::resolve_conj>().impl<ops::resolve_neg_base, &c::resolve_neg>();
}
