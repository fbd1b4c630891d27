// The geometry of every view operator, computed.
#pragma once
#include <utility>

#include <tenon/base/body.hpp>
#include <tenon/tensor/bodies/dense_strides.hpp>
#include <tenon/tensor/view_geometry.hpp>

namespace tenon {

TENON_BODY DimVector dense_strides_like(IntArrayRef sizes, IntArrayRef strides) {
  // Repeated dimensions (stride 0) stay where they are.
  return detail::dense_strides_by(sizes, [&](std::int64_t a, std::int64_t b) {
    if (strides[a] == 0 || strides[b] == 0) return 0;
    if (strides[a] != strides[b]) return strides[a] < strides[b] ? -1 : 1;
    return sizes[a] > sizes[b] ? 1 : 0;
  });
}

namespace view_geometry {

TENON_BODY Geometry alias(const GeometryRef& self) { return self.copy(); }

TENON_BODY Geometry transpose(const GeometryRef& self, std::int64_t dim0, std::int64_t dim1) {
  dim0 = wrap_dim(dim0, self.dim());
  dim1 = wrap_dim(dim1, self.dim());
  Geometry g = self.copy();
  if (dim0 != dim1) {
    std::swap(g.sizes[dim0], g.sizes[dim1]);
    std::swap(g.strides[dim0], g.strides[dim1]);
  }
  return g;
}

TENON_BODY Geometry t(const GeometryRef& self) {
  TENON_CHECK(self.dim() <= 2, ValueError, "t() expects a tensor with <= 2 dimensions, but self is ", self.dim(), "D");
  return self.dim() < 2 ? self.copy() : transpose(self, 0, 1);
}

TENON_BODY Geometry permute(const GeometryRef& self, IntArrayRef dims) {
  TENON_CHECK(
      static_cast<std::int64_t>(dims.size()) == self.dim(), ValueError,
      "permute(): number of dimensions in the tensor input does not match the length of the desired ordering of dimensions i.e. input.dim() = ",
      self.dim(), " is not equal to len(dims) = ", dims.size());
  Geometry g;
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

TENON_BODY Geometry view(const GeometryRef& self, IntArrayRef size) {
  Geometry g;
  g.sizes = infer_size(size, count_elements(self.sizes));
  g.offset = self.offset;
  auto strides = view_strides(self.sizes, self.strides, g.sizes);
  if (!strides)
    fail<ValueError>(
        "view size is not compatible with input tensor's size and stride (at least one dimension spans across two contiguous subspaces). Use .reshape(...) instead.");
  g.strides = std::move(*strides);
  return g;
}

TENON_BODY Geometry expand(const GeometryRef& self, IntArrayRef size, [[maybe_unused]] bool implicit) {
  std::size_t n = size.size(), own = self.sizes.size();
  TENON_CHECK(n >= own, ValueError, "expand(Tensor", self.sizes, ", size=", size, "): the number of sizes provided (",
              n, ") must be greater or equal to the number of dimensions in the tensor (", own, ")");
  Geometry g{DimVector(n), DimVector(n), self.offset};
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
    std::int64_t have = fresh ? 1 : self.sizes[i - (n - own)];
    // A new dimension is laid out as if it had been there with size 1.
    std::int64_t stride = fresh ? g.sizes[i + 1] * g.strides[i + 1] : self.strides[i - (n - own)];
    std::int64_t want = size[i];
    if (want == -1) {
      TENON_CHECK(!fresh, ValueError,
                  "The expanded size of the tensor (-1) isn't allowed in a leading, non-existing dimension ", i);
      want = have;
    }
    if (want != have) {
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

TENON_BODY Geometry select(const GeometryRef& self, std::int64_t dim, std::int64_t index) {
  TENON_CHECK(self.dim() > 0, IndexError, "select() cannot be applied to a 0-dim tensor.");
  dim = wrap_dim(dim, self.dim());
  std::int64_t size = self.sizes[dim];
  TENON_CHECK(index >= -size && index < size, IndexError, "select(): index ", index,
              " out of range for tensor of size ", self.sizes, " at dimension ", dim);
  Geometry g = self.copy();
  g.offset += (index < 0 ? index + size : index) * self.strides[dim];
  g.sizes.erase(static_cast<std::size_t>(dim));
  g.strides.erase(static_cast<std::size_t>(dim));
  return g;
}

TENON_BODY Geometry slice(const GeometryRef& self, std::int64_t dim, std::optional<std::int64_t> start,
                          std::optional<std::int64_t> end, std::int64_t step) {
  TENON_CHECK(self.dim() > 0, IndexError, "slice() cannot be applied to a 0-dim tensor.");
  dim = wrap_dim(dim, self.dim());
  TENON_CHECK(step > 0, ValueError, "slice step must be positive");
  std::int64_t size = self.sizes[dim], first = start.value_or(0), last = end.value_or(size);
  if (first < 0) first += size;
  if (last < 0) last += size;
  first = first < 0 ? 0 : first > size ? size : first;
  last = last < first ? first : last > size ? size : last;
  Geometry g = self.copy();
  g.offset += first * self.strides[dim];
  std::int64_t length = last - first;
  g.sizes[dim] = length / step + (length % step != 0);
  g.strides[dim] *= step;
  return g;
}

TENON_BODY std::int64_t narrow_start(const GeometryRef& self, std::int64_t dim, std::int64_t start,
                                     std::int64_t length) {
  TENON_CHECK(self.dim() > 0, ValueError, "narrow() cannot be applied to a 0-dim tensor.");
  TENON_CHECK(length >= 0, ValueError, "narrow(): length must be non-negative.");
  std::int64_t size = self.sizes[wrap_dim(dim, self.dim())];
  TENON_CHECK(-size <= start && start <= size, IndexError, "start out of range (expected to be in range of [", -size,
              ", ", size, "], but got ", start, ")");
  if (start < 0) start += size;
  TENON_CHECK(start <= size - length, ValueError, "start (", start, ") + length (", length,
              ") exceeds dimension size (", size, ").");
  return start;
}

TENON_BODY Geometry unsqueeze(const GeometryRef& self, std::int64_t dim) {
  dim = wrap_dim(dim, self.dim() + 1);
  Geometry g = self.copy();
  g.sizes.insert(static_cast<std::size_t>(dim), 1);
  g.strides.insert(static_cast<std::size_t>(dim), dim < self.dim() ? self.sizes[dim] * self.strides[dim] : 1);
  return g;
}

TENON_BODY Geometry squeeze(const GeometryRef& self) {
  Geometry g;
  g.offset = self.offset;
  for (std::size_t d = 0; d < self.sizes.size(); ++d)
    if (self.sizes[d] != 1) {
      g.sizes.push_back(self.sizes[d]);
      g.strides.push_back(self.strides[d]);
    }
  return g;
}

TENON_BODY Geometry squeeze_dim(const GeometryRef& self, std::int64_t dim) {
  dim = wrap_dim(dim, self.dim());
  Geometry g = self.copy();
  if (self.dim() > 0 && self.sizes[dim] == 1) {
    g.sizes.erase(static_cast<std::size_t>(dim));
    g.strides.erase(static_cast<std::size_t>(dim));
  }
  return g;
}

TENON_BODY Geometry squeeze_dims(const GeometryRef& self, IntArrayRef dims) {
  SmallVector<bool, 8> drop(self.sizes.size() + 1);
  for (std::int64_t d : dims) {
    d = wrap_dim(d, self.dim());
    TENON_CHECK(!drop[d], ValueError, "dim ", d, " appears multiple times in the list of dims");
    drop[d] = true;
  }
  Geometry g;
  g.offset = self.offset;
  for (std::size_t d = 0; d < self.sizes.size(); ++d)
    if (!drop[d] || self.sizes[d] != 1) {
      g.sizes.push_back(self.sizes[d]);
      g.strides.push_back(self.strides[d]);
    }
  return g;
}

TENON_BODY Geometry as_strided(const GeometryRef& self, IntArrayRef size, IntArrayRef stride,
                               std::optional<std::int64_t> offset) {
  TENON_CHECK(size.size() == stride.size(), ValueError, "mismatch in length of strides and shape");
  for (auto s : stride)
    TENON_CHECK(s >= 0, ValueError,
                "as_strided: Negative strides are not supported at the moment, got strides: ", stride);
  for (auto s : size)
    TENON_CHECK(s >= 0, ValueError, "Storage size calculation overflowed with sizes=", size, " and strides=", stride);
  Geometry g{size, stride, offset.value_or(self.offset)};
  TENON_CHECK(g.offset >= 0, ValueError, "Tensor: invalid storage offset ", g.offset);
  return g;
}

TENON_BODY Geometry reshape_alias(const GeometryRef& self, IntArrayRef size, IntArrayRef stride) {
  return {size, stride, self.offset};
}

TENON_BODY Geometry diagonal(const GeometryRef& self, std::int64_t offset, std::int64_t dim1, std::int64_t dim2) {
  std::int64_t d1 = wrap_dim(dim1, self.dim(), false), d2 = wrap_dim(dim2, self.dim(), false);
  TENON_CHECK(d1 != d2, ValueError, "diagonal dimensions cannot be identical ", dim1, ", ", dim2);
  std::int64_t rows = self.sizes[d1] + (offset < 0 ? offset : 0), columns = self.sizes[d2] - (offset > 0 ? offset : 0);
  std::int64_t length = rows < columns ? rows : columns;
  Geometry g = self.copy();
  if (length <= 0)
    length = 0;
  else
    g.offset += offset >= 0 ? offset * self.strides[d2] : -offset * self.strides[d1];
  for (std::int64_t d : {d1 > d2 ? d1 : d2, d1 > d2 ? d2 : d1}) {
    g.sizes.erase(static_cast<std::size_t>(d));
    g.strides.erase(static_cast<std::size_t>(d));
  }
  g.sizes.push_back(length);
  g.strides.push_back(self.strides[d1] + self.strides[d2]);
  return g;
}

TENON_BODY DimVector split_lengths(const GeometryRef& self, std::int64_t split_size, std::int64_t dim) {
  TENON_CHECK(self.dim() > 0, ValueError, "split expects at least a 1-dimensional tensor");
  TENON_CHECK(split_size >= 0, ValueError, "split expects split_size be non-negative, but got split_size=", split_size);
  std::int64_t size = self.sizes[wrap_dim(dim, self.dim())];
  TENON_CHECK(split_size > 0 || size == 0, ValueError,
              "split_size can only be 0 if dimension size is 0, but got dimension size of ", size);
  DimVector lengths;
  for (std::int64_t left = size; left > 0; left -= split_size) lengths.push_back(left < split_size ? left : split_size);
  if (lengths.empty()) lengths.push_back(0);
  return lengths;
}

TENON_BODY void check_split_lengths(const GeometryRef& self, IntArrayRef lengths, std::int64_t dim) {
  TENON_CHECK(self.dim() > 0, ValueError, "split expects at least a 1-dimensional tensor");
  dim = wrap_dim(dim, self.dim());
  std::int64_t sum = 0;
  for (auto l : lengths) {
    TENON_CHECK(l >= 0, ValueError,
                "split_with_sizes expects split_sizes have only non-negative entries, but got split_sizes=", lengths);
    sum += l;
  }
  TENON_CHECK(sum == self.sizes[dim], ValueError, "split_with_sizes expects split_sizes to sum exactly to ",
              self.sizes[dim], " (input tensor's size at dimension ", dim, "), but got split_sizes=", lengths);
}

}  // namespace view_geometry

TENON_BODY void check_in_storage(const GeometryRef& g, std::size_t item, std::size_t bytes) {
  std::size_t need = storage_bytes(g.sizes, g.strides, item, g.offset);
  if (need > bytes)
    fail<ValueError>("setStorage: sizes ", g.sizes, ", strides ", g.strides, ", storage offset ", g.offset,
                     ", and itemsize ", item, " requiring a storage size of ", need,
                     " are out of bounds for storage of size ", bytes);
}

}  // namespace tenon
