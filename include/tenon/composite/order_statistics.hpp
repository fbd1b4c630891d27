// Medians, modes and k-th values: shapes and errors; the gradient of what was chosen along a dimension.
#pragma once
#include <tenon/ops/factory.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/sort.hpp>
#include <tenon/ops/view.hpp>
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

inline Tensor value_selecting_reduction_backward(const Tensor& grad, std::int64_t dim, const Tensor& indices,
                                                 SymIntArrayRef sizes, bool keepdim) {
  Tensor none = ops::new_zeros(grad, sizes);
  if (keepdim || sizes.empty()) return ops::scatter(none, dim, indices, grad);
  return ops::scatter(none, dim, ops::unsqueeze(indices, dim), ops::unsqueeze(grad, dim));
}
inline Tensor msort(const Tensor& self) { return std::get<0>(ops::sort(self, 0)); }
inline Tensor& msort_out(const Tensor& self, Tensor& out) {
  Tensor places = ops::empty({0}, "dtype"_a = kLong, "device"_a = self.device());
  ops::sort(self, 0, false, "values"_a = out, "indices"_a = places);
  return out;
}

TENON_LIBRARY_FRAGMENT(aten, m) {
  m.def<ops::value_selecting_reduction_backward_base>();
  define_forms(m, ops::msort_base);
  m.impl<ops::value_selecting_reduction_backward_base, &value_selecting_reduction_backward>();
  m.impl<ops::msort_base, &msort>().impl<ops::msort_base_out, &msort_out>();
}

}  // namespace tenon::composite

namespace tenon::ops {

TENON_STRUCTURED_OF(median_base, composite::median_meta<false>);
TENON_STRUCTURED_OF(nanmedian_base, composite::median_meta<true>);
TENON_STRUCTURED_OF(median_dim, composite::median_dim_meta<false>);
TENON_STRUCTURED_OF(nanmedian_dim, composite::median_dim_meta<true>);
TENON_STRUCTURED_OF(mode_base, composite::mode_meta);
TENON_STRUCTURED_OF(kthvalue_base, composite::kthvalue_meta);

}  // namespace tenon::ops
