// How layers that multiply by a weight start, and what they compute.
#pragma once
#include <cmath>

#include <tenon/base/body.hpp>
#include <tenon/nn/detail/start.hpp>
#include <tenon/nn/linear.hpp>
#include <tenon/ops/linalg.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::nn {

namespace detail {

TENON_BODY Tensor new_parameters(Linear& l) {
  Tensor weight = new_leaf({l.out_features, l.in_features}, l.dtype);
  init::kaiming_uniform_(weight, std::sqrt(5.0));
  double bound = l.in_features > 0 ? 1 / std::sqrt(static_cast<double>(l.in_features)) : 0;
  if (l.bias.wanted()) l.bias = uniform_leaf({l.out_features}, bound, l.dtype);
  return weight;
}
TENON_BODY Tensor new_parameters(Bilinear& l) {
  TENON_CHECK(l.in1_features > 0, ValueError, "in1_features must be > 0, but got ", std::int64_t(l.in1_features));
  double bound = 1 / std::sqrt(static_cast<double>(l.in1_features));
  Tensor weight = uniform_leaf({l.out_features, l.in1_features, l.in2_features}, bound, l.dtype);
  if (l.bias.wanted()) l.bias = uniform_leaf({l.out_features}, bound, l.dtype);
  return weight;
}

}  // namespace detail

}  // namespace tenon::nn
