// Rows of special functions.
#pragma once
#include <tenon/math/limited.hpp>
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
TENON_FORMULA(xlogy, over::floating, (self, other), (), (math::xlogy(self, other)));
TENON_COMPUTES_BY(xlogy_Tensor, TENON_ELSE(xlogy_formula, (self, other), ()), promote<IntToFloat>,
                  TENON_WRT((self), (grad, self, other),
                            (where(logical_and(self == 0, other <= 0), Scalar(0.0),
                                   xlogy(grad, where(logical_and(self == 0, other <= 0), Scalar(1.0), other))))),
                  TENON_WRT((other), (grad, self, other), (grad * self / other)));
TENON_COMPUTES_BY(xlogy_Scalar_Self, TENON_ELSE(xlogy_formula, (self, other), ()), promote<IntToFloat>,
                  TENON_WRT((other), (grad, self, other), (grad * self / other)));
TENON_COMPUTES_BY(xlogy_Scalar_Other, TENON_ELSE(xlogy_formula, (self, other), ()), promote<IntToFloat>,
                  TENON_WRT((self), (grad, self, other),
                            (other.to_double() > 0 ? xlogy(grad, other)
                                                   : where(self == 0, Scalar(0.0), xlogy(grad, other)))));
TENON_FORMULA(xlog1py, over::one_at_a_time<over::floating>, (self, other), (), (math::xlog1py(self, other)));
TENON_COMPUTES_BY(special_xlog1py_base, TENON_ELSE(xlog1py_formula, (self, other), ()), promote<IntToFloat>,
                  TENON_WRT((self), (grad, self, other),
                            (where(logical_and(self == 0, other <= -1), Scalar(0.0), special_xlog1py(grad, other)))),
                  TENON_WRT((other), (grad, self, other), (grad * self / (other + 1))));
TENON_COMPUTES_BY(special_xlog1py_self_scalar, TENON_ELSE(xlog1py_formula, (self, other), ()), promote<IntToFloat>,
                  TENON_WRT((other), (grad, self, other), (grad * self / (other + 1))));
TENON_COMPUTES_BY(special_xlog1py_other_scalar, TENON_ELSE(xlog1py_formula, (self, other), ()), promote<IntToFloat>,
                  TENON_WRT((self), (grad, self, other),
                            (other.to_double() > -1 ? special_xlog1py(grad, other)
                                                    : where(self == 0, Scalar(0.0), special_xlog1py(grad, other)))));
TENON_FORMULA(zeta, over::one_at_a_time<over::floating>, (self, other), (), (math::zeta(self, other)));
TENON_COMPUTES_BY(special_zeta_base, TENON_ELSE(zeta_formula, (self, other), ()), promote<IntToFloat>,
                  check<checks::no_half>, TENON_WRT((self), (grad), (derivatives::none_of(grad, "zeta"))),
                  TENON_WRT((other), (grad, self, other), (grad * -self * special_zeta(self + 1, other))));
TENON_COMPUTES_BY(special_zeta_self_scalar, TENON_ELSE(zeta_formula, (self, other), ()), promote<IntToFloat>,
                  check<checks::no_half>,
                  TENON_WRT((other), (grad, self, other),
                            (grad * -self.to_double() * special_zeta(self.to_double() + 1, other))));
TENON_COMPUTES_BY(special_zeta_other_scalar, TENON_ELSE(zeta_formula, (self, other), ()), promote<IntToFloat>,
                  check<checks::no_half>, TENON_WRT((self), (grad), (derivatives::none_of(grad, "zeta"))));
TENON_COMPUTES(special_entr_base, over::one_at_a_time<over::floating>, (self), (), (math::entr(self)),
               promote<IntToFloat>, TENON_WRT((self), (grad, self), (grad * -(log(self) + 1))));
TENON_COMPUTES(special_erfcx_base, over::one_at_a_time<over::floating>, (self), (), (math::erfcx(self)),
               promote<IntToFloat>, check<checks::no_half>,
               TENON_WRT((self), (grad, self, result), (grad * (self * result * 2 - 1.12837916709551257390))));
TENON_COMPUTES(special_log_ndtr_base, over::one_at_a_time<over::floating>, (self), (), (math::log_ndtr(self)),
               promote<IntToFloat>, check<checks::no_half>,
               TENON_WRT((self), (grad, self), (derivatives::log_ndtr_slope(grad, self))));
TENON_COMPUTES(special_ndtri_base, over::one_at_a_time<over::floating>, (self), (), (math::ndtri(self)),
               promote<IntToFloat>, check<checks::no_half>,
               TENON_WRT((self), (grad, result), (grad * exp(result * result * 0.5) * 2.50662827463100050242)));
TENON_COMPUTES(igamma_base, over::one_at_a_time<over::floating>, (self, other), (), (math::igamma(self, other)),
               TENON_WRT((self), (grad), (derivatives::none_of(grad, "igamma: input"))),
               TENON_WRT((other), (grad, self, other), (derivatives::gamma_density(grad, self, other))));
TENON_COMPUTES(igammac_base, over::one_at_a_time<over::floating>, (self, other), (), (math::igammac(self, other)),
               TENON_WRT((self), (grad), (derivatives::none_of(grad, "igammac: input"))),
               TENON_WRT((other), (grad, self, other), (derivatives::gamma_density(-grad, self, other))));
TENON_COMPUTES(mvlgamma_base, over::one_at_a_time<over::floating>, (self), (p), (math::mvlgamma(self, p)),
               promote<IntToFloat>, check<checks::mvlgamma>,
               TENON_WRT((self), (grad, self, p), (derivatives::mvlgamma_slope(grad, self, p))));
TENON_COMPUTES(erfinv_base, over::floating, (self), (), (math::erfinv(self)), promote<IntToFloat>,
               TENON_WRT((self), (grad, result), (exp(result * result) * 0.88622692545275801365 * grad)));
TENON_COMPUTES(polygamma_base, over::floating, (self), (n), (math::polygamma(self, n)), promote<IntToFloat>,
               check<checks::polygamma>, TENON_WRT((self), (grad, n, self), (grad * polygamma(n + 1, self))));
TENON_FORMULA_OF(logit, over::fast_float, E, (self), (), (math::logit<E>(self)));
TENON_FORMULA_OF(logit_clamped, over::fast_float, E, (self), (eps), (math::logit<E>(self, eps)));
// A negative limit is none.
TENON_COMPUTES_BY(logit_base, TENON_WHEN((eps), (eps && eps->to_double() >= 0), logit_clamped_formula, (self), (eps)),
                  TENON_ELSE(logit_formula, (self), ()), promote<IntToFloat>,
                  TENON_WRT((self), (grad, self, eps), (logit_backward(grad, self, eps))));
TENON_FORMULA_OF(logit_backward, over::fast_float, E, (grad_output, self), (),
                 (math::logit_slope<E>(grad_output, self, decltype(self)(0),
                                       decltype(self)(std::numeric_limits<float>::quiet_NaN()))));
TENON_FORMULA_OF(logit_clamped_backward, over::fast_float, E, (grad_output, self), (eps),
                 (math::logit_slope<E>(grad_output, self, math::rounded<E>(decltype(self)(eps)), decltype(self)(0))));
TENON_COMPUTES_BY(logit_backward_base,
                  TENON_WHEN((eps), (eps && eps->to_double() >= 0), logit_clamped_backward_formula, (grad_output, self),
                             (eps)),
                  TENON_ELSE(logit_backward_formula, (grad_output, self), ()), named<"logit_backward_cpu">,
                  TENON_WRT((grad_output), (grad, self, eps), (logit_backward(grad, self, eps))),
                  TENON_WRT((self), (grad, grad_output, self, eps),
                            (derivatives::logit_bend(grad * grad_output, self, eps))));

}  // namespace tenon::ops
