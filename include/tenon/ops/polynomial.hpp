// Elementwise orthogonal polynomials of real degree, which is cut to an integer.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace polynomial_family {

TENON_OPERATORS_OUT(special_chebyshev_polynomial_t,
                    (base, "aten::special_chebyshev_polynomial_t(Tensor x, Tensor n) -> Tensor", no_device_check,
                     Tag::pointwise),
                    (x_scalar, "aten::special_chebyshev_polynomial_t.x_scalar(Scalar x, Tensor n) -> Tensor",
                     no_device_check, Tag::pointwise),
                    (n_scalar, "aten::special_chebyshev_polynomial_t.n_scalar(Tensor x, Scalar n) -> Tensor",
                     no_device_check, Tag::pointwise));
TENON_OPERATORS_OUT(special_chebyshev_polynomial_u,
                    (base, "aten::special_chebyshev_polynomial_u(Tensor x, Tensor n) -> Tensor", no_device_check,
                     Tag::pointwise),
                    (x_scalar, "aten::special_chebyshev_polynomial_u.x_scalar(Scalar x, Tensor n) -> Tensor",
                     no_device_check, Tag::pointwise),
                    (n_scalar, "aten::special_chebyshev_polynomial_u.n_scalar(Tensor x, Scalar n) -> Tensor",
                     no_device_check, Tag::pointwise));
TENON_OPERATORS_OUT(special_chebyshev_polynomial_v,
                    (base, "aten::special_chebyshev_polynomial_v(Tensor x, Tensor n) -> Tensor", no_device_check,
                     Tag::pointwise),
                    (x_scalar, "aten::special_chebyshev_polynomial_v.x_scalar(Scalar x, Tensor n) -> Tensor",
                     no_device_check, Tag::pointwise),
                    (n_scalar, "aten::special_chebyshev_polynomial_v.n_scalar(Tensor x, Scalar n) -> Tensor",
                     no_device_check, Tag::pointwise));
TENON_OPERATORS_OUT(special_chebyshev_polynomial_w,
                    (base, "aten::special_chebyshev_polynomial_w(Tensor x, Tensor n) -> Tensor", no_device_check,
                     Tag::pointwise),
                    (x_scalar, "aten::special_chebyshev_polynomial_w.x_scalar(Scalar x, Tensor n) -> Tensor",
                     no_device_check, Tag::pointwise),
                    (n_scalar, "aten::special_chebyshev_polynomial_w.n_scalar(Tensor x, Scalar n) -> Tensor",
                     no_device_check, Tag::pointwise));
TENON_OPERATORS_OUT(special_hermite_polynomial_h,
                    (base, "aten::special_hermite_polynomial_h(Tensor x, Tensor n) -> Tensor", no_device_check,
                     Tag::pointwise),
                    (x_scalar, "aten::special_hermite_polynomial_h.x_scalar(Scalar x, Tensor n) -> Tensor",
                     no_device_check, Tag::pointwise),
                    (n_scalar, "aten::special_hermite_polynomial_h.n_scalar(Tensor x, Scalar n) -> Tensor",
                     no_device_check, Tag::pointwise));
TENON_OPERATORS_OUT(special_hermite_polynomial_he,
                    (base, "aten::special_hermite_polynomial_he(Tensor x, Tensor n) -> Tensor", no_device_check,
                     Tag::pointwise),
                    (x_scalar, "aten::special_hermite_polynomial_he.x_scalar(Scalar x, Tensor n) -> Tensor",
                     no_device_check, Tag::pointwise),
                    (n_scalar, "aten::special_hermite_polynomial_he.n_scalar(Tensor x, Scalar n) -> Tensor",
                     no_device_check, Tag::pointwise));
TENON_OPERATORS_OUT(special_laguerre_polynomial_l,
                    (base, "aten::special_laguerre_polynomial_l(Tensor x, Tensor n) -> Tensor", no_device_check,
                     Tag::pointwise),
                    (x_scalar, "aten::special_laguerre_polynomial_l.x_scalar(Scalar x, Tensor n) -> Tensor",
                     no_device_check, Tag::pointwise),
                    (n_scalar, "aten::special_laguerre_polynomial_l.n_scalar(Tensor x, Scalar n) -> Tensor",
                     no_device_check, Tag::pointwise));
TENON_OPERATORS_OUT(special_legendre_polynomial_p,
                    (base, "aten::special_legendre_polynomial_p(Tensor x, Tensor n) -> Tensor", no_device_check,
                     Tag::pointwise),
                    (x_scalar, "aten::special_legendre_polynomial_p.x_scalar(Scalar x, Tensor n) -> Tensor",
                     no_device_check, Tag::pointwise),
                    (n_scalar, "aten::special_legendre_polynomial_p.n_scalar(Tensor x, Scalar n) -> Tensor",
                     no_device_check, Tag::pointwise));
TENON_OPERATORS_OUT(special_shifted_chebyshev_polynomial_t,
                    (base, "aten::special_shifted_chebyshev_polynomial_t(Tensor x, Tensor n) -> Tensor",
                     no_device_check, Tag::pointwise),
                    (x_scalar, "aten::special_shifted_chebyshev_polynomial_t.x_scalar(Scalar x, Tensor n) -> Tensor",
                     no_device_check, Tag::pointwise),
                    (n_scalar, "aten::special_shifted_chebyshev_polynomial_t.n_scalar(Tensor x, Scalar n) -> Tensor",
                     no_device_check, Tag::pointwise));
TENON_OPERATORS_OUT(special_shifted_chebyshev_polynomial_u,
                    (base, "aten::special_shifted_chebyshev_polynomial_u(Tensor x, Tensor n) -> Tensor",
                     no_device_check, Tag::pointwise),
                    (x_scalar, "aten::special_shifted_chebyshev_polynomial_u.x_scalar(Scalar x, Tensor n) -> Tensor",
                     no_device_check, Tag::pointwise),
                    (n_scalar, "aten::special_shifted_chebyshev_polynomial_u.n_scalar(Tensor x, Scalar n) -> Tensor",
                     no_device_check, Tag::pointwise));
TENON_OPERATORS_OUT(special_shifted_chebyshev_polynomial_v,
                    (base, "aten::special_shifted_chebyshev_polynomial_v(Tensor x, Tensor n) -> Tensor",
                     no_device_check, Tag::pointwise),
                    (x_scalar, "aten::special_shifted_chebyshev_polynomial_v.x_scalar(Scalar x, Tensor n) -> Tensor",
                     no_device_check, Tag::pointwise),
                    (n_scalar, "aten::special_shifted_chebyshev_polynomial_v.n_scalar(Tensor x, Scalar n) -> Tensor",
                     no_device_check, Tag::pointwise));
TENON_OPERATORS_OUT(special_shifted_chebyshev_polynomial_w,
                    (base, "aten::special_shifted_chebyshev_polynomial_w(Tensor x, Tensor n) -> Tensor",
                     no_device_check, Tag::pointwise),
                    (x_scalar, "aten::special_shifted_chebyshev_polynomial_w.x_scalar(Scalar x, Tensor n) -> Tensor",
                     no_device_check, Tag::pointwise),
                    (n_scalar, "aten::special_shifted_chebyshev_polynomial_w.n_scalar(Tensor x, Scalar n) -> Tensor",
                     no_device_check, Tag::pointwise));

}  // namespace polynomial_family
}  // namespace tenon::ops
