// Layer, group and root-mean-square normalisation on the CPU.
#pragma once
#include <limits>

#include <tenon/composite/out_by_copy.hpp>
#include <tenon/cpu/detail/results.hpp>
#include <tenon/cpu/softmax_kernels.hpp>
#include <tenon/ops/normalization.hpp>
#include <tenon/structured/symbolic.hpp>

namespace tenon::cpu::detail {

inline bool is_given(const std::optional<Tensor>& t) { return t && t->defined(); }

/// The dtype of weights, biases and statistics: 16-bit input may have them in float.
template <class... Parameter>
ScalarType parameter_dtype(const Tensor& input, const Parameter&... p) {
  bool mixed = is_reduced_floating_type(input.dtype()) && ((is_given(p) && p->dtype() == kFloat) || ...);
  return mixed ? kFloat : input.dtype();
}
template <class... Parameter>
void check_parameter_dtypes(const Tensor& input, const Parameter&... p) {
  ScalarType expected = parameter_dtype(input, p...);
  auto one = [&](const std::optional<Tensor>& t) {
    if (is_given(t))
      TENON_CHECK(t->dtype() == expected, TypeError, "mixed dtype (CPU): expect parameter to have scalar type of ",
                  enumerator_name(is_reduced_floating_type(input.dtype()) ? kFloat : input.dtype()));
  };
  (one(p), ...);
}
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
template <class Int>
void check_normalized_shape(const Tensor& input, ArrayRef<Int> shape, const std::optional<Tensor>& weight,
                            const std::optional<Tensor>& bias) {
  TENON_CHECK(!shape.empty(), ValueError,
              "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one element, but got "
              "normalized_shape = ",
              shape);
  auto check = [&](const std::optional<Tensor>& t, const char* name) {
    if (is_given(t))
      TENON_CHECK(sizes_of<Int>(*t) == shape, ValueError, "Expected ", name,
                  " to be of same shape as normalized_shape, but got ", name, " of shape ", t->sym_sizes(),
                  " and normalized_shape = ", shape);
  };
  check(weight, "weight");
  check(bias, "bias");
  std::size_t n = static_cast<std::size_t>(input.dim());
  if (n >= shape.size() && sizes_of<Int>(input).slice(n - shape.size(), shape.size()) == shape) return;
  std::string wanted = "[*";
  for (const Int& s : shape) wanted += concat(", ", s);
  fail<ValueError>("Given normalized_shape=", shape, ", expected input with shape ", wanted, "], but got input of size",
                   input.sym_sizes());
}
/// The input's shape with 1 for each normalised dimension.
template <class Int>
dims_t<Int> statistics_shape(const Tensor& input, std::size_t normalized) {
  dims_t<Int> sizes(sizes_of<Int>(input));
  for (std::size_t d = sizes.size() - normalized; d < sizes.size(); ++d) sizes[d] = Int(1);
  return sizes;
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

struct layer_norm_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& input, ArrayRef<Int> shape, const std::optional<Tensor>& weight,
                  const std::optional<Tensor>& bias, double) const {
    check_normalized_shape<Int>(input, shape, weight, bias);
    check_parameter_dtypes(input, weight, bias);
    ScalarType statistics = parameter_dtype(input, weight, bias);
    out.set_output_raw_strided(0, sizes_of<Int>(input), {}, input.dtype(), input.device());
    dims_t<Int> rows = statistics_shape<Int>(input, shape.size());
    out.set_output_raw_strided(1, ArrayRef<Int>(rows), {}, statistics, input.device());
    out.set_output_raw_strided(2, ArrayRef<Int>(rows), {}, statistics, input.device());
  }
};
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

template <class Int>
void check_groups(const Tensor& input, const std::optional<Tensor>& weight, const std::optional<Tensor>& bias,
                  const Int& channels, std::int64_t groups) {
  TENON_CHECK(channels > Int(0), ValueError, "Expected number of channels to be greater than 0, got ", channels);
  TENON_CHECK(groups > 0, ValueError, "Expected num groups to be greater than 0, got ", groups);
  TENON_CHECK(channels % Int(groups) == 0, ValueError,
              "Expected number of channels in input to be divisible by num_groups, but got input of shape ",
              input.sym_sizes(), " and num_groups=", groups);
  auto check = [&](const std::optional<Tensor>& t, const char* name) {
    if (is_given(t))
      TENON_CHECK(t->dim() == 1 && sizes_of<Int>(*t)[0] == channels, ValueError, "Expected ", name,
                  " to be a vector of size equal to the number of channels in input, but got ", name, " of shape ",
                  t->sym_sizes(), " and input of shape ", input.sym_sizes());
  };
  check(weight, "weight");
  check(bias, "bias");
}
template <class Int>
dims_t<Int> format_strides(const Tensor& input) {
  if (input.dim() != 4 && input.dim() != 5) return {};
  MemoryFormat format =
      input.is_symbolic() ? tenon::detail::sym_suggest_memory_format(input) : input.suggest_memory_format();
  return format == MemoryFormat::Contiguous ? dims_t<Int>() : dims_t<Int>(strides_for(sizes_of<Int>(input), format));
}
struct group_norm_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& input, const std::optional<Tensor>& weight,
                  const std::optional<Tensor>& bias, const Int& n, const Int& channels, const Int& plane,
                  std::int64_t groups, double) const {
    check_groups<Int>(input, weight, bias, channels, groups);
    TENON_CHECK(numel_of<Int>(input) == n * channels * plane, ValueError, "Expected input of ", n, " x ", channels,
                " x ", plane, " elements, but got input of shape ", input.sym_sizes());
    check_parameter_dtypes(input, weight, bias);
    ScalarType statistics = parameter_dtype(input, weight, bias);
    dims_t<Int> strides = out.form() == StructuredForm::Functional ? format_strides<Int>(input) : dims_t<Int>();
    out.set_output_raw_strided(0, sizes_of<Int>(input), ArrayRef<Int>(strides), input.dtype(), input.device());
    dims_t<Int> rows{n, Int(groups)};
    out.set_output_raw_strided(1, ArrayRef<Int>(rows), {}, statistics, input.device());
    out.set_output_raw_strided(2, ArrayRef<Int>(rows), {}, statistics, input.device());
  }
};
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
inline void check_rms(const Tensor& input, SymIntArrayRef shape, const std::optional<Tensor>& weight) {
  check_normalized_shape<SymInt>(input, shape, weight, std::nullopt);
  if (!input.is_floating_point()) not_implemented_for("rms_norm", input.dtype());
}
using TwoTensors = std::tuple<Tensor, Tensor>;
inline TwoTensors rms_norm_meta(const Tensor& input, IntArrayRef shape, const std::optional<Tensor>& weight,
                                std::optional<double>) {
  check_rms(input, SymIntArrayRef(SymDimVector(shape)), weight);
  SymDimVector rows = statistics_shape<SymInt>(input, shape.size());
  return {make_tensor_symbolic(input.sym_sizes(), SymDimVector(), input.dtype(), input.device()),
          make_tensor_symbolic(rows, SymDimVector(), compute_type_of(input.dtype()), input.device())};
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
/// Their shapes, for Meta tensors.
inline std::array<Tensor, 3> normalization_gradients_meta(const Tensor& input, const std::optional<Tensor>& weight,
                                                          SymIntArrayRef parameter_shape, ArrayRef<bool> mask) {
  std::array<Tensor, 3> out;
  if (mask[0]) out[0] = make_tensor_symbolic(input.sym_sizes(), SymDimVector(), input.dtype(), input.device());
  for (std::size_t i = 1; i < mask.size(); ++i)
    if (mask[i])
      out[i] = make_tensor_symbolic(parameter_shape, SymDimVector(), is_given(weight) ? weight->dtype() : input.dtype(),
                                    input.device());
  return out;
}
using ThreeTensors = std::tuple<Tensor, Tensor, Tensor>;
inline ThreeTensors three(std::array<Tensor, 3> t) { return {std::move(t[0]), std::move(t[1]), std::move(t[2])}; }

inline ThreeTensors layer_norm_backward_cpu(const Tensor& grad, const Tensor& input, IntArrayRef shape,
                                            const Tensor& mean, const Tensor& rstd, const std::optional<Tensor>& weight,
                                            const std::optional<Tensor>& bias, ArrayRef<bool> mask) {
  check_normalized_shape<std::int64_t>(input, shape, weight, bias);
  return three(normalization_gradients("LayerNormBackwardKernelImpl", layer_rows(input, shape.size(), true), grad,
                                       input, mean, rstd, weight, {}, shape, {mask[0], mask[1], mask[2]}));
}
inline ThreeTensors layer_norm_backward_meta(const Tensor&, const Tensor& input, SymIntArrayRef shape, const Tensor&,
                                             const Tensor&, const std::optional<Tensor>& weight,
                                             const std::optional<Tensor>&, ArrayRef<bool> mask) {
  return three(normalization_gradients_meta(input, weight, shape, mask));
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
inline ThreeTensors group_norm_backward_meta(const Tensor&, const Tensor& input, const Tensor&, const Tensor&,
                                             const std::optional<Tensor>& weight, SymInt, SymInt channels, SymInt,
                                             std::int64_t, ArrayRef<bool> mask) {
  return three(normalization_gradients_meta(input, weight, SymDimVector{channels}, mask));
}
inline TwoTensors rms_norm_backward_cpu(const Tensor& grad, const Tensor& input, IntArrayRef shape, const Tensor& rstd,
                                        const std::optional<Tensor>& weight, ArrayRef<bool> mask) {
  check_rms(input, SymIntArrayRef(SymDimVector(shape)), weight);
  auto out = normalization_gradients("rms_norm_backward", layer_rows(input, shape.size(), false), grad, input,
                                     std::nullopt, rstd, weight, {}, shape, {mask[0], mask[1], false});
  return {std::move(out[0]), std::move(out[1])};
}
inline TwoTensors rms_norm_backward_meta(const Tensor&, const Tensor& input, IntArrayRef shape, const Tensor&,
                                         const std::optional<Tensor>& weight, ArrayRef<bool> mask) {
  auto out = normalization_gradients_meta(input, weight, SymDimVector(shape), mask);
  return {std::move(out[0]), std::move(out[1])};
}

}  // namespace tenon::cpu::detail

namespace tenon::cpu {

TENON_LIBRARY_FRAGMENT(aten, m) {
  install_kernels<&KernelTables::copy>();
  install_kernels_for<&KernelTables::softmax, ops::native_layer_norm_base, ops::native_layer_norm_backward_base,
                      ops::native_group_norm_base, ops::native_group_norm_backward_base, ops::_fused_rms_norm_base,
                      ops::_fused_rms_norm_backward_base>();
  m.def<ops::native_layer_norm_backward_base>().def<ops::native_layer_norm_backward_base_out>();
  m.def<ops::native_group_norm_backward_base>().def<ops::native_group_norm_backward_base_out>();
  m.def<ops::_fused_rms_norm_base>().def<ops::_fused_rms_norm_backward_base>();
  composite::implement_out_by_copy<ops::native_layer_norm_backward_base_op>(m, Place{__FILE__, __LINE__});
  composite::implement_out_by_copy<ops::native_group_norm_backward_base_op>(m, Place{__FILE__, __LINE__});
}
TENON_LIBRARY_IMPL(aten, CPU, m) {
  m.impl<ops::native_layer_norm_backward_base, &detail::layer_norm_backward_cpu>()
      .impl<ops::native_group_norm_backward_base, &detail::group_norm_backward_cpu>()
      .impl<ops::_fused_rms_norm_base, &detail::rms_norm_cpu>()
      .impl<ops::_fused_rms_norm_backward_base, &detail::rms_norm_backward_cpu>();
}
TENON_LIBRARY_IMPL(aten, Meta, m) {
  m.impl<ops::native_layer_norm_backward_base, &detail::layer_norm_backward_meta>()
      .impl<ops::native_group_norm_backward_base, &detail::group_norm_backward_meta>()
      .impl<ops::_fused_rms_norm_base, &detail::rms_norm_meta>()
      .impl<ops::_fused_rms_norm_backward_base, &detail::rms_norm_backward_meta>();
}

}  // namespace tenon::cpu

namespace tenon::ops {

TENON_STRUCTURED_OF(native_layer_norm_base, cpu::detail::layer_norm_meta);
TENON_STRUCTURED_KERNEL(native_layer_norm_base, CPU, cpu::detail::layer_norm_cpu);
TENON_STRUCTURED_OF(native_group_norm_base, cpu::detail::group_norm_meta);
TENON_STRUCTURED_KERNEL(native_group_norm_base, CPU, cpu::detail::group_norm_cpu);

}  // namespace tenon::ops
