// Convolutions by dimension, with padding by name, and the second derivative, made of `convolution`.
#pragma once
#include <algorithm>

#include <tenon/library/library.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/composite/out_by_copy.hpp>
#include <tenon/ops/convolution.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/linalg.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/tensor/symbolic.hpp>

namespace tenon::composite {

using OptionalTensor = std::optional<Tensor>;

/// The tensor if it is there and defined.
inline OptionalTensor given(const OptionalTensor& t) { return t && t->defined() ? t : std::nullopt; }

namespace convolutions {

/// The input with a batch dimension, and whether it had one.
inline std::pair<Tensor, bool> batched(const Tensor& input, std::int64_t dims, const char* name) {
  TENON_CHECK(input.dim() == dims + 1 || input.dim() == dims + 2, ValueError, "Expected ", dims + 1,
              "D (unbatched) or ", dims + 2, "D (batched) input to ", name,
              ", but got input of size: ", input.sym_sizes());
  bool whole = input.dim() == dims + 2;
  return {whole ? input : Tensor(ops::unsqueeze(input, 0)), whole};
}
inline Tensor unbatched(const Tensor& out, bool whole) { return whole ? out : Tensor(ops::squeeze(out, 0)); }
inline void check_bias(const Tensor& input, const OptionalTensor& bias) {
  if (given(bias))
    TENON_CHECK(bias->dtype() == input.dtype(), TypeError, "Input type (", input.dtype(), ") and bias type (",
                bias->dtype(), ") should be the same");
}
inline SymDimVector zeros(std::int64_t dims) { return SymDimVector(static_cast<std::size_t>(dims), SymInt(0)); }

template <int Dims>
Tensor convolve(const Tensor& input, const Tensor& weight, const OptionalTensor& bias, SymIntArrayRef stride,
                SymIntArrayRef padding, SymIntArrayRef dilation, SymInt groups) {
  static constexpr const char* names[] = {"conv1d", "conv2d", "conv3d"};
  check_bias(input, bias);
  auto [x, whole] = batched(input, Dims, names[Dims - 1]);
  return unbatched(ops::convolution(x, weight, given(bias), stride, padding, dilation, false, zeros(Dims), groups),
                   whole);
}
template <int Dims>
Tensor convolve_padded(const Tensor& input, const Tensor& weight, const OptionalTensor& bias, SymIntArrayRef stride,
                       std::string_view padding, SymIntArrayRef dilation, SymInt groups) {
  static constexpr const char* names[] = {"conv1d", "conv2d", "conv3d"};
  auto [x, whole] = batched(input, Dims, names[Dims - 1]);
  return unbatched(ops::_convolution_mode(x, weight, given(bias), stride, padding, dilation, groups), whole);
}
/// Lists whose length does not fit are refused later. Of no examples all is taken, as in PyTorch.
inline void check_output_padding(const Tensor& x, SymIntArrayRef output_padding, SymIntArrayRef stride,
                                 SymIntArrayRef dilation) {
  // One number stands for all dimensions.
  auto of = [](SymIntArrayRef list, std::size_t d) { return d < list.size() ? list[d] : list.back(); };
  if (output_padding.empty() || stride.empty() || dilation.empty()) return;
  for (std::size_t d = 0; d < std::max({output_padding.size(), stride.size(), dilation.size()}); ++d)
    TENON_CHECK(of(output_padding, d) < of(stride, d) || of(output_padding, d) < of(dilation, d) || x.sym_size(0) == 0,
                ValueError, "output padding must be smaller than either stride or dilation, but got output_padding: ",
                output_padding, ", stride: ", stride, ", dilation: ", dilation);
}
template <int Dims>
Tensor convolve_transposed(const Tensor& input, const Tensor& weight, const OptionalTensor& bias, SymIntArrayRef stride,
                           SymIntArrayRef padding, SymIntArrayRef output_padding, SymInt groups,
                           SymIntArrayRef dilation) {
  static constexpr const char* names[] = {"conv_transpose1d", "conv_transpose2d", "conv_transpose3d"};
  check_bias(input, bias);
  auto [x, whole] = batched(input, Dims, names[Dims - 1]);
  check_output_padding(x, output_padding, stride, dilation);
  return unbatched(ops::convolution(x, weight, given(bias), stride, padding, dilation, true, output_padding, groups),
                   whole);
}

/// As many results as elements of the input: what is missing on one side is padded on both and cut off again.
inline Tensor convolve_same(const Tensor& input, const Tensor& weight, const OptionalTensor& bias,
                            SymIntArrayRef stride, SymIntArrayRef dilation, SymInt groups) {
  std::int64_t dims = weight.dim() - 2;
  TENON_CHECK(dims > 0, ValueError, "weight should have at least three dimensions");
  TENON_CHECK(groups > 0, ValueError, "non-positive groups is not supported");
  auto one_or_all = [&](SymIntArrayRef list, const char* name) {
    TENON_CHECK(list.size() == 1 || static_cast<std::int64_t>(list.size()) == dims, ValueError, "expected ", name,
                " to be a single integer value or a list of ", dims,
                " values to match the convolution dimensions, but got ", name, "=", list);
  };
  one_or_all(stride, "stride");
  one_or_all(dilation, "dilation");
  for (const SymInt& s : stride)
    TENON_CHECK(s == 1, ValueError, "padding='same' is not supported for strided convolutions");
  SymDimVector padding, cut;
  for (std::int64_t d = 0; d < dims; ++d) {
    SymInt total = dilation[dilation.size() == 1 ? 0 : static_cast<std::size_t>(d)] * (weight.sym_size(d + 2) - 1),
           right = (total + 1) / 2;
    padding.push_back(right);
    cut.push_back(right - total / 2);
  }
  Tensor out = ops::convolution(input, weight, given(bias), stride, padding, dilation, false, zeros(dims), groups);
  MemoryFormat format = out.is_symbolic() ? tenon::detail::sym_suggest_memory_format(out) : out.suggest_memory_format();
  if (dims == 1) format = MemoryFormat::Preserve;  // a signal with its channels last has no format of its own
  bool whole = true;
  for (std::int64_t d = 0; d < dims; ++d) {
    const SymInt& extra = cut[static_cast<std::size_t>(d)];
    if (extra == 0) continue;
    out = ops::narrow(out, d + 2, extra, out.sym_size(d + 2) - extra);
    whole = false;
  }
  return whole ? out : Tensor(ops::clone(out, format));
}
inline Tensor convolution_mode(const Tensor& input, const Tensor& weight, const OptionalTensor& bias,
                               SymIntArrayRef stride, std::string_view padding, SymIntArrayRef dilation,
                               SymInt groups) {
  if (padding == "same") return convolve_same(input, weight, bias, stride, dilation, groups);
  TENON_CHECK(padding == "valid", ValueError, "Invalid padding string: '", padding, "'");
  std::int64_t dims = weight.dim() - 2;
  TENON_CHECK(dims > 0, ValueError, "weight should have at least three dimensions");
  return ops::convolution(input, weight, given(bias), stride, zeros(dims), dilation, false, zeros(dims), groups);
}
inline Tensor _convolution(const Tensor& input, const Tensor& weight, const OptionalTensor& bias, SymIntArrayRef stride,
                           SymIntArrayRef padding, SymIntArrayRef dilation, bool transposed,
                           SymIntArrayRef output_padding, SymInt groups, bool, bool, bool, bool) {
  return ops::convolution(input, weight, given(bias), stride, padding, dilation, transposed, output_padding, groups);
}
inline Tensor _convolution_deprecated(const Tensor& input, const Tensor& weight, const OptionalTensor& bias,
                                      SymIntArrayRef stride, SymIntArrayRef padding, SymIntArrayRef dilation,
                                      bool transposed, IntArrayRef output_padding, SymInt groups, bool, bool, bool) {
  return ops::convolution(input, weight, given(bias), stride, padding, dilation, transposed, output_padding, groups);
}

/// What a back end without kernels of its own is told.
inline Tensor not_overridden(const Tensor&, const Tensor&, const OptionalTensor&, SymIntArrayRef, SymIntArrayRef,
                             SymIntArrayRef, bool, SymIntArrayRef, SymInt) {
  fail<NotImplementedError>(
      "convolution_overrideable not implemented. You are likely triggering this with tensor backend other than "
      "CPU/CUDA/MKLDNN, if this is intended, please use TORCH_LIBRARY_IMPL to override this function ");
}
using Three = std::tuple<Tensor, Tensor, Tensor>;
inline Three backward_not_overridden(const Tensor&, const Tensor&, const Tensor&, SymIntArrayRef, SymIntArrayRef,
                                     SymIntArrayRef, bool, SymIntArrayRef, SymInt, ArrayRef<bool>) {
  fail<NotImplementedError>(
      "convolution_backward_overrideable: You are likely triggering this with tensor backend other than "
      "CPU/CUDA/MKLDNN, if this is intended, please use TORCH_LIBRARY_IMPL to override this function ");
}
inline Tensor on_other_back_ends(const Tensor& input, const Tensor& weight, const OptionalTensor& bias,
                                 SymIntArrayRef stride, SymIntArrayRef padding, SymIntArrayRef dilation,
                                 bool transposed, SymIntArrayRef output_padding, SymInt groups) {
  return ops::convolution_overrideable(input, weight, given(bias), stride, padding, dilation, transposed,
                                       output_padding, groups);
}
inline Three backward_on_other_back_ends(const Tensor& grad, const Tensor& input, const Tensor& weight,
                                         std::optional<SymIntArrayRef>, SymIntArrayRef stride, SymIntArrayRef padding,
                                         SymIntArrayRef dilation, bool transposed, SymIntArrayRef output_padding,
                                         SymInt groups, ArrayRef<bool> mask) {
  return ops::convolution_backward_overrideable(grad, input, weight, stride, padding, dilation, transposed,
                                                output_padding, groups, mask);
}

/// A convolution is linear in each of input, weight and bias: its second derivatives are convolutions.
inline Three double_backward(const OptionalTensor& ggI, const OptionalTensor& ggW, const OptionalTensor& ggb,
                             const Tensor& gO, const Tensor& weight, const Tensor& self, SymIntArrayRef stride,
                             SymIntArrayRef padding, SymIntArrayRef dilation, bool transposed,
                             SymIntArrayRef output_padding, SymInt groups, ArrayRef<bool> mask) {
  auto add = [](Tensor& sum, const Tensor& t) { sum = sum.defined() ? Tensor(ops::add(sum, t)) : t; };
  auto forward = [&](const Tensor& x, const Tensor& w) {
    return ops::convolution(x, w, std::nullopt, stride, padding, dilation, transposed, output_padding, groups);
  };
  auto backward = [&](const Tensor& x, const Tensor& w, bool input) {
    bool wanted[] = {input, !input, false};
    return ops::convolution_backward(gO, x, w, std::nullopt, stride, padding, dilation, transposed, output_padding,
                                     groups, ArrayRef<bool>(wanted, 3));
  };
  Three out;
  if (mask[0]) {
    if (given(ggI)) add(std::get<0>(out), forward(*ggI, weight));
    if (given(ggW)) add(std::get<0>(out), forward(self, *ggW));
    if (given(ggb)) {
      SymDimVector shape(static_cast<std::size_t>(gO.dim()), SymInt(1));
      shape[1] = ggb->sym_size(0);
      add(std::get<0>(out), ops::expand(ops::reshape(*ggb, shape), gO.sym_sizes()));
    }
  }
  if (mask[1] && given(ggW)) std::get<1>(out) = std::get<0>(backward(self, *ggW, true));
  if (mask[2] && given(ggI)) std::get<2>(out) = std::get<1>(backward(*ggI, weight, false));
  return out;
}

}  // namespace convolutions

TENON_LIBRARY_FRAGMENT(aten, m) {
  namespace k = convolutions;
  m.def<ops::conv1d_base>().def<ops::conv2d_base>().def<ops::conv3d_base>();
  m.def<ops::conv1d_padding>().def<ops::conv2d_padding>().def<ops::conv3d_padding>();
  m.def<ops::conv_transpose1d_base>().def<ops::conv_transpose2d_input>().def<ops::conv_transpose3d_input>();
  define_with_copied_out(m, ops::_convolution_base);
  m.def<ops::_convolution_deprecated>().def<ops::_convolution_mode_base>();
  m.def<ops::_convolution_double_backward_base>();
  m.def<ops::convolution_overrideable_base>().def<ops::convolution_backward_overrideable_base>();
  m.impl<ops::conv1d_base, &k::convolve<1>>()
      .impl<ops::conv2d_base, &k::convolve<2>>()
      .impl<ops::conv3d_base, &k::convolve<3>>()
      .impl<ops::conv1d_padding, &k::convolve_padded<1>>()
      .impl<ops::conv2d_padding, &k::convolve_padded<2>>()
      .impl<ops::conv3d_padding, &k::convolve_padded<3>>()
      .impl<ops::conv_transpose1d_base, &k::convolve_transposed<1>>()
      .impl<ops::conv_transpose2d_input, &k::convolve_transposed<2>>()
      .impl<ops::conv_transpose3d_input, &k::convolve_transposed<3>>()
      .impl<ops::_convolution_base, &k::_convolution>()
      .impl<ops::_convolution_deprecated, &k::_convolution_deprecated>()
      .impl<ops::_convolution_mode_base, &k::convolution_mode>()
      .impl<ops::_convolution_double_backward_base, &k::double_backward>();
  m.impl<ops::convolution_overrideable_base, &k::not_overridden>(DispatchKey::CompositeExplicitAutograd)
      .impl<ops::convolution_backward_overrideable_base, &k::backward_not_overridden>(
          DispatchKey::CompositeExplicitAutograd)
      .impl<ops::convolution_base, &k::on_other_back_ends>(DispatchKey::CompositeExplicitAutograd)
      .impl<ops::convolution_backward_base, &k::backward_on_other_back_ends>(DispatchKey::CompositeExplicitAutograd);
}

}  // namespace tenon::composite
