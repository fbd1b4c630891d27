// Shapes and dtypes of running sums and products.
#pragma once
#include <tenon/ops/reduce.hpp>
#include <tenon/reduction/rule.hpp>
#include <tenon/structured/structured.hpp>

namespace tenon::composite {

struct scan_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, std::int64_t dim, std::optional<ScalarType> dtype) const {
    wrap_dim(dim, self.dim());
    out.set_output_raw_strided(0, sizes_of<Int>(self), {},
                               reduction::sum_over_dims::result("cumsum", out, {self, std::nullopt, false, dtype}),
                               self.device());
  }
};

}  // namespace tenon::composite

namespace tenon::ops {

TENON_STRUCTURED_OF(cumsum_base, composite::scan_meta);
TENON_STRUCTURED_OF(cumprod_base, composite::scan_meta);

}  // namespace tenon::ops
