// Convolutions of float and double of every instruction set as one group of function pointers.
#pragma once
#include <algorithm>
#include <new>
#include <vector>

#include <tenon/cpu/gemm.hpp>
#include <tenon/cpu/kernel_tables.hpp>

namespace tenon::cpu {

/// A convolution of up to three spatial dimensions, the missing ones of size 1. `x` and `y` are row-major or channels
/// last; the weight is [groups * out_channels, in_channels, taps] or, for channels last, [.., taps, in_channels].
struct ConvolutionCall {
  ScalarType dtype;
  bool channels_last = false;
  std::int64_t batch = 0, groups = 1, in_channels = 0, out_channels = 0;  ///< channels of one group
  std::int64_t in[3] = {1, 1, 1}, out[3] = {1, 1, 1}, kernel[3] = {1, 1, 1}, stride[3] = {1, 1, 1},
               padding[3] = {0, 0, 0}, dilation[3] = {1, 1, 1};
  const void* x = nullptr;
  const void* weight = nullptr;
  const void* bias = nullptr;  ///< may be null
  void* y = nullptr;

  static std::int64_t product(const std::int64_t (&s)[3]) { return s[0] * s[1] * s[2]; }
  std::int64_t taps() const { return product(kernel); }
  std::int64_t in_positions() const { return product(in); }
  std::int64_t out_positions() const { return product(out); }
};

struct ConvolutionKernels {
  /// y = convolution of x with the weight, plus the bias; float or double.
  void (*forward)(const ConvolutionCall& call);
  /// `weight` = the gradient by it of a row-major convolution from x to y, whose gradient is in y; float or double.
  /// False if it has no loops for this one.
  bool (*weight_gradient)(const ConvolutionCall& call, void* weight);
};

}  // namespace tenon::cpu

#include <tenon/cpu/detail/convolution_depthwise_impl.hpp>
#include <tenon/cpu/detail/convolution_packed_impl.hpp>
#include <tenon/cpu/detail/convolution_planes_impl.hpp>
#include <tenon/cpu/detail/convolution_planes_gradient_impl.hpp>
#include <tenon/cpu/detail/convolution_rows_impl.hpp>
#include <tenon/cpu/detail/convolution_shifted_impl.hpp>

namespace tenon::cpu {
namespace detail {

template <class Arch>
void convolution_entry(const ConvolutionCall& call) {
  auto go = [&]<class T>() {
    bool depthwise =
        call.in_channels == 1 && (call.out_channels == 1 || (!call.channels_last && call.out_channels < 4));
    if (depthwise)
      convolve_depthwise<T, Arch>(call);
    else if (PlaneConvolution<T, Arch>::fits(call))
      PlaneConvolution<T, Arch>(call).run();
    else if (RowConvolution<T, Arch>::fits(call))
      RowConvolution<T, Arch>(call).run();
    else if (ShiftedConvolution<T, Arch>::fits(call))
      ShiftedConvolution<T, Arch>(call).run();
    else
      PackedConvolution<T, Arch>(call).run();
  };
  call.dtype == kDouble ? go.template operator()<double>() : go.template operator()<float>();
}

template <class Arch>
bool convolution_weight_gradient_entry(const ConvolutionCall& call, void* weight) {
  auto go = [&]<class T>() {
    bool fits = PlaneWeightGradient<T, Arch>::fits(call);
    if (fits) PlaneWeightGradient<T, Arch>(call, static_cast<T*>(weight)).run();
    return fits;
  };
  return call.dtype == kDouble ? go.template operator()<double>() : go.template operator()<float>();
}

}  // namespace detail

template <class Arch>
struct kernel_group<ConvolutionKernels, Arch> {
  static constexpr ConvolutionKernels value{&detail::convolution_entry<Arch>,
                                            &detail::convolution_weight_gradient_entry<Arch>};
};

}  // namespace tenon::cpu
