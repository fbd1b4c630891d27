// Layers that move elements, by operators.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/nn/shape.hpp>
#include <tenon/ops/pixels.hpp>
#include <tenon/ops/split.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/ops/axes.hpp>

namespace tenon::nn {

TENON_BODY Tensor Flatten::operator()(const Tensor& x) const {
  return Calling(this)(ops::flatten(x, start_dim, end_dim));
}
TENON_BODY Tensor Unflatten::operator()(const Tensor& x) const {
  return Calling(this)(ops::unflatten(x, dim, IntArrayRef(unflattened_size)));
}
TENON_BODY Tensor PixelShuffle::operator()(const Tensor& x) const {
  return Calling(this)(ops::pixel_shuffle(x, upscale_factor));
}
TENON_BODY Tensor PixelUnshuffle::operator()(const Tensor& x) const {
  return Calling(this)(ops::pixel_unshuffle(x, downscale_factor));
}
TENON_BODY Tensor ChannelShuffle::operator()(const Tensor& x) const {
  return Calling(this)(ops::channel_shuffle(x, std::int64_t{groups}));
}

}  // namespace tenon::nn
