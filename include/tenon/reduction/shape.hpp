// Which dimensions a reduction runs over, and what is left of a shape.
#pragma once
#include <optional>

#include <tenon/base/error.hpp>
#include <tenon/tensor/symbolic.hpp>

namespace tenon::reduction {

/// Bit d: dimension d is reduced. No list, and an empty one unless `empty_is_none`, means all dimensions.
inline std::uint64_t dim_mask(std::optional<IntArrayRef> dims, std::int64_t n, bool empty_is_none = false) {
  constexpr std::int64_t most = 64;
  TENON_CHECK(n <= most, ValueError, "reductions take at most ", most, " dimensions, got ", n);
  if (!dims || (dims->empty() && !empty_is_none)) return n == most ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1;
  std::uint64_t mask = 0;
  for (std::int64_t d : *dims) {
    std::int64_t at = wrap_dim(d, n);
    TENON_CHECK(!(mask >> at & 1), ValueError, "dim ", at, " appears multiple times in the list of dims");
    mask |= std::uint64_t{1} << at;
  }
  return mask;
}

template <class Int>
dims_t<Int> reduced_sizes(ArrayRef<Int> sizes, std::uint64_t mask, bool keepdim) {
  dims_t<Int> out;
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    if (!(mask >> d & 1))
      out.push_back(sizes[d]);
    else if (keepdim)
      out.push_back(1);
  }
  return out;
}

/// What values of a dtype are summed and compared in.
constexpr ScalarType accumulation_dtype(ScalarType t) { return is_differentiable_type(t) ? compute_type_of(t) : kLong; }

/// The arguments that every reduction has, whatever its schema calls optional.
struct Arguments {
  const Tensor& self;
  std::optional<IntArrayRef> dims;  ///< none: all dimensions
  bool keepdim = false;
  std::optional<ScalarType> dtype;
};

}  // namespace tenon::reduction
