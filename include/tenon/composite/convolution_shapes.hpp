// Shapes, dtypes, memory formats and errors of convolutions of every kind, for every back end.
#pragma once
#include <optional>
#include <string>
#include <tuple>
#include <tenon/composite/out_by_copy.hpp>
#include <tenon/ops/convolution.hpp>
#include <tenon/structured/structured.hpp>
#include <tenon/structured/symbolic.hpp>

namespace tenon::composite {

namespace convolutions {

/// A parameter for each spatial dimension, from one or all of them.
template <class Int>
dims_t<Int> expand_parameter(ArrayRef<Int> list, const char* name, std::int64_t dims) {
  TENON_CHECK(dims > 0, ValueError, "weight should have at least three dimensions");
  if (list.size() == 1) return dims_t<Int>(static_cast<std::size_t>(dims), list[0]);
  TENON_CHECK(static_cast<std::int64_t>(list.size()) == dims, ValueError, "expected ", name,
              " to be a single integer value or a list of ", dims,
              " values to match the convolution dimensions, but got ", name, "=", list);
  return dims_t<Int>(list);
}

template <class Int>
struct ConvolutionParameters {
  dims_t<Int> stride, padding, dilation, output_padding;
  bool transposed;
  Int groups;

  ConvolutionParameters(std::int64_t dims, ArrayRef<Int> s, ArrayRef<Int> p, ArrayRef<Int> d, bool t, ArrayRef<Int> o,
                        const Int& g)
      : stride(expand_parameter(s, "stride", dims)),
        padding(expand_parameter(p, "padding", dims)),
        dilation(expand_parameter(d, "dilation", dims)),
        output_padding(expand_parameter(o, "output_padding", dims)),
        transposed(t),
        groups(g) {}

  void check(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias) const {
    auto below = [](const dims_t<Int>& list, std::int64_t least) {
      for (const Int& x : list)
        if (x < least) return true;
      return false;
    };
    ArrayRef<Int> x = sizes_of<Int>(input), w = sizes_of<Int>(weight);
    TENON_CHECK(!below(padding, 0), ValueError, "negative padding is not supported");
    TENON_CHECK(!below(output_padding, 0), ValueError, "negative output_padding is not supported");
    TENON_CHECK(!below(stride, 1), ValueError, "non-positive stride is not supported");
    TENON_CHECK(!below(dilation, 1), ValueError, "dilation should be greater than zero");
    TENON_CHECK(groups > 0, ValueError, "non-positive groups is not supported");
    TENON_CHECK(w.size() == x.size(), ValueError, "Expected ", w.size(), "-dimensional input for ", w.size(),
                "-dimensional weight ", w, ", but got ", x.size(), "-dimensional input of size ", x, " instead");
    TENON_CHECK(w[0] >= groups, ValueError, "Given groups=", groups, ", expected weight to be at least ", groups,
                " at dimension 0, but got weight of size ", w, " instead");
    TENON_CHECK(w[0] % groups == 0, ValueError, "Given groups=", groups, ", expected weight to be divisible by ",
                groups, " at dimension 0, but got weight of size ", w, " instead");
    bool biased = bias && bias->defined();
    Int outs = transposed ? w[1] * groups : w[0], ins = transposed ? w[0] : w[1] * groups;
    bool fits = !biased || (bias->dim() == 1 && sizes_of<Int>(*bias)[0] == outs);
    if (transposed) {
      TENON_CHECK(x[1] == ins, ValueError, "Given transposed=1, weight of size ", w, ", expected input", x, " to have ",
                  ins, " channels, but got ", x[1], " channels instead");
      TENON_CHECK(w[1] != Int(0), ValueError, "non-empty weight tensor expected, but got: ", w);
      TENON_CHECK(fits, ValueError, "Given transposed=1, weight of size ", w,
                  ", expected bias to be 1-dimensional with ", outs, " elements, but got bias of size ",
                  bias->sym_sizes(), " instead");
    } else {
      TENON_CHECK(x[1] == ins, ValueError, "Given groups=", groups, ", weight of size ", w, ", expected input", x,
                  " to have ", ins, " channels, but got ", x[1], " channels instead");
      TENON_CHECK(fits, ValueError, "Given weight of size ", w, ", expected bias to be 1-dimensional with ", outs,
                  " elements, but got bias of size ", bias->sym_sizes(), " instead");
      check_reach(x, w);
    }
    check_dtypes(input, weight, bias);
  }
  dims_t<Int> output_sizes(ArrayRef<Int> x, ArrayRef<Int> w) const {
    dims_t<Int> out;
    out.push_back(x[0]);
    out.push_back(transposed ? w[1] * groups : w[0]);
    for (std::size_t d = 0; d + 2 < x.size(); ++d) {
      Int reach = dilation[d] * (w[d + 2] - 1);
      out.push_back(transposed ? (x[d + 2] - 1) * stride[d] - 2 * padding[d] + reach + output_padding[d] + 1
                               : (x[d + 2] + 2 * padding[d] - reach - 1) / stride[d] + 1);
    }
    return out;
  }
  /// Of a transposed convolution something is left, unless there is no example; what has examples has elements.
  void check_reached(ArrayRef<Int> x, ArrayRef<Int> out) const {
    const bool none = x[0] == Int(0) || x[1] == Int(0);
    for (std::size_t d = 2; !none && d < x.size(); ++d)
      TENON_CHECK(x[d] != Int(0), ValueError,
                  "Only zero batch or zero channel inputs are supported, but got input shape: ", x);
    bool fits = true;
    for (std::size_t d = 2; d < out.size(); ++d)
      fits = fits && (out[d] >= Int(transposed ? 1 : 0) || (out[0] == Int(0) && out[d] >= Int(0)));
    if (fits) return;
    std::string given, made;
    for (std::size_t d = 2; d < out.size(); ++d) {
      given += concat(d == 2 ? "" : " x ", x[d]);
      made += concat(d == 2 ? "" : " x ", out[d]);
    }
    fail<ValueError>("Given input size per channel: (", given, "). Calculated output size per channel: (", made,
                     "). Output size is too small");
  }

 private:
  void check_reach(ArrayRef<Int> x, ArrayRef<Int> w) const {
    bool fits = true;
    std::string padded, kernel;
    for (std::size_t d = 0; d + 2 < x.size(); ++d)
      fits = fits && !(x[d + 2] + 2 * padding[d] < dilation[d] * (w[d + 2] - 1) + 1);
    if (fits) return;
    for (std::size_t d = 0; d + 2 < x.size(); ++d) {
      padded += concat(d ? " x " : "", x[d + 2] + 2 * padding[d]);
      kernel += concat(d ? " x " : "", dilation[d] * (w[d + 2] - 1) + 1);
    }
    fail<ValueError>("Calculated padded input size per channel: (", padded, "). Kernel size: (", kernel,
                     "). Kernel size can't be greater than actual input size");
  }
  /// A bias is brought to the input's dtype: of a transposed convolution it is added in place, which casts less, as in
  /// PyTorch. The operators of one number of dimensions ask for the input's.
  void check_dtypes(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias) const {
    TENON_CHECK(input.dtype() == weight.dtype(), TypeError, "Input type (", input.dtype(), ") and weight type (",
                weight.dtype(), ") should be the same");
    if (transposed && bias && bias->defined())
      TENON_CHECK(can_cast(bias->dtype(), input.dtype()), TypeError, "Input type (", input.dtype(), ") and bias type (",
                  bias->dtype(), ") should be the same");
  }
};

/// Channels last where the input or the weight is, for the dtypes with such a kernel.
inline MemoryFormat convolution_format(const Tensor& input, const Tensor& weight) {
  ScalarType t = input.dtype();
  if (input.dim() < 4 || !is_floating_type(t) || t == kDouble) return MemoryFormat::Contiguous;
  MemoryFormat last = input.dim() == 5 ? MemoryFormat::ChannelsLast3d : MemoryFormat::ChannelsLast;
  auto suggests = [&](const Tensor& x) {
    return (x.is_symbolic() ? tenon::detail::sym_suggest_memory_format(x) : x.suggest_memory_format()) == last;
  };
  return suggests(input) || suggests(weight) ? last : MemoryFormat::Contiguous;
}

/// Whether the result of a signal has its channels last: PyTorch takes a signal for an image of one row whose input is
/// dense, and asks the weight [out, in, 1, taps].
template <class Int>
bool signal_has_channels_last(const Tensor& weight) {
  ScalarType t = weight.dtype();
  if (weight.dim() != 3 || !is_floating_type(t) || t == kDouble) return false;
  ArrayRef<Int> sizes = sizes_of<Int>(weight), strides = strides_of<Int>(weight);
  for (const Int& n : sizes)
    if (n == Int(0)) return false;
  if (strides[1] == Int(0) || strides[2] < strides[1] * sizes[1]) return false;
  Int row = strides[2] * sizes[2];
  return strides[0] >= row && row != strides[1];
}

struct convolution_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias,
                  ArrayRef<Int> stride, ArrayRef<Int> padding, ArrayRef<Int> dilation, bool transposed,
                  ArrayRef<Int> output_padding, const Int& groups) const {
    TENON_CHECK(weight.dim() > 2, ValueError, "weight should have at least three dimensions");
    TENON_CHECK(weight.dim() <= 5, ValueError, "expected at most three spatial dimensions, got ", weight.dim() - 2);
    ConvolutionParameters<Int> p(weight.dim() - 2, stride, padding, dilation, transposed, output_padding, groups);
    p.check(input, weight, bias);
    dims_t<Int> sizes = p.output_sizes(sizes_of<Int>(input), sizes_of<Int>(weight));
    p.check_reached(sizes_of<Int>(input), sizes);
    MemoryFormat format = convolution_format(input, weight);
    dims_t<Int> strides = format == MemoryFormat::Contiguous ? dims_t<Int>() : strides_for(sizes, format);
    if (signal_has_channels_last<Int>(weight)) strides = dims_t<Int>{sizes[1] * sizes[2], Int(1), sizes[1]};
    out.set_output_raw_strided(0, ArrayRef<Int>(sizes), ArrayRef<Int>(strides), input.dtype(), input.device());
  }
};

template <class Int>
void check_convolution_backward(const Tensor& grad, const Tensor& input, const Tensor& weight,
                                const ConvolutionParameters<Int>& p) {
  p.check(input, weight, std::nullopt);
  dims_t<Int> sizes = p.output_sizes(sizes_of<Int>(input), sizes_of<Int>(weight));
  TENON_CHECK(sizes_of<Int>(grad) == ArrayRef<Int>(sizes), ValueError, "Expected grad_output of shape ", sizes,
              ", but got ", grad.sym_sizes());
}
using ThreeTensors = std::tuple<Tensor, Tensor, Tensor>;
inline ThreeTensors convolution_backward_meta(const Tensor& grad, const Tensor& input, const Tensor& weight,
                                              std::optional<SymIntArrayRef>, SymIntArrayRef stride,
                                              SymIntArrayRef padding, SymIntArrayRef dilation, bool transposed,
                                              SymIntArrayRef output_padding, SymInt groups, ArrayRef<bool> mask) {
  ConvolutionParameters<SymInt> p(weight.dim() - 2, stride, padding, dilation, transposed, output_padding, groups);
  check_convolution_backward(grad, input, weight, p);
  MemoryFormat format = convolution_format(input, weight);
  auto like = [&](bool wanted, SymIntArrayRef sizes) {
    return wanted ? make_tensor_symbolic(sizes, sizes.size() < 2 ? SymDimVector() : strides_for(sizes, format),
                                         grad.dtype(), grad.device())
                  : Tensor();
  };
  return {like(mask[0], input.sym_sizes()), like(mask[1], weight.sym_sizes()),
          like(mask[2], SymDimVector{grad.sym_size(1)})};
}

}  // namespace convolutions

TENON_LIBRARY_FRAGMENT(aten, m) {
  define_forms(m, ops::convolution_backward_base);
  implement_out_by_copy<ops::convolution_backward_base_op>(m, CallSite::now());
}
TENON_LIBRARY_IMPL(aten, Meta, m) {
  m.impl<ops::convolution_backward_base, &convolutions::convolution_backward_meta>();
}

}  // namespace tenon::composite

namespace tenon::ops {

TENON_STRUCTURED_OF(convolution_base, composite::convolutions::convolution_meta);

}  // namespace tenon::ops
