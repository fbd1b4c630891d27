// Up- and downsampling in forms that take factors instead of sizes.
#pragma once
#include <cmath>

#include <tenon/composite/out_by_copy.hpp>
#include <tenon/composite/upsample_shapes.hpp>

namespace tenon::composite {

namespace upsampling {

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
  m.def<ops::_upsample_bilinear2d_aa_vec>()
      .def<ops::_upsample_bicubic2d_aa_vec>()
      .def<ops::_upsample_lanczos2d_aa_vec>();
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
      .impl<ops::_upsample_bicubic2d_aa_vec, &k::by_factors_aligned<ops::_upsample_bicubic2d_aa_base, 2>>()
      .impl<ops::_upsample_lanczos2d_aa_vec, &k::by_factors_aligned<ops::_upsample_lanczos2d_aa_base, 2>>();
  implement_out_by_copy<ops::upsample_nearest2d_vec_op>(m, Place{__FILE__, __LINE__});
  implement_out_by_copy<ops::upsample_bilinear2d_vec_op>(m, Place{__FILE__, __LINE__});
}

}  // namespace tenon::composite
