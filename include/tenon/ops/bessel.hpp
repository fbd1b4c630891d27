// Elementwise Bessel and Airy functions.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace bessel_family {

TENON_OPERATORS_OUT(special_airy_ai, (base, "aten::special_airy_ai(Tensor x) -> Tensor", Tag::pointwise));
TENON_OPERATORS_OUT(special_bessel_j0, (base, "aten::special_bessel_j0(Tensor self) -> Tensor", Tag::pointwise));
TENON_OPERATORS_OUT(special_bessel_j1, (base, "aten::special_bessel_j1(Tensor self) -> Tensor", Tag::pointwise));
TENON_OPERATORS_OUT(special_bessel_y0, (base, "aten::special_bessel_y0(Tensor self) -> Tensor", Tag::pointwise));
TENON_OPERATORS_OUT(special_bessel_y1, (base, "aten::special_bessel_y1(Tensor self) -> Tensor", Tag::pointwise));
TENON_OPERATORS_OUT(special_modified_bessel_i0,
                    (base, "aten::special_modified_bessel_i0(Tensor self) -> Tensor", Tag::pointwise));
TENON_OPERATORS_OUT(special_modified_bessel_i1,
                    (base, "aten::special_modified_bessel_i1(Tensor self) -> Tensor", Tag::pointwise));
TENON_OPERATORS_OUT(special_modified_bessel_k0,
                    (base, "aten::special_modified_bessel_k0(Tensor self) -> Tensor", Tag::pointwise));
TENON_OPERATORS_OUT(special_modified_bessel_k1,
                    (base, "aten::special_modified_bessel_k1(Tensor self) -> Tensor", Tag::pointwise));
TENON_OPERATORS_OUT(special_scaled_modified_bessel_k0,
                    (base, "aten::special_scaled_modified_bessel_k0(Tensor x) -> Tensor", Tag::pointwise));
TENON_OPERATORS_OUT(special_scaled_modified_bessel_k1,
                    (base, "aten::special_scaled_modified_bessel_k1(Tensor x) -> Tensor", Tag::pointwise));
TENON_OPERATORS_OUT(special_spherical_bessel_j0,
                    (base, "aten::special_spherical_bessel_j0(Tensor x) -> Tensor", Tag::pointwise));
TENON_OPERATORS(i0, (base, "aten::i0(Tensor self) -> Tensor", with_method, inplace_function, Tag::pointwise));
TENON_OPERATORS_OUT(special_i0, "aten::special_i0(Tensor self) -> Tensor");
TENON_OPERATORS_OUT(special_i0e, (base, "aten::special_i0e(Tensor self) -> Tensor", Tag::pointwise));
TENON_OPERATORS_OUT(special_i1, (base, "aten::special_i1(Tensor self) -> Tensor", Tag::pointwise));
TENON_OPERATORS_OUT(special_i1e, (base, "aten::special_i1e(Tensor self) -> Tensor", Tag::pointwise));

}  // namespace bessel_family
}  // namespace tenon::ops
