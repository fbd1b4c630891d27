// Normalisation by its public names, made of the native operators.
#pragma once
#include <limits>

#include <tenon/autograd/mode.hpp>
#include <tenon/composite/batch_norm_shapes.hpp>
#include <tenon/composite/out_by_copy.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/math.hpp>
#include <tenon/ops/normalization.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/repeat.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/tensor/symbolic.hpp>

namespace tenon::composite {

namespace normalization {

using Three = std::tuple<Tensor, Tensor, Tensor>;

/// Moves running statistics to those of a batch, by operators that count the write.
inline void update_running(const Tensor& input, Tensor& mean, Tensor& var, double momentum) {
  NoGradGuard guard;
  DimVector dims{0};
  for (std::int64_t d = 2; d < input.dim(); ++d) dims.push_back(d);
  Tensor x = input.detach();
  if (x.dtype() != mean.dtype()) x = ops::to(x, mean.dtype());
  auto moved = [&](const Tensor& from, const Tensor& batch) -> Tensor {
    return ops::add(ops::mul(batch, Scalar(momentum)), ops::mul(from, Scalar(1 - momentum)));
  };
  Tensor new_mean = moved(mean, ops::mean(x, IntArrayRef(dims))),
         new_var = moved(var, ops::var(x, IntArrayRef(dims), "correction"_a = Scalar(1)));
  ops::copy_(mean, new_mean);
  ops::copy_(var, new_var);
}
inline Three batch_norm_legit(const Tensor& input, const OptionalTensor& weight, const OptionalTensor& bias,
                              Tensor& running_mean, Tensor& running_var, bool training, double momentum, double eps) {
  if (!training) return ops::native_batch_norm(input, weight, bias, running_mean, running_var, false, momentum, eps);
  Three out = ops::native_batch_norm(input, weight, bias, std::nullopt, std::nullopt, true, momentum, eps);
  update_running(input, running_mean, running_var, momentum);
  return out;
}
inline std::tuple<Tensor&, Tensor&, Tensor&> batch_norm_legit_out(const Tensor& input, const OptionalTensor& weight,
                                                                  const OptionalTensor& bias, Tensor& running_mean,
                                                                  Tensor& running_var, bool training, double momentum,
                                                                  double eps, Tensor& out, Tensor& save_mean,
                                                                  Tensor& save_invstd) {
  if (!training)
    return ops::native_batch_norm_base_out(input, weight, bias, running_mean, running_var, false, momentum, eps, out,
                                           save_mean, save_invstd);
  ops::native_batch_norm_base_out(input, weight, bias, std::nullopt, std::nullopt, true, momentum, eps, out, save_mean,
                                  save_invstd);
  update_running(input, running_mean, running_var, momentum);
  return {out, save_mean, save_invstd};
}
inline Three batch_norm_no_stats(const Tensor& input, const OptionalTensor& weight, const OptionalTensor& bias,
                                 bool training, double momentum, double eps) {
  return ops::native_batch_norm(input, weight, bias, std::nullopt, std::nullopt, training, momentum, eps);
}
inline std::tuple<Tensor&, Tensor&, Tensor&> batch_norm_no_stats_out(const Tensor& input, const OptionalTensor& weight,
                                                                     const OptionalTensor& bias, bool training,
                                                                     double momentum, double eps, Tensor& out,
                                                                     Tensor& save_mean, Tensor& save_invstd) {
  return ops::native_batch_norm_base_out(input, weight, bias, std::nullopt, std::nullopt, training, momentum, eps, out,
                                         save_mean, save_invstd);
}
inline Three batch_norm_no_training(const Tensor& input, const OptionalTensor& weight, const OptionalTensor& bias,
                                    const Tensor& running_mean, const Tensor& running_var, double momentum,
                                    double eps) {
  return ops::native_batch_norm(input, weight, bias, running_mean, running_var, false, momentum, eps);
}
inline std::tuple<Tensor, Tensor, Tensor, Tensor> batch_norm_with_update(const Tensor& input,
                                                                         const OptionalTensor& weight,
                                                                         const OptionalTensor& bias,
                                                                         Tensor& running_mean, Tensor& running_var,
                                                                         double momentum, double eps) {
  auto [out, mean, invstd] = batch_norm_legit(input, weight, bias, running_mean, running_var, true, momentum, eps);
  return {out, mean, invstd, ops::empty({0}, "dtype"_a = kByte, "device"_a = input.device())};
}
inline std::tuple<Tensor&, Tensor&, Tensor&, Tensor&> batch_norm_with_update_out(
    const Tensor& input, const OptionalTensor& weight, const OptionalTensor& bias, Tensor& running_mean,
    Tensor& running_var, double momentum, double eps, Tensor& out, Tensor& save_mean, Tensor& save_invstd,
    Tensor& reserve) {
  batch_norm_legit_out(input, weight, bias, running_mean, running_var, true, momentum, eps, out, save_mean,
                       save_invstd);
  return {out, save_mean, save_invstd, reserve};
}
inline std::tuple<Tensor, Tensor, Tensor, Tensor, std::int64_t> batch_norm_index(
    const Tensor& input, const OptionalTensor& weight, const OptionalTensor& bias, const OptionalTensor& running_mean,
    const OptionalTensor& running_var, bool training, double momentum, double eps, bool) {
  // Before the running statistics are written.
  Tensor reserve = ops::empty({0}, "dtype"_a = kByte, "device"_a = input.device());
  auto [out, mean, invstd] =
      ops::native_batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps);
  return {out, mean, invstd, reserve, 0};
}
inline Three batch_norm_index_backward(std::int64_t index, const Tensor& input, const Tensor& grad,
                                       const OptionalTensor& weight, const OptionalTensor& running_mean,
                                       const OptionalTensor& running_var, const OptionalTensor& save_mean,
                                       const OptionalTensor& save_invstd, bool train, double eps, ArrayRef<bool> mask,
                                       const Tensor&) {
  TENON_CHECK(index == 0, ValueError, "Unsupported impl_index ", index);
  return ops::native_batch_norm_backward(grad, input, weight, running_mean, running_var, save_mean, save_invstd, train,
                                         eps, mask);
}
/// The same with the moved statistics as results.
inline std::tuple<Tensor, Tensor, Tensor, Tensor, Tensor> batch_norm_functional(
    const Tensor& input, const OptionalTensor& weight, const OptionalTensor& bias, const Tensor& running_mean,
    const Tensor& running_var, bool training, double momentum, double eps) {
  Tensor mean = ops::clone(running_mean), var = ops::clone(running_var);
  auto [out, save_mean, save_invstd] = batch_norm_legit(input, weight, bias, mean, var, training, momentum, eps);
  return {out, save_mean, save_invstd, mean, var};
}
inline Tensor batch_norm(const Tensor& input, const OptionalTensor& weight, const OptionalTensor& bias,
                         const OptionalTensor& running_mean, const OptionalTensor& running_var, bool training,
                         double momentum, double eps, bool) {
  if (input.sym_numel() == 0) {
    Tensor out = ops::clone(input);
    if (is_given(weight)) out = ops::mul(out, ops::select(*weight, 0, 0));
    if (is_given(bias)) out = ops::add(out, ops::select(*bias, 0, 0));
    return out;
  }
  return std::get<0>(ops::native_batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps));
}
inline Tensor layer_norm(const Tensor& input, SymIntArrayRef shape, const OptionalTensor& weight,
                         const OptionalTensor& bias, double eps, bool) {
  return std::get<0>(ops::native_layer_norm(input, shape, weight, bias, eps));
}
inline Tensor group_norm(const Tensor& input, std::int64_t groups, const OptionalTensor& weight,
                         const OptionalTensor& bias, double eps, bool) {
  TENON_CHECK(input.dim() >= 2, IndexError, "Dimension out of range (expected to be in range of [", -input.dim(), ", ",
              input.dim() - 1, "], but got 1)");
  SymInt plane = 1;
  for (std::int64_t d = 2; d < input.dim(); ++d) plane = plane * input.sym_size(d);
  return std::get<0>(
      ops::native_group_norm(input, weight, bias, input.sym_size(0), input.sym_size(1), plane, groups, eps));
}
/// Each image of a batch is a batch of its own: the images' channels become the channels of one.
inline Tensor instance_norm(const Tensor& input, const OptionalTensor& weight, const OptionalTensor& bias,
                            const OptionalTensor& running_mean, const OptionalTensor& running_var, bool use_input_stats,
                            double momentum, double eps, bool) {
  TENON_CHECK(input.dim() >= 2, IndexError, "Dimension out of range (expected to be in range of [", -input.dim(), ", ",
              input.dim() - 1, "], but got 1)");
  TENON_CHECK(use_input_stats || (is_given(running_mean) && is_given(running_var)), ValueError,
              "Expected running_mean and running_var to be defined when use_input_stats is false");
  SymDimVector shape(input.sym_sizes());
  SymInt batch = shape[0], channels = shape[1];
  shape[0] = 1;
  shape[1] = batch * channels;
  auto spread = [&](const OptionalTensor& t) -> OptionalTensor {
    if (!is_given(t)) return std::nullopt;
    return Tensor(ops::repeat(*t, SymIntArrayRef(&batch, 1)));
  };
  OptionalTensor mean = spread(running_mean), var = spread(running_var);
  Tensor out = ops::batch_norm(ops::reshape(input, SymIntArrayRef(shape)), spread(weight), spread(bias), mean, var,
                               use_input_stats, momentum, eps, false);
  Tensor result = ops::view(out, input.sym_sizes());
  if (!use_input_stats) return result;
  // Both are made before one is written.
  NoGradGuard guard;
  const OptionalTensor* running[] = {&running_mean, &running_var};
  const OptionalTensor* seen[] = {&mean, &var};
  Tensor to[2], average[2];
  for (int i = 0; i < 2; ++i) {
    if (!is_given(*running[i])) continue;
    SymInt sizes[] = {batch, channels};
    to[i] = (*running[i])->detach();
    average[i] = ops::mean(ops::view((*seen[i])->detach(), SymIntArrayRef(sizes, 2)), 0);
  }
  for (int i = 0; i < 2; ++i)
    if (to[i].defined()) ops::copy_(to[i], average[i]);
  return result;
}
/// The same in elementwise steps: for complex input, and for shapes that are symbols.
inline Tensor rms_norm_in_steps(const Tensor& input, SymIntArrayRef shape, const OptionalTensor& weight, double eps) {
  DimVector dims;
  for (std::size_t d = 0; d < shape.size(); ++d) dims.push_back(-static_cast<std::int64_t>(d) - 1);
  Tensor squares = ops::mean(ops::mul(input, input), IntArrayRef(dims), true);
  Tensor out = ops::mul(input, ops::rsqrt(ops::add(squares, Scalar(eps))));
  return is_given(weight) ? Tensor(ops::mul(out, *weight)) : out;
}
inline Tensor rms_norm(const Tensor& input, SymIntArrayRef shape, const OptionalTensor& weight,
                       std::optional<double> eps) {
  auto plain = maybe_as_ints(shape);
  if (plain && !input.is_complex()) return std::get<0>(ops::_fused_rms_norm(input, *plain, weight, eps));
  bool wide = compute_type_of(to_real_type(input.dtype())) == kDouble;
  std::size_t n = static_cast<std::size_t>(input.dim());
  TENON_CHECK(!shape.empty() && n >= shape.size() && input.sym_sizes().slice(n - shape.size(), shape.size()) == shape,
              ValueError, "Given normalized_shape=", shape, ", got input of size", input.sym_sizes());
  return rms_norm_in_steps(input, shape, weight,
                           eps    ? *eps
                           : wide ? std::numeric_limits<double>::epsilon()
                                  : static_cast<double>(std::numeric_limits<float>::epsilon()));
}

}  // namespace normalization

TENON_LIBRARY_FRAGMENT(aten, m) {
  m.def<ops::native_layer_norm_backward_base>().def<ops::native_layer_norm_backward_base_out>();
  m.def<ops::native_group_norm_backward_base>().def<ops::native_group_norm_backward_base_out>();
  m.def<ops::_fused_rms_norm_base>().def<ops::_fused_rms_norm_backward_base>();
  implement_out_by_copy<ops::native_layer_norm_backward_base_op>(m, Place{__FILE__, __LINE__});
  implement_out_by_copy<ops::native_group_norm_backward_base_op>(m, Place{__FILE__, __LINE__});
}
TENON_LIBRARY_IMPL(aten, Meta, m) {
  m.impl<ops::native_layer_norm_backward_base, &normalization::layer_norm_backward_meta>()
      .impl<ops::native_group_norm_backward_base, &normalization::group_norm_backward_meta>()
      .impl<ops::_fused_rms_norm_base, &normalization::rms_norm_meta>()
      .impl<ops::_fused_rms_norm_backward_base, &normalization::rms_norm_backward_meta>();
}
TENON_LIBRARY_FRAGMENT(aten, m) {
  m.def<ops::native_batch_norm_backward_base>().def<ops::native_batch_norm_backward_base_out>();
  implement_out_by_copy<ops::native_batch_norm_backward_base_op>(m, Place{__FILE__, __LINE__});
}
TENON_LIBRARY_IMPL(aten, Meta, m) {
  m.impl<ops::native_batch_norm_backward_base, &normalization::batch_norm_backward_meta>();
}
TENON_LIBRARY_FRAGMENT(aten, m) {
  namespace k = normalization;
  m.def<ops::_native_batch_norm_legit_base>().def<ops::_native_batch_norm_legit_base_out>();
  m.def<ops::_native_batch_norm_legit_no_stats>().def<ops::_native_batch_norm_legit_no_stats_out>();
  m.def<ops::_native_batch_norm_legit_no_training_base>().def<ops::_native_batch_norm_legit_no_training_base_out>();
  m.def<ops::_batch_norm_with_update_base>().def<ops::_batch_norm_with_update_base_out>();
  m.def<ops::batch_norm_base>().def<ops::layer_norm_base>().def<ops::group_norm_base>();
  m.def<ops::_batch_norm_impl_index_base>().def<ops::_batch_norm_impl_index_backward_base>();
  m.def<ops::_native_batch_norm_legit_functional_base>();
  m.impl<ops::_batch_norm_impl_index_base, &k::batch_norm_index>()
      .impl<ops::_batch_norm_impl_index_backward_base, &k::batch_norm_index_backward>()
      .impl<ops::_native_batch_norm_legit_functional_base, &k::batch_norm_functional>();
  m.def<ops::instance_norm_base>().def<ops::rms_norm_base>();
  m.impl<ops::_native_batch_norm_legit_base, &k::batch_norm_legit>()
      .impl<ops::_native_batch_norm_legit_base_out, &k::batch_norm_legit_out>()
      .impl<ops::_native_batch_norm_legit_no_stats, &k::batch_norm_no_stats>()
      .impl<ops::_native_batch_norm_legit_no_stats_out, &k::batch_norm_no_stats_out>()
      .impl<ops::_native_batch_norm_legit_no_training_base, &k::batch_norm_no_training>()
      .impl<ops::_batch_norm_with_update_base, &k::batch_norm_with_update>()
      .impl<ops::_batch_norm_with_update_base_out, &k::batch_norm_with_update_out>()
      .impl<ops::batch_norm_base, &k::batch_norm>()
      .impl<ops::layer_norm_base, &k::layer_norm>()
      .impl<ops::group_norm_base, &k::group_norm>()
      .impl<ops::instance_norm_base, &k::instance_norm>()
      .impl<ops::rms_norm_base, &k::rms_norm>();
  implement_out_by_copy<ops::_native_batch_norm_legit_no_training_base_op>(m, Place{__FILE__, __LINE__});
}

}  // namespace tenon::composite
