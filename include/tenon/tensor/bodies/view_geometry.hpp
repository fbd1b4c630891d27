// The geometry of every view operator, computed.
#pragma once
#include <utility>

#include <tenon/base/body.hpp>
#include <tenon/tensor/detail/dense_strides.hpp>
#include <tenon/tensor/detail/shapes.hpp>
#include <tenon/tensor/view_geometry.hpp>

namespace tenon {

namespace detail {
template <class Int>
dims_t<Int> dense_strides_like_of(ArrayRef<Int> sizes, ArrayRef<Int> strides) {
  // Repeated dimensions (stride 0) stay where they are.
  return dense_strides_by<Int>(sizes, [&](std::int64_t a, std::int64_t b) {
    if (strides[a] == 0 || strides[b] == 0) return 0;
    if (strides[a] != strides[b]) return strides[a] < strides[b] ? -1 : 1;
    return sizes[a] > sizes[b] ? 1 : 0;
  });
}
}  // namespace detail
TENON_BODY DimVector dense_strides_like(IntArrayRef sizes, IntArrayRef strides) {
  return detail::dense_strides_like_of<std::int64_t>(sizes, strides);
}
TENON_COLD_BODY SymDimVector detail::sym_dense_strides_like(SymIntArrayRef sizes, SymIntArrayRef strides) {
  return dense_strides_like_of<SymInt>(sizes, strides);
}

template <class Int>
auto ViewGeometry<Int>::alias(const From& self) -> G {
  return self.copy();
}

template <class Int>
auto ViewGeometry<Int>::transpose(const From& self, std::int64_t dim0, std::int64_t dim1) -> G {
  dim0 = wrap_dim(dim0, self.dim());
  dim1 = wrap_dim(dim1, self.dim());
  G g = self.copy();
  if (dim0 != dim1) {
    std::swap(g.sizes[dim0], g.sizes[dim1]);
    std::swap(g.strides[dim0], g.strides[dim1]);
  }
  return g;
}

template <class Int>
auto ViewGeometry<Int>::t(const From& self) -> G {
  TENON_CHECK(self.dim() <= 2, ValueError, "t() expects a tensor with <= 2 dimensions, but self is ", self.dim(), "D");
  return self.dim() < 2 ? self.copy() : transpose(self, 0, 1);
}

template <class Int>
auto ViewGeometry<Int>::permute(const From& self, IntArrayRef dims) -> G {
  TENON_CHECK(
      static_cast<std::int64_t>(dims.size()) == self.dim(), ValueError,
      "permute(): number of dimensions in the tensor input does not match the length of the desired ordering of dimensions i.e. input.dim() = ",
      self.dim(), " is not equal to len(dims) = ", dims.size());
  G g;
  g.offset = self.offset;
  SmallVector<bool, 8> seen(dims.size());
  for (std::int64_t d : dims) {
    d = wrap_dim(d, self.dim());
    TENON_CHECK(!seen[d], ValueError, "permute(): duplicate dims are not allowed.");
    seen[d] = true;
    g.sizes.push_back(self.sizes[d]);
    g.strides.push_back(self.strides[d]);
  }
  return g;
}

namespace detail {
/// The view of a row-major tensor with elements, all in one pass; false for everything else, mistakes among it.
inline bool view_row_major(const GeometryRef& self, IntArrayRef size, Geometry& g) {
  std::int64_t count = 1, known = 1;
  for (std::size_t d = self.sizes.size(); d-- > 0; count *= self.sizes[d])
    if (self.strides[d] != count) return false;
  std::size_t inferred = size.size();
  g.sizes = size;
  for (std::size_t d = 0; d < size.size(); ++d) {
    std::int64_t wanted = size[d];
    if (wanted > 0)
      known *= wanted;
    else if (wanted == -1 && inferred == size.size())
      inferred = d;
    else
      return false;
  }
  if (count == 0) return false;
  if (inferred < size.size()) {
    if (count % known != 0) return false;
    g.sizes[inferred] = count / known;
  } else if (known != count) {
    return false;
  }
  g.strides = size;  // their count
  std::int64_t step = 1;
  for (std::size_t d = size.size(); d-- > 0; step *= g.sizes[d]) g.strides[d] = step;
  g.offset = self.offset;
  return true;
}
}  // namespace detail

template <class Int>
auto ViewGeometry<Int>::view(const From& self, Ref size) -> G {
  G g;
  if constexpr (std::is_same_v<Int, std::int64_t>)
    if (detail::view_row_major(self, size, g)) return g;
  g.sizes = detail::Shapes<Int>::infer_size(size, detail::Shapes<Int>::count_elements(self.sizes));
  g.offset = self.offset;
  auto strides = detail::Shapes<Int>::view_strides(self.sizes, self.strides, g.sizes);
  if (!strides)
    fail<ValueError>(
        "view size is not compatible with input tensor's size and stride (at least one dimension spans across two contiguous subspaces). Use .reshape(...) instead.");
  g.strides = std::move(*strides);
  return g;
}

template <class Int>
auto ViewGeometry<Int>::expand(const From& self, Ref size, [[maybe_unused]] bool implicit) -> G {
  std::size_t n = size.size(), own = self.sizes.size();
  TENON_CHECK(n >= own, ValueError, "expand(Tensor", self.sizes, ", size=", size, "): the number of sizes provided (",
              n, ") must be greater or equal to the number of dimensions in the tensor (", own, ")");
  G g{dims_t<Int>(n), dims_t<Int>(n), self.offset};
  if (own == 0) {
    for (std::size_t i = 0; i < n; ++i) {
      TENON_CHECK(size[i] >= 0, ValueError, "The expanded size of the tensor (", size[i],
                  ") isn't allowed in a leading, non-existing dimension ", i);
      g.sizes[i] = size[i];
    }
    return g;  // one element, repeated along every dimension
  }
  for (std::size_t i = n; i-- > 0;) {
    bool fresh = i < n - own;
    Int have = fresh ? Int(1) : self.sizes[i - (n - own)];
    // A new dimension is laid out as if it had been there with size 1.
    Int stride = fresh ? g.sizes[i + 1] * g.strides[i + 1] : self.strides[i - (n - own)];
    Int want = size[i];
    if (detail::Shapes<Int>::is_minus_one(want)) {
      TENON_CHECK(!fresh, ValueError,
                  "The expanded size of the tensor (-1) isn't allowed in a leading, non-existing dimension ", i);
      want = have;
    }
    if (!known_equal(want, have) && (known_equal(have, Int(1)) || want != have)) {
      TENON_CHECK(have == 1 && want >= 0, ValueError, "The expanded size of the tensor (", want,
                  ") must match the existing size (", have, ") at non-singleton dimension ", i,
                  ".  Target sizes: ", size, ".  Tensor sizes: ", self.sizes);
      stride = 0;
    }
    g.sizes[i] = want;
    g.strides[i] = stride;
  }
  return g;
}

template <class Int>
auto ViewGeometry<Int>::select(const From& self, std::int64_t dim, Int index) -> G {
  TENON_CHECK(self.dim() > 0, IndexError, "select() cannot be applied to a 0-dim tensor.");
  dim = wrap_dim(dim, self.dim());
  Int size = self.sizes[dim];
  TENON_CHECK(index >= 0 - size && index < size, IndexError, "select(): index ", index,
              " out of range for tensor of size ", self.sizes, " at dimension ", dim);
  G g = self.copy();
  g.offset = g.offset + (index < 0 ? index + size : index) * self.strides[dim];
  g.sizes.erase(static_cast<std::size_t>(dim));
  g.strides.erase(static_cast<std::size_t>(dim));
  return g;
}

template <class Int>
auto ViewGeometry<Int>::slice(const From& self, std::int64_t dim, std::optional<Int> start, std::optional<Int> end,
                              Int step) -> G {
  TENON_CHECK(self.dim() > 0, IndexError, "slice() cannot be applied to a 0-dim tensor.");
  dim = wrap_dim(dim, self.dim());
  TENON_CHECK(step > 0, ValueError, "slice step must be positive");
  Int size = self.sizes[dim], first = start.value_or(0), last = end.value_or(size);
  if (first < 0) first = first + size;
  if (last < 0) last = last + size;
  first = first < 0 ? Int(0) : first > size ? size : first;
  last = last < first ? first : last > size ? size : last;
  G g = self.copy();
  g.offset = g.offset + first * self.strides[dim];
  Int length = last - first;
  if constexpr (std::is_same_v<Int, SymInt>)
    g.sizes[dim] = (length + step - 1) / step;
  else
    g.sizes[dim] = length / step + (length % step != 0);
  g.strides[dim] = g.strides[dim] * step;
  return g;
}

template <class Int>
Int ViewGeometry<Int>::checked_narrow_start(const From& self, std::int64_t dim, Int start, const Int& length) {
  TENON_CHECK(self.dim() > 0, ValueError, "narrow() cannot be applied to a 0-dim tensor.");
  TENON_CHECK(length >= 0, ValueError, "narrow(): length must be non-negative.");
  Int size = self.sizes[wrap_dim(dim, self.dim())];
  TENON_CHECK(0 - size <= start && start <= size, IndexError, "start out of range (expected to be in range of [",
              0 - size, ", ", size, "], but got ", start, ")");
  if (start < 0) start = start + size;
  TENON_CHECK(start <= size - length, ValueError, "start (", start, ") + length (", length,
              ") exceeds dimension size (", size, ").");
  return start;
}

template <class Int>
auto ViewGeometry<Int>::unsqueeze(const From& self, std::int64_t dim) -> G {
  dim = wrap_dim(dim, self.dim() + 1);
  G g = self.copy();
  g.sizes.insert(static_cast<std::size_t>(dim), 1);
  g.strides.insert(static_cast<std::size_t>(dim), dim < self.dim() ? self.sizes[dim] * self.strides[dim] : Int(1));
  return g;
}

template <class Int>
auto ViewGeometry<Int>::squeeze(const From& self) -> G {
  G g;
  g.offset = self.offset;
  for (std::size_t d = 0; d < self.sizes.size(); ++d)
    if (self.sizes[d] != 1) {
      g.sizes.push_back(self.sizes[d]);
      g.strides.push_back(self.strides[d]);
    }
  return g;
}

template <class Int>
auto ViewGeometry<Int>::squeeze_dim(const From& self, std::int64_t dim) -> G {
  dim = wrap_dim(dim, self.dim());
  G g = self.copy();
  if (self.dim() > 0 && self.sizes[dim] == 1) {
    g.sizes.erase(static_cast<std::size_t>(dim));
    g.strides.erase(static_cast<std::size_t>(dim));
  }
  return g;
}

template <class Int>
auto ViewGeometry<Int>::squeeze_dims(const From& self, IntArrayRef dims) -> G {
  SmallVector<bool, 8> drop(self.sizes.size() + 1);
  for (std::int64_t d : dims) {
    d = wrap_dim(d, self.dim());
    TENON_CHECK(!drop[d], ValueError, "dim ", d, " appears multiple times in the list of dims");
    drop[d] = true;
  }
  G g;
  g.offset = self.offset;
  for (std::size_t d = 0; d < self.sizes.size(); ++d)
    if (!drop[d] || self.sizes[d] != 1) {
      g.sizes.push_back(self.sizes[d]);
      g.strides.push_back(self.strides[d]);
    }
  return g;
}

template <class Int>
auto ViewGeometry<Int>::as_strided(const From& self, Ref size, Ref stride, std::optional<Int> offset) -> G {
  TENON_CHECK(size.size() == stride.size(), ValueError, "mismatch in length of strides and shape");
  for (const Int& s : stride)
    TENON_CHECK(s >= 0, ValueError,
                "as_strided: Negative strides are not supported at the moment, got strides: ", stride);
  for (const Int& s : size)
    TENON_CHECK(s >= 0, ValueError, "Storage size calculation overflowed with sizes=", size, " and strides=", stride);
  G g{dims_t<Int>(size), dims_t<Int>(stride), offset.value_or(self.offset)};
  TENON_CHECK(g.offset >= 0, ValueError, "Tensor: invalid storage offset ", g.offset);
  return g;
}

template <class Int>
auto ViewGeometry<Int>::reshape_alias(const From& self, Ref size, Ref stride) -> G {
  return {dims_t<Int>(size), dims_t<Int>(stride), self.offset};
}

template <class Int>
auto ViewGeometry<Int>::diagonal(const From& self, std::int64_t offset, std::int64_t dim1, std::int64_t dim2) -> G {
  std::int64_t d1 = wrap_dim(dim1, self.dim(), false), d2 = wrap_dim(dim2, self.dim(), false);
  TENON_CHECK(d1 != d2, ValueError, "diagonal dimensions cannot be identical ", dim1, ", ", dim2);
  Int rows = self.sizes[d1] + (offset < 0 ? offset : 0), columns = self.sizes[d2] - (offset > 0 ? offset : 0);
  Int length = rows < columns ? rows : columns;
  G g = self.copy();
  if (length <= 0)
    length = 0;
  else
    g.offset = g.offset + (offset >= 0 ? offset * self.strides[d2] : -offset * self.strides[d1]);
  for (std::int64_t d : {d1 > d2 ? d1 : d2, d1 > d2 ? d2 : d1}) {
    g.sizes.erase(static_cast<std::size_t>(d));
    g.strides.erase(static_cast<std::size_t>(d));
  }
  g.sizes.push_back(length);
  g.strides.push_back(self.strides[d1] + self.strides[d2]);
  return g;
}

template <class Int>
dims_t<Int> ViewGeometry<Int>::split_lengths(const From& self, const Int& split_size, std::int64_t dim) {
  TENON_CHECK(self.dim() > 0, ValueError, "split expects at least a 1-dimensional tensor");
  TENON_CHECK(split_size >= 0, ValueError, "split expects split_size be non-negative, but got split_size=", split_size);
  Int size = self.sizes[wrap_dim(dim, self.dim())];
  TENON_CHECK(split_size > 0 || size == 0, ValueError,
              "split_size can only be 0 if dimension size is 0, but got dimension size of ", size);
  dims_t<Int> lengths;
  for (Int left = size; left > 0; left = left - split_size) lengths.push_back(left < split_size ? left : split_size);
  if (lengths.empty()) lengths.push_back(0);
  return lengths;
}

template <class Int>
void ViewGeometry<Int>::check_split_lengths(const From& self, Ref lengths, std::int64_t dim) {
  TENON_CHECK(self.dim() > 0, ValueError, "split expects at least a 1-dimensional tensor");
  dim = wrap_dim(dim, self.dim());
  Int sum = 0;
  for (const Int& l : lengths) {
    TENON_CHECK(l >= 0, ValueError,
                "split_with_sizes expects split_sizes have only non-negative entries, but got split_sizes=", lengths);
    sum = sum + l;
  }
  TENON_CHECK(sum == self.sizes[dim], ValueError, "split_with_sizes expects split_sizes to sum exactly to ",
              self.sizes[dim], " (input tensor's size at dimension ", dim, "), but got split_sizes=", lengths);
}

// What these units use of them is compiled with it; the compiled library holds all.
#ifndef TENON_ONE_UNIT
template struct ViewGeometry<std::int64_t>;
template struct ViewGeometry<SymInt>;
#endif

TENON_BODY void check_in_storage(const GeometryRef& g, std::size_t item, std::size_t bytes) {
  std::size_t need = storage_bytes(g.sizes, g.strides, item, g.offset);
  if (need > bytes)
    fail<ValueError>("setStorage: sizes ", g.sizes, ", strides ", g.strides, ", storage offset ", g.offset,
                     ", and itemsize ", item, " requiring a storage size of ", need,
                     " are out of bounds for storage of size ", bytes);
}

}  // namespace tenon
