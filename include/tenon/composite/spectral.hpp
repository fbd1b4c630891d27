// Eigenvalues, singular values, pseudo-inverses and ranks made of decompositions.
#pragma once
#include <limits>

#include <tenon/autograd/transformed.hpp>
#include <tenon/composite/linalg_checks.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/linalg.hpp>
#include <tenon/ops/math.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/spectral.hpp>
#include <tenon/structured/matrices.hpp>

namespace tenon::composite {

inline std::tuple<Tensor, Tensor> linalg_eigh(const Tensor& self, std::string_view uplo) {
  auto [values, vectors] = ops::_linalg_eigh(self, uplo, true);
  return {values, vectors};
}
/// The vectors are needed where a gradient may be asked for.
inline Tensor eigvalsh(const Tensor& self, std::string_view uplo) {
  return std::get<0>(ops::_linalg_eigh(self, uplo, autograd::may_need_gradient(self)));
}
inline Tensor eigvals(const Tensor& self) {
  return autograd::may_need_gradient(self) ? std::get<0>(ops::linalg_eig(self)) : Tensor(ops::_linalg_eigvals(self));
}
inline std::tuple<Tensor, Tensor, Tensor> linalg_svd(const Tensor& A, bool full,
                                                     std::optional<std::string_view> driver) {
  auto [u, s, vh] = ops::_linalg_svd(A, full, true, "driver"_a = driver);
  return {u, s, vh};
}
inline Tensor svdvals(const Tensor& A, std::optional<std::string_view> driver) {
  return std::get<1>(ops::_linalg_svd(A, false, autograd::may_need_gradient(A), "driver"_a = driver));
}
inline std::tuple<Tensor, Tensor, Tensor> svd(const Tensor& self, bool some, bool compute_uv) {
  TENON_CHECK(self.dim() >= 2, ValueError, "linalg.svd: input should have at least 2 dimensions, but has ", self.dim(),
              " dimensions instead");
  if (compute_uv) {
    auto [u, s, vh] = ops::_linalg_svd(self, !some, true);
    return {u, s, adjoint(vh)};
  }
  // Without vectors they are zeros, of their full sizes.
  Tensor s = std::get<1>(ops::_linalg_svd(self, false, false));
  SymDimVector u(self.sym_sizes()), v(u);
  std::size_t n = u.size();
  u[n - 1] = u[n - 2];
  v[n - 2] = v[n - 1];
  return {ops::new_zeros(self, SymIntArrayRef(u)), s, ops::new_zeros(self, SymIntArrayRef(v))};
}

inline Tensor number(const Tensor& beside, double x) {
  return ops::full(SymIntArrayRef(), Scalar(x), "dtype"_a = kDouble, "device"_a = beside.device());
}
/// The absolute and the relative bound below which singular values count as none.
inline std::pair<Tensor, Tensor> tolerances(const char* name, const Tensor& self, const std::optional<Tensor>& atol,
                                            const std::optional<Tensor>& rtol) {
  TENON_CHECK(self.dim() >= 2, ValueError, name, ": The input tensor input must have at least 2 dimensions.");
  ScalarType real = to_real_type(self.dtype());
  bool absolute = atol && atol->defined(), relative = rtol && rtol->defined();
  for (const std::optional<Tensor>* t : {&atol, &rtol})
    TENON_CHECK(!*t || !(*t)->defined() || !(*t)->is_complex(), ValueError, name, ": ", t == &atol ? "atol" : "rtol",
                " tensor of complex type is not supported.");
  Tensor a = absolute ? *atol : number(self, 0);
  if (relative) return {a, *rtol};
  SymInt rows = self.sym_size(-2), columns = self.sym_size(-1);
  double size = static_cast<double>((rows < columns ? columns : rows).guard_int());
  double eps = real == kDouble ? std::numeric_limits<double>::epsilon()
                               : static_cast<double>(std::numeric_limits<float>::epsilon());
  Tensor r = number(self, eps * size);
  if (absolute) r = ops::where(ops::gt(*atol, Scalar(0)), number(self, 0), r);
  return {a, r};
}
inline std::optional<Tensor> as_tensor(const Tensor& self, std::optional<double> x) {
  if (!x) return std::nullopt;
  return number(self, *x);
}
inline bool is_empty(const Tensor& t) { return t.sym_numel() == 0; }
/// The bound of each matrix from its largest singular value (magnitude of an eigenvalue).
inline Tensor bound(const Tensor& largest, const Tensor& atol, const Tensor& rtol, ScalarType real) {
  auto column = [&](const Tensor& t) { return ops::unsqueeze(ops::to(t, real), -1); };
  return ops::maximum(column(atol), ops::mul(column(rtol), largest));
}

inline Tensor pinv_tensor(const Tensor& self, const std::optional<Tensor>& atol, const std::optional<Tensor>& rtol,
                          bool hermitian) {
  TENON_CHECK(self.dim() >= 2 && is_lapack_type(self.dtype()), ValueError, "linalg.pinv(",
              enumerator_name(self.dtype()), "{", self.sym_sizes(),
              "}): expected a tensor with 2 or more dimensions of float, double, cfloat or cdouble types");
  auto [a, r] = tolerances("torch.linalg.pinv", self, atol, rtol);
  ScalarType real = to_real_type(self.dtype());
  if (is_empty(self)) {
    SymDimVector sizes(self.sym_sizes());
    std::swap(sizes[sizes.size() - 1], sizes[sizes.size() - 2]);
    return ops::new_zeros(self, SymIntArrayRef(sizes));
  }
  auto conjugate = [](const Tensor& t) { return t.is_complex() ? Tensor(ops::conj_physical(t)) : t; };
  if (hermitian) {
    auto [values, vectors] = ops::linalg_eigh(self);
    Tensor size = ops::abs(values), largest = ops::amax(size, -1, true);
    Tensor inverse = ops::masked_fill(ops::reciprocal(values), ops::le(size, bound(largest, a, r, real)), Scalar(0));
    return ops::matmul(ops::mul(vectors, ops::unsqueeze(inverse, -2)), adjoint(vectors));
  }
  auto [u, s, vh] = ops::linalg_svd(self, false);
  Tensor largest = ops::slice(s, -1, 0, 1);
  Tensor inverse = ops::masked_fill(ops::reciprocal(s), ops::le(s, bound(largest, a, r, real)), Scalar(0));
  Tensor v = ops::transpose(vh, -2, -1);
  return ops::matmul(conjugate(ops::mul(v, ops::unsqueeze(inverse, -2))), adjoint(u));
}
inline Tensor pinv_float(const Tensor& self, std::optional<double> atol, std::optional<double> rtol, bool hermitian) {
  return ops::linalg_pinv(self, "atol"_a = as_tensor(self, atol), "rtol"_a = as_tensor(self, rtol),
                          "hermitian"_a = hermitian);
}
inline Tensor pinv_rcond(const Tensor& self, double rcond, bool hermitian) {
  return pinv_float(self, 0.0, rcond, hermitian);
}
inline Tensor pinv_rcond_tensor(const Tensor& self, const Tensor& rcond, bool hermitian) {
  return ops::linalg_pinv(self, "atol"_a = as_tensor(self, 0.0), "rtol"_a = std::optional<Tensor>(rcond),
                          "hermitian"_a = hermitian);
}
inline Tensor pinverse(const Tensor& self, double rcond) { return pinv_rcond(self, rcond, false); }

inline Tensor rank_tensor(const Tensor& input, const std::optional<Tensor>& atol, const std::optional<Tensor>& rtol,
                          bool hermitian) {
  auto [a, r] = tolerances("torch.linalg.matrix_rank", input, atol, rtol);
  if (is_empty(input)) {
    SymDimVector batch(input.sym_sizes());
    batch.pop_back();
    batch.pop_back();
    return ops::zeros(SymIntArrayRef(batch), "dtype"_a = kLong, "device"_a = input.device());
  }
  Tensor s = hermitian ? Tensor(ops::abs(ops::linalg_eigvalsh(input))) : Tensor(ops::linalg_svdvals(input));
  Tensor largest = hermitian ? Tensor(ops::amax(s, -1, true)) : Tensor(ops::slice(s, -1, 0, 1));
  return ops::sum(ops::gt(s, bound(largest, a, r, to_real_type(input.dtype()))), -1);
}
inline Tensor rank_float(const Tensor& self, std::optional<double> atol, std::optional<double> rtol, bool hermitian) {
  return rank_tensor(self, as_tensor(self, atol), as_tensor(self, rtol), hermitian);
}
inline Tensor rank_tol(const Tensor& self, double tol, bool hermitian) { return rank_float(self, tol, 0.0, hermitian); }
inline Tensor rank_tol_tensor(const Tensor& input, const Tensor& tol, bool hermitian) {
  return rank_tensor(input, tol, as_tensor(input, 0.0), hermitian);
}

/// A = U H with orthonormal U and positive-semidefinite H.
inline std::tuple<Tensor, Tensor> polar(const Tensor& A) {
  auto [w, s, vh] = ops::linalg_svd(A, false);
  return {ops::matmul(w, vh), ops::matmul(ops::mul(adjoint(vh), ops::unsqueeze(s, -2)), vh)};
}
/// The square root of a Hermitian positive-semidefinite matrix: eigenvalues below zero count as zero.
inline Tensor matrix_sqrth(const Tensor& self) {
  auto [values, vectors] = ops::linalg_eigh(self);
  Tensor roots = ops::sqrt(ops::clamp_min(values, 0));
  return ops::matmul(ops::mul(vectors, ops::unsqueeze(roots, -2)), adjoint(vectors));
}

TENON_LIBRARY_FRAGMENT(aten, m) {
  auto define = [&](auto op) { define_with_out(m, op); };
  auto define_exact = [&](auto op) { define_with_out<true, same_dtype>(m, op); };
  define_exact(ops::linalg_eigh_base);
  define_exact(ops::linalg_eigvalsh_base);
  define(ops::linalg_eigvals_base);
  define_exact(ops::linalg_svd_base);
  define_exact(ops::linalg_svdvals_base);
  define_exact(ops::svd_base);
  define_with_out(m, ops::linalg_pinv_atol_rtol_tensor, Derivative::Declared);
  define(ops::linalg_pinv_atol_rtol_float);
  define(ops::linalg_pinv_base);
  define(ops::linalg_pinv_rcond_tensor);
  define(ops::pinverse_base);
  define(ops::linalg_matrix_rank_atol_rtol_tensor);
  define(ops::linalg_matrix_rank_atol_rtol_float);
  define(ops::linalg_matrix_rank_base);
  define(ops::linalg_matrix_rank_tol_tensor);
  define_exact(ops::linalg_polar_base);
  define_with_out<true, same_dtype>(m, ops::linalg_matrix_sqrth_base, Derivative::Declared);
  m.impl<ops::linalg_eigh_base, &linalg_eigh>().impl<ops::linalg_eigvalsh_base, &eigvalsh>();
  m.impl<ops::linalg_eigvals_base, &eigvals>().impl<ops::linalg_svd_base, &linalg_svd>();
  m.impl<ops::linalg_svdvals_base, &svdvals>().impl<ops::svd_base, &svd>();
  m.impl<ops::linalg_pinv_atol_rtol_tensor, &pinv_tensor>(DispatchKey::CompositeExplicitAutograd);
  m.impl<ops::linalg_pinv_atol_rtol_float, &pinv_float>().impl<ops::linalg_pinv_base, &pinv_rcond>();
  m.impl<ops::linalg_pinv_rcond_tensor, &pinv_rcond_tensor>().impl<ops::pinverse_base, &pinverse>();
  m.impl<ops::linalg_matrix_rank_atol_rtol_tensor, &rank_tensor>();
  m.impl<ops::linalg_matrix_rank_atol_rtol_float, &rank_float>().impl<ops::linalg_matrix_rank_base, &rank_tol>();
  m.impl<ops::linalg_matrix_rank_tol_tensor, &rank_tol_tensor>();
  m.impl<ops::linalg_polar_base, &polar>();
  m.impl<ops::linalg_matrix_sqrth_base, &matrix_sqrth>(DispatchKey::CompositeExplicitAutograd);
}

}  // namespace tenon::composite
