// Convolutions on the CPU: forward, transposed and their gradients.
#pragma once
#include <tenon/cpu/detail/convolution_unfold.hpp>
#include <tenon/ops/reduce.hpp>

namespace tenon::cpu::detail {

using composite::convolutions::check_convolution_backward;
using composite::convolutions::ThreeTensors;

template <class F>
void visit_convolution_type(ScalarType t, F f) {
  switch (t) {
    case kHalf: return f(type_tag<Half>{});
    case kFloat: return f(type_tag<float>{});
    case kDouble: return f(type_tag<double>{});
    case kByte: return f(type_tag<std::uint8_t>{});
    case kChar: return f(type_tag<std::int8_t>{});
    case kShort: return f(type_tag<std::int16_t>{});
    case kInt: return f(type_tag<std::int32_t>{});
    case kLong: return f(type_tag<std::int64_t>{});
    case kComplexFloat: return f(type_tag<Complex<float>>{});
    case kComplexDouble: return f(type_tag<Complex<double>>{});
    default: fail<NotImplementedError>("\"slow_conv2d_cpu\" not implemented for '", t, "'");
  }
}
/// 16-bit floats are computed in float.
inline ScalarType convolution_dtype(ScalarType t) { return is_reduced_floating_type(t) ? kFloat : t; }

/// out = convolution of dense `x` by dense `w` of the dtype of both, in the format.
inline void convolve(ConvolutionCall c, MemoryFormat format, const Tensor& x, const Tensor& w, const Tensor& bias,
                     const Tensor& out) {
  if (out.numel() == 0) return;
  ScalarType dtype = x.dtype();
  bool packed = dtype == kFloat || dtype == kDouble;
  if (!packed) format = MemoryFormat::Contiguous;
  Tensor from = in_format(x, format, dtype), weight = in_format(w, format, dtype),
         to = result_in_format(out, format, dtype), b = bias.defined() ? row_major(bias, dtype) : bias;
  c.dtype = dtype;
  c.channels_last = format != MemoryFormat::Contiguous;
  if (from.numel() == 0 || weight.numel() == 0) {
    fill_elements(to, Scalar(0));
    TENON_CHECK(!b.defined() || c.in_channels == 0, InternalError, "a convolution of nothing has a bias");
  } else {
    c.x = from.data_ptr();
    c.weight = weight.data_ptr();
    c.bias = b.defined() ? b.data_ptr() : nullptr;
    c.y = to.data_ptr();
    if (packed)
      active_tables().convolution->forward(c);
    else
      visit_convolution_type(dtype, [&]<class T>(type_tag<T>) { convolve_by_unfolding<T>(c); });
  }
  if (!to.is_same(out)) copy_elements(out, to);
}
/// The weight as the reverse direction of a convolution of stride 1 reads it: [groups * in, out / groups, taps], each
/// group's channels exchanged and its taps in reverse order.
inline Tensor reversed_weight(const ConvolutionCall& c, const Tensor& w, ScalarType dtype) {
  Tensor from = row_major(w, dtype);
  DimVector sizes(w.sizes());
  sizes[0] = c.groups * c.in_channels;
  sizes[1] = c.out_channels;
  Tensor to = make_tensor(sizes, {}, dtype);
  std::int64_t taps = c.taps();
  visit_convolution_type(dtype, [&]<class T>(type_tag<T>) {
    auto a = static_cast<const T*>(from.data_ptr());
    auto b = static_cast<T*>(to.data_ptr());
    for (std::int64_t g = 0; g < c.groups; ++g, a += c.out_channels * c.in_channels * taps)
      for (std::int64_t i = 0; i < c.in_channels; ++i)
        for (std::int64_t o = 0; o < c.out_channels; ++o)
          for (std::int64_t k = taps; k-- > 0;) *b++ = a[(o * c.in_channels + i) * taps + k];
  });
  return to;
}
/// Whether the product of each element and 0 is 0, in float or double.
inline bool is_finite_weight(const Tensor& w, ScalarType dtype) {
  Tensor dense = row_major(w, dtype);
  auto all = [&]<class T>(const T* p) {
    bool finite = true;
    for (std::int64_t i = 0, n = w.numel(); i < n; ++i) finite &= p[i] - p[i] == 0;
    return finite;
  };
  return dtype == kFloat ? all(static_cast<const float*>(dense.data_ptr()))
                         : all(static_cast<const double*>(dense.data_ptr()));
}
/// x = what a convolution from x to y passes back from y: its gradient, or the transposed convolution of y.
inline void convolve_transposed(const ConvolutionCall& c, MemoryFormat format, const Tensor& y, const Tensor& w,
                                const Tensor& out) {
  if (out.numel() == 0) return;
  ScalarType dtype = y.dtype();
  if (y.numel() == 0 || w.numel() == 0) return fill_elements(out, Scalar(0));
  bool forward = dtype == kFloat || dtype == kDouble;
  for (int d = 0; d < 3; ++d)
    forward = forward && c.stride[d] == 1 && c.dilation[d] * (c.kernel[d] - 1) >= c.padding[d] &&
              c.out[d] == c.in[d] + 2 * c.padding[d] - c.dilation[d] * (c.kernel[d] - 1);
  // The other convolution multiplies taps beside the image by zeros.
  if (forward && is_finite_weight(w, dtype)) {
    ConvolutionCall r = c;
    std::swap(r.in_channels, r.out_channels);
    for (int d = 0; d < 3; ++d) {
      std::swap(r.in[d], r.out[d]);
      r.padding[d] = c.dilation[d] * (c.kernel[d] - 1) - c.padding[d];
    }
    return convolve(r, format, y, reversed_weight(c, w, dtype), {}, out);
  }
  Tensor from = row_major(y), weight = row_major(w, dtype), to = result_in_format(out, MemoryFormat::Contiguous, dtype);
  fill_elements(to, Scalar(0));
  visit_convolution_type(dtype, [&]<class T>(type_tag<T>) {
    convolve_back<T>(c, static_cast<T*>(to.data_ptr()), static_cast<const T*>(weight.data_ptr()),
                     static_cast<const T*>(from.data_ptr()));
  });
  if (!to.is_same(out)) copy_elements(out, to);
}
inline void convolution_weight_gradient_of(const ConvolutionCall& c, const Tensor& x, const Tensor& y,
                                           const Tensor& out) {
  if (out.numel() == 0) return;
  if (x.numel() == 0 || y.numel() == 0) return fill_elements(out, Scalar(0));
  Tensor from = row_major(x), to = row_major(y), weight = result_in_format(out, MemoryFormat::Contiguous, x.dtype());
  ConvolutionCall call = c;
  call.dtype = x.dtype();
  call.x = from.data_ptr();
  call.y = to.data_ptr();
  bool large = (call.dtype == kFloat || call.dtype == kDouble) &&
               c.out_channels * c.in_channels * c.taps() * c.out_positions() > kSmallProduct;
  if (!large || !active_tables().convolution->weight_gradient(call, weight.data_ptr()))
    visit_convolution_type(x.dtype(), [&]<class T>(type_tag<T>) {
      convolution_weight_gradient<T>(c, static_cast<const T*>(from.data_ptr()), static_cast<T*>(weight.data_ptr()),
                                     static_cast<const T*>(to.data_ptr()));
    });
  if (!weight.is_same(out)) copy_elements(out, weight);
}
inline Tensor widened(const Tensor& t, MemoryFormat format) {
  if (t.dtype() == kComplexFloat) return row_major(t, kComplexDouble);
  return is_reduced_floating_type(t.dtype()) ? in_format(t, format, kFloat) : t;
}
inline void add_channel_bias(const Tensor& out, const Tensor& bias) {
  Tensor b = row_major(bias, out.dtype());
  std::int64_t channels = out.sizes()[1], plane = 1;
  for (std::size_t d = 2; d < out.sizes().size(); ++d) plane *= out.sizes()[d];
  Tensor to = row_major(out);
  visit_convolution_type(out.dtype(), [&]<class T>(type_tag<T>) {
    auto p = static_cast<T*>(to.data_ptr());
    auto add = static_cast<const T*>(b.data_ptr());
    for (std::int64_t i = 0, n = out.sizes()[0] * channels; i < n; ++i, p += plane)
      for (std::int64_t j = 0; j < plane; ++j) p[j] = static_cast<T>(p[j] + add[i % channels]);
  });
  if (!to.is_same(out)) copy_elements(out, to);
}

/// A complex convolution as three real ones, of the real parts, of the imaginary parts and of their sums, in double:
/// differences of their results lose digits.
template <class F>
void convolve_parts(const Tensor& x, const Tensor& w, const Tensor& out, F convolve_real) {
  auto part = [](const Tensor& t, int which) {
    Tensor dense = row_major(t, kComplexDouble), p = make_tensor(t.sizes(), {}, kDouble);
    auto from = static_cast<const double*>(dense.data_ptr());
    auto to = static_cast<double*>(p.data_ptr());
    for (std::int64_t i = 0, n = t.numel(); i < n; ++i)
      to[i] = which == 2 ? from[2 * i] + from[2 * i + 1] : from[2 * i + which];
    return p;
  };
  Tensor product[3], both = result_in_format(out, MemoryFormat::Contiguous, kComplexDouble);
  const double* from[3];
  for (int i = 0; i < 3; ++i) {
    product[i] = make_tensor(out.sizes(), {}, kDouble);
    convolve_real(part(x, i), part(w, i), product[i]);
    from[i] = static_cast<const double*>(product[i].data_ptr());
  }
  auto p = static_cast<double*>(both.data_ptr());
  for (std::int64_t i = 0, n = out.numel(); i < n; ++i) {
    p[2 * i] = from[0][i] - from[1][i];
    p[2 * i + 1] = from[2][i] - from[0][i] - from[1][i];
  }
  if (!both.is_same(out)) copy_elements(out, both);
}
inline void convolution_cpu(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias,
                            IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation, bool transposed,
                            IntArrayRef output_padding, std::int64_t groups, const Tensor& out) {
  ConvolutionParameters<std::int64_t> p(weight.dim() - 2, stride, padding, dilation, transposed, output_padding,
                                        groups);
  MemoryFormat format = convolution_format(input, weight);
  // PyTorch's transposed convolution of float16 rounds every product of matrices and every sum of their elements;
  // a complex convolution widens its parts.
  bool narrow = (transposed && input.dtype() == kHalf) || input.is_complex();
  Tensor x = narrow ? input : widened(input, format), w = narrow ? weight : widened(weight, format),
         b = bias && bias->defined() ? row_major(*bias, input.dtype()) : Tensor();
  Tensor to = x.dtype() == out.dtype() ? out : make_tensor(out.sizes(), strides_for(out.sizes(), format), x.dtype());
  ConvolutionCall c = transposed ? convolution_call(out.sizes(), w.sizes(), x.sizes(), p)
                                 : convolution_call(x.sizes(), w.sizes(), out.sizes(), p);
  if (x.is_complex() && x.numel() != 0 && w.numel() != 0 && out.numel() != 0) {
    convolve_parts(x, w, to, [&](const Tensor& a, const Tensor& k, const Tensor& r) {
      transposed ? convolve_transposed(c, format, a, k, r) : convolve(c, format, a, k, {}, r);
    });
    if (b.defined()) add_channel_bias(to, b);
  } else if (transposed || (b.defined() && c.in_channels == 0)) {
    transposed ? convolve_transposed(c, format, x, w, to) : fill_elements(to, Scalar(0));
    if (b.defined() && to.numel() != 0) add_channel_bias(to, b);
  } else {
    convolve(c, format, x, w, b, to);
  }
  if (!to.is_same(out)) copy_elements(out, to);
}
inline ThreeTensors convolution_backward_cpu(const Tensor& grad, const Tensor& input, const Tensor& weight,
                                             std::optional<IntArrayRef>, IntArrayRef stride, IntArrayRef padding,
                                             IntArrayRef dilation, bool transposed, IntArrayRef output_padding,
                                             std::int64_t groups, ArrayRef<bool> mask) {
  ConvolutionParameters<std::int64_t> p(weight.dim() - 2, stride, padding, dilation, transposed, output_padding,
                                        groups);
  check_convolution_backward(grad, input, weight, p);
  MemoryFormat format = convolution_format(input, weight);
  Tensor g = widened(grad, format), x = widened(input, format), w = widened(weight, format);
  auto result = [&](const Tensor& like, auto compute) {
    Tensor out = make_tensor(like.sizes(), strides_for(like.sizes(), format), like.dtype()),
           to = g.dtype() == out.dtype() ? out : make_tensor(out.sizes(), out.strides(), g.dtype());
    compute(to);
    if (!to.is_same(out)) copy_elements(out, to);
    return out;
  };
  // The transposed convolution passes forward what the other passes back.
  const Tensor &near = transposed ? g : x, &far = transposed ? x : g;
  ConvolutionCall c = convolution_call(near.sizes(), w.sizes(), far.sizes(), p);
  ThreeTensors out;
  if (mask[0])
    std::get<0>(out) = result(input, [&](const Tensor& to) {
      transposed ? convolve(c, format, g, w, {}, to) : convolve_transposed(c, format, g, w, to);
    });
  if (mask[1])
    std::get<1>(out) = result(weight, [&](const Tensor& to) { convolution_weight_gradient_of(c, near, far, to); });
  if (mask[2]) {
    DimVector dims{0};
    for (std::int64_t d = 2; d < grad.dim(); ++d) dims.push_back(d);
    std::get<2>(out) = ops::sum(grad, dims);
  }
  return out;
}

}  // namespace tenon::cpu::detail

namespace tenon::cpu {

TENON_LIBRARY_FRAGMENT(aten, m) {
  install_kernels<&KernelTables::copy>();
  install_kernels_for<&KernelTables::gemm, ops::convolution_base, ops::convolution_backward_base>();
  install_kernels_for<&KernelTables::convolution, ops::convolution_base, ops::convolution_backward_base>();
}
TENON_LIBRARY_IMPL(aten, CPU, m) { m.impl<ops::convolution_backward_base, &detail::convolution_backward_cpu>(); }

}  // namespace tenon::cpu

namespace tenon::ops {

TENON_STRUCTURED_KERNEL(convolution_base, CPU, cpu::detail::convolution_cpu);

}  // namespace tenon::ops
