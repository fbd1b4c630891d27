// Views: each kernel makes an alias with the geometry that tensor/view_geometry.hpp computes.
#pragma once
#include <tenon/cpu/options.hpp>
#include <tenon/ops/view.hpp>
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
inline Tensor& detach_(Tensor& self) { return self; }

// --- several views ---

inline std::vector<Tensor> unbind(const Tensor& self, std::int64_t dim) {
  dim = wrap_dim(dim, self.dim(), false);
  std::vector<Tensor> out;
  std::int64_t n = self.sizes()[dim];
  out.reserve(static_cast<std::size_t>(n));
  if (n == 0) return out;
  Geometry g = view_geometry::select(self, dim, 0);
  for (std::int64_t i = 0; i < n; ++i, g.offset += self.strides()[dim]) out.push_back(make_view(self, g));
  return out;
}
inline std::vector<Tensor> pieces(const Tensor& self, IntArrayRef lengths, std::int64_t dim) {
  dim = wrap_dim(dim, self.dim());
  std::vector<Tensor> out;
  out.reserve(lengths.size());
  Geometry g = GeometryRef(self).copy();
  for (std::int64_t length : lengths) {
    g.sizes[dim] = length;
    out.push_back(make_view(self, g));
    g.offset += length * self.strides()[dim];
  }
  return out;
}
inline std::vector<Tensor> split_Tensor(const Tensor& self, std::int64_t split_size, std::int64_t dim) {
  return pieces(self, view_geometry::split_lengths(self, split_size, dim), dim);
}
inline std::vector<Tensor> split_with_sizes(const Tensor& self, IntArrayRef lengths, std::int64_t dim) {
  view_geometry::check_split_lengths(self, lengths, dim);
  return pieces(self, lengths, dim);
}

// --- composed of other operators ---

inline Tensor reshape(const Tensor& self, IntArrayRef shape) {
  if (self.is_contiguous()) return ops::view(self, shape);
  DimVector size = infer_size(shape, self.numel());
  if (auto strides = view_strides(self.sizes(), self.strides(), size)) return ops::_reshape_alias(self, size, *strides);
  return ops::_unsafe_view(ops::clone(self, "memory_format"_a = MemoryFormat::Contiguous), size);
}
inline Tensor view_as(const Tensor& self, const Tensor& other) { return ops::view(self, other.sizes()); }
inline Tensor reshape_as(const Tensor& self, const Tensor& other) { return ops::reshape(self, other.sizes()); }
inline Tensor expand_as(const Tensor& self, const Tensor& other) { return ops::expand(self, other.sizes()); }
inline Tensor flatten(const Tensor& self, std::int64_t start_dim, std::int64_t end_dim) {
  start_dim = wrap_dim(start_dim, self.dim());
  end_dim = wrap_dim(end_dim, self.dim());
  TENON_CHECK(start_dim <= end_dim, ValueError, "flatten() has invalid args: start_dim cannot come after end_dim");
  if (self.dim() == 0) return reshape(self, 1);
  if (start_dim == end_dim) return self;
  DimVector shape;
  std::int64_t merged = 1;
  for (std::int64_t d = 0; d < self.dim(); ++d) {
    if (d >= start_dim && d <= end_dim) merged *= self.sizes()[d];
    if (d == end_dim)
      shape.push_back(merged);
    else if (d < start_dim || d > end_dim)
      shape.push_back(self.sizes()[d]);
  }
  return reshape(self, shape);
}
inline Tensor narrow(const Tensor& self, std::int64_t dim, std::int64_t start, std::int64_t length) {
  start = view_geometry::narrow_start(self, dim, start, length);
  return ops::slice(self, dim, std::optional(start), std::optional(start + length), 1);
}
inline std::vector<Tensor> split_sizes(const Tensor& self, IntArrayRef lengths, std::int64_t dim) {
  return ops::split_with_sizes(self, lengths, dim);
}
inline std::vector<Tensor> chunk(const Tensor& self, std::int64_t chunks, std::int64_t dim) {
  TENON_CHECK(self.dim() > 0, ValueError, "chunk expects at least a 1-dimensional tensor");
  TENON_CHECK(chunks > 0, ValueError, "chunk expects `chunks` to be greater than 0, got: ", chunks);
  std::int64_t size = self.size(dim), length = (size + chunks - 1) / chunks;
  // An empty dimension has no length to cut by: every chunk is empty.
  if (length == 0 && size == 0) return ops::split_with_sizes(self, DimVector(static_cast<std::size_t>(chunks), 0), dim);
  return ops::split(self, length, dim);
}

// --- their gradients: the gradient at its place in zeros ---

inline Tensor zeros_for(const Tensor& grad, IntArrayRef sizes) {
  return ops::zeros(sizes, "dtype"_a = grad.dtype(), "layout"_a = grad.layout(), "device"_a = grad.device());
}
inline Tensor select_backward(const Tensor& grad, IntArrayRef sizes, std::int64_t dim, std::int64_t index) {
  AutoDispatchBelowADInplaceOrView guard;
  Tensor out = zeros_for(grad, sizes), at = ops::select(out, dim, index);
  ops::copy_(at, grad);
  return out;
}
inline Tensor slice_backward(const Tensor& grad, IntArrayRef sizes, std::int64_t dim, std::int64_t start,
                             std::int64_t end, std::int64_t step) {
  AutoDispatchBelowADInplaceOrView guard;
  Tensor out = zeros_for(grad, sizes), at = ops::slice(out, dim, std::optional(start), std::optional(end), step);
  ops::copy_(at, grad);
  return out;
}
inline Tensor diagonal_backward(const Tensor& grad, IntArrayRef sizes, std::int64_t offset, std::int64_t dim1,
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
  namespace g = tenon::view_geometry;
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
  m.impl<ops::unbind_int, &k::unbind>()
      .impl<ops::split_Tensor, &k::split_Tensor>()
      .impl<ops::split_with_sizes_base, &k::split_with_sizes>();
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
  m.impl<ops::view_base, &k::view_kernel<&view_geometry::view>::call>()
      .impl<ops::_reshape_alias_base, &k::view_kernel<&view_geometry::reshape_alias>::call>()
      .impl<ops::as_strided_base, &k::as_strided>();
}
TENON_LIBRARY_IMPL(aten, CompositeImplicitAutograd, m) {
  using namespace tenon;
  namespace k = tenon::cpu::detail;
  m.impl<ops::reshape_base, &k::reshape>()
      .impl<ops::view_as_base, &k::view_as>()
      .impl<ops::reshape_as_base, &k::reshape_as>()
      .impl<ops::expand_as_base, &k::expand_as>();
  m.impl<ops::flatten_using_ints, &k::flatten>()
      .impl<ops::narrow_base, &k::narrow>()
      .impl<ops::split_sizes, &k::split_sizes>()
      .impl<ops::chunk_base, &k::chunk>();
}
