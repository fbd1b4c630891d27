// Reading along an index: shapes, dtypes and errors.
#pragma once
#include <tenon/ops/index.hpp>
#include <tenon/structured/structured.hpp>
#include <tenon/tensor/overlap.hpp>

namespace tenon::composite {

/// Sizes as if a zero-dim tensor had one dimension.
template <class Int>
dims_t<Int> at_least_1d(ArrayRef<Int> sizes) {
  return sizes.empty() ? dims_t<Int>{1} : dims_t<Int>(sizes);
}
inline void check_index_dtype(const Tensor& index, const char* name) {
  TENON_CHECK(index.dtype() == kLong || index.dtype() == kInt, TypeError, name,
              ": Expected dtype int32 or int64 for index, got ", index.dtype());
}
template <class Int>
bool is_index_dtype(const Tensor& index) {
  return index.dtype() == kLong || index.dtype() == kInt || numel_of<Int>(index) == 0;
}
template <class Int>
void check_gather_shapes(const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor* src) {
  if (numel_of<Int>(index) == 0) return;
  dims_t<Int> s = at_least_1d(sizes_of<Int>(self)), i = at_least_1d(sizes_of<Int>(index));
  TENON_CHECK(s.size() == i.size(), ValueError, "Index tensor must have the same number of dimensions as ",
              src ? "self tensor" : "input tensor");
  if (!src) {
    for (std::size_t d = 0; d < s.size(); ++d)
      TENON_CHECK(static_cast<std::int64_t>(d) == dim || i[d] <= s[d], ValueError, "Size does not match at dimension ",
                  d, " expected index ", index.sym_sizes(), " to be no larger than self ", self.sym_sizes(),
                  " apart from dimension ", dim);
    return;
  }
  bool fits = true;
  for (std::size_t d = 0; d < s.size(); ++d) fits = fits && (static_cast<std::int64_t>(d) == dim || i[d] <= s[d]);
  if (!src->defined()) {
    TENON_CHECK(fits, ValueError, "Expected index ", index.sym_sizes(), " to be no larger than self ", self.sym_sizes(),
                " apart from dimension ", dim);
    return;
  }
  dims_t<Int> f = at_least_1d(sizes_of<Int>(*src));
  TENON_CHECK(f.size() == i.size(), ValueError, "Index tensor must have the same number of dimensions as src tensor");
  for (std::size_t d = 0; d < s.size(); ++d) fits = fits && i[d] <= f[d];
  TENON_CHECK(fits, ValueError, "Expected index ", index.sym_sizes(), " to be no larger than self ", self.sym_sizes(),
              " apart from dimension ", dim, " and to be no larger size than src ", src->sym_sizes());
}
struct index_select_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, std::int64_t dim, const Tensor& index) const {
    dim = wrap_dim(dim, self.dim());
    TENON_CHECK(index.dim() <= 1, IndexError,
                "index_select(): Index is supposed to be a vector, but got dim: ", index.dim());
    check_index_dtype(index, "index_select()");
    TENON_CHECK(self.dim() > 0 || numel_of<Int>(index) == 1, IndexError,
                "index_select(): Index to scalar can have only 1 value, got ", numel_of<Int>(index), " value(s)");
    dims_t<Int> sizes(sizes_of<Int>(self));
    if (self.dim() > 0) sizes[dim] = numel_of<Int>(index);
    out.set_output_raw_strided(0, sizes, {}, self.dtype(), self.device());
    if (out.form() == StructuredForm::Out) {
      check_no_overlap(out[0], self);
      check_no_overlap(out[0], index);
    }
  }
};
struct gather_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, std::int64_t dim, const Tensor& index, bool) const {
    dim = wrap_dim(dim, self.dim());
    TENON_CHECK(is_index_dtype<Int>(index), TypeError, "gather(): Expected dtype int32/int64 for index");
    check_gather_shapes<Int>(self, dim, index, nullptr);
    out.set_output_raw_strided(0, sizes_of<Int>(index), {}, self.dtype(), self.device());
    if (out.form() == StructuredForm::Out) {
      check_no_overlap(out[0], self);
      check_no_overlap(out[0], index);
    }
  }
};

}  // namespace tenon::composite

namespace tenon::ops {

TENON_STRUCTURED_OF(index_select_base, composite::index_select_meta);
TENON_STRUCTURED_OF(gather_base, composite::gather_meta);

}  // namespace tenon::ops
