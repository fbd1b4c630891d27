// Shapes and errors of running extremes and running logarithms of sums.
#pragma once
#include <tenon/ops/scan.hpp>
#include <tenon/structured/structured.hpp>

namespace tenon::composite {

inline void check_running_dim(const char* name, const Tensor& self, std::int64_t dim) {
  if (self.dim() == 0)
    TENON_CHECK(dim == 0 || dim == -1, IndexError, name, "(): Expected reduction dim -1 or 0 for scalar but got ", dim);
  else
    wrap_dim(dim, self.dim());
}
template <bool Largest>
struct running_extreme_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, std::int64_t dim) const {
    check_running_dim(Largest ? "cummax" : "cummin", self, dim);
    out.set_output_raw_strided(0, sizes_of<Int>(self), {}, self.dtype(), self.device());
    out.set_output_raw_strided(1, sizes_of<Int>(self), {}, kLong, self.device());
  }
};
struct logcumsumexp_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, std::int64_t dim) const {
    wrap_dim(dim, self.dim());
    out.set_output_raw_strided(0, sizes_of<Int>(self), {}, self.dtype(), self.device());
  }
};

}  // namespace tenon::composite

namespace tenon::ops {

TENON_STRUCTURED_OF(cummax_base, composite::running_extreme_meta<true>);
TENON_STRUCTURED_OF(cummin_base, composite::running_extreme_meta<false>);
TENON_STRUCTURED_OF(logcumsumexp_base, composite::logcumsumexp_meta);

}  // namespace tenon::ops
