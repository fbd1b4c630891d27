// Resizing images and sampling them at points, with PyTorch's names and defaults.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

#include <tenon/nn/one_or_several.hpp>
#include <tenon/tensor/tensor.hpp>

namespace tenon::nn::functional {

struct InterpolateOptions {
  OneOrSeveral<std::int64_t> size = {};    ///< of each spatial dimension, or of all
  OneOrSeveral<double> scale_factor = {};  ///< the same for factors
  std::string_view mode = "nearest";
  std::optional<bool> align_corners = {};
  std::optional<bool> recompute_scale_factor = {};
  bool antialias = false;
};
/// Resizes the spatial dimensions of (N, C, ..), `interpolate(x, {.scale_factor = 2.0})`: nearest, nearest-exact,
/// linear, bilinear, trilinear, bicubic, area, lanczos (of four dimensions, with antialias). Errors: ValueError unless
/// one of `size` and `scale_factor` is given, and where a mode does not fit.
Tensor interpolate(const Tensor& input, const InterpolateOptions& o = {});

struct UpsampleOptions {
  OneOrSeveral<std::int64_t> size = {};
  OneOrSeveral<double> scale_factor = {};
  std::string_view mode = "nearest";
  std::optional<bool> align_corners = {};
};
/// Older names of `interpolate`, which warn: by any mode, by `nearest`, and by `bilinear` with aligned corners.
Tensor upsample(const Tensor& input, const UpsampleOptions& o = {});
struct UpsampleSizes {
  OneOrSeveral<std::int64_t> size = {};
  OneOrSeveral<double> scale_factor = {};
};
Tensor upsample_nearest(const Tensor& input, const UpsampleSizes& o = {});
Tensor upsample_bilinear(const Tensor& input, const UpsampleSizes& o = {});

struct GridSampleOptions {
  std::string_view mode = "bilinear";       ///< bilinear, nearest, bicubic
  std::string_view padding_mode = "zeros";  ///< zeros, border, reflection
  std::optional<bool> align_corners = {};
};
/// The input (N, C, H, W) at the points of a grid (N, h, w, 2) with x and y in [-1, 1]; volumes alike.
Tensor grid_sample(const Tensor& input, const Tensor& grid, const GridSampleOptions& o = {});
/// The grid of an affine map: theta (N, 2, 3) and size (N, C, H, W), or (N, 3, 4) and (N, C, D, H, W).
Tensor affine_grid(const Tensor& theta, IntArrayRef size, std::optional<bool> align_corners = {});

}  // namespace tenon::nn::functional
