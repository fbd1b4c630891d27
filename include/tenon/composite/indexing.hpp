// Indexing made of other operators: functional forms of writes, masked reads, selection along a dimension.
#pragma once
#include <tenon/composite/out_by_copy.hpp>
#include <tenon/library/library.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/indexing.hpp>
#include <tenon/ops/nonzero.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/bits.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/structured/indexing.hpp>

namespace tenon::composite {

inline Tensor index_put(const Tensor& self, IndexList indices, const Tensor& values, bool accumulate) {
  AutoDispatchBelowADInplaceOrView guard;
  Tensor out = ops::clone(self, MemoryFormat::Preserve);
  return ops::index_put_(out, indices, values, accumulate);
}
inline Tensor index_put_impl(const Tensor& self, IndexList indices, const Tensor& values, bool accumulate,
                             bool unsafe) {
  AutoDispatchBelowADInplaceOrView guard;
  Tensor out = ops::clone(self, MemoryFormat::Preserve);
  return ops::_index_put_impl_(out, indices, values, accumulate, unsafe);
}
/// Writes `self` with the values put into it over `out`.
inline Tensor& index_put_out(const Tensor& self, IndexList indices, const Tensor& values, bool accumulate,
                             Tensor& out) {
  check_out_dtype(self, out);
  AutoDispatchBelowADInplaceOrView guard;
  Tensor result = ops::index_put(self, indices, values, accumulate);
  if (out.sym_sizes() != result.sym_sizes()) ops::resize_(out, result.sym_sizes());
  return ops::copy_(out, result);
}
inline Tensor& index_put_impl_out(const Tensor& self, IndexList indices, const Tensor& values, bool accumulate, bool,
                                  Tensor& out) {
  return index_put_out(self, indices, values, accumulate, out);
}
inline Tensor unsafe_index(const Tensor& self, IndexList indices) { return ops::index(self, indices); }
inline Tensor unsafe_index_put(const Tensor& self, IndexList indices, const Tensor& values, bool accumulate) {
  return ops::index_put(self, indices, values, accumulate);
}

/// Indices within their dimensions: what is masked out may lie anywhere.
inline std::vector<std::optional<Tensor>> clamped(const Tensor& self, IndexList indices) {
  std::vector<std::optional<Tensor>> out;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (!is_index_given(indices[i])) {
      out.emplace_back();
      continue;
    }
    const Tensor& t = *indices[i];
    TENON_CHECK(t.dtype() == kLong || t.dtype() == kInt, TypeError, "_unsafe_masked_index found unexpected index type ",
                t.dtype());
    // Sizes are numbers in clamp; a symbolic one is asked for its value.
    std::int64_t size = self.sym_size(static_cast<std::int64_t>(i)).guard_int();
    out.emplace_back(ops::clamp(t, Scalar(-size), Scalar(size - 1)));
  }
  return out;
}
inline Tensor unsafe_masked_index(const Tensor& self, const Tensor& mask, IndexList indices, const Scalar& fill) {
  AutoDispatchBelowADInplaceOrView guard;
  if (self.sym_numel() == 0) return ops::new_full(self, select_by<SymInt>(self, indices).sizes, fill);
  return ops::masked_fill(ops::_unsafe_index(self, clamped(self, indices)), ops::logical_not(mask), fill);
}
inline Tensor unsafe_masked_index_put_accumulate(const Tensor& self, const Tensor& mask, IndexList indices,
                                                 const Tensor& values) {
  AutoDispatchBelowADInplaceOrView guard;
  if (self.sym_numel() == 0) return ops::clone(self);
  Tensor kept = ops::masked_fill(values, ops::logical_not(mask), Scalar(0));
  return ops::_unsafe_index_put(self, clamped(self, indices), kept, true);
}

inline Tensor argwhere(const Tensor& self) { return ops::nonzero(self); }
inline std::vector<Tensor> nonzero_numpy(const Tensor& self) {
  // A tensor without dimensions counts as one of a single element.
  return ops::unbind(ops::nonzero(self.dim() == 0 ? ops::unsqueeze(self, 0) : self), 1);
}
inline Tensor masked_select_backward(const Tensor& grad, const Tensor& input, const Tensor& mask) {
  // The mask decides where elements of the gradient go: over the shape of both.
  SymDimVector sizes = broadcast_shapes(SymDimVector(input.sym_sizes()), mask.sym_sizes());
  // A tensor without dimensions takes no index: it is selected from as a vector of one element.
  SymDimVector places = sizes.empty() ? SymDimVector{1} : sizes;
  Tensor wide = ops::expand(mask, places);
  Tensor filled = ops::index_put(ops::new_zeros(grad, places), std::vector<std::optional<Tensor>>{wide}, grad);
  return sizes.empty() ? ops::squeeze(filled, 0) : filled;
}

inline void check_take_along(const Tensor& self, const Tensor& indices) {
  TENON_CHECK(indices.dtype() == kLong, TypeError, "torch.take_along_dim(): dtype of indices should be Long but got ",
              indices.dtype());
  TENON_CHECK(self.dim() == indices.dim(), ValueError,
              "torch.take_along_dim(): input and indices should have the same number of dimensions, but got ",
              self.dim(), " dimensions for input, and ", indices.dim(), " dimensions for indices");
}
/// `f(self, dim, index)` with both spread over each other beside the dimension.
template <class F>
decltype(auto) along_dim(const Tensor& self, const Tensor& indices, std::optional<std::int64_t> dim, F f) {
  if (!dim) {
    TENON_CHECK(indices.dtype() == kLong, TypeError, "torch.take_along_dim(): dtype of indices should be Long but got ",
                indices.dtype());
    return f(ops::reshape(self, {-1}), 0, ops::reshape(indices, {-1}));
  }
  check_take_along(self, indices);
  std::int64_t d = wrap_dim(*dim, self.dim());
  SymDimVector a(self.sym_sizes()), b(indices.sym_sizes());
  if (self.dim() > 0) {
    SymInt length = a[d], chosen = b[d];
    a[d] = chosen;
    SymDimVector index_sizes = broadcast_shapes(a, b);
    a[d] = b[d] = length;
    SymDimVector self_sizes = broadcast_shapes(a, b);
    // As PyTorch's, indices along a dimension are taken modulo its size.
    Tensor wrapped =
        indices.is_meta() || length == SymInt(0) ? indices : Tensor(ops::remainder(indices, Scalar(self.size(d))));
    return f(ops::expand(self, self_sizes), d, ops::expand(wrapped, index_sizes));
  }
  return f(self, d, indices);
}
inline Tensor take_along_dim(const Tensor& self, const Tensor& indices, std::optional<std::int64_t> dim) {
  return along_dim(self, indices, dim, [](const Tensor& from, std::int64_t d, const Tensor& index) -> Tensor {
    return ops::gather(from, d, index);
  });
}
inline Tensor& take_along_dim_out(const Tensor& self, const Tensor& indices, std::optional<std::int64_t> dim,
                                  Tensor& out) {
  along_dim(self, indices, dim, [&](const Tensor& from, std::int64_t d, const Tensor& index) {
    ops::gather(from, d, index, "out"_a = out);
    return 0;
  });
  return out;
}

TENON_LIBRARY_FRAGMENT(aten, m) {
  constexpr DispatchKey all = DispatchKey::CompositeExplicitAutograd;
  m.def<ops::_unsafe_index_Tensor>().def<ops::_unsafe_index_put_base>();
  m.def<ops::_unsafe_masked_index_base>().def<ops::_unsafe_masked_index_put_accumulate_base>();
  m.def<ops::argwhere_base>()
      .def<ops::where_base>()
      .def<ops::nonzero_numpy_base>()
      .def<ops::masked_select_backward_base>();
  m.def<ops::take_along_dim_base>().def<ops::take_along_dim_base_out>();
  m.impl<ops::index_put_base, &index_put>(all)
      .impl<ops::index_put_base_out, &index_put_out>(all)
      .impl<ops::_index_put_impl_base, &index_put_impl>(all)
      .impl<ops::_index_put_impl_base_out, &index_put_impl_out>(all)
      .impl<ops::_unsafe_index_Tensor, &unsafe_index>(all)
      .impl<ops::_unsafe_index_put_base, &unsafe_index_put>(all)
      .impl<ops::_unsafe_masked_index_base, &unsafe_masked_index>(all)
      .impl<ops::_unsafe_masked_index_put_accumulate_base, &unsafe_masked_index_put_accumulate>(all);
  m.impl<ops::argwhere_base, &argwhere>()
      .impl<ops::nonzero_numpy_base, &nonzero_numpy>()
      .impl<ops::where_base, &nonzero_numpy>()
      .impl<ops::masked_select_backward_base, &masked_select_backward>()
      .impl<ops::take_along_dim_base, &take_along_dim>()
      .impl<ops::take_along_dim_base_out, &take_along_dim_out>();
}

}  // namespace tenon::composite
