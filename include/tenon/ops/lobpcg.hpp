// A few extreme eigenvalues of large symmetric matrices, by products with the matrix alone.
#pragma once
#include <cstdint>
#include <optional>
#include <tuple>

#include <tenon/tensor/tensor.hpp>

namespace tenon::ops {

/// In the order of torch.lobpcg; undefined tensors stand for None.
struct LobpcgOptions {
  std::optional<std::int64_t> k = {};  ///< pairs that are asked for: as many as columns of X, or 1
  Tensor B = {};                       ///< positive definite, of the shape of A; the identity if undefined
  Tensor X = {};                       ///< (.., m, n): where the search begins; random if undefined
  std::optional<std::int64_t> n = {};  ///< vectors that are searched at a time, at least k; k where X is undefined
  Tensor iK = {};                      ///< (m, m), a preconditioner: about the inverse of A
  std::int64_t niter = 1000;           ///< a negative number is no limit
  std::optional<double> tol = {};      ///< of relative residuals: the root of the dtype's epsilon
  bool largest = true;                 ///< else the smallest
};
/// Eigenvalues of A x = E B x at one end of the spectrum, the outermost first, with B-orthonormal eigenvectors, by the
/// locally optimal block preconditioned conjugate gradient method with orthogonal bases. Iterates until the residuals
/// of the first k pairs are below `tol`, or `niter` times. Shapes: A (.., m, m), symmetric; E (.., k), X (.., m, k).
/// Dtypes: float32, float64. Aliasing: fresh memory. Errors: ValueError for shapes that do not fit, and unless k <= n
/// <= m / 3; TypeError for other dtypes; NotImplementedError where a gradient is asked for: linalg_eigh() has one.
/// Source: J. A. Duersch, M. Shao, C. Yang, M. Gu, https://doi.org/10.1137/17M1129830; torch.lobpcg of PyTorch 2.15,
/// whose default method takes no notice of iK.
std::tuple<Tensor, Tensor> lobpcg(const Tensor& A, const LobpcgOptions& o = {});

}  // namespace tenon::ops
