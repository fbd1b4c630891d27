// How layers fill their parameters.
#pragma once
#include <cmath>

#include <tenon/autograd/variable.hpp>
#include <tenon/base/body.hpp>
#include <tenon/nn/init.hpp>
#include <tenon/nn/layers.hpp>
#include <tenon/tensor/create.hpp>

namespace tenon::nn {

TENON_BODY Linear::Linear(std::int64_t in, std::int64_t out, bool with_bias, ScalarType dtype)
    : weight(make_tensor({out, in}, {}, dtype)) {
  init::kaiming_uniform_(weight, std::sqrt(5.0));
  weight.set_requires_grad(true);
  if (!with_bias) return;
  bias = make_tensor({out}, {}, dtype);
  double bound = in > 0 ? 1 / std::sqrt(static_cast<double>(in)) : 0;
  init::uniform_(bias, -bound, bound);
  bias.set_requires_grad(true);
}

}  // namespace tenon::nn
