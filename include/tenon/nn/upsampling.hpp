// Layers that resize images.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include <tenon/nn/calling.hpp>
#include <tenon/nn/one_or_several.hpp>
#include <tenon/nn/parameter.hpp>

namespace tenon::nn {

/// Resizes (N, C, L..) to a size or by a factor: `Upsample{.scale_factor = 2, .mode = "bilinear"}`; one number stands
/// for all dimensions. Modes: nearest, linear, bilinear, bicubic, trilinear. Errors: ValueError unless one is given.
struct Upsample {
  OneOrSeveral<std::int64_t> size = {};
  OneOrSeveral<double> scale_factor = {};
  std::string mode = "nearest";
  std::optional<bool> align_corners = std::nullopt, recompute_scale_factor = std::nullopt;

  Tensor operator()(const Tensor& x) const;
  std::string extra_repr() const;
};
struct UpsamplingNearest2d {
  OneOrSeveral<std::int64_t> size = {};
  OneOrSeveral<double> scale_factor = {};
  Tensor operator()(const Tensor& x) const { return Calling(this)(Upsample{size, scale_factor}(x)); }
  std::string extra_repr() const { return Upsample{size, scale_factor}.extra_repr(); }
};
struct UpsamplingBilinear2d {
  OneOrSeveral<std::int64_t> size = {};
  OneOrSeveral<double> scale_factor = {};
  Tensor operator()(const Tensor& x) const { return Calling(this)(Upsample{size, scale_factor, "bilinear", true}(x)); }
  std::string extra_repr() const { return Upsample{size, scale_factor, "bilinear"}.extra_repr(); }
};

}  // namespace tenon::nn
