// Shapes and errors of up- and downsampling, and what the kernels of every device have in common.
#pragma once
#include <optional>
#include <type_traits>

#include <tenon/composite/pooling_shapes.hpp>
#include <tenon/composite/resample_taps.hpp>
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
template <Sampling How, std::size_t Dims, class... Rest>
struct backward_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& grad, ArrayRef<Int> size, ArrayRef<Int> input, Rest...) const {
    pooling::check_same_shape<Int>(grad, ArrayRef<Int>(resampled<Int>(grad, input, size, Dims)), "grad_output");
    // That of nearest elements in three dimensions is in row-major order in PyTorch.
    // That by cubic pieces is so too, of any layout.
    constexpr std::size_t kept = Dims == 3 && (How == Sampling::Nearest || How == Sampling::NearestExact) ? 3 : 2;
    if constexpr (How == Sampling::Cubic || How == Sampling::FilteredCubic)
      out.set_output_raw_strided(0, dims_t<Int>(input), {}, grad.dtype(), grad.device());
    else
      pooling::set_plain_3d<Int, kept>(out, 0, grad, dims_t<Int>(input), grad.dtype());
  }
};

/// The kernels of one such operator: RUN(how, back, align_corners, factors, from, to) does the work.
template <auto Run, Sampling How, class... Rest>
struct resampling {
  static void run(bool back, const Tensor& from, const Tensor& to, const Rest&... rest) {
    bool align_corners = false;
    Factor factors[3];
    std::size_t n = 0;
    auto take = [&](const auto& x) {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(x)>, bool>)
        align_corners = x;
      else
        factors[n++] = x;
    };
    (take(rest), ...);
    Run(How, back, align_corners, factors, from, to);
  }
  static void forward(const Tensor& self, IntArrayRef, Rest... rest, const Tensor& out) {
    run(false, self, out, rest...);
  }
  static void backward(const Tensor& grad, IntArrayRef, IntArrayRef, Rest... rest, const Tensor& out) {
    run(true, grad, out, rest...);
  }
};

}  // namespace upsampling

}  // namespace tenon::composite

namespace tenon::ops {

using UpsampleFactor = composite::upsampling::Factor;
/// ROW(operator, how, spatial dimensions, types of what follows the sizes) for each.
#define TENON_INTERNAL_RESAMPLINGS(ROW)                                                            \
  ROW(upsample_nearest1d, Nearest, 1, UpsampleFactor);                                             \
  ROW(upsample_nearest2d, Nearest, 2, UpsampleFactor, UpsampleFactor);                             \
  ROW(upsample_nearest3d, Nearest, 3, UpsampleFactor, UpsampleFactor, UpsampleFactor);             \
  ROW(_upsample_nearest_exact1d, NearestExact, 1, UpsampleFactor);                                 \
  ROW(_upsample_nearest_exact2d, NearestExact, 2, UpsampleFactor, UpsampleFactor);                 \
  ROW(_upsample_nearest_exact3d, NearestExact, 3, UpsampleFactor, UpsampleFactor, UpsampleFactor); \
  ROW(upsample_linear1d, Linear, 1, bool, UpsampleFactor);                                         \
  ROW(upsample_bilinear2d, Linear, 2, bool, UpsampleFactor, UpsampleFactor);                       \
  ROW(upsample_trilinear3d, Linear, 3, bool, UpsampleFactor, UpsampleFactor, UpsampleFactor);      \
  ROW(upsample_bicubic2d, Cubic, 2, bool, UpsampleFactor, UpsampleFactor);                         \
  ROW(_upsample_bilinear2d_aa, FilteredLinear, 2, bool, UpsampleFactor, UpsampleFactor);           \
  ROW(_upsample_bicubic2d_aa, FilteredCubic, 2, bool, UpsampleFactor, UpsampleFactor);             \
  ROW(_upsample_lanczos2d_aa, FilteredLanczos, 2, bool, UpsampleFactor, UpsampleFactor)
#define TENON_INTERNAL_SHAPES(NAME, HOW, ...)                                 \
  TENON_STRUCTURED_OF(NAME##_base, composite::upsampling::meta<__VA_ARGS__>); \
  TENON_STRUCTURED_OF(NAME##_backward_base, composite::upsampling::backward_meta<composite::Sampling::HOW, __VA_ARGS__>)
TENON_INTERNAL_RESAMPLINGS(TENON_INTERNAL_SHAPES);
#undef TENON_INTERNAL_SHAPES

}  // namespace tenon::ops
