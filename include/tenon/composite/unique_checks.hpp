// What elements and slices without repetitions are refused of.
#pragma once
#include <cstdint>

#include <tenon/base/error.hpp>
#include <tenon/tensor/tensor.hpp>

namespace tenon::composite {

inline void check_unique(const Tensor& self) {
  if (!has_arithmetic(self.dtype()) || self.is_complex()) not_implemented_for("unique", self.dtype());
}
/// How many slices there are along a dimension; `dim` comes back counted from the first. Errors: IndexError for one
/// that the tensor lacks, ValueError where another one is empty.
inline std::int64_t count_slices(const Tensor& self, std::int64_t& dim) {
  TENON_CHECK(self.dim() > 0, IndexError, "Dimension specified as ", dim, " but tensor has no dimensions");
  dim = wrap_dim(dim, self.dim());
  std::int64_t empty = 0, n = self.sizes()[dim];
  for (std::int64_t s : self.sizes()) empty += s == 0;
  TENON_CHECK(n > 0 || empty == 1, ValueError,
              "Number of zero sized dimensions is more than one, so unique cannot be applied ");
  TENON_CHECK(n == 0 || empty == 0, ValueError,
              "There are 0 sized dimensions, and they aren't selected, so unique cannot be applied");
  return n;
}

}  // namespace tenon::composite
