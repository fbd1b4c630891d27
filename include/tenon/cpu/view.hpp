// Views: each kernel makes an alias with the geometry that tensor/view_geometry.hpp computes.
#pragma once
#include <tenon/cpu/options.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/structured/structured.hpp>
#include <tenon/tensor/view_geometry.hpp>

namespace tenon::cpu {
namespace detail {

inline Tensor make_view(const Tensor& self, const Geometry& g) {
  return make_alias(self, g.sizes, g.strides, g.offset);
}

/// The kernels of an operator that has the forward geometry `F`.
template <auto F>
struct view_kernel;
template <class... A, Geometry (*F)(const GeometryRef&, A...)>
struct view_kernel<F> {
  static Tensor call(const Tensor& self, A... args) { return make_view(self, F(self, args...)); }
  static Tensor& inplace(Tensor& self, A... args) {
    Geometry g = F(self, args...);
    self->set_geometry(g.sizes, g.strides, g.offset);
    return self;
  }
};

/// The same for Meta tensors: `S` is `F` for symbolic integers.
template <auto F, auto S>
struct meta_view_kernel;
template <class... A, Geometry (*F)(const GeometryRef&, A...), class... B,
          BasicGeometry<SymInt> (*S)(const BasicGeometryRef<SymInt>&, B...)>
struct meta_view_kernel<F, S> {
  static bool is_symbolic(const Tensor& self, const B&... args) {
    return self.is_symbolic() || !(adaptors_of::plain_or_other(args) && ... && true);
  }
  static Tensor call(const Tensor& self, B... args) {
    if (!is_symbolic(self, args...)) return make_view(self, F(self, tenon::detail::plain_argument<B>(args)...));
    BasicGeometry<SymInt> g = S(self, args...);
    return make_alias_symbolic(self, g.sizes, g.strides, g.offset);
  }
  static Tensor& inplace(Tensor& self, B... args) {
    BasicGeometry<SymInt> g = S(self, args...);
    Tensor view = make_alias_symbolic(self, g.sizes, g.strides, g.offset);
    self->set_sym_geometry(g.sizes, g.strides, g.offset, view.is_contiguous());
    return self;
  }

 private:
  using adaptors_of = tenon::detail::adaptors<Tensor(const Tensor&, B...)>;
};
#define TENON_INTERNAL_META_VIEW(NAME) meta_view_kernel<&ViewGeometry<std::int64_t>::NAME, &ViewGeometry<SymInt>::NAME>

inline Tensor as_strided(const Tensor& self, IntArrayRef size, IntArrayRef stride, std::optional<std::int64_t> offset) {
  Geometry g = view_geometry::as_strided(self, size, stride, offset);
  if (!self.is_meta()) check_in_storage(g, self.element_size(), self->storage()->nbytes());
  return make_view(self, g);
}
inline Tensor& as_strided_(Tensor& self, IntArrayRef size, IntArrayRef stride, std::optional<std::int64_t> offset) {
  Geometry g = view_geometry::as_strided(self, size, stride, offset);
  if (!self.is_meta()) check_in_storage(g, self.element_size(), self->storage()->nbytes());
  self->set_geometry(g.sizes, g.strides, g.offset);
  return self;
}

inline Tensor detach(const Tensor& self) { return make_alias(self); }
template <class Int>
Tensor alias_of(const Tensor& self, ArrayRef<Int> sizes, ArrayRef<Int> strides, const Int& offset) {
  if constexpr (std::is_same_v<Int, SymInt>)
    return make_alias_symbolic(self, sizes, strides, offset);
  else
    return make_alias(self, sizes, strides, offset);
}
inline Tensor& detach_(Tensor& self) { return self; }

// --- several views ---

template <class Int>
std::vector<Tensor> unbind(const Tensor& self, std::int64_t dim) {
  dim = wrap_dim(dim, self.dim(), false);
  std::vector<Tensor> out;
  std::int64_t n = SymInt(sizes_of<Int>(self)[dim]).guard_int(__FILE__, __LINE__);
  out.reserve(static_cast<std::size_t>(n));
  if (n == 0) return out;
  BasicGeometry<Int> g = ViewGeometry<Int>::select(self, dim, 0);
  for (std::int64_t i = 0; i < n; ++i, g.offset = g.offset + strides_of<Int>(self)[dim])
    out.push_back(alias_of<Int>(self, g.sizes, g.strides, g.offset));
  return out;
}
template <class Int>
std::vector<Tensor> pieces(const Tensor& self, ArrayRef<Int> lengths, std::int64_t dim) {
  dim = wrap_dim(dim, self.dim());
  std::vector<Tensor> out;
  out.reserve(lengths.size());
  BasicGeometry<Int> g = BasicGeometryRef<Int>(self).copy();
  for (const Int& length : lengths) {
    g.sizes[dim] = length;
    out.push_back(alias_of<Int>(self, g.sizes, g.strides, g.offset));
    g.offset = g.offset + length * strides_of<Int>(self)[dim];
  }
  return out;
}
template <class Int>
std::vector<Tensor> split_Tensor(const Tensor& self, Int split_size, std::int64_t dim) {
  return pieces<Int>(self, ViewGeometry<Int>::split_lengths(self, split_size, dim), dim);
}
template <class Int>
std::vector<Tensor> split_with_sizes(const Tensor& self, ArrayRef<Int> lengths, std::int64_t dim) {
  ViewGeometry<Int>::check_split_lengths(self, lengths, dim);
  return pieces<Int>(self, lengths, dim);
}

// --- composed of other operators ---

template <class Int>
Tensor reshape(const Tensor& self, ArrayRef<Int> shape) {
  if (self.is_contiguous()) return ops::view(self, shape);
  dims_t<Int> size = infer_size(shape, numel_of<Int>(self));
  if (auto strides = view_strides(sizes_of<Int>(self), strides_of<Int>(self), size))
    return ops::_reshape_alias(self, size, *strides);
  return ops::_unsafe_view(ops::clone(self, "memory_format"_a = MemoryFormat::Contiguous), size);
}
inline Tensor reshape_any(const Tensor& self, SymIntArrayRef shape) {
  auto plain = maybe_as_ints(shape);
  return plain && !self.is_symbolic() ? reshape<std::int64_t>(self, *plain) : reshape<SymInt>(self, shape);
}
inline Tensor view_as(const Tensor& self, const Tensor& other) { return ops::view(self, other.sym_sizes()); }
inline Tensor reshape_as(const Tensor& self, const Tensor& other) { return ops::reshape(self, other.sym_sizes()); }
inline Tensor expand_as(const Tensor& self, const Tensor& other) { return ops::expand(self, other.sym_sizes()); }
template <class Int>
Tensor flatten(const Tensor& self, std::int64_t start_dim, std::int64_t end_dim) {
  start_dim = wrap_dim(start_dim, self.dim());
  end_dim = wrap_dim(end_dim, self.dim());
  TENON_CHECK(start_dim <= end_dim, ValueError, "flatten() has invalid args: start_dim cannot come after end_dim");
  if (self.dim() == 0) return ops::reshape(self, 1);
  if (start_dim == end_dim) return self;
  dims_t<Int> shape;
  Int merged = 1;
  ArrayRef<Int> sizes = sizes_of<Int>(self);
  for (std::int64_t d = 0; d < self.dim(); ++d) {
    if (d >= start_dim && d <= end_dim) merged = merged * sizes[d];
    if (d == end_dim)
      shape.push_back(merged);
    else if (d < start_dim || d > end_dim)
      shape.push_back(sizes[d]);
  }
  return reshape<Int>(self, shape);
}
template <class Int>
Tensor narrow(const Tensor& self, std::int64_t dim, Int start, Int length) {
  start = ViewGeometry<Int>::narrow_start(self, dim, start, length);
  return ops::slice(self, dim, std::optional<SymInt>(start), std::optional<SymInt>(start + length), 1);
}
inline Tensor narrow_any(const Tensor& self, std::int64_t dim, SymInt start, SymInt length) {
  if (self.is_symbolic() || start.is_symbolic() || length.is_symbolic())
    return narrow<SymInt>(self, dim, start, length);
  return narrow<std::int64_t>(self, dim, start.as_int_unchecked(), length.as_int_unchecked());
}
inline std::vector<Tensor> split_sizes(const Tensor& self, SymIntArrayRef lengths, std::int64_t dim) {
  return ops::split_with_sizes(self, lengths, dim);
}
template <class Int>
std::vector<Tensor> chunk(const Tensor& self, std::int64_t chunks, std::int64_t dim) {
  TENON_CHECK(self.dim() > 0, ValueError, "chunk expects at least a 1-dimensional tensor");
  TENON_CHECK(chunks > 0, ValueError, "chunk expects `chunks` to be greater than 0, got: ", chunks);
  Int size = sizes_of<Int>(self)[wrap_dim(dim, self.dim(), false)], length = (size + chunks - 1) / chunks;
  // An empty dimension has no length to cut by: every chunk is empty.
  if (length == 0 && size == 0) return ops::split_with_sizes(self, DimVector(static_cast<std::size_t>(chunks), 0), dim);
  return ops::split(self, SymInt(length), dim);
}

// --- their gradients: the gradient at its place in zeros ---

inline Tensor zeros_for(const Tensor& grad, SymIntArrayRef sizes) {
  return ops::zeros(sizes, "dtype"_a = grad.dtype(), "layout"_a = grad.layout(), "device"_a = grad.device());
}
inline Tensor select_backward(const Tensor& grad, SymIntArrayRef sizes, std::int64_t dim, SymInt index) {
  AutoDispatchBelowADInplaceOrView guard;
  Tensor out = zeros_for(grad, sizes), at = ops::select(out, dim, index);
  ops::copy_(at, grad);
  return out;
}
inline Tensor slice_backward(const Tensor& grad, SymIntArrayRef sizes, std::int64_t dim, SymInt start, SymInt end,
                             SymInt step) {
  AutoDispatchBelowADInplaceOrView guard;
  Tensor out = zeros_for(grad, sizes), at = ops::slice(out, dim, std::optional(start), std::optional(end), step);
  ops::copy_(at, grad);
  return out;
}
inline Tensor diagonal_backward(const Tensor& grad, SymIntArrayRef sizes, std::int64_t offset, std::int64_t dim1,
                                std::int64_t dim2) {
  AutoDispatchBelowADInplaceOrView guard;
  Tensor out = zeros_for(grad, sizes), at = ops::diagonal(out, offset, dim1, dim2);
  ops::copy_(at, grad);
  return out;
}

}  // namespace detail
}  // namespace tenon::cpu

TENON_LIBRARY_FRAGMENT(aten, m) {
  using namespace tenon;
  m.def<ops::t_base>()
      .def<ops::transpose_int>()
      .def<ops::permute_base>()
      .def<ops::view_base>()
      .def<ops::reshape_base>()
      .def<ops::expand_base>();
  m.def<ops::narrow_base>()
      .def<ops::select_int>()
      .def<ops::slice_Tensor>()
      .def<ops::unsqueeze_base>()
      .def<ops::as_strided_base>();
  m.def<ops::detach_base>()
      .def<ops::alias_base>()
      .def<ops::diagonal_base>()
      .def<ops::view_as_base>()
      .def<ops::reshape_as_base>()
      .def<ops::expand_as_base>();
  m.def<ops::flatten_using_ints>().def<ops::_reshape_alias_base>().def<ops::_unsafe_view_base>();
  m.def<ops::squeeze_base>().def<ops::squeeze_dim>().def<ops::squeeze_dims>();
  m.def<ops::unbind_int>()
      .def<ops::split_Tensor>()
      .def<ops::split_sizes>()
      .def<ops::split_with_sizes_base>()
      .def<ops::chunk_base>();
  m.def<ops::t_base_>()
      .def<ops::transpose_base_>()
      .def<ops::unsqueeze_base_>()
      .def<ops::squeeze_base_>()
      .def<ops::squeeze_dim_>()
      .def<ops::squeeze_dims_>();
  m.def<ops::as_strided_base_>().def<ops::detach_base_>();
  m.def<ops::select_backward_base>().def<ops::slice_backward_base>().def<ops::diagonal_backward_base>();
}
TENON_LIBRARY_IMPL(aten, CompositeExplicitAutograd, m) {
  using namespace tenon;
  namespace k = tenon::cpu::detail;
  using g = tenon::view_geometry;
  m.impl<ops::t_base, &k::view_kernel<&g::t>::call>().impl<ops::t_base_, &k::view_kernel<&g::t>::inplace>();
  m.impl<ops::transpose_int, &k::view_kernel<&g::transpose>::call>()
      .impl<ops::transpose_base_, &k::view_kernel<&g::transpose>::inplace>();
  m.impl<ops::permute_base, &k::view_kernel<&g::permute>::call>()
      .impl<ops::expand_base, &k::view_kernel<&g::expand>::call>();
  m.impl<ops::select_int, &k::view_kernel<&g::select>::call>()
      .impl<ops::slice_Tensor, &k::view_kernel<&g::slice>::call>();
  m.impl<ops::unsqueeze_base, &k::view_kernel<&g::unsqueeze>::call>()
      .impl<ops::unsqueeze_base_, &k::view_kernel<&g::unsqueeze>::inplace>();
  m.impl<ops::squeeze_base, &k::view_kernel<&g::squeeze>::call>()
      .impl<ops::squeeze_base_, &k::view_kernel<&g::squeeze>::inplace>();
  m.impl<ops::squeeze_dim, &k::view_kernel<&g::squeeze_dim>::call>()
      .impl<ops::squeeze_dim_, &k::view_kernel<&g::squeeze_dim>::inplace>();
  m.impl<ops::squeeze_dims, &k::view_kernel<&g::squeeze_dims>::call>()
      .impl<ops::squeeze_dims_, &k::view_kernel<&g::squeeze_dims>::inplace>();
  m.impl<ops::diagonal_base, &k::view_kernel<&g::diagonal>::call>()
      .impl<ops::alias_base, &k::view_kernel<&g::alias>::call>();
  m.impl<ops::detach_base, &k::detach>()
      .impl<ops::detach_base_, &k::detach_>()
      .impl<ops::_unsafe_view_base, &k::view_kernel<&g::view>::call>()
      .impl<ops::as_strided_base_, &k::as_strided_>();
  m.impl<ops::unbind_int, &k::unbind<std::int64_t>>()
      .impl<ops::split_Tensor, &k::split_Tensor<std::int64_t>>()
      .impl<ops::split_with_sizes_base, &k::split_with_sizes<std::int64_t>>();
  m.impl<ops::select_backward_base, &k::select_backward>()
      .impl<ops::slice_backward_base, &k::slice_backward>()
      .impl<ops::diagonal_backward_base, &k::diagonal_backward>();
}
TENON_LIBRARY_IMPL(aten, CPU, m) {
  using namespace tenon;
  namespace k = tenon::cpu::detail;
  m.impl<ops::view_base, &k::view_kernel<&view_geometry::view>::call>()
      .impl<ops::_reshape_alias_base, &k::view_kernel<&view_geometry::reshape_alias>::call>()
      .impl<ops::as_strided_base, &k::as_strided>();
}
TENON_LIBRARY_IMPL(aten, Meta, m) {
  using namespace tenon;
  namespace k = tenon::cpu::detail;
  m.impl<ops::view_base, &k::TENON_INTERNAL_META_VIEW(view)::call>()
      .impl<ops::_reshape_alias_base, &k::TENON_INTERNAL_META_VIEW(reshape_alias)::call>()
      .impl<ops::as_strided_base, &k::TENON_INTERNAL_META_VIEW(as_strided)::call>()
      .impl<ops::as_strided_base_, &k::TENON_INTERNAL_META_VIEW(as_strided)::inplace>();
  m.impl<ops::expand_base, &k::TENON_INTERNAL_META_VIEW(expand)::call>()
      .impl<ops::select_int, &k::TENON_INTERNAL_META_VIEW(select)::call>()
      .impl<ops::slice_Tensor, &k::TENON_INTERNAL_META_VIEW(slice)::call>();
  m.impl<ops::split_Tensor, &k::split_Tensor<SymInt>>()
      .impl<ops::split_with_sizes_base, &k::split_with_sizes<SymInt>>();
}
TENON_LIBRARY_IMPL(aten, CompositeImplicitAutograd, m) {
  using namespace tenon;
  namespace k = tenon::cpu::detail;
  m.impl<ops::reshape_base, &k::reshape_any>()
      .impl<ops::view_as_base, &k::view_as>()
      .impl<ops::reshape_as_base, &k::reshape_as>()
      .impl<ops::expand_as_base, &k::expand_as>();
  m.impl<ops::flatten_using_ints, &k::flatten<std::int64_t>>()
      .impl<ops::narrow_base, &k::narrow_any>()
      .impl<ops::split_sizes, &k::split_sizes>()
      .impl<ops::chunk_base, &k::chunk<std::int64_t>>();
}
// Symbolic tensors.
TENON_LIBRARY_IMPL(aten, PreDispatch, m) {
  using namespace tenon;
  namespace k = tenon::cpu::detail;
#define V(NAME) k::TENON_INTERNAL_META_VIEW(NAME)
  m.impl<ops::t_base, &V(t)::call>().impl<ops::t_base_, &V(t)::inplace>();
  m.impl<ops::transpose_int, &V(transpose)::call>().impl<ops::transpose_base_, &V(transpose)::inplace>();
  m.impl<ops::permute_base, &V(permute)::call>();
  m.impl<ops::unsqueeze_base, &V(unsqueeze)::call>().impl<ops::unsqueeze_base_, &V(unsqueeze)::inplace>();
  m.impl<ops::squeeze_base, &V(squeeze)::call>().impl<ops::squeeze_base_, &V(squeeze)::inplace>();
  m.impl<ops::squeeze_dim, &V(squeeze_dim)::call>().impl<ops::squeeze_dim_, &V(squeeze_dim)::inplace>();
  m.impl<ops::squeeze_dims, &V(squeeze_dims)::call>().impl<ops::squeeze_dims_, &V(squeeze_dims)::inplace>();
  m.impl<ops::diagonal_base, &V(diagonal)::call>()
      .impl<ops::alias_base, &V(alias)::call>()
      .impl<ops::detach_base, &V(alias)::call>()
      .impl<ops::_unsafe_view_base, &V(view)::call>();
#undef V
  m.impl<ops::unbind_int, &k::unbind<SymInt>>();
  m.impl<ops::flatten_using_ints, &k::flatten<SymInt>>().impl<ops::chunk_base, &k::chunk<SymInt>>();
}
