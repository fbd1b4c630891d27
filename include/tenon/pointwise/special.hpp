// Rows of special functions.
#pragma once
#include <tenon/pointwise/row.hpp>
#if TENON_ROWS_REGISTER
#include <tenon/pointwise/checks.hpp>
#include <tenon/pointwise/detail/gradients.hpp>
#endif

namespace tenon::ops {

TENON_COMPUTES(erf_base, over::floating, (self), (), (math::erf(self)), promote<IntToFloat>,
               TENON_WRT((self), (grad, self), (mul(mul(exp(neg(mul(self, self))), 1.12837916709551257390), grad))));
TENON_COMPUTES(erfc_base, over::floating, (self), (), (math::erfc(self)), promote<IntToFloat>,
               TENON_WRT((self), (grad, self), (mul(mul(exp(neg(mul(self, self))), -1.12837916709551257390), grad))));
TENON_COMPUTES(lgamma_base, over::floating, (self), (), (math::lgamma(self)), promote<IntToFloat>,
               TENON_WRT((self), (grad, self), (grad * digamma(self))));
TENON_COMPUTES(digamma_base, over::floating, (self), (), (math::digamma(self)), promote<IntToFloat>,
               TENON_WRT((self), (grad, self), (grad * polygamma(1, self))));
TENON_COMPUTES(sinc_base, over::float_or_complex, (self), (), (math::sinc(self)), promote<IntToFloat>,
               TENON_WRT((self), (grad, self), (derivatives::sinc_slope(grad, self))));
TENON_COMPUTES(xlogy_Tensor, over::floating, (self, other), (), (math::xlogy(self, other)), promote<IntToFloat>,
               TENON_WRT((self), (grad, self, other),
                         (where(logical_and(self == 0, other <= 0), Scalar(0.0), xlogy(grad, other)))),
               TENON_WRT((other), (grad, self, other), (grad * self / other)));
TENON_COMPUTES(erfinv_base, over::floating, (self), (), (math::erfinv(self)), promote<IntToFloat>,
               TENON_WRT((self), (grad, result), (grad * exp(result * result) * 0.88622692545275801365)));
TENON_COMPUTES(polygamma_base, over::floating, (self), (n), (math::polygamma(self, n)), promote<IntToFloat>,
               check<checks::polygamma>, TENON_WRT((self), (grad, n, self), (grad * polygamma(n + 1, self))));
TENON_FORMULA_OF(logit, over::fast_float, E, (self), (), (math::logit<E>(self)));
TENON_FORMULA_OF(logit_clamped, over::fast_float, E, (self), (eps), (math::logit<E>(self, eps)));
// A negative limit is none.
TENON_COMPUTES_BY(logit_base, TENON_WHEN((eps), (eps && eps->to_double() >= 0), logit_clamped_formula, (self), (eps)),
                  TENON_ELSE(logit_formula, (self), ()), promote<IntToFloat>,
                  TENON_WRT((self), (grad, self, eps), (derivatives::logit_slope(grad, self, eps))));

}  // namespace tenon::ops
