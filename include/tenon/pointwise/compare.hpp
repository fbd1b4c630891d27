// Rows of comparisons, choices and limits.
#pragma once
#include <tenon/pointwise/formulas.hpp>
#if TENON_ROWS_REGISTER
#include <tenon/pointwise/checks.hpp>
#include <tenon/pointwise/detail/gradients.hpp>
#endif

namespace tenon::ops {

TENON_FORMULA(eq, over::modular<over::comparable>, (self, other), (), (self == other));
TENON_COMPUTES_BY(eq_Tensor, TENON_ELSE(eq_formula, (self, other), ()), promote<Compare>, not_differentiable);
TENON_COMPUTES_BY(eq_Scalar, TENON_ELSE(eq_formula, (self, other), ()), promote<Compare>, not_differentiable);
TENON_FORMULA(ne, over::modular<over::comparable>, (self, other), (), (self != other));
TENON_COMPUTES_BY(ne_Tensor, TENON_ELSE(ne_formula, (self, other), ()), promote<Compare>, not_differentiable);
TENON_COMPUTES_BY(ne_Scalar, TENON_ELSE(ne_formula, (self, other), ()), promote<Compare>, not_differentiable);
TENON_FORMULA(lt, over::ordered<over::real_or_bool>, (self, other), (), (self < other));
TENON_COMPUTES_BY(lt_Tensor, TENON_ELSE(lt_formula, (self, other), ()), promote<Compare>, not_differentiable);
TENON_COMPUTES_BY(lt_Scalar, TENON_ELSE(lt_formula, (self, other), ()), promote<Compare>, not_differentiable);
TENON_FORMULA(le, over::ordered<over::real_or_bool>, (self, other), (), (self <= other));
TENON_COMPUTES_BY(le_Tensor, TENON_ELSE(le_formula, (self, other), ()), promote<Compare>, not_differentiable);
TENON_COMPUTES_BY(le_Scalar, TENON_ELSE(le_formula, (self, other), ()), promote<Compare>, not_differentiable);
TENON_FORMULA(gt, over::ordered<over::real_or_bool>, (self, other), (), (self > other));
TENON_COMPUTES_BY(gt_Tensor, TENON_ELSE(gt_formula, (self, other), ()), promote<Compare>, not_differentiable);
TENON_COMPUTES_BY(gt_Scalar, TENON_ELSE(gt_formula, (self, other), ()), promote<Compare>, not_differentiable);
TENON_FORMULA(ge, over::ordered<over::real_or_bool>, (self, other), (), (self >= other));
TENON_COMPUTES_BY(ge_Tensor, TENON_ELSE(ge_formula, (self, other), ()), promote<Compare>, not_differentiable);
TENON_COMPUTES_BY(ge_Scalar, TENON_ELSE(ge_formula, (self, other), ()), promote<Compare>, not_differentiable);
TENON_COMPUTES(isnan_base, over::modular<over::comparable>, (self), (), (math::isnan(self)), promote<Compare>,
               not_differentiable);
TENON_COMPUTES(isinf_base, over::modular<over::comparable>, (self), (), (math::isinf_any(self)), promote<Compare>,
               not_differentiable);
TENON_COMPUTES(isfinite_base, over::modular<over::comparable>, (self), (), (math::isfinite_all(self)), promote<Compare>,
               not_differentiable);
TENON_COMPUTES(isposinf_base, over::real_or_bool, (self), (), (math::is_infinity(self, 1)), promote<Compare>,
               cast<OutputCast::Exact>, check<checks::no_complex>, not_differentiable);
TENON_COMPUTES(isneginf_base, over::real_or_bool, (self), (), (math::is_infinity(self, -1)), promote<Compare>,
               cast<OutputCast::Exact>, check<checks::no_complex>, not_differentiable);
TENON_COMPUTES(isreal_base, over::element, (self), (), (math::is_real(self)), promote<Compare>, not_differentiable);
TENON_FORMULA(signbit, over::real, (self), (), (math::signbit(self)));
// No bool has a sign: what asks for not-a-number says so.
TENON_COMPUTES_BY(signbit_base, TENON_WHEN((self), (self.dtype() == kBool), isnan_base_formula, (self), ()),
                  TENON_ELSE(signbit_formula, (self), ()), promote<Compare>, check<checks::no_complex>,
                  cast<OutputCast::Exact>, not_differentiable);
TENON_COMPUTES(where_self, over::modular<over::masked<over::any_element>>, (condition, self, other), (),
               (math::select(condition, self, other)), check<checks::condition>, cast<OutputCast::Exact>,
               TENON_WRT((self), (grad, condition), (where(condition, grad, Scalar(0.0)))),
               TENON_WRT((other), (grad, condition), (where(condition, Scalar(0.0), grad))));

TENON_COMPUTES_BY(maximum_base, TENON_ELSE(maximum_formula, (self, other), ()), check<checks::not_for_complex>,
                  TENON_WRT((self), (grad, self, other), (derivatives::larger_part(grad, self, other, true))),
                  TENON_WRT((other), (grad, self, other), (derivatives::larger_part(grad, self, other, false))));
TENON_COMPUTES_BY(minimum_base, TENON_ELSE(minimum_formula, (self, other), ()), check<checks::not_for_complex>,
                  TENON_WRT((self), (grad, self, other), (derivatives::larger_part(grad, self, other, false))),
                  TENON_WRT((other), (grad, self, other), (derivatives::larger_part(grad, self, other, true))));
TENON_COMPUTES(fmax_base, over::ordered<over::real_or_bool>, (self, other), (), (math::fmax(self, other)),
               check<checks::not_for_complex>,
               TENON_WRT((self), (grad, self, other), (derivatives::chosen_part(grad, self, other, true))),
               TENON_WRT((other), (grad, self, other), (derivatives::other_part(grad, self, other, true))));
TENON_COMPUTES(fmin_base, over::ordered<over::real_or_bool>, (self, other), (), (math::fmin(self, other)),
               check<checks::not_for_complex>,
               TENON_WRT((self), (grad, self, other), (derivatives::chosen_part(grad, self, other, false))),
               TENON_WRT((other), (grad, self, other), (derivatives::other_part(grad, self, other, false))));
TENON_FORMULA(clamp, over::ordered<over::fast_real>, (self, min, max), (),
              (math::minimum(max, math::maximum(min, self))));
TENON_COMPUTES_BY(clamp_base, TENON_WHEN((min, max), (min && max), clamp_formula, (self, min, max), ()),
                  TENON_WHEN((min), (min), maximum_formula, (self, min), (), named<"clamp_min">),
                  TENON_WHEN((max), (max), minimum_formula, (self, max), (), named<"clamp_max">),
                  refuse<checks::no_limits>, check<checks::limits<0>>, unary, cast<OutputCast::Exact>,
                  TENON_WRT((self), (grad, self, min, max), (derivatives::within(grad, self, min, max))));
TENON_COMPUTES_BY(clamp_Tensor,
                  TENON_WHEN((min, max), (min.defined() && max.defined()), clamp_formula, (self, min, max), ()),
                  TENON_WHEN((min), (min.defined()), maximum_formula, (self, min), (), named<"clamp_min">),
                  TENON_WHEN((max), (max.defined()), minimum_formula, (self, max), (), named<"clamp_max">),
                  refuse<checks::no_limits>, check<checks::not_for_complex>, unary,
                  TENON_WRT((self), (grad, self, min, max), (derivatives::within(grad, self, min, max))),
                  TENON_WRT((min), (grad, self, min, max), (derivatives::lower_limit(grad, self, min, max))),
                  TENON_WRT((max), (grad, self, min, max), (derivatives::upper_limit(grad, self, min, max))));
TENON_COMPUTES_BY(clamp_min_base, TENON_ELSE(maximum_formula, (self, min), ()), named<"maximum">,
                  check<checks::limits<0>>, unary, cast<OutputCast::Exact>,
                  TENON_WRT((self), (grad, self, min), (derivatives::kept(self > min, grad))));
TENON_COMPUTES_BY(clamp_min_Tensor, TENON_ELSE(maximum_formula, (self, min), ()), named<"maximum">,
                  check<checks::not_for_complex>,
                  TENON_WRT((self), (grad, self, min), (derivatives::within(grad, self, min, {}))),
                  TENON_WRT((min), (grad, self, min), (derivatives::lower_limit(grad, self, min, {}))));
TENON_COMPUTES_BY(clamp_max_base, TENON_ELSE(minimum_formula, (self, max), ()), named<"minimum">,
                  check<checks::limits<1>>, unary, cast<OutputCast::Exact>,
                  TENON_WRT((self), (grad, self, max), (derivatives::kept(self < max, grad))));
TENON_COMPUTES_BY(clamp_max_Tensor, TENON_ELSE(minimum_formula, (self, max), ()), named<"minimum">,
                  check<checks::not_for_complex>,
                  TENON_WRT((self), (grad, self, max), (derivatives::within(grad, self, {}, max))),
                  TENON_WRT((max), (grad, self, max), (derivatives::upper_limit(grad, self, {}, max))));

TENON_FORMULA(nan_to_num, over::float_or_complex, (self), (nan, posinf, neginf),
              (math::nan_to_num(self, nan, posinf, neginf)));
TENON_COMPUTES_BY(nan_to_num_base,
                  TENON_WHEN((self), (is_integral_type(self.dtype(), true)), identity_formula, (self), ()),
                  TENON_ELSE(nan_to_num_formula, (self), (nan, posinf, neginf)), prepare<checks::replacements>,
                  TENON_WRT((self), (grad, self), (grad * isfinite(self))));

}  // namespace tenon::ops
