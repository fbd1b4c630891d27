// Vectors by operators.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/nn/functional/vectors.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/reduce.hpp>

namespace tenon::nn::functional {

TENON_BODY Tensor normalize(const Tensor& input, double p, std::int64_t dim, double eps) {
  return ops::div(input,
                  ops::clamp_min(ops::linalg_vector_norm(input, Scalar(p), IntArrayRef(dim), true), Scalar(eps)));
}
TENON_BODY Tensor one_hot(const Tensor& classes, std::int64_t num_classes) {
  return ops::one_hot(classes, num_classes);
}

}  // namespace tenon::nn::functional
