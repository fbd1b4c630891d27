// Rows of Bessel and Airy functions.
#pragma once
#include <tenon/pointwise/row.hpp>
#if TENON_ROWS_REGISTER
#include <tenon/ops/bessel.hpp>
#include <tenon/pointwise/checks.hpp>
#include <tenon/pointwise/detail/gradients.hpp>
#endif

namespace tenon::ops {

#if TENON_ROWS_REGISTER
namespace derivatives {
/// The derivative of a function f of order 1, an odd one or one with a pole at 0: g - f / x for its g of order 0.
inline Tensor order_one_slope(const Tensor& grad, const Tensor& zeroth, const Tensor& first, const Tensor& x,
                              double at_zero) {
  return grad * where(x == 0, Scalar(at_zero), zeroth - first * reciprocal(one_for_zero(x)));
}
}  // namespace derivatives
#endif

TENON_COMPUTES(special_airy_ai_base, over::one_at_a_time<over::floating>, (x), (), (math::airy_ai(x)),
               promote<IntToFloat>, check<checks::no_half>, unrecorded);
TENON_COMPUTES(special_bessel_j0_base, over::one_at_a_time<over::floating>, (self), (), (math::bessel_j0(self)),
               promote<IntToFloat>, check<checks::no_half>,
               TENON_WRT((self), (grad, self), (grad * -special_bessel_j1(self))));
TENON_COMPUTES(special_bessel_j1_base, over::one_at_a_time<over::floating>, (self), (), (math::bessel_j1(self)),
               promote<IntToFloat>, check<checks::no_half>,
               TENON_WRT((self), (grad, self, result),
                         (derivatives::order_one_slope(grad, special_bessel_j0(self), result, self, 0.5))));
TENON_COMPUTES(special_bessel_y0_base, over::one_at_a_time<over::floating>, (self), (), (math::bessel_y0(self)),
               promote<IntToFloat>, check<checks::no_half>,
               TENON_WRT((self), (grad, self), (grad * -special_bessel_y1(self))));
TENON_COMPUTES(special_bessel_y1_base, over::one_at_a_time<over::floating>, (self), (), (math::bessel_y1(self)),
               promote<IntToFloat>, check<checks::no_half>,
               TENON_WRT((self), (grad, self, result),
                         (derivatives::order_one_slope(grad, special_bessel_y0(self), result, self,
                                                       std::numeric_limits<double>::infinity()))));

TENON_FORMULA(bessel_i0, over::one_at_a_time<over::floating>, (self), (), (math::bessel_i0(self)));
TENON_FORMULA(bessel_i1, over::one_at_a_time<over::floating>, (self), (), (math::bessel_i1(self)));
TENON_COMPUTES_BY(i0_base, TENON_ELSE(bessel_i0_formula, (self), ()), promote<IntToFloat>,
                  TENON_WRT((self), (grad, self), (grad * special_i1(self))));
TENON_COMPUTES_BY(special_i1_base, TENON_ELSE(bessel_i1_formula, (self), ()), promote<IntToFloat>,
                  TENON_WRT((self), (grad, self, result),
                            (derivatives::order_one_slope(grad, i0(self), result, self, 0.5))));
TENON_COMPUTES_BY(special_modified_bessel_i0_base, TENON_ELSE(bessel_i0_formula, (self), ()), promote<IntToFloat>,
                  check<checks::no_half>, TENON_WRT((self), (grad, self), (grad * special_modified_bessel_i1(self))));
TENON_COMPUTES_BY(special_modified_bessel_i1_base, TENON_ELSE(bessel_i1_formula, (self), ()), promote<IntToFloat>,
                  check<checks::no_half>,
                  TENON_WRT((self), (grad, self, result),
                            (derivatives::order_one_slope(grad, special_modified_bessel_i0(self), result, self, 0.5))));
TENON_COMPUTES(special_i0e_base, over::one_at_a_time<over::floating>, (self), (), (math::scaled_bessel_i0(self)),
               promote<IntToFloat>,
               TENON_WRT((self), (grad, self, result), (grad * (special_i1e(self) - sgn(self) * result))));
TENON_COMPUTES(special_i1e_base, over::one_at_a_time<over::floating>, (self), (), (math::scaled_bessel_i1(self)),
               promote<IntToFloat>,
               TENON_WRT((self), (grad, self, result),
                         (grad * where(self == 0, Scalar(0.5),
                                       special_i0e(self) -
                                           result * (sgn(self) + reciprocal(derivatives::one_for_zero(self)))))));

TENON_COMPUTES(special_modified_bessel_k0_base, over::one_at_a_time<over::floating>, (self), (),
               (math::bessel_k0(self)), promote<IntToFloat>, check<checks::no_half>,
               TENON_WRT((self), (grad, self), (grad * -special_modified_bessel_k1(self))));
TENON_COMPUTES(special_modified_bessel_k1_base, over::one_at_a_time<over::floating>, (self), (),
               (math::bessel_k1(self)), promote<IntToFloat>, check<checks::no_half>,
               TENON_WRT((self), (grad, self, result), (grad * (-special_modified_bessel_k0(self) - result / self))));
TENON_COMPUTES(special_scaled_modified_bessel_k0_base, over::one_at_a_time<over::floating>, (x), (),
               (math::scaled_bessel_k0(x)), promote<IntToFloat>, check<checks::no_half>, unrecorded);
TENON_COMPUTES(special_scaled_modified_bessel_k1_base, over::one_at_a_time<over::floating>, (x), (),
               (math::scaled_bessel_k1(x)), promote<IntToFloat>, check<checks::no_half>, unrecorded);
TENON_COMPUTES(special_spherical_bessel_j0_base, over::one_at_a_time<over::floating>, (x), (),
               (math::spherical_bessel_j0(x)), promote<IntToFloat>, check<checks::no_half>, unrecorded);

}  // namespace tenon::ops
