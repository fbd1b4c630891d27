// Mirrored and turned tensors: made of flip and transpose.
#pragma once
#include <tenon/autograd/derivative.hpp>
#include <tenon/composite/out_by_copy.hpp>
#include <tenon/ops/arrange.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::composite {

inline Tensor fliplr(const Tensor& self) {
  TENON_CHECK(self.dim() >= 2, ValueError, "Input must be >= 2-d.");
  return ops::flip(self, 1);
}
inline Tensor flipud(const Tensor& self) {
  TENON_CHECK(self.dim() >= 1, ValueError, "Input must be >= 1-d.");
  return ops::flip(self, 0);
}
inline Tensor rot90(const Tensor& self, std::int64_t k, IntArrayRef dims) {
  std::int64_t n = self.dim();
  TENON_CHECK(dims.size() == 2, ValueError, "expected total rotation dims == 2, but got dims = ", dims.size());
  TENON_CHECK(n >= 2, ValueError, "expected total dims >= 2, but got total dims = ", n);
  std::int64_t a = wrap_dim(dims[0], n), b = wrap_dim(dims[1], n);
  TENON_CHECK(a != b, ValueError, "expected rotation dims to be different, but got dim0 = ", dims[0],
              " and dim1 = ", dims[1]);
  AutoDispatchBelowADInplaceOrView guard;
  switch ((k % 4 + 4) % 4) {
    case 1: return ops::transpose(ops::flip(self, b), a, b);
    case 2: return ops::flip(self, dims);
    case 3: return ops::transpose(ops::flip(self, a), a, b);
    default: return ops::clone(self, "memory_format"_a = MemoryFormat::Contiguous);
  }
}

TENON_LIBRARY_FRAGMENT(aten, m) {
  m.def<ops::fliplr_base>().def<ops::flipud_base>();
  define_forms(m, ops::rot90_base);
  m.impl<ops::fliplr_base, &fliplr>().impl<ops::flipud_base, &flipud>();
  m.impl<ops::rot90_base, &rot90>(DispatchKey::CompositeExplicitAutograd);
  implement_out_by_copy<ops::rot90_base_op>(m, CallSite::now());
}

}  // namespace tenon::composite

namespace tenon::ops {

TENON_DERIVATIVE(rot90_base, TENON_WRT((self), (grad, k, dims), rot90(grad, -k, dims)));

}  // namespace tenon::ops
