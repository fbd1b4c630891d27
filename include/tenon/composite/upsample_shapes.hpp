// Shapes and errors of up- and downsampling.
#pragma once
#include <optional>

#include <tenon/composite/pooling_shapes.hpp>
#include <tenon/ops/upsample.hpp>

namespace tenon::composite {

namespace upsampling {

using Factor = std::optional<double>;

template <class Int>
dims_t<Int> resampled(const Tensor& self, ArrayRef<Int> input, ArrayRef<Int> size, std::size_t dims) {
  TENON_CHECK(size.size() == dims, ValueError, "It is expected output_size equals to ", dims, ", but got size ",
              size.size());
  TENON_CHECK(input.size() == dims + 2, ValueError, "It is expected input_size equals to ", dims + 2, ", but got size ",
              input.size());
  dims_t<Int> out(input);
  for (std::size_t i = 0; i < dims; ++i) {
    TENON_CHECK(input[i + 2] > Int(0) && size[i] > Int(0), ValueError,
                "Input and output sizes should be greater than 0, but got input ", input.slice(2, dims), " output ",
                size);
    out[i + 2] = size[i];
  }
  TENON_CHECK(input[1] != Int(0), ValueError, "Non-empty ", dims + 2,
              "D data tensor expected but got a tensor with sizes ", self.sym_sizes());
  return out;
}
template <std::size_t Dims, class... Rest>
struct meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, ArrayRef<Int> size, Rest...) const {
    pooling::set_like<Int>(out, 0, self, resampled<Int>(self, sizes_of<Int>(self), size, Dims), self.dtype());
  }
};
template <std::size_t Dims, class... Rest>
struct backward_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& grad, ArrayRef<Int> size, ArrayRef<Int> input, Rest...) const {
    pooling::check_same_shape<Int>(grad, ArrayRef<Int>(resampled<Int>(grad, input, size, Dims)), "grad_output");
    pooling::set_like<Int>(out, 0, grad, dims_t<Int>(input), grad.dtype());
  }
};

}  // namespace upsampling

}  // namespace tenon::composite

namespace tenon::ops {

#define TENON_INTERNAL_RESAMPLED(NAME, ...)                                   \
  TENON_STRUCTURED_OF(NAME##_base, composite::upsampling::meta<__VA_ARGS__>); \
  TENON_STRUCTURED_OF(NAME##_backward_base, composite::upsampling::backward_meta<__VA_ARGS__>)
using UpsampleFactor = composite::upsampling::Factor;
TENON_INTERNAL_RESAMPLED(upsample_nearest1d, 1, UpsampleFactor);
TENON_INTERNAL_RESAMPLED(upsample_nearest2d, 2, UpsampleFactor, UpsampleFactor);
TENON_INTERNAL_RESAMPLED(upsample_nearest3d, 3, UpsampleFactor, UpsampleFactor, UpsampleFactor);
TENON_INTERNAL_RESAMPLED(_upsample_nearest_exact1d, 1, UpsampleFactor);
TENON_INTERNAL_RESAMPLED(_upsample_nearest_exact2d, 2, UpsampleFactor, UpsampleFactor);
TENON_INTERNAL_RESAMPLED(_upsample_nearest_exact3d, 3, UpsampleFactor, UpsampleFactor, UpsampleFactor);
TENON_INTERNAL_RESAMPLED(upsample_linear1d, 1, bool, UpsampleFactor);
TENON_INTERNAL_RESAMPLED(upsample_bilinear2d, 2, bool, UpsampleFactor, UpsampleFactor);
TENON_INTERNAL_RESAMPLED(upsample_trilinear3d, 3, bool, UpsampleFactor, UpsampleFactor, UpsampleFactor);
TENON_INTERNAL_RESAMPLED(upsample_bicubic2d, 2, bool, UpsampleFactor, UpsampleFactor);
TENON_INTERNAL_RESAMPLED(_upsample_bilinear2d_aa, 2, bool, UpsampleFactor, UpsampleFactor);
TENON_INTERNAL_RESAMPLED(_upsample_bicubic2d_aa, 2, bool, UpsampleFactor, UpsampleFactor);
#undef TENON_INTERNAL_RESAMPLED

}  // namespace tenon::ops
