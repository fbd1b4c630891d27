// Layer, group and root-mean-square normalisation on the CPU.
#pragma once
#include <limits>

#include <tenon/composite/normalization.hpp>
#include <tenon/cpu/detail/results.hpp>
#include <tenon/cpu/softmax_kernels.hpp>

namespace tenon::cpu::detail {

using composite::normalization::check_groups;
using composite::normalization::check_normalized_shape;
using composite::normalization::check_rms;
using composite::normalization::format_strides;
using composite::normalization::is_given;
using composite::normalization::statistics_shape;
using composite::normalization::three;
using composite::normalization::ThreeTensors;
using composite::normalization::TwoTensors;
/// Elements as a kernel computes with them, kept alive.
struct Parameters {
  Tensor held;
  template <class C>
  const C* as() const {
    return held.defined() ? static_cast<const C*>(held.data_ptr()) : nullptr;
  }
};
inline Parameters parameters(const std::optional<Tensor>& t, ScalarType compute) {
  return {is_given(t) ? row_major(*t, compute) : Tensor()};
}
inline NormRows layer_rows(const Tensor& input, std::size_t normalized, bool centered) {
  NormRows n{1, 1, 1, 1, centered};
  std::size_t dims = input.sizes().size();
  for (std::size_t d = 0; d < dims; ++d) (d < dims - normalized ? n.rows : n.channels) *= input.sizes()[d];
  return n;
}
/// Calls f(type_tag<T>, dtype to compute in) for the dtype of an input.
template <class F>
void visit_normalized(ScalarType dtype, const char* name, F f) {
  visit_floating_type(
      dtype, [&]<class T>(type_tag<T> tag) { f(tag, scalar_type_v<compute_t<T>>); },
      [&] { not_implemented_for(name, dtype); });
}
inline void run_normalization(const char* name, const NormRows& n, const Tensor& input,
                              const std::optional<Tensor>& weight, const std::optional<Tensor>& bias, double eps,
                              const Tensor& out, const Tensor& mean, const Tensor& rstd) {
  Tensor x = row_major(input);
  visit_normalized(input.dtype(), name, [&]<class T>(type_tag<T>, ScalarType compute) {
    using C = compute_t<T>;
    Parameters w = parameters(weight, compute), b = parameters(bias, compute);
    Result y(out, out.dtype()), r(rstd, compute), m(mean.defined() ? mean : rstd, compute);
    active_tables().softmax->rows.normalize({input.dtype(), n, x.data_ptr(), w.as<C>()}, y.data<T>(),
                                            mean.defined() ? m.data<C>() : nullptr, r.data<C>(), b.as<C>(), eps);
    y.done();
    if (mean.defined()) m.done();
    r.done();
  });
}
inline void layer_norm_cpu(const Tensor& input, IntArrayRef shape, const std::optional<Tensor>& weight,
                           const std::optional<Tensor>& bias, double eps, const Tensor& out, const Tensor& mean,
                           const Tensor& rstd) {
  run_normalization("LayerNormKernelImpl", layer_rows(input, shape.size(), true), input, weight, bias, eps, out, mean,
                    rstd);
}
inline NormRows group_rows(std::int64_t n, std::int64_t channels, std::int64_t plane, std::int64_t groups) {
  return {n * groups, groups, channels / groups, plane, true};
}
inline void group_norm_cpu(const Tensor& input, const std::optional<Tensor>& weight, const std::optional<Tensor>& bias,
                           std::int64_t n, std::int64_t channels, std::int64_t plane, std::int64_t groups, double eps,
                           const Tensor& out, const Tensor& mean, const Tensor& rstd) {
  run_normalization("GroupNormKernelImpl", group_rows(n, channels, plane, groups), input, weight, bias, eps, out, mean,
                    rstd);
}

/// The number that keeps a root mean square from zero, if none was given.
inline double rms_epsilon(std::optional<double> eps, ScalarType dtype) {
  if (eps) return *eps;
  return compute_type_of(dtype) == kDouble ? std::numeric_limits<double>::epsilon()
                                           : static_cast<double>(std::numeric_limits<float>::epsilon());
}
inline TwoTensors rms_norm_cpu(const Tensor& input, IntArrayRef shape, const std::optional<Tensor>& weight,
                               std::optional<double> eps) {
  check_rms(input, SymIntArrayRef(SymDimVector(shape)), weight);
  Tensor out = make_tensor(input.sizes(), {}, input.dtype()),
         rstd = make_tensor(statistics_shape<std::int64_t>(input, shape.size()), {}, compute_type_of(input.dtype()));
  run_normalization("rms_norm", layer_rows(input, shape.size(), false), input, weight, std::nullopt,
                    rms_epsilon(eps, input.dtype()), out, Tensor(), rstd);
  return {out, rstd};
}

/// The gradients of all three: by input, weight and bias as the mask asks.
inline std::array<Tensor, 3> normalization_gradients(const char* name, const NormRows& n, const Tensor& grad,
                                                     const Tensor& input, const std::optional<Tensor>& mean,
                                                     const Tensor& rstd, const std::optional<Tensor>& weight,
                                                     IntArrayRef input_strides, IntArrayRef parameter_shape,
                                                     const std::array<bool, 3>& mask) {
  TENON_CHECK(grad.sizes() == input.sizes(), ValueError, "Expected grad_out of shape ", input.sizes(), ", but got ",
              grad.sizes());
  TENON_CHECK(rstd.numel() == n.rows && (!mean || mean->numel() == n.rows), ValueError, "Expected statistics of ",
              n.rows, " elements, but got rstd of shape ", rstd.sizes());
  TENON_CHECK(!is_given(weight) || weight->numel() == n.groups * n.channels, ValueError, "Expected weight of ",
              n.groups * n.channels, " elements, but got weight of shape ", weight->sizes());
  std::array<Tensor, 3> out;
  ScalarType dtype = input.dtype(), parameter = is_given(weight) ? weight->dtype() : dtype;
  if (mask[0]) out[0] = make_tensor(input.sizes(), input_strides, dtype);
  for (std::size_t i : {1u, 2u})
    if (mask[i]) out[i] = make_tensor(parameter_shape, {}, parameter);
  Tensor x = row_major(input), g = row_major(grad, dtype);
  visit_normalized(dtype, name, [&]<class T>(type_tag<T>, ScalarType compute) {
    using C = compute_t<T>;
    Parameters w = parameters(weight, compute), m = parameters(mean, compute), r = parameters(rstd, compute);
    const RowKernels& kernels = active_tables().softmax->rows;
    const RowCall call{dtype, n, x.data_ptr(), w.as<C>()};
    if (mask[0]) {
      Result to(out[0], dtype);
      kernels.back(call, g.data_ptr(), m.as<C>(), r.as<C>(), to.data<T>());
      to.done();
    }
    if (!mask[1] && !mask[2]) return;
    const Tensor& like = mask[1] ? out[1] : out[2];
    Result dw(mask[1] ? out[1] : like, compute), db(mask[2] ? out[2] : like, compute);
    kernels.parameters(call, g.data_ptr(), m.as<C>(), r.as<C>(), mask[1] ? dw.data<C>() : nullptr,
                       mask[2] ? db.data<C>() : nullptr);
    if (mask[1]) dw.done();
    if (mask[2]) db.done();
  });
  return out;
}

inline ThreeTensors layer_norm_backward_cpu(const Tensor& grad, const Tensor& input, IntArrayRef shape,
                                            const Tensor& mean, const Tensor& rstd, const std::optional<Tensor>& weight,
                                            const std::optional<Tensor>& bias, ArrayRef<bool> mask) {
  check_normalized_shape<std::int64_t>(input, shape, weight, bias);
  return three(normalization_gradients("LayerNormBackwardKernelImpl", layer_rows(input, shape.size(), true), grad,
                                       input, mean, rstd, weight, {}, shape, {mask[0], mask[1], mask[2]}));
}
inline ThreeTensors group_norm_backward_cpu(const Tensor& grad, const Tensor& input, const Tensor& mean,
                                            const Tensor& rstd, const std::optional<Tensor>& weight, std::int64_t n,
                                            std::int64_t channels, std::int64_t plane, std::int64_t groups,
                                            ArrayRef<bool> mask) {
  check_groups<std::int64_t>(input, weight, std::nullopt, channels, groups);
  TENON_CHECK(input.numel() == n * channels * plane, ValueError, "Expected input of ", n, " x ", channels, " x ", plane,
              " elements, but got input of shape ", input.sizes());
  return three(normalization_gradients("GroupNormBackwardKernelImpl", group_rows(n, channels, plane, groups), grad,
                                       input, mean, rstd, weight, format_strides<std::int64_t>(input),
                                       IntArrayRef(channels), {mask[0], mask[1], mask[2]}));
}
inline TwoTensors rms_norm_backward_cpu(const Tensor& grad, const Tensor& input, IntArrayRef shape, const Tensor& rstd,
                                        const std::optional<Tensor>& weight, ArrayRef<bool> mask) {
  check_rms(input, SymIntArrayRef(SymDimVector(shape)), weight);
  auto out = normalization_gradients("rms_norm_backward", layer_rows(input, shape.size(), false), grad, input,
                                     std::nullopt, rstd, weight, {}, shape, {mask[0], mask[1], false});
  return {std::move(out[0]), std::move(out[1])};
}

}  // namespace tenon::cpu::detail

namespace tenon::cpu {

TENON_LIBRARY_FRAGMENT(aten, m) {
  install_kernels<&KernelTables::copy>();
  install_kernels_for<&KernelTables::softmax, ops::native_layer_norm_base, ops::native_layer_norm_backward_base,
                      ops::native_group_norm_base, ops::native_group_norm_backward_base, ops::_fused_rms_norm_base,
                      ops::_fused_rms_norm_backward_base>();
}
TENON_LIBRARY_IMPL(aten, CPU, m) {
  m.impl<ops::native_layer_norm_backward_base, &detail::layer_norm_backward_cpu>()
      .impl<ops::native_group_norm_backward_base, &detail::group_norm_backward_cpu>()
      .impl<ops::_fused_rms_norm_base, &detail::rms_norm_cpu>()
      .impl<ops::_fused_rms_norm_backward_base, &detail::rms_norm_backward_cpu>();
}

}  // namespace tenon::cpu

namespace tenon::ops {

TENON_STRUCTURED_KERNEL(native_layer_norm_base, CPU, cpu::detail::layer_norm_cpu);
TENON_STRUCTURED_KERNEL(native_group_norm_base, CPU, cpu::detail::group_norm_cpu);

}  // namespace tenon::ops
