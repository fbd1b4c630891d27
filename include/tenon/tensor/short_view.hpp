// The geometry of the views that programs make most, written at once into the tensor that shows it.
#pragma once
#include <cstdint>
#include <optional>
#include <utility>

#include <tenon/tensor/tensor_impl.hpp>

namespace tenon {

/// What ViewGeometry computes, where `self` is short and the result will be, without lists on the way: `to` was just
/// made. False for whatever needs more care, mistakes among it: then ViewGeometry says what is right.
struct ShortView {
  static bool transpose(const TensorImpl& self, TensorImpl& to, std::int64_t dim0, std::int64_t dim1) {
    std::int64_t n = self.dim();
    if (!wrap(dim0, n) || !wrap(dim1, n)) [[unlikely]]
      return false;
    std::int64_t* sizes = to.place_extents_of(self, self.storage_offset());
    std::swap(sizes[dim0], sizes[dim1]);
    std::swap(sizes[n + dim0], sizes[n + dim1]);
    to.extents_are_placed();
    return true;
  }

  static bool t(const TensorImpl& self, TensorImpl& to) { return self.dim() == 2 && transpose(self, to, 0, 1); }

  static bool permute(const TensorImpl& self, TensorImpl& to, IntArrayRef dims) {
    std::int64_t n = self.dim();
    if (static_cast<std::int64_t>(dims.size()) != n) [[unlikely]]
      return false;
    const std::int64_t *sizes = self.sizes().data(), *strides = sizes + n;
    std::int64_t* out = to.place_extents(dims.size(), self.storage_offset());
    unsigned seen = 0;
    for (std::int64_t at = 0; at < n; ++at) {
      std::int64_t d = dims[static_cast<std::size_t>(at)];
      if (!wrap(d, n)) [[unlikely]]
        return false;
      seen |= 1u << d;
      out[at] = sizes[d];
      out[n + at] = strides[d];
    }
    if (seen + 1 != 1u << n) [[unlikely]]
      return false;
    to.extents_are_placed();
    return true;
  }

  /// Of a row-major tensor with elements.
  static bool view(const TensorImpl& self, TensorImpl& to, IntArrayRef size) {
    std::size_t n = size.size(), inferred = n;
    if (n > TensorImpl::kInPlace) [[unlikely]]
      return false;
    const std::int64_t *sizes = self.sizes().data(), *strides = sizes + self.dim();
    std::int64_t count = 1, known = 1;
    for (std::int64_t d = self.dim(); d-- > 0; count *= sizes[d])
      if (strides[d] != count) return false;
    std::int64_t* out = to.place_extents(n, self.storage_offset());
    // The strides of a size that is still unknown are right but for those before it.
    for (std::size_t d = n; d-- > 0;) {
      std::int64_t wanted = size[d];
      out[d] = wanted;
      out[n + d] = known;
      if (wanted > 0) [[likely]] {
        if (__builtin_mul_overflow(known, wanted, &known)) [[unlikely]]
          return false;
      } else if (wanted == -1 && inferred == n) {
        inferred = d;
      } else {
        return false;
      }
    }
    if (inferred != n) {
      if (count == 0 || count % known != 0) return false;
      std::int64_t found = count / known;
      out[inferred] = found;
      for (std::size_t d = 0; d < inferred; ++d) out[n + d] *= found;
    } else if (known != count) {
      return false;
    }
    to.extents_are_row_major(count);
    return true;
  }

  static bool select(const TensorImpl& self, TensorImpl& to, std::int64_t dim, std::int64_t index) {
    std::int64_t n = self.dim();
    if (!wrap(dim, n)) [[unlikely]]
      return false;
    const std::int64_t *sizes = self.sizes().data(), *strides = sizes + n;
    if (!wrap(index, sizes[dim])) [[unlikely]]
      return false;
    std::int64_t* out = to.place_extents(static_cast<std::size_t>(n - 1), self.storage_offset() + index * strides[dim]);
    for (std::int64_t d = 0, at = 0; d < n; ++d)
      if (d != dim) {
        out[at] = sizes[d];
        out[n - 1 + at++] = strides[d];
      }
    to.extents_are_placed();
    return true;
  }

  static bool slice(const TensorImpl& self, TensorImpl& to, std::int64_t dim, std::optional<std::int64_t> start,
                    std::optional<std::int64_t> end, std::int64_t step) {
    std::int64_t n = self.dim();
    if (!wrap(dim, n) || step <= 0) [[unlikely]]
      return false;
    std::int64_t size = self.sizes().data()[dim], stride = self.sizes().data()[n + dim];
    std::int64_t first = start.value_or(0), last = end.value_or(size);
    if (first < 0) first += size;
    if (last < 0) last += size;
    first = first < 0 ? 0 : first > size ? size : first;
    last = last < first ? first : last > size ? size : last;
    std::int64_t length = last - first;
    std::int64_t* out = to.place_extents_of(self, self.storage_offset() + first * stride);
    if (step != 1) {
      length = length / step + (length % step != 0);
      out[n + dim] = stride * step;
    }
    out[dim] = length;
    to.extents_are_placed();
    return true;
  }

  static bool unsqueeze(const TensorImpl& self, TensorImpl& to, std::int64_t dim) {
    std::int64_t n = self.dim();
    if (!wrap(dim, n + 1) || n == static_cast<std::int64_t>(TensorImpl::kInPlace)) [[unlikely]]
      return false;
    const std::int64_t *sizes = self.sizes().data(), *strides = sizes + n;
    std::int64_t* out = to.place_extents(static_cast<std::size_t>(n + 1), self.storage_offset());
    for (std::int64_t d = 0; d < n; ++d) {
      std::int64_t at = d + (d >= dim);
      out[at] = sizes[d];
      out[n + 1 + at] = strides[d];
    }
    out[dim] = 1;
    out[n + 1 + dim] = dim < n ? sizes[dim] * strides[dim] : 1;
    to.extents_are_placed();
    return true;
  }

 private:
  /// Counts a negative number from the end; false outside of [-size, size).
  [[gnu::always_inline]] static bool wrap(std::int64_t& at, std::int64_t size) {
    if (at < 0) at += size;
    return static_cast<std::uint64_t>(at) < static_cast<std::uint64_t>(size);
  }
};

}  // namespace tenon
