// Sizes of one tensor beside those of another, and the diagonal of a tensor written in place.
#pragma once
#include <algorithm>

#include <tenon/library/library.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/matching.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::composite {

inline bool is_same_size(const Tensor& self, const Tensor& other) { return self.sym_sizes() == other.sym_sizes(); }
inline Tensor& resize_as(Tensor& self, const Tensor& like, std::optional<MemoryFormat> format) {
  if (format == MemoryFormat::Preserve) format = like.suggest_memory_format();
  return ops::resize_(self, like.sym_sizes(), "memory_format"_a = format);
}
inline Tensor& fill_diagonal(Tensor& self, const Scalar& value, bool wrap) {
  TENON_CHECK(self.dim() >= 2, ValueError, "dimensions must larger than 1");
  SymInt rows = self.sym_size(0), columns = self.sym_size(1), size = rows < columns ? rows : columns, step = 0;
  for (std::int64_t d = 0; d < self.dim(); ++d) {
    TENON_CHECK(self.dim() == 2 || self.sym_size(d) == rows, ValueError,
                "all dimensions of input must be of equal length");
    step = step + self.sym_stride(d);
  }
  auto fill = [&](const SymInt& count, const SymInt& offset) {
    SymInt sizes[] = {count}, strides[] = {step};
    Tensor line = ops::as_strided(self, SymIntArrayRef(sizes), SymIntArrayRef(strides), offset);
    ops::fill_(line, value);
  };
  fill(size, self.sym_storage_offset());
  // A tall matrix starts again a row behind the end of its diagonal.
  if (wrap && self.dim() == 2 && rows > columns + 1)
    fill((rows * columns + columns) / (columns + 1) - size,
         self.sym_storage_offset() + self.sym_stride(0) * (columns + 1));
  return self;
}

TENON_LIBRARY_FRAGMENT(aten, m) {
  m.def<ops::is_same_size_base>().def<ops::resize_as_base_>().def<ops::fill_diagonal_base_>();
  m.impl<ops::is_same_size_base, &is_same_size>();
  m.impl<ops::resize_as_base_, &resize_as>();
  m.impl<ops::fill_diagonal_base_, &fill_diagonal>();
}

}  // namespace tenon::composite
