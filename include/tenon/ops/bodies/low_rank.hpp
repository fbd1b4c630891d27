// Decompositions by random products.
#pragma once
#include <algorithm>

#include <tenon/base/body.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/axes.hpp>
#include <tenon/ops/factorization.hpp>
#include <tenon/ops/linalg.hpp>
#include <tenon/ops/low_rank.hpp>
#include <tenon/ops/operators.hpp>
#include <tenon/ops/random.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/second_names.hpp>
#include <tenon/ops/spectral.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::detail {

inline void check_matrices(const char* name, const Tensor& A) {
  TENON_CHECK(A.dim() >= 2, ValueError, name, "(): expected 'A' of at least 2 dimensions, got shape ", A.sizes());
}
/// Orthonormal columns Q for which Q @ Q.mH @ a is about a, the product with `a` or `a.mH` being given.
template <class Product>
Tensor approximate_basis(const Tensor& a, std::int64_t q, std::int64_t niter, Product product) {
  auto basis = [](const Tensor& columns) { return std::get<0>(ops::linalg_qr(columns)); };
  Tensor found = basis(product(ops::randn({a.size(-1), q}, "dtype"_a = a.dtype(), "device"_a = a.device()), false));
  for (std::int64_t i = 0; i < niter; ++i) found = basis(product(basis(product(found, true)), false));
  return found;
}

}  // namespace tenon::detail

namespace tenon::ops {

TENON_BODY std::tuple<Tensor, Tensor, Tensor> svd_lowrank(const Tensor& A, std::int64_t q, std::int64_t niter,
                                                          const std::optional<Tensor>& offset) {
  detail::check_matrices("svd_lowrank", A);
  TENON_CHECK(q >= 0, ValueError, "svd_lowrank(): expected a non-negative 'q', got ", q);
  const bool wide = A.size(-2) < A.size(-1);
  Tensor a = wide ? Tensor(A.mH()) : A, taken;
  if (offset) {
    taken = broadcast_to(*offset, A.sizes());
    if (wide) taken = taken.mH();
  }
  auto product = [&](const Tensor& x, bool turned) {
    auto with = [&](const Tensor& by) { return Tensor(matmul(turned ? Tensor(by.mH()) : by, x)); };
    return taken.defined() ? with(a) - with(taken) : with(a);
  };
  Tensor Q = detail::approximate_basis(a, q, niter, product);
  Tensor B = matmul(Q.mH(), a);
  if (taken.defined()) B = B - matmul(Q.mH(), taken);
  auto [U, S, Vh] = linalg_svd(B, false);
  Tensor left = matmul(Q, U), right = Vh.mH();
  if (wide) std::swap(left, right);
  return {left, S, right};
}

TENON_BODY std::tuple<Tensor, Tensor, Tensor> pca_lowrank(const Tensor& A, const std::optional<std::int64_t>& q,
                                                          bool center, std::int64_t niter) {
  detail::check_matrices("pca_lowrank", A);
  std::int64_t most = std::min(A.size(-2), A.size(-1)), rank = q.value_or(std::min<std::int64_t>(6, most));
  TENON_CHECK(rank >= 0 && rank <= most, ValueError, "pca_lowrank(): q(=", rank,
              ") must be non-negative integer and not greater than min(m, n)=", most);
  TENON_CHECK(niter >= 0, ValueError, "pca_lowrank(): niter(=", niter, ") must be non-negative integer");
  return svd_lowrank(center ? A - mean(A, {-2}, true) : A, rank, niter);
}

}  // namespace tenon::ops
