// The conjugate gradient method for eigenvalues.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <tenon/base/body.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/arrange.hpp>
#include <tenon/ops/carried.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/elements.hpp>
#include <tenon/ops/factorization.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/join.hpp>
#include <tenon/ops/linalg.hpp>
#include <tenon/ops/lobpcg.hpp>
#include <tenon/ops/math.hpp>
#include <tenon/ops/nonzero.hpp>
#include <tenon/ops/operators.hpp>
#include <tenon/ops/random.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/repeat.hpp>
#include <tenon/ops/spectral.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::detail {

/// The search for pairs of one matrix.
class EigenSearch {
 public:
  EigenSearch(const Tensor& A, const Tensor& B, const Tensor& iK, std::int64_t k, double tol, bool largest)
      : A_(A), B_(B), iK_(iK), k_(k), tol_(tol), basis_tol_(std::min(tol, default_tol(A.dtype()))), largest_(largest) {}
  static double default_tol(ScalarType dtype) {
    return std::sqrt(dtype == kDouble ? std::numeric_limits<double>::epsilon()
                                      : static_cast<double>(std::numeric_limits<float>::epsilon()));
  }

  std::tuple<Tensor, Tensor> run(const Tensor& start, std::int64_t iterations) {
    const std::int64_t n = start.size(1);
    const double norm = size_of(start), a_norm = size_of(ops::matmul(A_, start)) / norm,
                 b_norm = size_of(by_b(start)) / norm;
    Tensor X = orthonormal(start, {});
    TENON_CHECK(X.size(1) == n, ValueError, "lobpcg(): expected an 'X' without columns of zeros");
    auto [E, turn] = pairs(X);
    X = ops::matmul(X, turn);
    Tensor P;  // where the last step went, orthonormal to X
    for (std::int64_t found = 0;; --iterations) {
      Tensor R = ops::matmul(A_, X) - by_b(X) * E;
      found = std::max(found, first_below(column_sizes(R) / (column_sizes(X) * (ops::abs(E) * b_norm + a_norm))));
      if (found >= k_ || iterations == 0) break;
      Tensor W = ops::narrow(R, 1, found, n - found);
      if (iK_.defined()) W = ops::matmul(iK_, W);
      Tensor known = P.defined() ? ops::cat({X, P}, 1) : X;
      W = orthonormal(W, known);
      if (W.size(1) == 0) break;  // no direction is left
      // Pairs that are found stay as they are, and all else orthogonal to them.
      Tensor S = ops::narrow(ops::cat({known, W}, 1), 1, found, known.size(1) + W.size(1) - found);
      auto [values, vectors] = pairs(S);
      const std::int64_t open = n - found, rest = S.size(1) - open;
      Tensor others = ops::narrow(vectors, 1, open, rest);
      Tensor towards = std::get<0>(ops::linalg_qr(ops::transpose(ops::narrow(others, 0, 0, open), 0, 1)));
      P = ops::matmul(S, ops::matmul(others, towards));
      X = ops::cat({ops::narrow(X, 1, 0, found), ops::matmul(S, ops::narrow(vectors, 1, 0, open))}, 1);
      E = ops::cat({ops::narrow(E, 0, 0, found), ops::narrow(values, 0, 0, open)});
    }
    return {ops::narrow(E, 0, 0, k_), ops::narrow(X, 1, 0, k_)};
  }

 private:
  static double size_of(const Tensor& t) { return Tensor(ops::linalg_vector_norm(t)).item<double>(); }
  static Tensor column_sizes(const Tensor& t) { return ops::linalg_vector_norm(t, 2, {0}); }
  std::int64_t first_below(const Tensor& residuals) const {
    std::vector<double> all = residuals.to_vector<double>();
    std::int64_t count = 0;
    for (double r : all) {
      if (!(r < tol_)) break;
      ++count;
    }
    return count;
  }
  Tensor by_b(const Tensor& t) const { return B_.defined() ? Tensor(ops::matmul(B_, t)) : t; }
  static std::tuple<Tensor, Tensor> sorted_pairs(const Tensor& symmetric, bool largest) {
    auto [values, vectors] = ops::linalg_eigh(symmetric, "U");
    if (!largest) return {values, vectors};
    return {ops::flip(values, {0}), ops::flip(vectors, {1})};
  }
  /// Of A within the span of orthonormal columns.
  std::tuple<Tensor, Tensor> pairs(const Tensor& S) const {
    return sorted_pairs(ops::matmul(ops::transpose(S, 0, 1), ops::matmul(A_, S)), largest_);
  }
  /// Columns of the same span that are nearly orthonormal: by the eigenvectors of their products with each other.
  /// Columns of zeros are left out.
  Tensor by_products(Tensor U) const {
    Tensor products = ops::matmul(ops::transpose(U, 0, 1), by_b(U)), squares = ops::diagonal(products);
    Tensor nonzeros = ops::flatten(ops::nonzero(squares));
    if (nonzeros.size(0) < squares.size(0)) {
      U = ops::index_select(U, 1, nonzeros);
      if (U.size(1) == 0) return U;
      products = ops::matmul(ops::transpose(U, 0, 1), by_b(U));
      squares = ops::diagonal(products);
    }
    Tensor scale = ops::rsqrt(ops::abs(squares));
    auto [values, vectors] = sorted_pairs(products * ops::unsqueeze(scale, 1) * scale, false);
    const double most = Tensor(ops::max(ops::abs(values))).item<double>();
    return ops::matmul(U * scale, vectors * ops::rsqrt(ops::clamp_min(values, most * basis_tol_)));
  }
  /// Orthonormal columns of the span of U and V that are orthogonal to the orthonormal V.
  Tensor orthonormal(Tensor U, const Tensor& V) const {
    const Tensor Vt = V.defined() ? Tensor(ops::transpose(V, 0, 1)) : Tensor();
    const double v_norm = V.defined() ? size_of(by_b(V)) : 1;
    for (int outer = 0; outer < 3; ++outer) {
      if (V.defined()) U = U - ops::matmul(V, ops::matmul(Vt, by_b(U)));
      for (int inner = 0; inner < 3; ++inner) {
        U = by_products(U);
        if (U.size(1) == 0) return U;
        Tensor bU = by_b(U);
        Tensor off = ops::matmul(ops::transpose(U, 0, 1), bU) -
                     ops::eye(U.size(1), "dtype"_a = U.dtype(), "device"_a = U.device());
        if (size_of(off) < basis_tol_ * size_of(bU) * size_of(U)) break;
      }
      if (!V.defined() || size_of(ops::matmul(Vt, by_b(U))) < basis_tol_ * v_norm * size_of(U)) break;
    }
    return U;
  }

  const Tensor &A_, &B_, &iK_;
  std::int64_t k_;
  double tol_, basis_tol_;
  bool largest_;
};

/// Whether what is computed from the tensor now requires a gradient; of no elements, as views say nothing of the mode.
inline bool wants_gradient(const Tensor& t) {
  return t.defined() && t.requires_grad() && ops::neg(ops::narrow(t, -1, 0, 0)).requires_grad();
}

}  // namespace tenon::detail

namespace tenon::ops {

TENON_BODY std::tuple<Tensor, Tensor> lobpcg(const Tensor& A, const LobpcgOptions& o) {
  TENON_CHECK(A.dim() >= 2 && A.size(-1) == A.size(-2), ValueError, "lobpcg(): A must be square, got shape ",
              A.sizes());
  TENON_CHECK(A.dtype() == kFloat || A.dtype() == kDouble, TypeError, "lobpcg(): expected float32 or float64, got ",
              A.dtype());
  TENON_CHECK(!o.B.defined() || o.B.sizes() == A.sizes(), ValueError, "lobpcg(): A and B must have same shape, got ",
              A.sizes(), " vs ", o.B.sizes());
  TENON_CHECK(!detail::wants_gradient(A) && !detail::wants_gradient(o.B), NotImplementedError,
              "lobpcg(): has no gradient; take linalg_eigh(), or detach the matrices");
  const std::int64_t m = A.size(-1), given = o.X.defined() && o.X.dim() >= 2 ? o.X.size(-1) : 1;
  const std::int64_t k = o.k.value_or(given), n = o.X.defined() ? given : o.n.value_or(k);
  TENON_CHECK(k >= 1 && k <= n, ValueError, "lobpcg(): expected 1 <= k <= n, got k=", k, " and n=", n);
  TENON_CHECK(m >= 3 * n, ValueError, "lobpcg(): LOBPCG algorithm is not applicable when the number of A rows (=", m,
              ") is smaller than 3 x the number of requested eigenpairs (=", n, ")");
  DimVector batch(A.sizes());
  batch.pop_back();
  batch.pop_back();
  DimVector starts = batch, values = batch;
  starts.push_back(m);
  starts.push_back(n);
  TENON_CHECK(!o.X.defined() || o.X.sizes() == IntArrayRef(starts), ValueError, "lobpcg(): expected 'X' of shape ",
              IntArrayRef(starts), ", got ", o.X.sizes());

  const std::int64_t count = A.numel() / std::max<std::int64_t>(m * m, 1);
  auto matrices = [&](const Tensor& of, std::int64_t columns) {
    return of.defined() ? Tensor(reshape(detach(of), {count, m, columns})) : Tensor();
  };
  Tensor all_a = matrices(A, m), all_b = matrices(o.B, m), all_x = matrices(o.X, n);
  const Tensor all_inverse = o.iK.defined() ? Tensor(detach(o.iK)) : Tensor();
  std::vector<Tensor> E, X;
  for (std::int64_t i = 0; i < count; ++i) {
    Tensor a = select(all_a, 0, i), b = all_b.defined() ? Tensor(select(all_b, 0, i)) : Tensor();
    Tensor start = all_x.defined() ? Tensor(select(all_x, 0, i))
                                   : Tensor(randn({m, n}, "dtype"_a = A.dtype(), "device"_a = A.device()));
    detail::EigenSearch search(a, b, all_inverse, k, o.tol.value_or(detail::EigenSearch::default_tol(A.dtype())),
                               o.largest);
    auto [values_of, vectors_of] = search.run(start, o.niter);
    E.push_back(values_of);
    X.push_back(vectors_of);
  }
  starts.back() = k;
  values.push_back(k);
  if (count == 0) return {new_empty(A, IntArrayRef(values)), new_empty(A, IntArrayRef(starts))};
  return {reshape(stack(E), IntArrayRef(values)), reshape(stack(X), IntArrayRef(starts))};
}

}  // namespace tenon::ops
