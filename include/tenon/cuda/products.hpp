// Products of matrices by a library of the vendor: what it is asked for, and what it may round.
#pragma once
#include <algorithm>
#include <atomic>
#include <optional>
#include <utility>

#include <tenon/cuda/calls.hpp>

namespace tenon::cuda {

/// D = alpha op(A) op(B) + beta D for `count` products of column-major matrices: D is m x n, op(A) is m x k, op(B) is
/// k x n, and op turns a matrix over where it is transposed. Leading dimensions and steps count elements.
struct LibraryProduct {
  struct Matrix {
    void* data;
    bool transposed;
    std::int64_t leading, step;
  };
  ScalarType dtype;
  std::int64_t count, m, n, k;
  Matrix a, b, d;
  Scalar alpha, beta;
};

namespace detail {
/// A matrix of rows x columns as column-major memory, turned over where its columns lie apart and its rows do not.
inline std::optional<LibraryProduct::Matrix> column_major(const GemmCall::Part& p, std::int64_t rows,
                                                          std::int64_t columns) {
  // Of a dimension of one place the step does not matter.
  std::int64_t row = rows == 1 ? 1 : p.row, column = columns == 1 ? std::max<std::int64_t>(rows, 1) : p.column;
  auto* data = const_cast<void*>(p.data);
  if (row == 1 && column >= rows) return LibraryProduct::Matrix{data, false, column, p.step};
  column = columns == 1 ? 1 : p.column;
  row = rows == 1 ? std::max<std::int64_t>(columns, 1) : p.row;
  if (column == 1 && row >= columns) return LibraryProduct::Matrix{data, true, row, p.step};
  return std::nullopt;
}
}  // namespace detail

/// None where the library does not take the dtype, or a matrix lies with gaps in both directions.
inline std::optional<LibraryProduct> library_product(const GemmCall& c) {
  if (!(is_floating_type(c.dtype) || is_complex_type(c.dtype)) || item_size(c.dtype) < 2 || c.k == 0 || c.m == 0 ||
      c.n == 0 || c.count == 0)
    return std::nullopt;
  auto turned = [](GemmCall::Part p) {
    std::swap(p.row, p.column);
    return p;
  };
  auto a = detail::column_major(c.a, c.m, c.k), b = detail::column_major(c.b, c.k, c.n),
       d = detail::column_major(c.out, c.m, c.n);
  if (!a || !b || !d) return std::nullopt;
  if (!d->transposed) return LibraryProduct{c.dtype, c.count, c.m, c.n, c.k, *a, *b, *d, c.alpha, c.beta};
  // The transposed product is that of the factors turned over, the second one first.
  a = detail::column_major(turned(c.b), c.n, c.k);
  b = detail::column_major(turned(c.a), c.k, c.m);
  d = detail::column_major(turned(c.out), c.n, c.m);
  if (!a || !b || !d || d->transposed) return std::nullopt;
  return LibraryProduct{c.dtype, c.count, c.n, c.m, c.k, *a, *b, *d, c.alpha, c.beta};
}

/// Whether products of float may round their factors to 10 bits of mantissa (TF32); not unless a program says so.
inline std::atomic<bool>& allows_tf32() {
  static std::atomic<bool> allowed{false};
  return allowed;
}
inline void set_allow_tf32(bool on) { allows_tf32() = on; }

/// The library of the program, or null; false where it does not take a product, which kernels then compute.
inline std::atomic<bool (*)(const LibraryProduct&, void* stream)>& product_library() {
  static std::atomic<bool (*)(const LibraryProduct&, void* stream)> library{nullptr};
  return library;
}

}  // namespace tenon::cuda
