// Cutting a tensor into pieces of given numbers or at given places: made of slices.
#pragma once
#include <tenon/library/library.hpp>
#include <tenon/ops/split.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/structured/indexing.hpp>
#include <tenon/tensor/symbolic.hpp>

namespace tenon::composite {

inline void check_tensor_split(const Tensor& self) {
  TENON_CHECK(self.dim() > 0, ValueError,
              "tensor_split expected at least a 1-dimensional tensor, but got a tensor with ", self.dim(), " dims");
}
inline Tensor piece(const Tensor& self, std::int64_t dim, const SymInt& start, const std::optional<SymInt>& end) {
  return ops::slice(self, dim, std::optional<SymInt>(start), end, SymInt(1));
}
/// Pieces whose lengths differ by one at most, the longer ones first.
inline std::vector<Tensor> tensor_split_sections(const Tensor& self, SymInt sections, std::int64_t dim) {
  check_tensor_split(self);
  dim = wrap_dim(dim, self.dim());
  TENON_CHECK(sections > 0, ValueError, "number of sections must be larger than 0, got ", sections);
  SymInt size = self.sym_sizes()[static_cast<std::size_t>(dim)], least = size / sections, longer = size % sections,
         at = 0;
  std::vector<Tensor> out;
  for (std::int64_t i = 0, n = sections.guard_int(); i < n; ++i) {
    SymInt end = at + least + (longer > i ? 1 : 0);
    out.push_back(piece(self, dim, at, end));
    at = end;
  }
  return out;
}
inline std::vector<Tensor> tensor_split_indices(const Tensor& self, SymIntArrayRef indices, std::int64_t dim) {
  check_tensor_split(self);
  dim = wrap_dim(dim, self.dim());
  std::vector<Tensor> out;
  SymInt at = 0;
  for (const SymInt& end : indices) {
    out.push_back(piece(self, dim, at, end));
    at = end;
  }
  out.push_back(piece(self, dim, at, self.sym_sizes()[static_cast<std::size_t>(dim)]));
  return out;
}
inline std::vector<Tensor> tensor_split_tensor(const Tensor& self, const Tensor& given, std::int64_t dim) {
  check_tensor_split(self);
  TENON_CHECK(given.device().type == DeviceType::CPU, ValueError,
              "tensor_split expected tensor_indices_or_sections to be on cpu, but it's on ", given.device());
  TENON_CHECK(given.dtype() == kLong, TypeError,
              "tensor_split expected tensor_indices_or_sections to have dtype of long, but got ",
              enumerator_name(given.dtype()));
  TENON_CHECK(
      given.dim() < 2, ValueError,
      "tensor_split expected tensor_indices_or_sections to be a zero-dimensional or one-dimensional tensor, but got a tensor with ",
      given.dim(), " dims");
  if (given.dim() == 0) return tensor_split_sections(self, SymInt(given.item<std::int64_t>()), dim);
  SymDimVector indices;
  for (std::int64_t i = 0; i < given.numel(); ++i)
    indices.push_back(SymInt(ops::select(given, 0, i).template item<std::int64_t>()));
  return tensor_split_indices(self, indices, dim);
}

/// The dimension that hsplit, vsplit and dsplit cut, of a tensor that has it.
template <char Letter>
std::int64_t split_dim(const Tensor& self) {
  constexpr std::int64_t least = Letter == 'h' ? 1 : Letter == 'v' ? 2 : 3;
  TENON_CHECK(self.dim() >= least, ValueError, "torch.", Letter, "split requires a tensor with at least ", least,
              " dimension, but got a tensor with ", self.dim(), " dimensions!");
  return Letter == 'v' ? 0 : Letter == 'd' ? 2 : self.dim() == 1 ? 0 : 1;
}
template <char Letter>
std::vector<Tensor> letter_split(const Tensor& self, std::int64_t sections) {
  std::int64_t dim = split_dim<Letter>(self);
  const SymInt& size = self.sym_sizes()[static_cast<std::size_t>(dim)];
  TENON_CHECK(sections != 0 && size % sections == 0, ValueError, "torch.", Letter,
              "split attempted to split along dimension ", dim, ", but the size of the dimension ", size,
              " is not divisible by the split_size ", sections, "!");
  return tensor_split_sections(self, SymInt(sections), dim);
}
template <char Letter>
std::vector<Tensor> letter_split_at(const Tensor& self, IntArrayRef indices) {
  return tensor_split_indices(self, SymDimVector(indices.begin(), indices.end()), split_dim<Letter>(self));
}

inline std::vector<Tensor> unsafe_chunk(const Tensor& self, std::int64_t chunks, std::int64_t dim) {
  TENON_CHECK(self.dim() > 0, ValueError, "chunk expects at least a 1-dimensional tensor");
  TENON_CHECK(chunks > 0, ValueError, "chunk expects `chunks` to be greater than 0, got: ", chunks);
  SymInt size = self.sym_sizes()[static_cast<std::size_t>(wrap_dim(dim, self.dim(), false))],
         length = (size + chunks - 1) / chunks;
  if (length == 0 && size == 0)
    return ops::unsafe_split_with_sizes(self, DimVector(static_cast<std::size_t>(chunks), 0), dim);
  return ops::unsafe_split(self, length, dim);
}

TENON_LIBRARY_FRAGMENT(aten, m) {
  m.def<ops::tensor_split_sections>()
      .def<ops::tensor_split_indices>()
      .def<ops::tensor_split_tensor_indices_or_sections>();
  m.def<ops::hsplit_int>().def<ops::hsplit_array>().def<ops::vsplit_int>().def<ops::vsplit_array>();
  m.def<ops::dsplit_int>().def<ops::dsplit_array>().def<ops::unsafe_chunk_base>();
  m.impl<ops::tensor_split_sections, &tensor_split_sections>();
  m.impl<ops::tensor_split_indices, &tensor_split_indices>();
  m.impl<ops::tensor_split_tensor_indices_or_sections, &tensor_split_tensor>();
  m.impl<ops::hsplit_int, &letter_split<'h'>>().impl<ops::hsplit_array, &letter_split_at<'h'>>();
  m.impl<ops::vsplit_int, &letter_split<'v'>>().impl<ops::vsplit_array, &letter_split_at<'v'>>();
  m.impl<ops::dsplit_int, &letter_split<'d'>>().impl<ops::dsplit_array, &letter_split_at<'d'>>();
  m.impl<ops::unsafe_chunk_base, &unsafe_chunk>();
}

}  // namespace tenon::composite
