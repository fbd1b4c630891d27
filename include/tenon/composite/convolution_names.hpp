// Convolutions by the names of PyTorch's slow kernels: `convolution` does each.
#pragma once
#include <tenon/autograd/derivative.hpp>
#include <tenon/composite/convolution.hpp>
#include <tenon/composite/out_by_copy.hpp>

namespace tenon::composite::convolutions {

template <int Dims>
struct slow {
  static void check_kernel(const Tensor& weight, SymIntArrayRef kernel_size) {
    TENON_CHECK(static_cast<int>(kernel_size.size()) == Dims, ValueError, "It is expected kernel_size equals to ", Dims,
                ", but got size ", kernel_size.size());
    TENON_CHECK(weight.dim() == Dims + 2 && weight.sym_sizes().slice(2, Dims) == kernel_size, ValueError,
                "expected a weight whose last sizes are kernel_size=", kernel_size, ", but got shape ",
                weight.sym_sizes());
  }
  static Tensor plain(const Tensor& self, const Tensor& weight, SymIntArrayRef kernel_size, const OptionalTensor& bias,
                      SymIntArrayRef stride, SymIntArrayRef padding) {
    SymDimVector ones(static_cast<std::size_t>(Dims), SymInt(1));
    return dilated(self, weight, kernel_size, bias, stride, padding, SymIntArrayRef(ones));
  }
  static Tensor dilated(const Tensor& self, const Tensor& weight, SymIntArrayRef kernel_size,
                        const OptionalTensor& bias, SymIntArrayRef stride, SymIntArrayRef padding,
                        SymIntArrayRef dilation) {
    Tensor w = weight;
    if (weight.dim() == 2) {
      // A matrix has a row for each channel of the result.
      SymDimVector shape{weight.sym_size(0), self.sym_size(self.dim() - Dims - 1)};
      for (const SymInt& k : kernel_size) shape.push_back(k);
      w = ops::reshape(weight, SymIntArrayRef(shape));
    }
    check_kernel(w, kernel_size);
    return convolve<Dims>(self, w, bias, stride, padding, dilation, SymInt(1));
  }
  static Tensor transposed(const Tensor& self, const Tensor& weight, SymIntArrayRef kernel_size,
                           const OptionalTensor& bias, SymIntArrayRef stride, SymIntArrayRef padding,
                           SymIntArrayRef output_padding, SymIntArrayRef dilation) {
    check_kernel(weight, kernel_size);
    // In a plane an input without a batch comes back as a batch of one, as in PyTorch.
    Tensor x = Dims == 2 && self.dim() == 3 ? Tensor(ops::unsqueeze(self, 0)) : self;
    return convolve_transposed<Dims>(x, weight, bias, stride, padding, output_padding, SymInt(1), dilation);
  }
};

template <auto Op, auto Kernel>
void add_slow(Library& m) {
  define_forms(m, Op);
  m.impl<Op, Kernel>();
  implement_out_by_copy<std::remove_const_t<decltype(Op)>>(m, CallSite::now());
}

TENON_LIBRARY_FRAGMENT(aten, m) {
  add_slow<ops::thnn_conv2d_base, &slow<2>::plain>(m);
  add_slow<ops::_slow_conv2d_forward_base, &slow<2>::plain>(m);
  add_slow<ops::slow_conv3d_base, &slow<3>::plain>(m);
  add_slow<ops::slow_conv3d_forward_base, &slow<3>::plain>(m);
  add_slow<ops::slow_conv_dilated2d_base, &slow<2>::dilated>(m);
  add_slow<ops::slow_conv_dilated3d_base, &slow<3>::dilated>(m);
  add_slow<ops::slow_conv_transpose2d_base, &slow<2>::transposed>(m);
  add_slow<ops::slow_conv_transpose3d_base, &slow<3>::transposed>(m);
}

}  // namespace tenon::composite::convolutions

namespace tenon::ops {

TENON_NOT_DIFFERENTIABLE(thnn_conv2d_base_out);
TENON_NOT_DIFFERENTIABLE(_slow_conv2d_forward_base_out);
TENON_NOT_DIFFERENTIABLE(slow_conv3d_base_out);
TENON_NOT_DIFFERENTIABLE(slow_conv3d_forward_base_out);
TENON_NOT_DIFFERENTIABLE(slow_conv_dilated2d_base_out);
TENON_NOT_DIFFERENTIABLE(slow_conv_dilated3d_base_out);
TENON_NOT_DIFFERENTIABLE(slow_conv_transpose2d_base_out);
TENON_NOT_DIFFERENTIABLE(slow_conv_transpose3d_base_out);

}  // namespace tenon::ops
