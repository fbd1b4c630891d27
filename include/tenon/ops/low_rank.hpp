// Decompositions of matrices that have few large singular values, by random products.
#pragma once
#include <cstdint>
#include <optional>
#include <tuple>

#include <tenon/tensor/tensor.hpp>

namespace tenon::ops {

/// The `q` largest singular values of A, or of A - mean, and their vectors, about: A = U @ diag(S) @ V.mH.
/// `niter` iterations of the subspace sharpen them. Random: manual_seed() makes the numbers those of PyTorch.
/// Shapes: A (.., m, n), mean broadcasts to it; U (.., m, q), S (.., q), V (.., n, q), where q is at most min(m, n).
/// Aliasing: fresh memory. Errors: ValueError for fewer than two dimensions or a negative q; as the operators else.
/// Source: N. Halko, P.-G. Martinsson, J. Tropp, https://arxiv.org/abs/0909.4061, algorithms 4.4 and 5.1;
/// torch.svd_lowrank of PyTorch 2.15.
std::tuple<Tensor, Tensor, Tensor> svd_lowrank(const Tensor& A, std::int64_t q = 6, std::int64_t niter = 2,
                                               const std::optional<Tensor>& mean = {});

/// Principal components of the rows of A: svd_lowrank() of A less the mean of its rows, or of A itself if not `center`.
/// Shapes: as there; q is min(6, m, n) unless given. Errors: ValueError unless 0 <= q <= min(m, n) and niter >= 0.
/// Source: torch.pca_lowrank of PyTorch 2.15.
std::tuple<Tensor, Tensor, Tensor> pca_lowrank(const Tensor& A, const std::optional<std::int64_t>& q = {},
                                               bool center = true, std::int64_t niter = 2);

}  // namespace tenon::ops
