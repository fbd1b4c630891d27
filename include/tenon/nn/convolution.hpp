// Convolution layers of one to three dimensions, and their transposes.
#pragma once
#include <cstdint>
#include <string>

#include <tenon/nn/calling.hpp>
#include <tenon/nn/fields.hpp>
#include <tenon/nn/parameter.hpp>
#include <tenon/tensor/default_dtype.hpp>

namespace tenon::nn {

/// The padding of a convolution: sizes, or "same" or "valid".
template <std::size_t Rank>
class ConvPadding {
 public:
  // A template, lest 0 be a null pointer to a word.
  template <class At>
    requires std::is_integral_v<At> ConvPadding(At all) : sizes_(static_cast<std::int64_t>(all)) {}
    ConvPadding(std::initializer_list<std::int64_t> each) : sizes_(each) {}
    ConvPadding(const Sizes<Rank>& sizes) : sizes_(sizes) {}
    ConvPadding(const char* word) : word_(word) {}
    ConvPadding(std::string word) : word_(std::move(word)) {}
    const std::string& word() const { return word_; }
    const Sizes<Rank>& sizes() const { return sizes_; }

   private:
    std::string word_;
    Sizes<Rank> sizes_ = 0;
};

namespace detail {
/// What layers of all ranks give to the functions that are compiled once.
struct ConvGeometry {
  const char* name;
  std::int64_t in_channels, out_channels, groups;
  IntArrayRef kernel_size, stride, padding, dilation, output_padding;
  const std::string &padding_word, &padding_mode;
  bool transposed;
  ScalarType dtype;
};
/// The weight as PyTorch draws it, and the bias after it where it is wanted. Errors: ValueError for what fits no layer.
Tensor new_parameters(const ConvGeometry& g, Parameter& bias);
Tensor convolve(const ConvGeometry& g, const Tensor& x, const Tensor& weight, const Tensor& bias,
                IntArrayRef output_size = {});
std::string describe(const ConvGeometry& g, bool bias);
}  // namespace detail

/// Cross-correlation of channels with learned kernels: `Conv2d{3, 16, 3}`,
/// `Conv2d{.in_channels = 3, .out_channels = 16, .kernel_size = {3, 5}, .padding = "same"}`.
/// Shapes: x (N, in, L..) or (in, L..), the result (N, out, L'..); weight (out, in / groups, kernel..), bias (out).
/// `padding_mode`: "zeros", "reflect", "replicate" or "circular". Errors: ValueError for channels that groups do not
/// divide and for "same" with strides.
template <std::size_t Rank>
struct Conv {
  Count in_channels, out_channels;
  Sizes<Rank> kernel_size;
  Sizes<Rank> stride = 1;
  ConvPadding<Rank> padding = 0;
  Sizes<Rank> dilation = 1;
  Count groups = 1;
  Parameter bias = true;
  std::string padding_mode = "zeros";
  ScalarType dtype = get_default_dtype();
  Parameter weight = detail::new_parameters(geometry(), bias);

  Tensor operator()(const Tensor& x) const { return Calling(this)(detail::convolve(geometry(), x, weight, bias)); }
  std::string extra_repr() const { return detail::describe(geometry(), bias.defined()); }
  detail::ConvGeometry geometry() const {
    static constexpr const char* names[] = {"Conv1d", "Conv2d", "Conv3d"};
    return {names[Rank - 1], in_channels, out_channels,   groups,       kernel_size, stride, padding.sizes(),
            dilation,        {},          padding.word(), padding_mode, false,       dtype};
  }
  TENON_FIELDS(weight, bias)
};
using Conv1d = Conv<1>;
using Conv2d = Conv<2>;
using Conv3d = Conv<3>;

/// The gradient of a convolution by its input, as a layer. Shapes: x (N, in, L..), weight (in, out / groups, kernel..).
/// `layer(x, output_size)` chooses among the sizes that a stride leaves open.
template <std::size_t Rank>
struct ConvTranspose {
  Count in_channels, out_channels;
  Sizes<Rank> kernel_size;
  Sizes<Rank> stride = 1;
  Sizes<Rank> padding = 0;
  Sizes<Rank> output_padding = 0;
  Count groups = 1;
  Parameter bias = true;
  Sizes<Rank> dilation = 1;
  std::string padding_mode = "zeros";
  ScalarType dtype = get_default_dtype();
  Parameter weight = detail::new_parameters(geometry(), bias);

  Tensor operator()(const Tensor& x, IntArrayRef output_size = {}) const {
    return Calling(this)(detail::convolve(geometry(), x, weight, bias, output_size));
  }
  std::string extra_repr() const { return detail::describe(geometry(), bias.defined()); }
  detail::ConvGeometry geometry() const {
    static constexpr const char* names[] = {"ConvTranspose1d", "ConvTranspose2d", "ConvTranspose3d"};
    static const std::string none;
    return {names[Rank - 1], in_channels,    out_channels, groups,       kernel_size, stride, padding,
            dilation,        output_padding, none,         padding_mode, true,        dtype};
  }
  TENON_FIELDS(weight, bias)
};
using ConvTranspose1d = ConvTranspose<1>;
using ConvTranspose2d = ConvTranspose<2>;
using ConvTranspose3d = ConvTranspose<3>;

}  // namespace tenon::nn
