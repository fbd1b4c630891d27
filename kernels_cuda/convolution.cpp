// Registers convolutions and their gradients on CUDA.
#include <optional>
#include <tuple>

#include <tenon/cuda/libraries.hpp>
#include <tenon/dispatch/device_guard.hpp>
#include <tenon/ops/convolution.hpp>
#include <tenon/ops/reduce.hpp>

#include "out_form.hpp"
#include "support.hpp"

namespace tenon::cuda {
namespace {

/// The geometry of a convolution from tensors of shape x to such of shape y; of a transposed one x is the result.
ConvolutionCall call_for(ScalarType dtype, IntArrayRef x, IntArrayRef w, IntArrayRef y, IntArrayRef stride,
                         IntArrayRef padding, IntArrayRef dilation, std::int64_t groups) {
  ConvolutionCall c{};
  c.dtype = dtype;
  c.batch = x[0], c.groups = groups, c.in_channels = x[1] / groups, c.out_channels = y[1] / groups;
  auto one = [](IntArrayRef list, std::size_t d) { return list[list.size() == 1 ? 0 : d]; };
  for (std::size_t d = 2, at = 5 - x.size(); d < x.size(); ++d, ++at) {
    c.in[at] = x[d], c.out[at] = y[d], c.kernel[at] = w[d];
    c.stride[at] = one(stride, d - 2), c.padding[at] = one(padding, d - 2), c.dilation[at] = one(dilation, d - 2);
  }
  return c;
}
/// Writes `out`, which is x, weight or y of the call. The others are read.
void run(ConvolutionCall c, Convolution what, const Tensor& x, const Tensor& weight, const Tensor& y,
         const Tensor& bias) {
  const Tensor& out = what == Convolution::Forward ? y : what == Convolution::Back ? x : weight;
  if (out.numel() == 0) return;
  Result to(out, c.dtype);
  Tensor read[3];
  const Tensor* given[] = {&x, &weight, &y};
  void* data[3];
  for (int i = 0; i < 3; ++i) {
    if (given[i] != &out) read[i] = row_major(*given[i], c.dtype);
    data[i] = given[i] == &out ? to.data() : read[i].data_ptr();
  }
  Tensor add = bias.defined() ? row_major(bias, c.dtype) : bias;
  c.x = data[0], c.weight = data[1], c.y = data[2], c.bias = add.defined() ? add.data_ptr() : nullptr;
  auto by_library = [&] {
    auto library = libraries().convolution.load();
    auto asked = library ? library_convolution(c, what) : std::nullopt;
    return asked && library(*asked, runtime::current_stream());
  };
  if (!by_library() && !convolve(c, what, runtime::current_stream())) not_implemented_for("slow_conv2d_cuda", c.dtype);
  runtime::check_launch("convolution");
  to.done();
}
Tensor convolution(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias, IntArrayRef stride,
                   IntArrayRef padding, IntArrayRef dilation, bool transposed, IntArrayRef output_padding,
                   std::int64_t groups) {
  DeviceGuard guard(input.device());
  AutoDispatchBelowADInplaceOrView below;
  Tensor out = like_on(input.device(), ops::convolution(without_data(input), without_data(weight), without_data(bias),
                                                        stride, padding, dilation, transposed, output_padding, groups));
  const Tensor &near = transposed ? out : input, &far = transposed ? input : out;
  run(call_for(input.dtype(), near.sizes(), weight.sizes(), far.sizes(), stride, padding, dilation, groups),
      transposed ? Convolution::Back : Convolution::Forward, near, weight, far, bias.value_or(Tensor()));
  return out;
}
std::tuple<Tensor, Tensor, Tensor> convolution_backward(const Tensor& grad, const Tensor& input, const Tensor& weight,
                                                        std::optional<IntArrayRef> bias_sizes, IntArrayRef stride,
                                                        IntArrayRef padding, IntArrayRef dilation, bool transposed,
                                                        IntArrayRef output_padding, std::int64_t groups,
                                                        ArrayRef<bool> mask) {
  DeviceGuard guard(input.device());
  AutoDispatchBelowADInplaceOrView below;
  auto [x, w, b] = ops::convolution_backward(without_data(grad), without_data(input), without_data(weight), bias_sizes,
                                             stride, padding, dilation, transposed, output_padding, groups, mask);
  Tensor dx = like_on(input.device(), x), dw = like_on(input.device(), w), db = like_on(input.device(), b);
  ConvolutionCall c =
      transposed
          ? call_for(input.dtype(), grad.sizes(), weight.sizes(), input.sizes(), stride, padding, dilation, groups)
          : call_for(input.dtype(), input.sizes(), weight.sizes(), grad.sizes(), stride, padding, dilation, groups);
  // The transposed convolution passes forward what the other passes back.
  if (dx.defined())
    transposed ? run(c, Convolution::Forward, grad, weight, dx, {}) : run(c, Convolution::Back, dx, weight, grad, {});
  if (dw.defined()) run(c, Convolution::WeightGradient, transposed ? grad : input, dw, transposed ? input : grad, {});
  if (db.defined()) {
    DimVector dims{0};
    for (std::int64_t d = 2; d < grad.dim(); ++d) dims.push_back(d);
    db = ops::sum(grad, IntArrayRef(dims));
  }
  return {dx, dw, db};
}

}  // namespace
}  // namespace tenon::cuda

TENON_LIBRARY_IMPL(aten, CUDA, m) {
  using namespace tenon;
  m.impl<ops::convolution_base, &cuda::convolution>()
      .impl<ops::convolution_backward_base, &cuda::convolution_backward>();
  cuda::implement_out_by_copy<ops::convolution_base>(m, CallSite::now());
}
