// Weights of layers that have a norm in them.
#pragma once
#include <tenon/autograd/mode.hpp>
#include <tenon/base/body.hpp>
#include <tenon/nn/fuse.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/math.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::nn::utils::detail {

TENON_COLD_BODY void fused_in_training() { fail<ValueError>("Fusion only for eval!"); }

TENON_COLD_BODY std::pair<Tensor, Tensor> fuse(const Tensor& weight, const Tensor& bias, const Statistics& bn,
                                               std::int64_t out) {
  TENON_CHECK(bn.mean.defined() && bn.var.defined(), ValueError,
              "fuse: expected a batch norm with running statistics, got one that keeps none");
  TENON_CHECK(bn.mean.numel() == weight.size(out), ValueError, "fuse: expected a batch norm of ", weight.size(out),
              " features, got one of ", bn.mean.numel());
  const NoGradGuard guard;
  Tensor scale = ops::rsqrt(ops::add(bn.var, bn.eps));
  if (bn.weight.defined()) scale = ops::mul(scale, bn.weight);
  Tensor shift = ops::mul(bias.defined() ? ops::sub(bias, bn.mean) : ops::neg(bn.mean), scale);
  if (bn.bias.defined()) shift = ops::add(shift, bn.bias);
  DimVector sizes(static_cast<std::size_t>(weight.dim()), 1);
  sizes[static_cast<std::size_t>(out)] = -1;
  const ScalarType dtype = weight.dtype();
  Tensor fused = ops::to(ops::mul(weight, ops::reshape(scale, IntArrayRef(sizes))), dtype);
  return {fused.set_requires_grad(weight.requires_grad()),
          Tensor(ops::to(shift, bias.defined() ? bias.dtype() : dtype)).set_requires_grad(weight.requires_grad())};
}

}  // namespace tenon::nn::utils::detail
