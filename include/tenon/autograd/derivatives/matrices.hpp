// What derivatives of linear algebra share.
#pragma once
#include <tenon/autograd/derivative.hpp>
#include <tenon/autograd/derivatives/factors.hpp>
#include <tenon/autograd/mode.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/join.hpp>
#include <tenon/ops/linalg.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/solve.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/ops/view_scatter.hpp>

namespace tenon::ops::derivatives {

inline Tensor transposed(const Tensor& t) { return transpose(t, -2, -1); }
inline Tensor adjoint(const Tensor& t) { return conj_of(transposed(t)); }
inline Tensor real_part(const Tensor& t) { return t.is_complex() ? Tensor(to(t, to_real_type(t.dtype()))) : t; }
inline Tensor imaginary_part(const Tensor& t) { return real_part(mul(t, Scalar(Complex<double>(0.0, -1.0)))); }
inline Tensor diagonal_of(const Tensor& t) { return diagonal(t, 0, -2, -1); }
/// The matrix with another diagonal.
inline Tensor with_diagonal(const Tensor& t, const Tensor& d) { return diagonal_scatter(t, d, 0, -2, -1); }
/// A diagonal matrix.
inline Tensor diagonal_matrix(const Tensor& d) {
  std::int64_t n = d.sizes().back();
  DimVector sizes(d.sizes());
  sizes.push_back(n);
  return with_diagonal(new_zeros(d, IntArrayRef(sizes)), d);
}
inline Tensor columns_times(const Tensor& t, const Tensor& factors) { return mul(t, unsqueeze(factors, -2)); }
inline Tensor rows_times(const Tensor& t, const Tensor& factors) { return mul(t, unsqueeze(factors, -1)); }
inline Tensor skew(const Tensor& t) { return sub(t, adjoint(t)); }
inline Tensor left_columns(const Tensor& t, std::int64_t n) { return slice(t, -1, 0, n); }
inline Tensor top_rows(const Tensor& t, std::int64_t n) { return slice(t, -2, 0, n); }
/// Adds what may be undefined.
inline Tensor plus(const Tensor& a, const Tensor& b) { return !a.defined() ? b : !b.defined() ? a : Tensor(add(a, b)); }
inline Tensor solve_lower(const Tensor& l, const Tensor& b, bool unit = false) {
  return linalg_solve_triangular(l, b, "upper"_a = false, "unitriangular"_a = unit);
}

}  // namespace tenon::ops::derivatives
