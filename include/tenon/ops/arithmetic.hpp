// Elementwise arithmetic and rounding.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {

TENON_OPERATORS(abs, "aten::abs(Tensor self) -> Tensor");
TENON_OPERATORS(neg, "aten::neg(Tensor self) -> Tensor");
TENON_OPERATORS_PLAIN(positive, "aten::positive(Tensor(a) self) -> Tensor(a)");
TENON_OPERATORS(sign, "aten::sign(Tensor self) -> Tensor");
TENON_OPERATORS(sgn, "aten::sgn(Tensor self) -> Tensor");
TENON_OPERATORS(reciprocal, "aten::reciprocal(Tensor self) -> Tensor");
TENON_OPERATORS(square, "aten::square(Tensor self) -> Tensor");
TENON_OPERATORS(add, (Tensor, "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor"),
                (Scalar, "aten::add.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor"));
TENON_OPERATORS(sub, (Tensor, "aten::sub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor"),
                (Scalar, "aten::sub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor"));
TENON_OPERATORS(mul, (Tensor, "aten::mul.Tensor(Tensor self, Tensor other) -> Tensor"),
                (Scalar, "aten::mul.Scalar(Tensor self, Scalar other) -> Tensor"));
TENON_OPERATORS(div, (Tensor, "aten::div.Tensor(Tensor self, Tensor other) -> Tensor"),
                (Scalar, "aten::div.Scalar(Tensor self, Scalar other) -> Tensor"),
                (Tensor_mode, "aten::div.Tensor_mode(Tensor self, Tensor other, *, str? rounding_mode) -> Tensor",
                 "out_mode"),
                (Scalar_mode, "aten::div.Scalar_mode(Tensor self, Scalar other, *, str? rounding_mode) -> Tensor"));
TENON_OPERATORS(
    pow, (Tensor_Scalar, "aten::pow.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor", inplace_overload("Scalar")),
    (Tensor_Tensor, "aten::pow.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor", inplace_overload("Tensor")),
    (Scalar, "aten::pow.Scalar(Scalar self, Tensor exponent) -> Tensor"));
TENON_OPERATORS_OUT(rsub,
                    (Tensor, "aten::rsub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor", "Tensor_out"),
                    (Scalar, "aten::rsub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor"));
TENON_OPERATORS(floor_divide,
                (base, "aten::floor_divide(Tensor self, Tensor other) -> Tensor", inplace_overload("Tensor")),
                (Scalar, "aten::floor_divide.Scalar(Tensor self, Scalar other) -> Tensor"));
TENON_OPERATORS(fmod, (Tensor, "aten::fmod.Tensor(Tensor self, Tensor other) -> Tensor", "Tensor_out"),
                (Scalar, "aten::fmod.Scalar(Tensor self, Scalar other) -> Tensor"));
TENON_OPERATORS(remainder, (Tensor, "aten::remainder.Tensor(Tensor self, Tensor other) -> Tensor", "Tensor_out"),
                (Scalar, "aten::remainder.Scalar(Tensor self, Scalar other) -> Tensor"),
                (Scalar_Tensor, "aten::remainder.Scalar_Tensor(Scalar self, Tensor other) -> Tensor", no_inplace));
TENON_OPERATORS(multiply, (Tensor, "aten::multiply.Tensor(Tensor self, Tensor other) -> Tensor"),
                (Scalar, "aten::multiply.Scalar(Tensor self, Scalar other) -> Tensor", no_out));
TENON_OPERATORS(subtract, (Tensor, "aten::subtract.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor"),
                (Scalar, "aten::subtract.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor", no_out));
TENON_OPERATORS(divide, (Tensor, "aten::divide.Tensor(Tensor self, Tensor other) -> Tensor"),
                (Scalar, "aten::divide.Scalar(Tensor self, Scalar other) -> Tensor", no_out),
                (Scalar_mode, "aten::divide.Scalar_mode(Tensor self, Scalar other, *, str? rounding_mode) -> Tensor",
                 no_out),
                (Tensor_mode, "aten::divide.Tensor_mode(Tensor self, Tensor other, *, str? rounding_mode) -> Tensor",
                 "out_mode"));
TENON_OPERATORS(true_divide, (Tensor, "aten::true_divide.Tensor(Tensor self, Tensor other) -> Tensor"),
                (Scalar, "aten::true_divide.Scalar(Tensor self, Scalar other) -> Tensor", no_out));
TENON_OPERATORS(addcmul, "aten::addcmul(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor");
TENON_OPERATORS(addcdiv, "aten::addcdiv(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor");
TENON_OPERATORS(lerp, (Scalar, "aten::lerp.Scalar(Tensor self, Tensor end, Scalar weight) -> Tensor"),
                (Tensor, "aten::lerp.Tensor(Tensor self, Tensor end, Tensor weight) -> Tensor", "Tensor_out"));
TENON_OPERATORS(floor, "aten::floor(Tensor self) -> Tensor");
TENON_OPERATORS(ceil, "aten::ceil(Tensor self) -> Tensor");
TENON_OPERATORS(trunc, "aten::trunc(Tensor self) -> Tensor");
TENON_OPERATORS(round, "aten::round(Tensor self) -> Tensor",
                (decimals, "aten::round.decimals(Tensor self, *, int decimals) -> Tensor", "decimals_out"));
TENON_OPERATORS(frac, "aten::frac(Tensor self) -> Tensor");
TENON_OPERATORS(gcd, "aten::gcd(Tensor self, Tensor other) -> Tensor");
TENON_OPERATORS(lcm, "aten::lcm(Tensor self, Tensor other) -> Tensor");
TENON_OPERATORS(nextafter, "aten::nextafter(Tensor self, Tensor other) -> Tensor");
TENON_OPERATORS(copysign, (Tensor, "aten::copysign.Tensor(Tensor self, Tensor other) -> Tensor"),
                (Scalar, "aten::copysign.Scalar(Tensor self, Scalar other) -> Tensor"));
TENON_OPERATORS(heaviside, "aten::heaviside(Tensor self, Tensor values) -> Tensor");
TENON_OPERATORS_PLAIN(conj_physical, "aten::conj_physical(Tensor self) -> Tensor");
TENON_OPERATORS_INPLACE(conj_physical, "aten::conj_physical_(Tensor(a!) self) -> Tensor(a!)");
// What conj_physical is for complex tensors; the form with `out` has the public name.
TENON_OPERATORS_OUT(_conj_physical, (base, "aten::_conj_physical(Tensor self) -> Tensor",
                                     "aten::conj_physical.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)"));

}  // namespace tenon::ops
