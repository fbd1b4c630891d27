// Shapes and errors of medians, modes and k-th values.
#pragma once
#include <tenon/ops/sort.hpp>
#include <tenon/reduction/shape.hpp>
#include <tenon/structured/structured.hpp>

namespace tenon::composite {

template <class Int>
void selection_sizes(Outputs& out, const char* name, const Tensor& self, std::int64_t dim, bool keepdim) {
  dim = wrap_dim(dim, self.dim());
  TENON_CHECK(self.dim() == 0 || sizes_of<Int>(self)[dim] != 0, IndexError, name, "(): Expected reduction dim ", dim,
              " to have non-zero size.");
  std::uint64_t mask = self.dim() == 0 ? 0 : std::uint64_t{1} << dim;
  dims_t<Int> sizes = reduction::reduced_sizes(sizes_of<Int>(self), mask, keepdim);
  out.set_output_raw_strided(0, ArrayRef<Int>(sizes), {}, self.dtype(), self.device());
  out.set_output_raw_strided(1, ArrayRef<Int>(sizes), {}, kLong, self.device());
}
template <bool IgnoreNan>
struct median_dim_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, std::int64_t dim, bool keepdim) const {
    selection_sizes<Int>(out, "median", self, dim, keepdim);
  }
};
struct mode_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, std::int64_t dim, bool keepdim) const {
    selection_sizes<Int>(out, "mode", self, dim, keepdim);
  }
};
struct kthvalue_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, Int k, std::int64_t dim, bool keepdim) const {
    std::int64_t at = wrap_dim(dim, self.dim());
    Int size = self.dim() ? sizes_of<Int>(self)[at] : Int(1);
    TENON_CHECK(size == 0 || (k >= 1 && k <= size), ValueError,
                "kthvalue(): selected number k out of range for dimension ", at);
    selection_sizes<Int>(out, "kthvalue", self, dim, keepdim);
  }
};

template <bool IgnoreNan>
struct median_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self) const {
    out.set_output_raw_strided(0, dims_t<Int>{}, {}, self.dtype(), self.device());
  }
};

}  // namespace tenon::composite

namespace tenon::ops {

TENON_STRUCTURED_OF(median_base, composite::median_meta<false>);
TENON_STRUCTURED_OF(nanmedian_base, composite::median_meta<true>);
TENON_STRUCTURED_OF(median_dim, composite::median_dim_meta<false>);
TENON_STRUCTURED_OF(nanmedian_dim, composite::median_dim_meta<true>);
TENON_STRUCTURED_OF(mode_base, composite::mode_meta);
TENON_STRUCTURED_OF(kthvalue_base, composite::kthvalue_meta);

}  // namespace tenon::ops
