// Batch normalisation on the CPU: statistics per channel in double, whatever the memory format.
#pragma once
#include <tenon/cpu/softmax_kernels.hpp>
#include <tenon/cpu/normalization.hpp>

namespace tenon::cpu::detail {

/// `outer` blocks of `channels` runs of `inner` elements. Channels last has runs of one element.
struct BatchShape {
  std::int64_t outer = 1, channels = 0, inner = 1;
  MemoryFormat format = MemoryFormat::Contiguous;
  explicit BatchShape(const Tensor& input) : channels(input.sizes()[1]) {
    if (input.dim() == 4 || input.dim() == 5) format = input.suggest_memory_format();
    std::int64_t positions = 1;
    for (std::size_t d = 2; d < input.sizes().size(); ++d) positions *= input.sizes()[d];
    outer = input.sizes()[0] * (last() ? positions : 1);
    inner = last() ? 1 : positions;
  }
  bool last() const { return format != MemoryFormat::Contiguous; }
  std::int64_t count() const { return outer * inner; }
  /// The tensor's elements in this order and in the dtype.
  Tensor in_order(const Tensor& t, ScalarType dtype) const {
    if (t.dtype() == dtype && t.is_contiguous(format)) return t;
    Tensor fresh = make_tensor(t.sizes(), last() ? strides_for(t.sizes(), format) : DimVector(), dtype);
    copy_elements(fresh, t);
    return fresh;
  }
  Tensor result_in_order(const Tensor& t) const {
    return t.is_contiguous(format)
               ? t
               : make_tensor(t.sizes(), last() ? strides_for(t.sizes(), format) : DimVector(), t.dtype());
  }

  /// For kernels over `x`, and over a gradient where there is one.
  ChannelCall call(const Tensor& x, const Tensor& grad, const Tensor& to) const {
    return {x.dtype(),
            outer,
            channels,
            inner,
            x.data_ptr(),
            grad.defined() ? grad.data_ptr() : nullptr,
            to.defined() ? to.data_ptr() : nullptr};
  }
};

template <class Int>
void check_channels(const Tensor& input, const std::optional<Tensor>& t, const char* name) {
  if (is_given(t))
    TENON_CHECK(numel_of<Int>(*t) == sizes_of<Int>(input)[1], ValueError, name, " should contain ",
                sizes_of<Int>(input)[1], " elements not ", numel_of<Int>(*t));
}
template <class Int>
void check_batch_norm(const Tensor& input, const std::optional<Tensor>& weight, const std::optional<Tensor>& bias,
                      const std::optional<Tensor>& mean, const std::optional<Tensor>& var, bool training) {
  TENON_CHECK(input.dim() >= 2, IndexError, "Dimension out of range (expected to be in range of [", -input.dim(), ", ",
              input.dim() - 1, "], but got 1)");
  check_channels<Int>(input, mean, "running_mean");
  check_channels<Int>(input, var, "running_var");
  check_channels<Int>(input, weight, "weight");
  check_channels<Int>(input, bias, "bias");
  if (!training) {
    TENON_CHECK(is_given(mean), ValueError, "running_mean must be defined in evaluation mode");
    TENON_CHECK(is_given(var), ValueError, "running_var must be defined in evaluation mode");
  }
  ScalarType expected = parameter_dtype(input, weight, bias, mean, var);
  for (const auto* t : {&weight, &bias, &mean, &var})
    if (is_given(*t))
      TENON_CHECK((*t)->dtype() == expected, TypeError, "mixed dtype (CPU): all inputs must share same datatype.");
}

struct batch_norm_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& input, const std::optional<Tensor>& weight,
                  const std::optional<Tensor>& bias, const std::optional<Tensor>& mean,
                  const std::optional<Tensor>& var, bool training, double, double) const {
    check_batch_norm<Int>(input, weight, bias, mean, var, training);
    ScalarType statistics = parameter_dtype(input, weight, bias, mean, var);
    dims_t<Int> strides = format_strides<Int>(input), rows{training ? sizes_of<Int>(input)[1] : Int(0)};
    out.set_output_raw_strided(0, sizes_of<Int>(input), ArrayRef<Int>(strides), input.dtype(), input.device());
    out.set_output_raw_strided(1, ArrayRef<Int>(rows), {}, statistics, input.device());
    out.set_output_raw_strided(2, ArrayRef<Int>(rows), {}, statistics, input.device());
  }
};
/// 1 / sqrt(variance + eps); 0 where both are 0.
inline double inverse_deviation(double variance, double eps) {
  return variance != 0 || eps != 0 ? 1 / std::sqrt(variance + eps) : 0;
}
/// A batch's sums as statistics of a dtype keep them: PyTorch rounds those of 16 bits after each division.
inline double as_kept(double x, ScalarType dtype) {
  return is_reduced_floating_type(dtype) ? static_cast<double>(rounded_to_16_bits(static_cast<float>(x), dtype)) : x;
}
/// Running statistics moved towards those of a batch, in memory of their own; none where there are none.
inline Tensor moved_running(const std::optional<Tensor>& running, const std::vector<double>& batch, double momentum) {
  if (!is_given(running)) return Tensor();
  Tensor t = make_tensor(running->sizes(), {}, kDouble);
  copy_elements(t, *running);
  auto p = static_cast<double*>(t.data_ptr());
  for (std::size_t c = 0; c < batch.size(); ++c) p[c] = momentum * batch[c] + (1 - momentum) * p[c];
  return t;
}
inline void batch_norm_cpu(const Tensor& input, const std::optional<Tensor>& weight, const std::optional<Tensor>& bias,
                           const std::optional<Tensor>& running_mean, const std::optional<Tensor>& running_var,
                           bool training, double momentum, double eps, const Tensor& out, const Tensor& save_mean,
                           const Tensor& save_invstd) {
  TENON_CHECK(!training || input.numel() != 0, ValueError,
              "input tensor must have at least one element, but got input_sizes = ", input.sizes());
  BatchShape shape(input);
  Tensor x = shape.in_order(input, input.dtype()), y = shape.result_in_order(out), moved_mean, moved_var;
  ChannelCall call = shape.call(x, Tensor(), y);
  const ChannelKernels& kernels = active_tables().softmax->channels;
  visit_normalized(input.dtype(), "batch_norm", [&]<class T>(type_tag<T>, ScalarType compute) {
    using C = compute_t<T>;
    auto channels = static_cast<std::size_t>(shape.channels);
    std::vector<double> mean(channels), invstd(channels), variance(channels);
    if (training) {
      auto count = static_cast<double>(shape.count());
      kernels.moments(call, mean.data(), variance.data());
      for (std::size_t c = 0; c < channels; ++c) {
        ScalarType kept = save_invstd.dtype();
        invstd[c] = inverse_deviation(as_kept(as_kept(variance[c], kept) / count, kept), eps);
        variance[c] /= count - 1;
      }
      moved_mean = moved_running(running_mean, mean, momentum);
      moved_var = moved_running(running_var, variance, momentum);
      Result m(save_mean, kDouble), r(save_invstd, kDouble);
      std::copy(mean.begin(), mean.end(), m.data<double>());
      std::copy(invstd.begin(), invstd.end(), r.data<double>());
      m.done();
      r.done();
      // What is saved, rounded to its dtype, is what the elements are computed with.
      Tensor saved[] = {row_major(save_mean, kDouble), row_major(save_invstd, kDouble)};
      for (std::size_t c = 0; c < channels; ++c) {
        mean[c] = static_cast<const double*>(saved[0].data_ptr())[c];
        invstd[c] = static_cast<const double*>(saved[1].data_ptr())[c];
      }
    } else {
      Tensor m = row_major(*running_mean, kDouble), v = row_major(*running_var, kDouble);
      for (std::size_t c = 0; c < channels; ++c) {
        mean[c] = static_cast<const double*>(m.data_ptr())[c];
        invstd[c] = 1 / std::sqrt(static_cast<const double*>(v.data_ptr())[c] + eps);
      }
    }
    Parameters w = parameters(weight, compute), b = parameters(bias, compute);
    std::vector<C> factor(channels), center(channels), add(channels);
    for (std::size_t c = 0; c < channels; ++c) {
      factor[c] = static_cast<C>(invstd[c] * (w.as<C>() ? static_cast<double>(w.as<C>()[c]) : 1.0));
      center[c] = static_cast<C>(mean[c]);
      add[c] = b.as<C>() ? b.as<C>()[c] : C(0);
    }
    kernels.scale(call, center.data(), factor.data(), add.data());
  });
  if (!y.is_same(out)) copy_elements(out, y);
  // Last, when nothing can fail any more.
  if (moved_mean.defined()) copy_elements(*running_mean, moved_mean);
  if (moved_var.defined()) copy_elements(*running_var, moved_var);
}

using OptionalTensor = std::optional<Tensor>;
inline void check_batch_statistics(const Tensor& grad, const Tensor& input, const OptionalTensor& weight,
                                   const OptionalTensor& mean, const OptionalTensor& scale) {
  TENON_CHECK(input.dim() >= 2, IndexError, "Dimension out of range (expected to be in range of [", -input.dim(), ", ",
              input.dim() - 1, "], but got 1)");
  TENON_CHECK(grad.sizes() == input.sizes(), ValueError, "Expected grad_out of shape ", input.sizes(), ", but got ",
              grad.sizes());
  TENON_CHECK(is_given(mean) && is_given(scale), ValueError, "expected statistics of the batch to be defined");
  check_channels<std::int64_t>(input, mean, "mean");
  check_channels<std::int64_t>(input, scale, "invstd");
  check_channels<std::int64_t>(input, weight, "weight");
}
inline ThreeTensors batch_norm_backward_cpu(const Tensor& grad, const Tensor& input, const OptionalTensor& weight,
                                            const OptionalTensor& running_mean, const OptionalTensor& running_var,
                                            const OptionalTensor& save_mean, const OptionalTensor& save_invstd,
                                            bool train, double eps, ArrayRef<bool> mask) {
  const OptionalTensor &mean = train ? save_mean : running_mean, &spread = train ? save_invstd : running_var;
  check_batch_statistics(grad, input, weight, mean, spread);
  BatchShape shape(input);
  ScalarType dtype = input.dtype(), parameter = is_given(weight) ? weight->dtype() : dtype;
  std::array<Tensor, 3> out;
  if (mask[0])
    out[0] = make_tensor(input.sizes(), shape.last() ? strides_for(input.sizes(), shape.format) : DimVector(), dtype);
  for (std::size_t i : {1u, 2u})
    if (mask[i]) out[i] = make_tensor({shape.channels}, {}, parameter);
  Tensor x = shape.in_order(input, dtype), g = shape.in_order(grad, dtype);
  ChannelCall call = shape.call(x, g, out[0]);
  const ChannelKernels& kernels = active_tables().softmax->channels;
  visit_normalized(dtype, "batch_norm_backward", [&]<class T>(type_tag<T>, ScalarType compute) {
    using C = compute_t<T>;
    auto channels = static_cast<std::size_t>(shape.channels);
    Parameters w = parameters(weight, compute), means = parameters(mean, compute),
               spreads = parameters(spread, compute);
    std::vector<C> invstd(channels), factor(channels), about(channels), along(channels);
    const C* m = means.as<C>();
    for (std::size_t c = 0; c < channels; ++c) {
      C s = spreads.as<C>()[c];
      invstd[c] = train ? s : static_cast<C>(1 / std::sqrt(static_cast<double>(s) + eps));
      factor[c] = invstd[c] * (w.as<C>() ? w.as<C>()[c] : C(1));
    }
    Result dw(mask[1] ? out[1] : input, kDouble), db(mask[2] ? out[2] : input, kDouble);
    auto count = static_cast<double>(shape.count());
    std::vector<double> sums(channels), products(channels);
    kernels.gradient_sums(call, m, sums.data(), products.data());
    for (std::size_t c = 0; c < channels; ++c) {
      auto r = static_cast<double>(invstd[c]);
      if (train) {
        about[c] = static_cast<C>(sums[c] / count);
        along[c] = static_cast<C>(products[c] * r * r / count);
      }
      if (mask[1]) dw.data<double>()[c] = products[c] * r;
      if (mask[2]) db.data<double>()[c] = sums[c];
    }
    if (mask[1]) dw.done();
    if (mask[2]) db.done();
    if (!mask[0]) return;
    if (train)
      kernels.scale_gradient(call, m, along.data(), about.data(), factor.data());
    else  // a factor alone, whatever the input was
      kernels.scale(shape.call(g, Tensor(), out[0]), about.data(), factor.data(), about.data());
  });
  return three(std::move(out));
}
inline ThreeTensors batch_norm_backward_meta(const Tensor&, const Tensor& input, const OptionalTensor& weight,
                                             const OptionalTensor&, const OptionalTensor&, const OptionalTensor&,
                                             const OptionalTensor&, bool, double, ArrayRef<bool> mask) {
  TENON_CHECK(input.dim() >= 2, IndexError, "Dimension out of range (expected to be in range of [", -input.dim(), ", ",
              input.dim() - 1, "], but got 1)");
  auto out = normalization_gradients_meta(input, weight, SymDimVector{input.sym_size(1)}, mask);
  SymDimVector strides = format_strides<SymInt>(input);
  if (mask[0] && !strides.empty())
    out[0] = make_tensor_symbolic(input.sym_sizes(), strides, input.dtype(), input.device());
  return three(std::move(out));
}

}  // namespace tenon::cpu::detail

namespace tenon::cpu {

TENON_LIBRARY_FRAGMENT(aten, m) {
  install_kernels<&KernelTables::copy>();
  install_kernels_for<&KernelTables::softmax, ops::native_batch_norm_base, ops::native_batch_norm_backward_base>();
  m.def<ops::native_batch_norm_backward_base>().def<ops::native_batch_norm_backward_base_out>();
  composite::implement_out_by_copy<ops::native_batch_norm_backward_base_op>(m, Place{__FILE__, __LINE__});
}
TENON_LIBRARY_IMPL(aten, CPU, m) { m.impl<ops::native_batch_norm_backward_base, &detail::batch_norm_backward_cpu>(); }
TENON_LIBRARY_IMPL(aten, Meta, m) { m.impl<ops::native_batch_norm_backward_base, &detail::batch_norm_backward_meta>(); }

}  // namespace tenon::cpu

namespace tenon::ops {

TENON_STRUCTURED_OF(native_batch_norm_base, cpu::detail::batch_norm_meta);
TENON_STRUCTURED_KERNEL(native_batch_norm_base, CPU, cpu::detail::batch_norm_cpu);

}  // namespace tenon::ops
