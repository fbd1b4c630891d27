// Normalisation by running statistics folded into the layer before it: torch.nn.utils.fusion.
#pragma once
#include <utility>

#include <tenon/nn/convolution.hpp>
#include <tenon/nn/linear.hpp>
#include <tenon/nn/normalization.hpp>

namespace tenon::nn::utils {

namespace detail {
/// A batch norm as data.
struct Statistics {
  const Tensor &mean, &var, &weight, &bias;
  double eps;
};
template <std::size_t Rank>
Statistics statistics(const BatchNorm<Rank>& bn) {
  return {bn.running_mean, bn.running_var, bn.weight, bn.bias, bn.eps};
}
/// Weight and bias of a layer with the norm in it; `out` is the weight's dimension of output channels.
std::pair<Tensor, Tensor> fuse(const Tensor& weight, const Tensor& bias, const Statistics& bn, std::int64_t out);
[[noreturn, gnu::cold]] void fused_in_training();
template <std::size_t Rank, class Layer>
Layer fuse_eval(const Layer& layer, const BatchNorm<Rank>& bn, std::int64_t out) {
  if (bn.training) fused_in_training();
  auto [weight, bias] = fuse(layer.weight, layer.bias, statistics(bn), out);
  Layer fused = layer;
  fused.weight = Parameter(std::move(weight));
  fused.bias = Parameter(std::move(bias));
  return fused;
}
}  // namespace detail

/// A convolution that gives what `conv` and then `bn` give in evaluation; both stay as they are. Its parameters are
/// leaves that require grad as the old weight does. Errors: ValueError where `bn` trains or keeps no statistics.
template <std::size_t Rank>
Conv<Rank> fuse_conv_bn_eval(const Conv<Rank>& conv, const BatchNorm<Rank>& bn) {
  return detail::fuse_eval<Rank>(conv, bn, 0);
}
template <std::size_t Rank>
ConvTranspose<Rank> fuse_conv_bn_eval(const ConvTranspose<Rank>& conv, const BatchNorm<Rank>& bn) {
  return detail::fuse_eval<Rank>(conv, bn, 1);
}
/// The same for a linear layer.
inline Linear fuse_linear_bn_eval(const Linear& linear, const BatchNorm1d& bn) {
  return detail::fuse_eval<1>(linear, bn, 0);
}

/// Weight and bias for which a convolution gives what one of `conv_w` and `conv_b` and then a batch norm give;
/// undefined tensors stand for None. `transpose`: of a transposed convolution. Errors: ValueError as above. Source:
/// torch.nn.utils.fuse_conv_bn_weights of PyTorch 2.15.
inline std::pair<Tensor, Tensor> fuse_conv_bn_weights(const Tensor& conv_w, const Tensor& conv_b, const Tensor& bn_rm,
                                                      const Tensor& bn_rv, double bn_eps, const Tensor& bn_w,
                                                      const Tensor& bn_b, bool transpose = false) {
  return detail::fuse(conv_w, conv_b, {bn_rm, bn_rv, bn_w, bn_b, bn_eps}, transpose ? 1 : 0);
}
/// The same for a linear layer.
inline std::pair<Tensor, Tensor> fuse_linear_bn_weights(const Tensor& linear_w, const Tensor& linear_b,
                                                        const Tensor& bn_rm, const Tensor& bn_rv, double bn_eps,
                                                        const Tensor& bn_w, const Tensor& bn_b) {
  return detail::fuse(linear_w, linear_b, {bn_rm, bn_rv, bn_w, bn_b, bn_eps}, 0);
}

}  // namespace tenon::nn::utils
