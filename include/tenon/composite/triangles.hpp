// Shapes and dtypes of triangles and traces of matrices.
#pragma once
#include <tenon/ops/linalg.hpp>
#include <tenon/structured/structured.hpp>

namespace tenon::composite {

struct triangle_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, const SymInt&) const {
    TENON_CHECK(self.dim() >= 2, ValueError, "triu/tril: input tensor must have at least 2 dimensions");
    out.set_output_raw_strided(0, sizes_of<Int>(self), {}, self.dtype(), self.device());
  }
};
inline void trace_meta(Outputs& out, const Tensor& self) {
  TENON_CHECK(self.dim() == 2, ValueError, "trace: expected a matrix, but got tensor with dim ", self.dim());
  out.set_output_raw_strided(0, {}, {}, is_integral_type(self.dtype(), true) ? kLong : self.dtype(), self.device());
}

}  // namespace tenon::composite

namespace tenon::ops {

TENON_STRUCTURED_OF(tril_base, composite::triangle_meta);
TENON_STRUCTURED_OF(triu_base, composite::triangle_meta);
TENON_STRUCTURED_OF(trace_base, composite::trace_meta);

}  // namespace tenon::ops
