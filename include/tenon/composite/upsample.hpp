// Shapes of up- and downsampling, and their forms that take factors instead of sizes.
#pragma once
#include <cmath>

#include <tenon/composite/out_by_copy.hpp>
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

/// The size of a result by exactly one of sizes and factors.
inline SymDimVector wanted_size(const Tensor& input, const std::optional<SymIntArrayRef>& size,
                                const std::optional<ArrayRef<double>>& factors) {
  TENON_CHECK(size.has_value() != factors.has_value(), ValueError,
              "Must specify exactly one of output_size and scale_factors");
  std::size_t dims = static_cast<std::size_t>(input.dim()) - 2;
  if (size) {
    TENON_CHECK(size->size() == dims, ValueError, "expected output_size of ", dims, " numbers, got ", *size);
    return SymDimVector(*size);
  }
  TENON_CHECK(factors->size() == dims, ValueError, "expected scale_factors of ", dims, " numbers, got ",
              factors->size());
  SymDimVector out;
  for (std::size_t i = 0; i < dims; ++i) {
    double factor = (*factors)[i];
    SymInt in = input.sym_size(static_cast<std::int64_t>(i) + 2);
    bool whole = factor == std::floor(factor) && std::abs(factor) < 1e9;
    TENON_CHECK(std::isfinite(factor) && std::abs(factor) < 1e9, ValueError, "expected finite scale_factors, got ",
                factor);
    out.push_back(
        whole ? in * SymInt(static_cast<std::int64_t>(factor))
              : SymInt(static_cast<std::int64_t>(static_cast<double>(in.guard_int(__FILE__, __LINE__)) * factor)));
  }
  return out;
}
inline Factor factor_of(const std::optional<ArrayRef<double>>& factors, std::size_t i) {
  return factors ? Factor((*factors)[i]) : Factor();
}
inline void check_spatial(const Tensor& input, std::size_t dims) {
  TENON_CHECK(input.dim() == static_cast<std::int64_t>(dims) + 2, ValueError, "It is expected input_size equals to ",
              dims + 2, ", but got size ", input.dim());
}
template <auto Op, std::size_t Dims>
Tensor by_factors(const Tensor& input, std::optional<SymIntArrayRef> size, std::optional<ArrayRef<double>> factors) {
  check_spatial(input, Dims);
  SymDimVector to = wanted_size(input, size, factors);
  return [&]<std::size_t... I>(std::index_sequence<I...>)->Tensor {
    return Op(input, SymIntArrayRef(to), factor_of(factors, I)...);
  }
  (std::make_index_sequence<Dims>{});
}
template <auto Op, std::size_t Dims>
Tensor by_factors_aligned(const Tensor& input, std::optional<SymIntArrayRef> size, bool align_corners,
                          std::optional<ArrayRef<double>> factors) {
  check_spatial(input, Dims);
  SymDimVector to = wanted_size(input, size, factors);
  return [&]<std::size_t... I>(std::index_sequence<I...>)->Tensor {
    return Op(input, SymIntArrayRef(to), align_corners, factor_of(factors, I)...);
  }
  (std::make_index_sequence<Dims>{});
}

}  // namespace upsampling

TENON_LIBRARY_FRAGMENT(aten, m) {
  namespace k = upsampling;
  m.def<ops::upsample_nearest1d_vec>().def<ops::upsample_nearest2d_vec>().def<ops::upsample_nearest3d_vec>();
  m.def<ops::_upsample_nearest_exact1d_vec>().def<ops::_upsample_nearest_exact2d_vec>();
  m.def<ops::_upsample_nearest_exact3d_vec>().def<ops::upsample_linear1d_vec>().def<ops::upsample_bilinear2d_vec>();
  m.def<ops::upsample_trilinear3d_vec>().def<ops::upsample_bicubic2d_vec>();
  m.def<ops::_upsample_bilinear2d_aa_vec>().def<ops::_upsample_bicubic2d_aa_vec>();
  m.def<ops::upsample_nearest2d_vec_out>().def<ops::upsample_bilinear2d_vec_out>();
  m.impl<ops::upsample_nearest1d_vec, &k::by_factors<ops::upsample_nearest1d_base, 1>>()
      .impl<ops::upsample_nearest2d_vec, &k::by_factors<ops::upsample_nearest2d_base, 2>>()
      .impl<ops::upsample_nearest3d_vec, &k::by_factors<ops::upsample_nearest3d_base, 3>>()
      .impl<ops::_upsample_nearest_exact1d_vec, &k::by_factors<ops::_upsample_nearest_exact1d_base, 1>>()
      .impl<ops::_upsample_nearest_exact2d_vec, &k::by_factors<ops::_upsample_nearest_exact2d_base, 2>>()
      .impl<ops::_upsample_nearest_exact3d_vec, &k::by_factors<ops::_upsample_nearest_exact3d_base, 3>>()
      .impl<ops::upsample_linear1d_vec, &k::by_factors_aligned<ops::upsample_linear1d_base, 1>>()
      .impl<ops::upsample_bilinear2d_vec, &k::by_factors_aligned<ops::upsample_bilinear2d_base, 2>>()
      .impl<ops::upsample_trilinear3d_vec, &k::by_factors_aligned<ops::upsample_trilinear3d_base, 3>>()
      .impl<ops::upsample_bicubic2d_vec, &k::by_factors_aligned<ops::upsample_bicubic2d_base, 2>>()
      .impl<ops::_upsample_bilinear2d_aa_vec, &k::by_factors_aligned<ops::_upsample_bilinear2d_aa_base, 2>>()
      .impl<ops::_upsample_bicubic2d_aa_vec, &k::by_factors_aligned<ops::_upsample_bicubic2d_aa_base, 2>>();
  implement_out_by_copy<ops::upsample_nearest2d_vec_op>(m, Place{__FILE__, __LINE__});
  implement_out_by_copy<ops::upsample_bilinear2d_vec_op>(m, Place{__FILE__, __LINE__});
}

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
