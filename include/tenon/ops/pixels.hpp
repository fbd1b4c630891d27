// Channels as places in an image, and in another order.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace pixels_family {

TENON_OPERATORS_OUT(pixel_shuffle, (base, "aten::pixel_shuffle(Tensor self, int upscale_factor) -> Tensor",
                                    out_tags({Tag::generated})));
TENON_OPERATORS_OUT(pixel_unshuffle, (base, "aten::pixel_unshuffle(Tensor self, int downscale_factor) -> Tensor",
                                      out_tags({Tag::generated})));
TENON_OPERATORS_OUT(channel_shuffle,
                    (base, "aten::channel_shuffle(Tensor self, SymInt groups) -> Tensor", out_tags({Tag::generated})));
TENON_OPERATORS_PLAIN(native_channel_shuffle, "aten::native_channel_shuffle(Tensor self, SymInt groups) -> Tensor");

}  // namespace pixels_family
}  // namespace tenon::ops
