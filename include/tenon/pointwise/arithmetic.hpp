// Rows of arithmetic and rounding.
#pragma once
#include <algorithm>
#include <cstdint>

#include <tenon/pointwise/formulas.hpp>
#if TENON_ROWS_REGISTER
#include <tenon/pointwise/checks.hpp>
#include <tenon/pointwise/detail/gradients.hpp>
#endif

namespace tenon::ops {

#if TENON_ROWS_REGISTER
/// Whether 16-bit floats of the CPU are computed with, beside numbers of any kind.
inline bool is_half_here(const Tensor& self, const Tensor& other) {
  auto half = [](const Tensor& x) { return x.is_cpu() && !x->is_symbolic() && is_reduced_floating_type(x.dtype()); };
  if (half(self)) return other.dtype() == self.dtype() || (other.dim() == 0 && self.dim() != 0 && !other.is_complex());
  return half(other) && self.dim() == 0 && other.dim() != 0 && !self.is_complex();
}
inline bool is_half_here(const Tensor& self, const Scalar& other) {
  return self.is_cpu() && !self->is_symbolic() && is_reduced_floating_type(self.dtype()) && !other.is_complex();
}
/// Whether these are so many in a row that PyTorch has vectors of them with any instruction set.
inline bool is_run_of_halves(const Tensor& self, const Tensor& other) {
  constexpr std::int64_t kRun = 64;
  return is_half_here(self, other) && self.is_contiguous() && other.is_contiguous() &&
         std::max(self.numel(), other.numel()) >= kRun &&
         (self.sizes() == other.sizes() || self.dim() == 0 || other.dim() == 0);
}
inline bool is_run_of_halves(const Tensor& self, const Scalar& other) {
  return is_run_of_halves(self, self) && is_half_here(self, other);
}
#endif

TENON_FORMULA(add, over::modular<over::fast_element>, (self, other), (), (math::plus(self, other)));
TENON_FORMULA(add_scaled, over::modular<over::fast_element>, (self, other), (alpha),
              (math::plus_scaled(self, alpha, other)));
// Of 16-bit floats PyTorch's CPU rounds the factor and, but for long runs, the product.
TENON_FORMULA_OF(add_scaled_half, over::half, E, (self, other), (alpha),
                 (self + math::rounded<E>(decltype(self)(alpha)) * other));
TENON_FORMULA_OF(add_scaled_half_in_steps, over::half, E, (self, other), (alpha),
                 (self + math::rounded<E>(math::rounded<E>(decltype(self)(alpha)) * other)));
TENON_FORMULA_OF(sub_scaled_half, over::half, E, (self, other), (alpha),
                 (self - math::rounded<E>(decltype(self)(alpha)) * other));
TENON_FORMULA_OF(sub_scaled_half_in_steps, over::half, E, (self, other), (alpha),
                 (self - math::rounded<E>(math::rounded<E>(decltype(self)(alpha)) * other)));
TENON_COMPUTES_BY(add_Tensor,
                  TENON_WHEN((self, other, alpha), (is_unit(alpha) && !self.is_complex() && !other.is_complex()),
                             add_formula, (self, other), ()),
                  TENON_WHEN((self, other), (is_run_of_halves(self, other)), add_scaled_half_formula, (self, other),
                             (alpha), check<checks::alpha>),
                  TENON_WHEN((self, other), (is_half_here(self, other)), add_scaled_half_in_steps_formula,
                             (self, other), (alpha), check<checks::alpha>),
                  TENON_ELSE(add_scaled_formula, (self, other), (alpha), check<checks::alpha>),
                  TENON_WRT((self), (grad), (grad)),
                  TENON_WRT((other), (grad, alpha), (derivatives::scaled(grad, alpha))));
TENON_COMPUTES_BY(add_Scalar,
                  TENON_WHEN((self, other, alpha), (is_unit(alpha) && !self.is_complex() && !other.is_complex()),
                             add_formula, (self, other), ()),
                  TENON_WHEN((self, other), (is_run_of_halves(self, other)), add_scaled_half_formula, (self, other),
                             (alpha), check<checks::alpha>),
                  TENON_WHEN((self, other), (is_half_here(self, other)), add_scaled_half_in_steps_formula,
                             (self, other), (alpha), check<checks::alpha>),
                  TENON_ELSE(add_scaled_formula, (self, other), (alpha), check<checks::alpha>),
                  cast<OutputCast::Allowed>, TENON_WRT((self), (grad), (grad)));

TENON_FORMULA(sub, over::modular<over::fast_number>, (self, other), (), (math::minus(self, other)));
TENON_FORMULA(sub_scaled, over::modular<over::fast_number>, (self, other), (alpha),
              (math::minus(self, math::times(decltype(self)(alpha), other))));
TENON_COMPUTES_BY(
    sub_Tensor,
    TENON_WHEN((self, other, alpha), (is_unit(alpha) && !self.is_complex() && !other.is_complex()), sub_formula,
               (self, other), ()),
    TENON_WHEN((self, other), (is_run_of_halves(self, other)), sub_scaled_half_formula, (self, other), (alpha)),
    TENON_WHEN((self, other), (is_half_here(self, other)), sub_scaled_half_in_steps_formula, (self, other), (alpha)),
    TENON_ELSE(sub_scaled_formula, (self, other), (alpha)), check<checks::subtraction>,
    TENON_WRT((self), (grad), (grad)), TENON_WRT((other), (grad, alpha), (neg(derivatives::scaled(grad, alpha)))));
TENON_COMPUTES_BY(sub_Scalar,
                  TENON_WHEN((self, other, alpha), (is_unit(alpha) && !self.is_complex() && !other.is_complex()),
                             sub_formula, (self, other), ()),
                  TENON_WHEN((self, other), (is_run_of_halves(self, other)), sub_scaled_half_formula, (self, other),
                             (alpha)),
                  TENON_WHEN((self, other), (is_half_here(self, other)), sub_scaled_half_in_steps_formula,
                             (self, other), (alpha)),
                  TENON_ELSE(sub_scaled_formula, (self, other), (alpha)), check<checks::subtraction>,
                  cast<OutputCast::Allowed>, TENON_WRT((self), (grad), (grad)));
TENON_COMPUTES_BY(
    rsub_Tensor,
    TENON_WHEN((self, other, alpha), (is_unit(alpha) && !self.is_complex() && !other.is_complex()), sub_formula,
               (other, self), ()),
    TENON_WHEN((self, other), (is_run_of_halves(self, other)), sub_scaled_half_formula, (other, self), (alpha)),
    TENON_WHEN((self, other), (is_half_here(self, other)), sub_scaled_half_in_steps_formula, (other, self), (alpha)),
    TENON_ELSE(sub_scaled_formula, (other, self), (alpha)), check<checks::subtraction>, reversed, named<"sub">,
    TENON_WRT((self), (grad, alpha), (-derivatives::scaled(grad, alpha))), TENON_WRT((other), (grad), (grad)));
TENON_COMPUTES_BY(rsub_Scalar,
                  TENON_WHEN((self, other), (is_run_of_halves(self, other)), sub_scaled_half_formula, (other, self),
                             (alpha)),
                  TENON_WHEN((self, other), (is_half_here(self, other)), sub_scaled_half_in_steps_formula,
                             (other, self), (alpha)),
                  TENON_ELSE(sub_scaled_formula, (other, self), (alpha)), check<checks::subtraction>,
                  TENON_WRT((self), (grad, alpha), (-derivatives::scaled(grad, alpha))));

TENON_FORMULA(mul, over::modular<over::keeps_wide_numbers<over::fast_element>>, (self, other), (),
              (math::times(self, other)));
TENON_COMPUTES_BY(mul_Tensor, TENON_ELSE(mul_formula, (self, other), ()),
                  TENON_WRT((self), (grad, other), (derivatives::times_conj(grad, other))),
                  TENON_WRT((other), (grad, self), (derivatives::times_conj(grad, self))));
// In place PyTorch multiplies the number by the tensor: only a number behind it keeps digits that 16 bits do not hold.
TENON_COMPUTES_BY(mul_Scalar, TENON_ELSE(mul_formula, (self, other), ()),
                  in_place(TENON_ELSE(mul_formula, (other, self), ())), cast<OutputCast::Allowed>,
                  TENON_WRT((self), (grad, other), (mul(grad, other.conj()))));

TENON_FORMULA(div, over::keeps_wide_numbers<over::fast_float_or_complex>, (self, other), (), (self / other));
TENON_FORMULA_OF(div_trunc, over::rounds_quotients<over::fast_real_with_byte>, E, (self, other), (),
                 (math::div_trunc<E>(self, other)));
TENON_FORMULA_OF(div_floor, over::rounds_quotients<over::fast_real_with_byte>, E, (self, other), (),
                 (math::div_floor<E>(self, other)));
TENON_COMPUTES_BY(div_Tensor, TENON_ELSE(div_formula, (self, other), ()), promote<IntToFloat>,
                  TENON_WRT((self), (grad, other), (div(grad, derivatives::conj_of(other)))),
                  TENON_WRT((other), (grad, self, other), (derivatives::div_other(grad, self, other, std::nullopt))));
TENON_COMPUTES_BY(div_Scalar, TENON_ELSE(div_formula, (self, other), ()), promote<IntToFloat>,
                  cast<OutputCast::Allowed>, TENON_WRT((self), (grad, other), (div(grad, other.conj()))));
TENON_COMPUTES_BY(
    div_Tensor_mode,
    TENON_WHEN((rounding_mode), (rounding_mode.empty()), div_formula, (self, other), (), promote<IntToFloat>,
               named<"div_true">),
    TENON_WHEN((rounding_mode), (rounding_mode == "trunc"), div_trunc_formula, (self, other), (), named<"div_trunc">),
    TENON_WHEN((rounding_mode), (rounding_mode == "floor"), div_floor_formula, (self, other), (), named<"div_floor">),
    refuse<checks::rounding_mode>,
    TENON_WRT((self), (grad, other, rounding_mode), (derivatives::div_self(grad, other, rounding_mode))),
    TENON_WRT((other), (grad, self, other, rounding_mode), (derivatives::div_other(grad, self, other, rounding_mode))));
TENON_COMPUTES_BY(
    div_Scalar_mode,
    TENON_WHEN((rounding_mode), (rounding_mode.empty()), div_formula, (self, other), (), promote<IntToFloat>,
               named<"div_true">),
    TENON_WHEN((rounding_mode), (rounding_mode == "trunc"), div_trunc_formula, (self, other), (), named<"div_trunc">),
    TENON_WHEN((rounding_mode), (rounding_mode == "floor"), div_floor_formula, (self, other), (), named<"div_floor">),
    refuse<checks::rounding_mode>, cast<OutputCast::Allowed>,
    TENON_WRT((self), (grad, other, rounding_mode), (rounding_mode ? zeros_like(grad) : div(grad, other.conj()))));
TENON_COMPUTES_BY(floor_divide_base, TENON_ELSE(div_floor_formula, (self, other), ()), named<"div_floor">);
TENON_COMPUTES_BY(floor_divide_Scalar, TENON_ELSE(div_floor_formula, (self, other), ()), named<"div_floor">,
                  cast<OutputCast::Allowed>);

TENON_COMPUTES(abs_base, over::fast_number, (self), (), (math::abs(self)), promote<ComplexToReal>,
               check<checks::abs_in_place>, TENON_WRT((self), (grad, self), (mul(grad, derivatives::sign_of(self)))));
TENON_COMPUTES(neg_base, over::modular<over::fast_number>, (self), (), (math::negate(self)), check<checks::negation>,
               TENON_WRT((self), (grad), (neg(grad))));
TENON_COMPUTES(floor_base, over::real, (self), (), (math::floor(self)), check<checks::no_complex>,
               TENON_WRT((self), (grad), (zeros_like(grad))));
TENON_COMPUTES(ceil_base, over::real, (self), (), (math::ceil(self)), check<checks::no_complex>,
               TENON_WRT((self), (grad), (zeros_like(grad))));
TENON_COMPUTES(trunc_base, over::real, (self), (), (math::trunc(self)), check<checks::no_complex>,
               TENON_WRT((self), (grad), (zeros_like(grad))));
TENON_COMPUTES(round_base, over::real, (self), (), (math::round(self)), check<checks::no_complex>,
               TENON_WRT((self), (grad), (zeros_like(grad))));
TENON_COMPUTES(sign_base, over::real_or_bool, (self), (), (math::sign(self)), check<checks::sign_of_complex>,
               TENON_WRT((self), (grad), (zeros_like(grad))));
TENON_COMPUTES(frac_base, over::floating, (self), (), (self - math::trunc(self)), check<checks::no_complex>,
               TENON_WRT((self), (grad), (grad)));
TENON_COMPUTES(sgn_base, over::element, (self), (), (math::sgn(self)),
               TENON_WRT((self), (grad, self, result), (derivatives::sgn_slope(grad, self, result))));
TENON_FORMULA_OF(nextafter, over::fast_float, E, (self, other), (), (math::nextafter<E>(self, other)));
TENON_COMPUTES_BY(nextafter_base, TENON_ELSE(nextafter_formula, (self, other), ()),
                  TENON_WRT((self), (grad, self, other), (where(self == other, Scalar(0.0), grad))),
                  TENON_WRT((other), (grad), (zeros_like(grad))));
TENON_FORMULA(copysign, over::floating, (self, other), (), (math::copysign(self, other)));
TENON_COMPUTES_BY(copysign_Tensor, TENON_ELSE(copysign_formula, (self, other), ()), promote<IntToFloat>,
                  TENON_WRT((self), (grad, self, result),
                            (where(self == 0, Scalar(0.0), grad*(result / derivatives::one_for_zero(self))))),
                  TENON_WRT((other), (grad), (zeros_like(grad))));
TENON_COMPUTES_BY(copysign_Scalar, TENON_ELSE(copysign_formula, (self, other), ()), promote<IntToFloat>,
                  TENON_WRT((self), (grad, self, result),
                            (where(self == 0, Scalar(0.0), grad*(result / derivatives::one_for_zero(self))))));
TENON_COMPUTES(gcd_base, over::integer_with_byte, (self, other), (), (math::gcd(self, other)));
TENON_COMPUTES(lcm_base, over::integer_with_byte, (self, other), (), (math::lcm(self, other)));
TENON_COMPUTES(heaviside_base, over::real_or_bool, (self, values), (),
               (math::select(self == decltype(self)(0), values,
                             math::select(decltype(self)(0) < self, decltype(self)(1), decltype(self)(0)))),
               check<checks::same_dtype>, cast<OutputCast::Exact>);
TENON_FORMULA(fmod, over::real_with_byte, (self, other), (), (math::checked_fmod(self, other)));
TENON_COMPUTES_BY(fmod_Tensor, TENON_ELSE(fmod_formula, (self, other), ()), TENON_WRT((self), (grad), (grad)),
                  TENON_WRT((other), (grad, self, other), (-grad * div(self, other, "rounding_mode"_a = "trunc"))));
TENON_COMPUTES_BY(fmod_Scalar, TENON_ELSE(fmod_formula, (self, other), ()), TENON_WRT((self), (grad), (grad)));
TENON_FORMULA(remainder, over::real_with_byte, (self, other), (), (math::checked_remainder(self, other)));
TENON_COMPUTES_BY(remainder_Tensor, TENON_ELSE(remainder_formula, (self, other), ()), TENON_WRT((self), (grad), (grad)),
                  TENON_WRT((other), (grad, self, other), (-grad * div(self, other, "rounding_mode"_a = "floor"))));
TENON_COMPUTES_BY(remainder_Scalar, TENON_ELSE(remainder_formula, (self, other), ()),
                  TENON_WRT((self), (grad), (grad)));
TENON_COMPUTES(lerp_Scalar, over::float_or_complex, (self, end), (weight),
               (math::lerp(self, end, decltype(self)(weight))), check<checks::same_dtype>,
               TENON_WRT((self), (grad, weight), (derivatives::scaled_by_weight(grad, weight, true))),
               TENON_WRT((end), (grad, weight), (derivatives::scaled_by_weight(grad, weight, false))));
TENON_COMPUTES(lerp_Tensor, over::float_or_complex, (self, end, weight), (), (math::lerp(self, end, weight)),
               check<checks::same_dtype>, cast<OutputCast::Exact>,
               TENON_WRT((self), (grad, weight), (grad * derivatives::conj_of(1 - weight))),
               TENON_WRT((end), (grad, weight), (grad * derivatives::conj_of(weight))),
               TENON_WRT((weight), (grad, self, end), (grad * derivatives::conj_of(end - self))));
TENON_COMPUTES(addcmul_base, over::modular<over::number>, (self, tensor1, tensor2), (value),
               (math::plus(self, math::times(math::times(decltype(self)(value), tensor1), tensor2))),
               check<checks::numbers>, TENON_WRT((self), (grad), (grad)),
               TENON_WRT((tensor1), (grad, tensor2, value), (grad * derivatives::conj_of(tensor2 * value))),
               TENON_WRT((tensor2), (grad, tensor1, value), (grad * derivatives::conj_of(tensor1 * value))));
TENON_COMPUTES(addcdiv_base, over::float_or_complex, (self, tensor1, tensor2), (value),
               (self + decltype(self)(value) * tensor1 / tensor2), check<checks::addcdiv>,
               TENON_WRT((self), (grad), (grad)),
               TENON_WRT((tensor1), (grad, tensor2, value), (grad * derivatives::conj_of(value / tensor2))),
               TENON_WRT((tensor2), (grad, tensor1, tensor2, value),
                         (-grad * derivatives::conj_of(tensor1 * value / (tensor2 * tensor2)))));

TENON_FORMULA(conj, over::complex, (self), (), (math::conj(self)));
TENON_COMPUTES_BY(_conj_physical_base, TENON_WHEN((self), (self.is_complex()), conj_formula, (self), ()),
                  TENON_ELSE(identity_formula, (self), ()), named<"conj_physical">,
                  TENON_WRT((self), (grad), (derivatives::conj_of(grad))));

}  // namespace tenon::ops
