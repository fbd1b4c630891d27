// Shapes and errors of sorting and ranking.
#pragma once
#include <tenon/ops/sort.hpp>
#include <tenon/structured/structured.hpp>

namespace tenon::composite {

/// The dimension counted from the front, of a tensor whose elements have an order.
inline std::int64_t sorted_dim(const Tensor& self, std::int64_t dim, const char* who) {
  dim = wrap_dim(dim, self.dim());
  TENON_CHECK(!self.is_complex(), NotImplementedError, who, " currently does not support complex dtypes on CPU");
  return dim;
}
struct sort_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, std::int64_t dim, bool) const {
    sorted_dim(self, dim, "Sort");
    const dims_t<Int> strides = preserved_strides<Int>(self);
    out.set_output_raw_strided(0, sizes_of<Int>(self), strides, self.dtype(), self.device());
    out.set_output_raw_strided(1, sizes_of<Int>(self), strides, kLong, self.device());
  }
};
struct sort_stable_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, std::optional<bool>, std::int64_t dim, bool descending) const {
    sort_meta{}.operator()<Int>(out, self, dim, descending);
  }
};
struct argsort_stable_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, bool, std::int64_t dim, bool) const {
    sorted_dim(self, dim, "Sort");
    out.set_output_raw_strided(0, sizes_of<Int>(self), preserved_strides<Int>(self), kLong, self.device());
  }
};
struct topk_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, Int k, std::int64_t dim, bool, bool) const {
    dim = sorted_dim(self, dim, "topk");
    TENON_CHECK(k >= 0 && k <= (self.dim() ? sizes_of<Int>(self)[dim] : Int(1)), ValueError,
                "selected index k out of range");
    dims_t<Int> sizes(sizes_of<Int>(self));
    if (!sizes.empty()) sizes[dim] = k;
    out.set_output_raw_strided(0, sizes, {}, self.dtype(), self.device());
    out.set_output_raw_strided(1, sizes, {}, kLong, self.device());
  }
};

}  // namespace tenon::composite

namespace tenon::ops {

TENON_STRUCTURED_OF(sort_base, composite::sort_meta);
TENON_STRUCTURED_OF(sort_stable, composite::sort_stable_meta);
TENON_STRUCTURED_OF(argsort_stable, composite::argsort_stable_meta);
TENON_STRUCTURED_OF(topk_base, composite::topk_meta);

}  // namespace tenon::ops
