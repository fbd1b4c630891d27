// What meta functions of linear algebra share: checks of matrices in PyTorch's words, and column-major results.
#pragma once
#include <tenon/structured/outputs.hpp>

namespace tenon {

/// The strides of batches of column-major matrices: dense, each matrix transposed.
template <class Int>
dims_t<Int> column_major_strides(ArrayRef<Int> sizes) {
  dims_t<Int> turned(sizes);
  std::size_t n = sizes.size();
  std::swap(turned[n - 2], turned[n - 1]);
  dims_t<Int> strides = contiguous_strides(turned);
  std::swap(strides[n - 2], strides[n - 1]);
  return strides;
}
/// Result i as a batch of column-major matrices, which LAPACK writes without a copy.
template <class Int>
void set_matrices(Outputs& out, unsigned i, const dims_t<Int>& sizes, ScalarType dtype, Device device,
                  OutputCast cast = OutputCast::Exact) {
  dims_t<Int> strides = column_major_strides<Int>(sizes);
  out.set_output_raw_strided(i, ArrayRef<Int>(sizes), ArrayRef<Int>(strides), dtype, device, cast);
}
template <class Int>
void set_dense(Outputs& out, unsigned i, const dims_t<Int>& sizes, ScalarType dtype, Device device,
               OutputCast cast = OutputCast::Exact) {
  out.set_output_raw_strided(i, ArrayRef<Int>(sizes), {}, dtype, device, cast);
}

/// The sizes without the last `count`, and then `more`.
template <class Int>
dims_t<Int> batch_of(const Tensor& given, std::size_t count = 2, std::initializer_list<Int> more = {}) {
  ArrayRef<Int> s = sizes_of<Int>(given);
  dims_t<Int> out(s.slice(0, s.size() - count));
  for (const Int& m : more) out.push_back(m);
  return out;
}
template <class Int>
const Int& rows_of(const Tensor& given) {
  return sizes_of<Int>(given)[given.dim() - 2];
}
template <class Int>
const Int& columns_of(const Tensor& given) {
  return sizes_of<Int>(given)[given.dim() - 1];
}
template <class Int>
Int smaller(const Int& a, const Int& b) {
  return a < b ? a : b;
}

inline void check_matrix(const char* name, const Tensor& given, const char* argument = "A") {
  TENON_CHECK(given.dim() >= 2, ValueError, name, ": The input tensor ", argument, " must have at least 2 dimensions.");
}
template <class Int>
void check_square(const char* name, const Tensor& given, const char* argument = "A") {
  check_matrix(name, given, argument);
  TENON_CHECK(rows_of<Int>(given) == columns_of<Int>(given), ValueError, name, ": ", argument,
              " must be batches of square matrices, but they are ", rows_of<Int>(given), " by ", columns_of<Int>(given),
              " matrices");
}
inline bool is_lapack_type(ScalarType given) {
  return given == kFloat || given == kDouble || given == kComplexFloat || given == kComplexDouble;
}
/// Refuses what LAPACK has no routines for.
inline void check_lapack_type(const char* name, ScalarType given) {
  TENON_CHECK(is_floating_type(given) || is_complex_type(given), NotImplementedError, name,
              ": Expected a floating point or complex tensor as input. Got ", enumerator_name(given));
  TENON_CHECK(is_lapack_type(given), NotImplementedError, name, ": Low precision dtypes not supported. Got ",
              enumerator_name(given));
}
inline void check_same_type(const char* name, const Tensor& a, const Tensor& b, const char* first = "A",
                            const char* second = "B") {
  TENON_CHECK(a.dtype() == b.dtype(), TypeError, name, ": Expected ", first, " and ", second,
              " to have the same dtype, but found ", first, " of type ", enumerator_name(a.dtype()), " and ", second,
              " of type ", enumerator_name(b.dtype()), " instead");
}
template <class Int>
void check_equation(const char* name, const Tensor& a, const Tensor& b, bool left) {
  check_square<Int>(name, a, "A");
  check_matrix(name, b, "B");
  TENON_CHECK(left ? rows_of<Int>(a) == rows_of<Int>(b) : columns_of<Int>(a) == columns_of<Int>(b), ValueError, name,
              ": Incompatible shapes of A and B for the equation ", left ? "AX = B" : "XA = B", " (", rows_of<Int>(a),
              "x", columns_of<Int>(a), " and ", rows_of<Int>(b), "x", columns_of<Int>(b), ")");
}
/// The common batch of two arguments, and then the last two sizes of the second.
template <class Int>
dims_t<Int> common_batch(const Tensor& a, const Tensor& b) {
  ArrayRef<Int> x = sizes_of<Int>(a), y = sizes_of<Int>(b);
  dims_t<Int> out = broadcast_shapes(x.slice(0, x.size() - 2), y.slice(0, y.size() - 2));
  out.push_back(y[y.size() - 2]);
  out.push_back(y[y.size() - 1]);
  return out;
}

}  // namespace tenon
