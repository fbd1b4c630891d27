// Parts of a tensor along one of its dimensions: what the sets and the maps of several parts share.
#pragma once
#include <algorithm>
#include <cstdint>
#include <functional>

#include <tenon/base/error.hpp>
#include <tenon/tensor/tensor.hpp>

namespace tenon::distributions::detail {

/// The most dimensions that one of them has, by `dims`.
template <class Parts, class Dims>
std::int64_t most_of(const Parts& parts, Dims dims) {
  std::int64_t most = 0;
  for (const auto& part : parts) most = std::max(most, std::invoke(dims, part));
  return most;
}
inline void check_length(const char* name, const Tensor& t, std::int64_t dim, std::int64_t expected) {
  TENON_CHECK(dim >= -t.dim() && dim < t.dim() && t.size(dim) == expected, ValueError, name, ": expected ", expected,
              " elements along dimension ", dim, ", got shape ", t.sizes());
}
/// Where a dimension of elements' tensors is, from the back, once an element's own are gone.
inline std::int64_t place_outside(std::int64_t dim, const Tensor& x, std::int64_t element_dims) {
  return (dim < 0 ? dim : dim - x.dim()) + element_dims;
}

}  // namespace tenon::distributions::detail
