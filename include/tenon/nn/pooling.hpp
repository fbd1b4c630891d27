// Layers that keep one number for each window: its largest, its mean, its norm.
#pragma once
#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include <tenon/nn/calling.hpp>
#include <tenon/nn/fields.hpp>
#include <tenon/nn/parameter.hpp>

namespace tenon::nn {

namespace detail {
struct PoolWindow {
  IntArrayRef kernel_size, stride, padding, dilation;
  bool ceil_mode;
};
std::tuple<Tensor, Tensor> max_pool(const PoolWindow& w, const Tensor& x);
Tensor avg_pool(const PoolWindow& w, const Tensor& x, bool count_include_pad,
                const std::optional<std::int64_t>& divisor_override);
Tensor lp_pool(const PoolWindow& w, const Tensor& x, double norm_type);
Tensor max_unpool(const PoolWindow& w, const Tensor& x, const Tensor& indices, IntArrayRef output_size);
Tensor adaptive_avg_pool(std::size_t n, const Tensor& x, IntArrayRef output_size);
std::tuple<Tensor, Tensor> adaptive_max_pool(std::size_t n, const Tensor& x, IntArrayRef output_size);
/// Throws ValueError unless one of the two is given and ratios are between 0 and 1; returns true.
bool check_fraction(std::size_t n, bool sized, const std::vector<double>& output_ratio);
std::tuple<Tensor, Tensor> fractional_max_pool(const Tensor& x, IntArrayRef kernel_size, IntArrayRef output_size,
                                               const std::vector<double>& output_ratio, const Tensor& samples);
enum class PoolWords : std::uint8_t { Max, Average, Norm, Unpool };
/// Sizes of which those that are kept, -1, are None.
std::string describe_output_size(IntArrayRef sizes);
std::string describe_pool(const PoolWindow& w, PoolWords words);
}  // namespace detail

// Shapes of all: x (N, C, L..) or (C, L..). Sizes have one integer for each of N dimensions, or one for all.

/// The largest element of each window; the stride is the window's size unless given.
template <std::size_t Rank>
struct MaxPool {
  Sizes<Rank> kernel_size;
  OptionalSizes<Rank> stride = {};
  Sizes<Rank> padding = 0, dilation = 1;
  bool ceil_mode = false;

  Tensor operator()(const Tensor& x) const { return Calling(this)(std::get<0>(with_indices(x))); }
  /// And where in its image each was found, for MaxUnpool.
  std::tuple<Tensor, Tensor> with_indices(const Tensor& x) const { return detail::max_pool(window(), x); }
  std::string extra_repr() const { return detail::describe_pool(window(), detail::PoolWords::Max); }
  detail::PoolWindow window() const {
    return {kernel_size, stride.value_or(kernel_size), padding, dilation, ceil_mode};
  }
};
using MaxPool1d = MaxPool<1>;
using MaxPool2d = MaxPool<2>;
using MaxPool3d = MaxPool<3>;

/// The mean of each window. `divisor_override` divides in place of the window's size.
template <std::size_t Rank>
struct AvgPool {
  Sizes<Rank> kernel_size;
  OptionalSizes<Rank> stride = {};
  Sizes<Rank> padding = 0;
  bool ceil_mode = false, count_include_pad = true;
  std::optional<std::int64_t> divisor_override = std::nullopt;

  Tensor operator()(const Tensor& x) const {
    return Calling(this)(detail::avg_pool(window(), x, count_include_pad, divisor_override));
  }
  std::string extra_repr() const { return detail::describe_pool(window(), detail::PoolWords::Average); }
  detail::PoolWindow window() const { return {kernel_size, stride.value_or(kernel_size), padding, {}, ceil_mode}; }
};
using AvgPool1d = AvgPool<1>;
using AvgPool2d = AvgPool<2>;
using AvgPool3d = AvgPool<3>;

/// The norm of each window, of the power `norm_type`.
template <std::size_t Rank>
struct LPPool {
  double norm_type;
  Sizes<Rank> kernel_size;
  OptionalSizes<Rank> stride = {};
  bool ceil_mode = false;

  Tensor operator()(const Tensor& x) const {
    return Calling(this)(detail::lp_pool({kernel_size, stride.value_or(kernel_size), {}, {}, ceil_mode}, x, norm_type));
  }
  std::string extra_repr() const {
    Description d;
    std::string window =
        detail::describe_pool({kernel_size, stride.value_or(0), {}, {}, ceil_mode}, detail::PoolWords::Norm);
    return d.add("norm_type", norm_type).value(window).text;
  }
};
using LPPool1d = LPPool<1>;
using LPPool2d = LPPool<2>;
using LPPool3d = LPPool<3>;

/// Puts the largest elements back where MaxPool found them, and zeros elsewhere.
template <std::size_t Rank>
struct MaxUnpool {
  Sizes<Rank> kernel_size;
  OptionalSizes<Rank> stride = {};
  Sizes<Rank> padding = 0;

  Tensor operator()(const Tensor& x, const Tensor& indices, IntArrayRef output_size = {}) const {
    return Calling(this)(
        detail::max_unpool({kernel_size, stride.value_or(kernel_size), padding, {}, false}, x, indices, output_size));
  }
  std::string extra_repr() const {
    return detail::describe_pool({kernel_size, stride.value_or(kernel_size), padding, {}, false},
                                 detail::PoolWords::Unpool);
  }
};
using MaxUnpool1d = MaxUnpool<1>;
using MaxUnpool2d = MaxUnpool<2>;
using MaxUnpool3d = MaxUnpool<3>;

/// Windows chosen for a size of the output; -1 keeps the input's size.
template <std::size_t Rank>
struct AdaptiveAvgPool {
  Sizes<Rank> output_size;
  Tensor operator()(const Tensor& x) const { return Calling(this)(detail::adaptive_avg_pool(Rank, x, output_size)); }
  std::string extra_repr() const { return detail::describe_output_size(output_size); }
};
using AdaptiveAvgPool1d = AdaptiveAvgPool<1>;
using AdaptiveAvgPool2d = AdaptiveAvgPool<2>;
using AdaptiveAvgPool3d = AdaptiveAvgPool<3>;
template <std::size_t Rank>
struct AdaptiveMaxPool {
  Sizes<Rank> output_size;
  Tensor operator()(const Tensor& x) const { return Calling(this)(std::get<0>(with_indices(x))); }
  std::tuple<Tensor, Tensor> with_indices(const Tensor& x) const {
    return detail::adaptive_max_pool(Rank, x, output_size);
  }
  std::string extra_repr() const { return detail::describe_output_size(output_size); }
};
using AdaptiveMaxPool1d = AdaptiveMaxPool<1>;
using AdaptiveMaxPool2d = AdaptiveMaxPool<2>;
using AdaptiveMaxPool3d = AdaptiveMaxPool<3>;

/// Windows at random places (Graham, 2014), so that the output has a size or is a fraction of the input.
/// `random_samples` (N, C, dims) sets the places. Errors: ValueError unless one of the two is given.
template <std::size_t Rank>
struct FractionalMaxPool {
  Sizes<Rank> kernel_size;
  OptionalSizes<Rank> output_size = {};
  std::vector<double> output_ratio = {};
  Buffer random_samples = {};
  bool checked = detail::check_fraction(Rank, output_size.given(), output_ratio);

  Tensor operator()(const Tensor& x) const { return Calling(this)(std::get<0>(with_indices(x))); }
  std::tuple<Tensor, Tensor> with_indices(const Tensor& x) const {
    return detail::fractional_max_pool(x, kernel_size,
                                       output_size.given() ? IntArrayRef(output_size.value_or(0)) : IntArrayRef(),
                                       output_ratio, random_samples);
  }
  TENON_FIELDS_AS("_random_samples", random_samples)
};
using FractionalMaxPool2d = FractionalMaxPool<2>;
using FractionalMaxPool3d = FractionalMaxPool<3>;

}  // namespace tenon::nn
