// What a list of index tensors selects: masks as integers, indices of one shape, and where each dimension of the result
// comes from.
#pragma once
#include <vector>

#include <tenon/base/warning.hpp>
#include <tenon/structured/pointwise.hpp>

namespace tenon {

/// `Tensor?[]`: one index for each dimension from the first on, absent where the dimension is taken whole.
using IndexList = ArrayRef<std::optional<Tensor>>;

inline bool is_index_given(const std::optional<Tensor>& x) { return x && x->defined(); }
inline bool is_mask(const Tensor& x) { return x.dtype() == kBool || x.dtype() == kByte; }

template <class Int>
struct Selection {
  std::vector<Tensor> indices;  ///< for each dimension of `self`; undefined where that is taken whole; no masks
  dims_t<Int> shape;            ///< the common shape of the indices
  DimVector before, after;      ///< dimensions of `self` that are taken whole, in front of `shape` and behind it
  dims_t<Int> sizes;            ///< of the result: before, shape, after
};

namespace detail {

inline void check_index_count(const Tensor& self, std::size_t count) {
  TENON_CHECK(count <= static_cast<std::size_t>(self.dim()), IndexError, "too many indices for tensor of dimension ",
              self.dim(), " (got ", count, ")");
}

/// Appends the places of a mask's elements, a list for each of its dimensions.
void push_places(std::vector<Tensor>& out, const Tensor& mask);

/// A mask counts as one index for each of its dimensions.
template <class Int>
std::vector<Tensor> expand_masks(const Tensor& self, IndexList given) {
  std::vector<Tensor> out;
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (!is_index_given(given[i])) {
      out.emplace_back();
      continue;
    }
    const Tensor& x = *given[i];
    TENON_CHECK(x.dtype() == kLong || x.dtype() == kInt || is_mask(x), IndexError,
                "tensors used as indices must be long, int, byte or bool tensors");
    if (!is_mask(x)) {
      out.push_back(x);
      continue;
    }
    if (x.dtype() == kByte)
      warn("indexing with dtype torch.uint8 is now deprecated, please use a dtype torch.bool instead.");
    for (std::int64_t d = 0; d < x.dim(); ++d) {
      auto at = static_cast<std::int64_t>(out.size()) + d;
      check_index_count(self, static_cast<std::size_t>(at) + 1);
      TENON_CHECK(sizes_of<Int>(x)[d] == sizes_of<Int>(self)[at], IndexError, "The shape of the mask ", x.sym_sizes(),
                  " at index ", d, " does not match the shape of the indexed tensor ", self.sym_sizes(), " at index ",
                  at);
    }
    push_places(out, x);
  }
  check_index_count(self, out.size());
  out.resize(static_cast<std::size_t>(self.dim()));
  return out;
}

template <class Int>
dims_t<Int> common_index_shape(const std::vector<Tensor>& indices) {
  dims_t<Int> shape;
  for (const Tensor& x : indices) {
    if (!x.defined()) continue;
    ArrayRef<Int> sizes = sizes_of<Int>(x);
    while (shape.size() < sizes.size()) shape.insert(std::size_t{0}, Int(1));
    for (std::size_t d = 0; d < sizes.size(); ++d) {
      Int& have = shape[shape.size() - 1 - d];
      const Int& size = sizes[sizes.size() - 1 - d];
      if (known_equal(have, size) || size == 1) continue;
      if (have == 1)
        have = size;
      else if (have != size) {
        std::string shapes;
        for (const Tensor& each : indices)
          if (each.defined()) shapes += concat(shapes.empty() ? "" : ", ", each.sym_sizes());
        fail<IndexError>("shape mismatch: indexing tensors could not be broadcast together with shapes ", shapes);
      }
    }
  }
  return shape;
}

}  // namespace detail

/// Throws IndexError in PyTorch's words; values of indices are not looked at.
template <class Int>
Selection<Int> select_by(const Tensor& self, IndexList given) {
  detail::check_index_count(self, given.size());
  Selection<Int> s;
  s.indices = detail::expand_masks<Int>(self, given);
  s.shape = detail::common_index_shape<Int>(s.indices);
  std::int64_t first = -1, last = -1, count = 0;
  for (std::int64_t d = 0; d < self.dim(); ++d)
    if (s.indices[static_cast<std::size_t>(d)].defined()) {
      if (first < 0) first = d;
      last = d;
      ++count;
    }
  // Dimensions of indices that are not neighbours come first.
  bool adjacent = count > 0 && last - first + 1 == count;
  for (std::int64_t d = 0; d < self.dim(); ++d)
    if (!s.indices[static_cast<std::size_t>(d)].defined()) (adjacent && d < first ? s.before : s.after).push_back(d);
  for (std::int64_t d : s.before) s.sizes.push_back(sizes_of<Int>(self)[d]);
  for (const Int& each : s.shape) s.sizes.push_back(each);
  for (std::int64_t d : s.after) s.sizes.push_back(sizes_of<Int>(self)[d]);
  return s;
}

/// What is put into a selection broadcasts to it and is of its dtype.
template <class Int>
void check_put_values(const Tensor& self, const Tensor& values, const Selection<Int>& s) {
  TENON_CHECK(self.dtype() == values.dtype(), IndexError,
              "Index put requires the source and destination dtypes match, got ", self.dtype(),
              " for the destination and ", values.dtype(), " for the source.");
  ArrayRef<Int> v = sizes_of<Int>(values);
  bool fits = v.size() <= s.sizes.size();
  for (std::size_t i = 0; fits && i < v.size(); ++i) {
    const Int &have = v[v.size() - 1 - i], &want = s.sizes[s.sizes.size() - 1 - i];
    fits = known_equal(have, want) || have == 1 || have == want;
  }
  TENON_CHECK(fits, ValueError, "shape mismatch: value tensor of shape ", values.sym_sizes(),
              " cannot be broadcast to indexing result of shape ", s.sizes);
}
/// Strides of the result in the order of the elements that it is read from, empty for row-major ones.
template <class Int>
dims_t<Int> selection_strides(const Tensor& self, const Selection<Int>& s) {
  bool row_major = self.is_contiguous();
  for (const Tensor& x : s.indices) row_major = row_major && (!x.defined() || x.is_contiguous());
  if (row_major) return {};
  std::vector<Tensor> operands;
  auto keep = [&](const Tensor& x, const dims_t<Int>& sizes, const dims_t<Int>& steps) {
    if constexpr (std::is_same_v<Int, SymInt>)
      operands.push_back(make_alias_symbolic(x, sizes, steps, x.sym_storage_offset()));
    else
      operands.push_back(make_alias(x, sizes, steps, x.storage_offset()));
  };
  dims_t<Int> strides;
  for (std::int64_t d : s.before) strides.push_back(strides_of<Int>(self)[d]);
  for (std::size_t i = 0; i < s.shape.size(); ++i) strides.push_back(Int(0));
  for (std::int64_t d : s.after) strides.push_back(strides_of<Int>(self)[d]);
  keep(self, s.sizes, strides);
  for (const Tensor& x : s.indices) {
    if (!x.defined()) continue;
    dims_t<Int> sizes(sizes_of<Int>(x)), own(strides_of<Int>(x));
    for (std::size_t i = 0; i < s.after.size(); ++i) {
      sizes.push_back(Int(1));
      own.push_back(Int(0));
    }
    keep(x, sizes, own);
  }
  std::vector<const Tensor*> list;
  for (const Tensor& x : operands) list.push_back(&x);
  return detail::result_strides(s.sizes, list.data(), static_cast<unsigned>(list.size()));
}
inline void check_masked_select(const Tensor& self, const Tensor& mask, const Tensor* out) {
  TENON_CHECK(mask.dtype() == kBool, TypeError, "masked_select: expected BoolTensor for mask");
  TENON_CHECK(!out || out->dtype() == self.dtype(), TypeError,
              "masked_select(): self and result must have the same scalar type");
}

}  // namespace tenon
