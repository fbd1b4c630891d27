// Triangles of matrices as vectors, row by row.
#pragma once
#include <tenon/distributions/detail/univariate.hpp>
#include <tenon/ops/matrix.hpp>

namespace tenon::distributions::detail {

/// Where elements strictly below a diagonal stand, in a flattened matrix of n rows: row i has i + 1 + diagonal.
inline std::vector<std::int64_t> places_below(std::int64_t n, std::int64_t diagonal) {
  std::vector<std::int64_t> places;
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j <= i + diagonal; ++j) places.push_back(i * n + j);
  return places;
}
inline Tensor indices_beside(const Tensor& like, const std::vector<std::int64_t>& indices) {
  Tensor t = ops::empty({static_cast<std::int64_t>(indices.size())}, "dtype"_a = kLong);
  std::copy(indices.begin(), indices.end(), t.data_ptr<std::int64_t>());
  return t.to(like.device());
}
/// Matrices whose part strictly below the main diagonal is given, the rest is 0. Shapes: (.., n (n - 1) / 2) to
/// (.., n, n).
inline Tensor triangle_from(const Tensor& vector, std::int64_t n) {
  std::vector<std::int64_t> sources(static_cast<std::size_t>(n * n), vector.size(-1)), places = places_below(n, -1);
  for (std::size_t i = 0; i < places.size(); ++i)
    sources[static_cast<std::size_t>(places[i])] = static_cast<std::int64_t>(i);
  DimVector one = vector.sizes();
  one.back() = 1;
  Tensor with_zero = ops::cat({vector, full_beside(vector, one, 0)}, -1);
  one.back() = n;
  return with_zero.index_select(-1, indices_beside(vector, sources)).reshape(joined(one, n));
}
/// The part of matrices at and below a diagonal. Shapes: (.., n, n) to (.., count).
inline Tensor triangle_of(const Tensor& matrix, std::int64_t diagonal) {
  Tensor places = indices_beside(matrix, places_below(matrix.size(-1), diagonal));
  return matrix.flatten(-2).index_select(-1, places);
}

}  // namespace tenon::distributions::detail
