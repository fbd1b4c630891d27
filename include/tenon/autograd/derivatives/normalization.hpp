// Derivatives of normalisation.
#pragma once
#include <array>
#include <limits>

#include <tenon/autograd/derivative.hpp>
#include <tenon/autograd/derivatives/by_composition.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/math.hpp>
#include <tenon/ops/normalization.hpp>
#include <tenon/ops/reduce.hpp>

namespace tenon::ops {

namespace derivatives {

using OptionalTensor = std::optional<Tensor>;
using ThreeGradients = std::array<Tensor, 3>;

inline Tensor given_or_undefined(const OptionalTensor& t) { return t ? *t : Tensor(); }
inline ThreeGradients first_three(Tensors t) { return {std::move(t[0]), std::move(t[1]), std::move(t[2])}; }
inline ThreeGradients as_array(std::tuple<Tensor, Tensor, Tensor> t) {
  return {std::move(std::get<0>(t)), std::move(std::get<1>(t)), std::move(std::get<2>(t))};
}
inline Tensor scaled_and_moved(Tensor y, const Tensor& weight, const Tensor& bias, IntArrayRef shape) {
  if (weight.defined()) y = mul(y, reshape(weight, shape));
  if (bias.defined()) y = add(y, reshape(bias, shape));
  return y;
}
/// Input, weight and bias to result, mean and inverse deviation over `dims`; without `centered` about zero.
struct Normalization {
  DimVector dims, parameter_shape, view, statistics;
  double eps;
  bool centered = true;
  Tensors operator()(const Tensors& t) const {
    Tensor x = view.empty() ? t[0] : Tensor(reshape(t[0], IntArrayRef(view)));
    Tensor mean, off = x;
    if (centered) {
      mean = ops::mean(x, IntArrayRef(dims), true);
      off = sub(x, mean);
    }
    Tensor rstd = rsqrt(add(ops::mean(mul(off, off), IntArrayRef(dims), true), Scalar(eps)));
    Tensor y = reshape(mul(off, rstd), t[0].sizes());
    auto shaped = [&](const Tensor& s) {
      return statistics.empty() || !s.defined() ? s : Tensor(reshape(s, IntArrayRef(statistics)));
    };
    return {scaled_and_moved(y, t[1], t[2], parameter_shape), shaped(mean), shaped(rstd)};
  }
};
inline Normalization layer_normalization(IntArrayRef shape, double eps, bool centered = true) {
  Normalization n{{}, DimVector(shape), {}, {}, eps, centered};
  for (std::size_t d = 1; d <= shape.size(); ++d) n.dims.push_back(-static_cast<std::int64_t>(d));
  return n;
}
/// One for the channels, the others 1.
inline DimVector channel_shape(const Tensor& input) {
  DimVector shape(input.sizes().size(), 1);
  shape[1] = input.sizes()[1];
  return shape;
}
/// What `f` does of {n, channels, plane}, with the first `count` of its tensors and its first result in any shape:
/// groups are counted by these numbers, whatever dimensions the input has.
template <class F>
auto by_planes(F f, std::size_t count, std::int64_t n, std::int64_t channels, std::int64_t plane) {
  return [=](const Tensors& whole) {
    Tensors t = whole;
    for (std::size_t i = 0; i < count; ++i) t[i] = reshape(t[i], {n, channels, plane});
    Tensors results = f(t);
    results[0] = reshape(results[0], whole[0].sizes());
    return results;
  };
}
inline auto group_normalization(std::int64_t n, std::int64_t channels, std::int64_t plane, std::int64_t groups,
                                double eps) {
  Normalization f{{2}, {1, channels, 1}, {n, groups, channels / groups * plane}, {n, groups}, eps};
  return by_planes(std::move(f), 1, n, channels, plane);
}
inline Normalization batch_normalization(const Tensor& input, double eps) {
  Normalization n{{0}, channel_shape(input), {}, {input.sizes()[1]}, eps};
  for (std::int64_t d = 2; d < input.dim(); ++d) n.dims.push_back(d);
  return n;
}
/// Batch normalisation by given statistics, which follow the bias among the inputs.
struct Evaluation {
  double eps;
  Tensors operator()(const Tensors& t) const {
    DimVector shape = channel_shape(t[0]);
    Tensor rstd = rsqrt(add(reshape(t[4], IntArrayRef(shape)), Scalar(eps)));
    Tensor y = mul(sub(t[0], reshape(t[3], IntArrayRef(shape))), rstd);
    return {scaled_and_moved(y, t[1], t[2], shape)};
  }
};

inline bool wants_steps(const Tensor& mean, const Tensor& rstd) {
  return is_grad_enabled() || mean.defined() || rstd.defined();
}
inline ThreeGradients layer_norm_gradients(const Tensor& grad, const Tensor& mean_grad, const Tensor& rstd_grad,
                                           const Tensor& input, IntArrayRef shape, const OptionalTensor& weight,
                                           const OptionalTensor& bias, double eps, const Tensor& mean,
                                           const Tensor& rstd, autograd::Needs needs) {
  if (wants_steps(mean_grad, rstd_grad))
    return first_three(back_through(layer_normalization(shape, eps),
                                    {input, given_or_undefined(weight), given_or_undefined(bias)},
                                    {grad, mean_grad, rstd_grad}));
  bool mask[] = {needs[0], needs[1], needs[2]};
  return as_array(native_layer_norm_backward(grad, input, shape, mean, rstd, weight, bias, ArrayRef<bool>(mask, 3)));
}
inline ThreeGradients group_norm_gradients(const Tensor& grad, const Tensor& mean_grad, const Tensor& rstd_grad,
                                           const Tensor& input, const OptionalTensor& weight,
                                           const OptionalTensor& bias, std::int64_t n, std::int64_t channels,
                                           std::int64_t plane, std::int64_t groups, double eps, const Tensor& mean,
                                           const Tensor& rstd, autograd::Needs needs) {
  if (wants_steps(mean_grad, rstd_grad))
    return first_three(back_through(group_normalization(n, channels, plane, groups, eps),
                                    {input, given_or_undefined(weight), given_or_undefined(bias)},
                                    {grad, mean_grad, rstd_grad}));
  bool mask[] = {needs[0], needs[1], needs[2]};
  return as_array(
      native_group_norm_backward(grad, input, mean, rstd, weight, n, channels, plane, groups, ArrayRef<bool>(mask, 3)));
}
using FiveGradients = std::array<Tensor, 5>;
inline FiveGradients first_five(Tensors t) {
  t.resize(5);
  return {std::move(t[0]), std::move(t[1]), std::move(t[2]), std::move(t[3]), std::move(t[4])};
}
inline FiveGradients batch_norm_gradients(const Tensor& grad, const Tensor& mean_grad, const Tensor& rstd_grad,
                                          const Tensor& input, const OptionalTensor& weight, const OptionalTensor& bias,
                                          const OptionalTensor& running_mean, const OptionalTensor& running_var,
                                          bool training, double eps, const Tensor& mean, const Tensor& invstd,
                                          autograd::Needs needs) {
  Tensors inputs{input, given_or_undefined(weight), given_or_undefined(bias)}, grads{grad, mean_grad, rstd_grad};
  if (!training && (is_grad_enabled() || needs[3] || needs[4])) {
    inputs.push_back(*running_mean);
    inputs.push_back(*running_var);
    return first_five(back_through(Evaluation{eps}, inputs, grads));
  }
  if (training && wants_steps(mean_grad, rstd_grad))
    return first_five(back_through(batch_normalization(input, eps), inputs, grads));
  bool mask[] = {needs[0], needs[1], needs[2]};
  auto [x, w, b] = native_batch_norm_backward(grad, input, weight, running_mean, running_var, mean, invstd, training,
                                              eps, ArrayRef<bool>(mask, 3));
  return {x, w, b};
}
/// The gradients as elementwise steps, of grad, input, mean, inverse deviation and weight: what kernels compute.
struct NormalizationGradients {
  DimVector dims, parameter_shape, view, statistics, parameter_dims;
  bool centered = true;
  Tensors operator()(const Tensors& t) const {
    const Tensor &grad = t[0], &input = t[1], &weight = t[4];
    auto viewed = [&](const Tensor& x) { return view.empty() ? x : Tensor(reshape(x, IntArrayRef(view))); };
    auto whole = [&](const Tensor& x) { return Tensor(reshape(x, input.sizes())); };
    auto about = [&](const Tensor& x) { return ops::mean(x, IntArrayRef(dims), true); };
    Tensor weighted =
        viewed(weight.defined() ? Tensor(mul(grad, reshape(weight, IntArrayRef(parameter_shape)))) : grad);
    Tensor rstd = reshape(t[3], IntArrayRef(statistics)), normal = viewed(input);
    if (centered) normal = sub(normal, reshape(t[2], IntArrayRef(statistics)));
    normal = mul(normal, rstd);
    Tensor by_input = sub(weighted, mul(normal, about(mul(weighted, normal))));
    if (centered) by_input = sub(by_input, about(weighted));
    auto by_parameter = [&](const Tensor& x) {
      Tensor sum = parameter_dims.empty() ? x : Tensor(ops::sum(x, IntArrayRef(parameter_dims)));
      return weight.defined() ? Tensor(reshape(sum, weight.sizes())) : sum;
    };
    return {whole(mul(by_input, rstd)), by_parameter(mul(grad, whole(normal))), by_parameter(grad)};
  }
};
inline DimVector all_but_channels(const Tensor& input) {
  DimVector dims{0};
  for (std::int64_t d = 2; d < input.dim(); ++d) dims.push_back(d);
  return dims;
}
inline NormalizationGradients layer_gradients(const Tensor& input, IntArrayRef shape, bool centered = true) {
  NormalizationGradients n{{}, DimVector(shape), {}, DimVector(input.sizes()), {}, centered};
  std::size_t rows = input.sizes().size() - shape.size();
  for (std::size_t d = 0; d < input.sizes().size(); ++d) {
    (d < rows ? n.parameter_dims : n.dims).push_back(static_cast<std::int64_t>(d));
    if (d >= rows) n.statistics[d] = 1;
  }
  return n;
}
inline auto group_gradients(std::int64_t n, std::int64_t channels, std::int64_t plane, std::int64_t groups) {
  NormalizationGradients f{{2}, {1, channels, 1}, {n, groups, channels / groups * plane}, {n, groups, 1}, {0, 2}};
  return by_planes(std::move(f), 2, n, channels, plane);
}
template <class F>
FiveGradients twice(F f, const Tensor& grad, const Tensor& input, const Tensor& mean, const Tensor& rstd,
                    const OptionalTensor& weight, const Tensor& gg_input, const Tensor& gg_weight,
                    const Tensor& gg_bias) {
  Tensors got = back_through(f, {grad, input, mean, rstd, given_or_undefined(weight)}, {gg_input, gg_weight, gg_bias});
  return {got[0], got[1], got[2], got[3], got[4]};
}
inline std::array<Tensor, 7> batch_norm_twice(const Tensor& grad, const Tensor& input, const OptionalTensor& weight,
                                              const OptionalTensor& running_mean, const OptionalTensor& running_var,
                                              const OptionalTensor& mean, const OptionalTensor& invstd, bool train,
                                              double eps, const Tensor& gg_input, const Tensor& gg_weight,
                                              const Tensor& gg_bias) {
  NormalizationGradients n{
      all_but_channels(input), channel_shape(input), {}, channel_shape(input), all_but_channels(input)};
  if (train) {
    auto [g, x, m, r, w] = twice(n, grad, input, *mean, *invstd, weight, gg_input, gg_weight, gg_bias);
    return {g, x, w, Tensor(), Tensor(), m, r};
  }
  // By running statistics no sum over the batch takes part in the gradient by the input.
  auto evaluated = [&](const Tensors& t) -> Tensors {
    Tensor r = rsqrt(add(t[3], Scalar(eps)));
    Tensor scale = reshape(t[4].defined() ? Tensor(mul(r, t[4])) : r, IntArrayRef(n.statistics));
    Tensors both = n({t[0], t[1], t[2], r, t[4]});
    return {mul(t[0], scale), both[1], both[2]};
  };
  auto [g, x, m, v, w] =
      twice(evaluated, grad, input, *running_mean, *running_var, weight, gg_input, gg_weight, gg_bias);
  return {g, x, w, m, v, Tensor(), Tensor()};
}
inline std::array<Tensor, 2> rms_norm_gradients(const Tensor& grad, const Tensor& rstd_grad, const Tensor& input,
                                                IntArrayRef shape, const OptionalTensor& weight,
                                                std::optional<double> eps, const Tensor& rstd, autograd::Needs needs) {
  if (wants_steps(rstd_grad, Tensor())) {
    double least = compute_type_of(input.dtype()) == kDouble
                       ? std::numeric_limits<double>::epsilon()
                       : static_cast<double>(std::numeric_limits<float>::epsilon());
    Tensors got = back_through(layer_normalization(shape, eps ? *eps : least, false),
                               {input, given_or_undefined(weight), Tensor()}, {grad, Tensor(), rstd_grad});
    return {got[0], got[1]};
  }
  bool mask[] = {needs[0], needs[1]};
  auto [x, w] = _fused_rms_norm_backward(grad, input, shape, rstd, weight, ArrayRef<bool>(mask, 2));
  return {x, w};
}
inline std::array<Tensor, 4> rms_norm_twice(const Tensor& grad, const Tensor& input, IntArrayRef shape,
                                            const Tensor& rstd, const OptionalTensor& weight, const Tensor& gg_input,
                                            const Tensor& gg_weight) {
  auto [g, x, m, r, w] =
      twice(layer_gradients(input, shape, false), grad, input, Tensor(), rstd, weight, gg_input, gg_weight, Tensor());
  return {g, x, r, w};
}

}  // namespace derivatives

TENON_DERIVATIVE(native_layer_norm_base,
                 TENON_WRT((input, weight, bias),
                           (grad0, grad1, grad2, input, normalized_shape, weight, bias, eps, result1, result2, needs),
                           derivatives::layer_norm_gradients(grad0, grad1, grad2, input, normalized_shape, weight, bias,
                                                             eps, result1, result2, needs)));
TENON_DERIVATIVE(native_group_norm_base,
                 TENON_WRT((input, weight, bias),
                           (grad0, grad1, grad2, input, weight, bias, N, C, HxW, group, eps, result1, result2, needs),
                           derivatives::group_norm_gradients(grad0, grad1, grad2, input, weight, bias, N, C, HxW, group,
                                                             eps, result1, result2, needs)));
TENON_DERIVATIVE(native_batch_norm_base,
                 TENON_WRT((input, weight, bias, running_mean, running_var),
                           (grad0, grad1, grad2, input, weight, bias, running_mean, running_var, training, eps, result1,
                            result2, needs),
                           derivatives::batch_norm_gradients(grad0, grad1, grad2, input, weight, bias, running_mean,
                                                             running_var, training, eps, result1, result2, needs)));
TENON_DERIVATIVE(native_layer_norm_backward_base,
                 TENON_WRT((grad_out, input, mean, rstd, weight),
                           (grad0, grad1, grad2, grad_out, input, normalized_shape, mean, rstd, weight),
                           derivatives::twice(derivatives::layer_gradients(input, normalized_shape), grad_out, input,
                                              mean, rstd, weight, grad0, grad1, grad2)),
                 TENON_WRT((bias), (), Tensor()));
TENON_DERIVATIVE(native_group_norm_backward_base,
                 TENON_WRT((grad_out, input, mean, rstd, weight),
                           (grad0, grad1, grad2, grad_out, input, mean, rstd, weight, N, C, HxW, group),
                           derivatives::twice(derivatives::group_gradients(N, C, HxW, group), grad_out, input, mean,
                                              rstd, weight, grad0, grad1, grad2)));
TENON_DERIVATIVE(native_batch_norm_backward_base,
                 TENON_WRT((grad_out, input, weight, running_mean, running_var, save_mean, save_invstd),
                           (grad0, grad1, grad2, grad_out, input, weight, running_mean, running_var, save_mean,
                            save_invstd, train, eps),
                           derivatives::batch_norm_twice(grad_out, input, weight, running_mean, running_var, save_mean,
                                                         save_invstd, train, eps, grad0, grad1, grad2)));
TENON_DERIVATIVE(_fused_rms_norm_base,
                 TENON_WRT((input, weight), (grad0, grad1, input, normalized_shape, weight, eps, result1, needs),
                           derivatives::rms_norm_gradients(grad0, grad1, input, normalized_shape, weight, eps, result1,
                                                           needs)));
TENON_DERIVATIVE(_fused_rms_norm_backward_base,
                 TENON_WRT((grad_out, input, rstd, weight),
                           (grad0, grad1, grad_out, input, normalized_shape, rstd, weight),
                           derivatives::rms_norm_twice(grad_out, input, normalized_shape, rstd, weight, grad0, grad1)));

}  // namespace tenon::ops
