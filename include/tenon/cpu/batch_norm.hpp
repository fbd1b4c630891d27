// Batch normalisation on the CPU: statistics per channel in double, whatever the memory format.
#pragma once
#include <tenon/cpu/softmax_kernels.hpp>
#include <tenon/cpu/normalization.hpp>

namespace tenon::cpu::detail {

using composite::normalization::check_batch_statistics;
using composite::normalization::OptionalTensor;

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
  if (training) composite::normalization::check_batch_elements(input);
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

}  // namespace tenon::cpu::detail

namespace tenon::cpu {

TENON_LIBRARY_FRAGMENT(aten, m) {
  install_kernels<&KernelTables::copy>();
  install_kernels_for<&KernelTables::softmax, ops::native_batch_norm_base, ops::native_batch_norm_backward_base>();
}
TENON_LIBRARY_IMPL(aten, CPU, m) { m.impl<ops::native_batch_norm_backward_base, &detail::batch_norm_backward_cpu>(); }

}  // namespace tenon::cpu

namespace tenon::ops {

TENON_STRUCTURED_KERNEL(native_batch_norm_base, CPU, cpu::detail::batch_norm_cpu);

}  // namespace tenon::ops
