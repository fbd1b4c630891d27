// The geometries of the library's views, as rows name them.
#pragma once
#include <tenon/base/error.hpp>
#include <tenon/tensor/short_view.hpp>
#include <tenon/tensor/view_geometry.hpp>

namespace tenon::geometries {

// One type each for what tensor/view_geometry.hpp computes, with what else is said.
#define TENON_INTERNAL_GEOMETRY(NAME, ...)                                       \
  struct NAME {                                                                  \
    template <class Int, class... A>                                             \
    auto operator()(const BasicGeometryRef<Int>& self, const A&... args) const { \
      return ViewGeometry<Int>::NAME(self, args...);                             \
    }                                                                            \
    __VA_ARGS__                                                                  \
  }
// The same with a way of its own for tensors of few dimensions, which kernels take first.
#define TENON_INTERNAL_GEOMETRY_OF_SHORT(NAME)                              \
  TENON_INTERNAL_GEOMETRY(                                                  \
      NAME,                                                                 \
      template <class... A> [[gnu::always_inline]] static bool place_short( \
          const TensorImpl& self, TensorImpl& to, const A&... args) { return ShortView::NAME(self, to, args...); })
TENON_INTERNAL_GEOMETRY(alias);
TENON_INTERNAL_GEOMETRY_OF_SHORT(transpose);
TENON_INTERNAL_GEOMETRY_OF_SHORT(t);
TENON_INTERNAL_GEOMETRY_OF_SHORT(permute);
TENON_INTERNAL_GEOMETRY_OF_SHORT(view);
TENON_INTERNAL_GEOMETRY(expand);
TENON_INTERNAL_GEOMETRY_OF_SHORT(select);
TENON_INTERNAL_GEOMETRY_OF_SHORT(slice);
TENON_INTERNAL_GEOMETRY_OF_SHORT(unsqueeze);
TENON_INTERNAL_GEOMETRY(squeeze);
TENON_INTERNAL_GEOMETRY(squeeze_dim);
TENON_INTERNAL_GEOMETRY(squeeze_dims);
TENON_INTERNAL_GEOMETRY(as_strided);
TENON_INTERNAL_GEOMETRY(reshape_alias);
TENON_INTERNAL_GEOMETRY(diagonal);
#undef TENON_INTERNAL_GEOMETRY
#undef TENON_INTERNAL_GEOMETRY_OF_SHORT

struct unbind {
  template <class Int, class Each>
  void operator()(const BasicGeometryRef<Int>& self, std::int64_t dim, Each each) const {
    dim = wrap_dim(dim, self.dim(), false);
    std::int64_t n = SymInt(self.sizes[dim]).guard_int(__FILE__, __LINE__);
    if (n == 0) return;
    BasicGeometry<Int> g = ViewGeometry<Int>::select(self, dim, 0);
    for (std::int64_t i = 0; i < n; ++i, g.offset = g.offset + self.strides[dim]) each(g);
  }
};
/// Parts of given lengths, one behind the other.
template <class Int, class Each>
void pieces(const BasicGeometryRef<Int>& self, ArrayRef<Int> lengths, std::int64_t dim, Each each) {
  dim = wrap_dim(dim, self.dim());
  BasicGeometry<Int> g = self.copy();
  for (const Int& length : lengths) {
    g.sizes[dim] = length;
    each(g);
    g.offset = g.offset + length * self.strides[dim];
  }
}
struct split {
  template <class Int, class Each>
  void operator()(const BasicGeometryRef<Int>& self, const Int& split_size, std::int64_t dim, Each each) const {
    pieces<Int>(self, ViewGeometry<Int>::split_lengths(self, split_size, dim), dim, each);
  }
};
struct split_with_sizes {
  template <class Int, class Each>
  void operator()(const BasicGeometryRef<Int>& self, ArrayRef<Int> lengths, std::int64_t dim, Each each) const {
    ViewGeometry<Int>::check_split_lengths(self, lengths, dim);
    pieces<Int>(self, lengths, dim, each);
  }
};

/// The windows of `size` elements along a dimension, `step` apart, become the last dimension.
struct unfold {
  template <class Int>
  BasicGeometry<Int> operator()(const BasicGeometryRef<Int>& self, std::int64_t dim, std::int64_t size,
                                std::int64_t step) const {
    BasicGeometry<Int> g = self.copy();
    dim = wrap_dim(dim, self.dim());
    Int length = self.dim() == 0 ? Int(1) : self.sizes[dim];
    TENON_CHECK(size >= 0, ValueError, "size is ", size, " but must be >= 0");
    TENON_CHECK(size <= length, ValueError, "maximum size for tensor at dimension ", dim, " is ", length,
                " but size is ", size);
    TENON_CHECK(step > 0, ValueError, "step is ", step, " but must be > 0");
    g.sizes.push_back(size);
    g.strides.push_back(self.dim() == 0 ? Int(1) : self.strides[dim]);
    if (self.dim() == 0) return g;
    g.sizes[dim] = (length - size) / step + 1;
    g.strides[dim] = g.strides[dim] * step;
    return g;
  }
};

}  // namespace tenon::geometries
