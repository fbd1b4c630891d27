// What convolutions of every kind compute before a kernel runs: copies in a memory format, the geometry of a call.
#pragma once
#include <tenon/composite/convolution_shapes.hpp>
#include <tenon/cpu/convolution_kernels.hpp>
#include <tenon/cpu/detail/tensor_support.hpp>

namespace tenon::cpu::detail {

using composite::convolutions::convolution_format;
using composite::convolutions::ConvolutionParameters;

/// The tensor itself if it is dense in the format and of the dtype, else a copy that is.
inline Tensor in_format(const Tensor& t, MemoryFormat format, ScalarType dtype) {
  if (t.dtype() == dtype && t.is_contiguous(format)) return t;
  Tensor fresh = make_tensor(t.sizes(), strides_for(t.sizes(), format), dtype, t.device());
  copy_elements(fresh, t);
  return fresh;
}
/// The same for a result: what it is computed in; `copy_elements` brings it back where that is another tensor.
inline Tensor result_in_format(const Tensor& t, MemoryFormat format, ScalarType dtype) {
  if (t.dtype() == dtype && t.is_contiguous(format)) return t;
  return make_tensor(t.sizes(), strides_for(t.sizes(), format), dtype, t.device());
}

/// The geometry of a convolution of `x` to `y`; of a transposed one `x` is the result and `y` the input.
inline ConvolutionCall convolution_call(IntArrayRef x, IntArrayRef w, IntArrayRef y,
                                        const ConvolutionParameters<std::int64_t>& p) {
  ConvolutionCall c{};
  c.batch = x[0];
  c.groups = p.groups;
  c.in_channels = x[1] / p.groups;
  c.out_channels = y[1] / p.groups;
  for (std::size_t d = 2, at = 5 - x.size(); d < x.size(); ++d, ++at) {
    c.in[at] = x[d];
    c.out[at] = y[d];
    c.kernel[at] = w[d];
    c.stride[at] = p.stride[d - 2];
    c.padding[at] = p.padding[d - 2];
    c.dilation[at] = p.dilation[d - 2];
  }
  return c;
}

}  // namespace tenon::cpu::detail
