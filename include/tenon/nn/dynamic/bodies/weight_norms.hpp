// Norms of weights, and the power iteration.
#pragma once
#include <tenon/autograd/engine.hpp>
#include <tenon/autograd/mode.hpp>
#include <tenon/base/body.hpp>
#include <tenon/nn/dynamic/weight_norms.hpp>
#include <tenon/nn/init.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/axes.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/linalg.hpp>
#include <tenon/ops/math.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/tensor/create.hpp>

namespace tenon::nn::detail {

TENON_BODY Parameter leaf_of(const Tensor& t) {
  NoGradGuard no_grad;
  Tensor leaf = ops::clone(ops::detach(t));
  leaf.set_requires_grad(true);
  return Parameter(leaf);
}
TENON_BODY Tensor norm_except(const Tensor& v, const std::optional<std::int64_t>& dim) {
  DimVector others;
  if (dim) {
    std::int64_t kept = *dim < 0 ? *dim + v.dim() : *dim;
    for (std::int64_t d = 0; d < v.dim(); ++d)
      if (d != kept) others.push_back(d);
  } else {
    return ops::sqrt(ops::sum(ops::mul(v, v)));
  }
  Tensor squares = ops::mul(v, v);
  return ops::sqrt(others.empty() ? squares : Tensor(ops::sum(squares, IntArrayRef(others), true)));
}
TENON_BODY Tensor scaled_to(const Tensor& v, const Tensor& g, const std::optional<std::int64_t>& dim) {
  return ops::mul(v, ops::div(g, norm_except(v, dim)));
}
/// A matrix with a row for each index of `dim`.
inline Tensor as_matrix(const Tensor& weight, std::int64_t dim) {
  Tensor first = dim == 0 ? weight : Tensor(ops::movedim(weight, dim, 0));
  return ops::reshape(first, {first.size(0), -1});
}
inline Tensor unit(const Tensor& t, double eps) {
  return ops::div(t, ops::clamp_min(ops::sqrt(ops::sum(ops::mul(t, t))), eps));
}
TENON_BODY std::pair<Tensor, Tensor> start_vectors(const Tensor& weight, std::int64_t dim, double eps) {
  NoGradGuard no_grad;
  Tensor matrix = as_matrix(weight, dim);
  auto random = [&](std::int64_t n) {
    Tensor t = make_tensor({n}, {}, weight.dtype(), weight.device());
    init::normal_(t);
    return unit(t, eps);
  };
  Tensor u = random(matrix.size(0));
  return {u, random(matrix.size(1))};
}
TENON_BODY Tensor over_largest(const Tensor& weight, const Tensor& u, const Tensor& v, std::int64_t dim,
                               std::int64_t iterations, double eps) {
  Tensor matrix = as_matrix(weight, dim);
  if (iterations > 0) {
    NoGradGuard no_grad;
    Tensor rows = u, columns = v;
    for (std::int64_t i = 0; i < iterations; ++i) {
      ops::copy_(columns, unit(ops::mv(ops::t(matrix), rows), eps));
      ops::copy_(rows, unit(ops::mv(matrix, columns), eps));
    }
  }
  // What the graph keeps must not change with the next call.
  Tensor left = ops::clone(u), right = ops::clone(v);
  return ops::div(weight, ops::sum(ops::mul(left, ops::mv(matrix, right))));
}

}  // namespace tenon::nn::detail
