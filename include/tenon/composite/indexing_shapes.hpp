// Shapes, dtypes and errors of reading and writing by lists of indices and by masks, for every back end.
#pragma once
#include <tenon/library/library.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/indexing.hpp>
#include <tenon/ops/nonzero.hpp>
#include <tenon/structured/indexing.hpp>
#include <tenon/structured/structured.hpp>
#include <tenon/tensor/symbolic.hpp>

namespace tenon::composite {

namespace indexing {

inline Tensor index_meta(const Tensor& self, IndexList indices) {
  Selection<SymInt> s = select_by<SymInt>(self, indices);
  SymDimVector strides = selection_strides(self, s);
  if (strides.empty()) strides = contiguous_strides(s.sizes);
  return make_tensor_symbolic(s.sizes, strides, self.dtype(), self.device());
}
inline Tensor& index_out_meta(const Tensor& self, IndexList indices, Tensor& out) {
  Selection<SymInt> s = select_by<SymInt>(self, indices);
  Outputs o(StructuredForm::Out, true);
  o.give(0, out);
  o.set_output_raw_strided(0, s.sizes, SymIntArrayRef(), self.dtype(), self.device());
  return out;
}
inline Tensor& index_put_meta_(Tensor& self, IndexList indices, const Tensor& values, bool) {
  tenon::detail::check_index_count(self, indices.size());
  // What a mask selects has no size here.
  for (const auto& t : indices)
    if (is_index_given(t) && is_mask(*t)) return self;
  check_put_values(self, values, select_by<SymInt>(self, indices));
  return self;
}
inline Tensor& index_put_impl_meta_(Tensor& self, IndexList indices, const Tensor& values, bool accumulate, bool) {
  return index_put_meta_(self, indices, values, accumulate);
}

[[noreturn]] inline Tensor nonzero_meta(const Tensor&) {
  fail<NotImplementedError>("nonzero(): the shape of the result depends on data, which Meta tensors have not");
}
[[noreturn]] inline Tensor& nonzero_out_meta(const Tensor&, Tensor&) {
  fail<NotImplementedError>("nonzero(): the shape of the result depends on data, which Meta tensors have not");
}

struct nonzero_static_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, const Int& size, std::int64_t) const {
    TENON_CHECK(size >= 0, ValueError, "nonzero_static: 'size' must be an non-negative integer");
    out.set_output_raw_strided(0, dims_t<Int>{size, Int(self.dim())}, {}, kLong, self.device());
  }
};

[[noreturn]] inline Tensor masked_select_meta(const Tensor&, const Tensor&) {
  fail<NotImplementedError>("masked_select(): the shape of the result depends on data, which Meta tensors have not");
}
[[noreturn]] inline Tensor& masked_select_out_meta(const Tensor&, const Tensor&, Tensor&) {
  fail<NotImplementedError>("masked_select(): the shape of the result depends on data, which Meta tensors have not");
}

}  // namespace indexing

TENON_LIBRARY_FRAGMENT(aten, m) {
  define_forms(m, ops::index_Tensor);
  define_forms(m, ops::index_put_base);
  define_forms(m, ops::_index_put_impl_base);
  define_forms(m, ops::nonzero_base);
  define_forms(m, ops::masked_select_base);
}
TENON_LIBRARY_IMPL(aten, Meta, m) {
  m.impl<ops::index_Tensor, &indexing::index_meta>()
      .impl<ops::index_Tensor_out, &indexing::index_out_meta>()
      .impl<ops::index_put_base_, &indexing::index_put_meta_>()
      .impl<ops::_index_put_impl_base_, &indexing::index_put_impl_meta_>();
  m.impl<ops::nonzero_base, &indexing::nonzero_meta>().impl<ops::nonzero_base_out, &indexing::nonzero_out_meta>();
  m.impl<ops::masked_select_base, &indexing::masked_select_meta>()
      .impl<ops::masked_select_base_out, &indexing::masked_select_out_meta>();
}

}  // namespace tenon::composite

namespace tenon::ops {

TENON_STRUCTURED_OF(nonzero_static_base, composite::indexing::nonzero_static_meta);

}  // namespace tenon::ops
