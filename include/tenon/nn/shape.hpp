// Layers that move elements and compute nothing.
#pragma once
#include <cstdint>
#include <vector>

#include <tenon/nn/calling.hpp>
#include <tenon/tensor/tensor.hpp>
#include <tenon/nn/functional/windows.hpp>
#include <tenon/nn/parameter.hpp>

namespace tenon::nn {

/// Joins the dimensions from `start_dim` to `end_dim`; all but the batch's unless said otherwise.
struct Flatten {
  std::int64_t start_dim = 1, end_dim = -1;
  Tensor operator()(const Tensor& x) const;
  std::string extra_repr() const { return Description().add("start_dim", start_dim).add("end_dim", end_dim).text; }
};
/// Splits one dimension into several; one of the sizes may be -1.
struct Unflatten {
  Count dim;
  std::vector<std::int64_t> unflattened_size;
  Tensor operator()(const Tensor& x) const;
  std::string extra_repr() const {
    return Description().add("dim", dim).add("unflattened_size", IntArrayRef(unflattened_size)).text;
  }
};
/// (N, C r r, H, W) to (N, C, H r, W r), and back.
struct PixelShuffle {
  Count upscale_factor;
  Tensor operator()(const Tensor& x) const;
  std::string extra_repr() const { return Description().add("upscale_factor", upscale_factor).text; }
};
struct PixelUnshuffle {
  Count downscale_factor;
  Tensor operator()(const Tensor& x) const;
  std::string extra_repr() const { return Description().add("downscale_factor", downscale_factor).text; }
};
/// Mixes channels of (N, C, ..) among groups.
struct ChannelShuffle {
  Count groups;
  Tensor operator()(const Tensor& x) const;
  std::string extra_repr() const { return Description().add("groups", groups).text; }
};

/// The windows of (N, C, H, W) as columns (N, C kh kw, L), and the sum of columns at their places.
struct Unfold {
  Sizes<2> kernel_size;
  Sizes<2> dilation = 1, padding = 0, stride = 1;
  Tensor operator()(const Tensor& x) const {
    return Calling(this)(functional::unfold(x, kernel_size, dilation, padding, stride));
  }
  std::string extra_repr() const {
    return Description()
        .add_short("kernel_size", kernel_size)
        .add_short("dilation", dilation)
        .add_short("padding", padding)
        .add_short("stride", stride)
        .text;
  }
};
struct Fold {
  Sizes<2> output_size, kernel_size;
  Sizes<2> dilation = 1, padding = 0, stride = 1;
  Tensor operator()(const Tensor& x) const {
    return Calling(this)(functional::fold(x, output_size, kernel_size, dilation, padding, stride));
  }
  std::string extra_repr() const {
    return Description()
        .add_short("output_size", output_size)
        .value(Unfold{kernel_size, dilation, padding, stride}.extra_repr())
        .text;
  }
};

}  // namespace tenon::nn
