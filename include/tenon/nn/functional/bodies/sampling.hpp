// Resizing images and sampling them at points, by operators.
#pragma once
#include <cmath>

#include <tenon/base/body.hpp>
#include <tenon/base/warning.hpp>
#include <tenon/nn/functional/sampling.hpp>
#include <tenon/ops/grid_sampler.hpp>
#include <tenon/ops/pooling.hpp>
#include <tenon/ops/upsample.hpp>
#include <tenon/tensor/symbolic.hpp>

namespace tenon::nn::functional {

namespace detail {

using Size = std::optional<SymIntArrayRef>;
using Factors = std::optional<ArrayRef<double>>;
inline void check_count(std::size_t given, std::size_t dims, const char* what) {
  TENON_CHECK(given == dims, ValueError, "Input and ", what,
              " must have the same number of spatial dimensions, but got input with ", dims, " spatial dimensions and ",
              given, " numbers");
}
inline Tensor interpolate_area(const Tensor& input, const std::vector<std::int64_t>& size) {
  switch (input.dim()) {
    case 3: return ops::adaptive_avg_pool1d(input, IntArrayRef(size));
    case 4: return ops::adaptive_avg_pool2d(input, IntArrayRef(size));
    default: return ops::adaptive_avg_pool3d(input, IntArrayRef(size));
  }
}
inline Tensor interpolate_by(const Tensor& x, std::string_view mode, bool align, bool filtered, const Size& size,
                             const Factors& factors) {
  std::int64_t n = x.dim();
  if (mode == "nearest")
    return n == 3   ? ops::upsample_nearest1d_vec(x, size, factors)
           : n == 4 ? ops::upsample_nearest2d_vec(x, size, factors)
                    : ops::upsample_nearest3d_vec(x, size, factors);
  if (mode == "nearest-exact")
    return n == 3   ? ops::_upsample_nearest_exact1d_vec(x, size, factors)
           : n == 4 ? ops::_upsample_nearest_exact2d_vec(x, size, factors)
                    : ops::_upsample_nearest_exact3d_vec(x, size, factors);
  if (mode == "linear" && n == 3) return ops::upsample_linear1d_vec(x, size, align, factors);
  if (mode == "bilinear" && n == 4)
    return filtered ? ops::_upsample_bilinear2d_aa_vec(x, size, align, factors)
                    : ops::upsample_bilinear2d_vec(x, size, align, factors);
  if (mode == "trilinear" && n == 5) return ops::upsample_trilinear3d_vec(x, size, align, factors);
  if (mode == "bicubic" && n == 4)
    return filtered ? ops::_upsample_bicubic2d_aa_vec(x, size, align, factors)
                    : ops::upsample_bicubic2d_vec(x, size, align, factors);
  if (mode == "lanczos" && n == 4) {
    TENON_CHECK(!align, ValueError, "Lanczos mode does not support align_corners=True");
    TENON_CHECK(filtered, ValueError, "Lanczos mode requires antialias=True");
    return ops::_upsample_lanczos2d_aa_vec(x, size, align, factors);
  }
  fail<NotImplementedError>(
      "Input Error: Only 3D, 4D and 5D input Tensors supported (got ", n,
      "D) for the modes: nearest | linear | bilinear | bicubic | trilinear | lanczos | area | nearest-exact "
      "(got ",
      mode, ")");
}

}  // namespace detail

TENON_BODY Tensor interpolate(const Tensor& input, const InterpolateOptions& o) {
  bool plain = o.mode == "nearest" || o.mode == "area" || o.mode == "nearest-exact";
  TENON_CHECK(!plain || !o.align_corners, ValueError,
              "align_corners option can only be set with the interpolating modes: linear | bilinear | bicubic | "
              "trilinear");
  TENON_CHECK(input.dim() >= 3 && input.dim() <= 5, NotImplementedError,
              "Input Error: Only 3D, 4D and 5D input Tensors supported, got ", input.dim(), "D");
  TENON_CHECK(o.size.empty() || o.scale_factor.empty(), ValueError,
              "only one of size or scale_factor should be defined");
  TENON_CHECK(!o.size.empty() || !o.scale_factor.empty(), ValueError, "either size or scale_factor should be defined");
  auto dims = static_cast<std::size_t>(input.dim() - 2);
  bool recompute = o.recompute_scale_factor.value_or(false);
  TENON_CHECK(!recompute || o.size.empty(), ValueError,
              "recompute_scale_factor is not meaningful with an explicit size.");
  TENON_CHECK(
      !o.antialias || ((o.mode == "bilinear" || o.mode == "bicubic" || o.mode == "lanczos") && input.dim() == 4),
      ValueError,
      "Anti-alias option is restricted to bilinear, bicubic, and lanczos modes and requires a 4-D tensor as input");
  std::vector<std::int64_t> size = o.size.expanded(dims);
  std::vector<double> factors = o.scale_factor.expanded(dims);
  size.empty() ? detail::check_count(factors.size(), dims, "scale_factor")
               : detail::check_count(size.size(), dims, "output size");
  if (size.empty() && (recompute || o.mode == "area"))
    for (std::size_t i = 0; i < dims; ++i)
      size.push_back(static_cast<std::int64_t>(
          std::floor(static_cast<double>(input.size(static_cast<std::int64_t>(i) + 2)) * factors[i])));
  if (o.mode == "area") return detail::interpolate_area(input, size);
  SymDimVector sym_size{IntArrayRef(size)};
  detail::Size to = size.empty() ? detail::Size() : detail::Size(SymIntArrayRef(sym_size));
  detail::Factors by = size.empty() ? detail::Factors(ArrayRef<double>(factors)) : detail::Factors();
  return detail::interpolate_by(input, o.mode, o.align_corners.value_or(false), o.antialias, to, by);
}
namespace detail {
inline void warn_of_older_name(const char* name) {
  warn("`nn.functional.", name, "` is deprecated. Use `nn.functional.interpolate` instead.");
}
}  // namespace detail
TENON_BODY Tensor upsample(const Tensor& input, const UpsampleOptions& o) {
  detail::warn_of_older_name("upsample");
  return interpolate(
      input, {.size = o.size, .scale_factor = o.scale_factor, .mode = o.mode, .align_corners = o.align_corners});
}
TENON_BODY Tensor upsample_nearest(const Tensor& input, const UpsampleSizes& o) {
  detail::warn_of_older_name("upsample_nearest");
  return interpolate(input, {.size = o.size, .scale_factor = o.scale_factor});
}
TENON_BODY Tensor upsample_bilinear(const Tensor& input, const UpsampleSizes& o) {
  detail::warn_of_older_name("upsample_bilinear");
  return interpolate(input,
                     {.size = o.size, .scale_factor = o.scale_factor, .mode = "bilinear", .align_corners = true});
}
TENON_BODY Tensor grid_sample(const Tensor& input, const Tensor& grid, const GridSampleOptions& o) {
  std::int64_t mode = o.mode == "bilinear" ? 0 : o.mode == "nearest" ? 1 : o.mode == "bicubic" ? 2 : -1;
  std::int64_t padding = o.padding_mode == "zeros"        ? 0
                         : o.padding_mode == "border"     ? 1
                         : o.padding_mode == "reflection" ? 2
                                                          : -1;
  TENON_CHECK(mode >= 0, ValueError,
              "nn.functional.grid_sample(): expected mode to be 'bilinear', 'nearest' or 'bicubic', but got: '", o.mode,
              "'");
  TENON_CHECK(padding >= 0, ValueError,
              "nn.functional.grid_sample(): expected padding_mode to be 'zeros', 'border', or 'reflection', but got: '",
              o.padding_mode, "'");
  return ops::grid_sampler(input, grid, mode, padding, o.align_corners.value_or(false));
}
TENON_BODY Tensor affine_grid(const Tensor& theta, IntArrayRef size, std::optional<bool> align_corners) {
  return ops::affine_grid_generator(theta, size, align_corners.value_or(false));
}

}  // namespace tenon::nn::functional
