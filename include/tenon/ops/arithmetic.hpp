// Elementwise arithmetic and rounding.
#pragma once
#include <tenon/ops/numbers.hpp>

namespace tenon::ops {
inline namespace arithmetic_family {

TENON_OPERATORS(abs, (base, "aten::abs(Tensor self) -> Tensor", with_method, inplace_function, no_device_check,
                      Tag::core, Tag::pointwise, inplace_tags()));
TENON_OPERATORS(neg, (base, "aten::neg(Tensor self) -> Tensor", with_method, inplace_function, no_device_check,
                      Tag::core, Tag::pointwise));
TENON_OPERATORS_PLAIN(positive, (base, "aten::positive(Tensor(a) self) -> Tensor(a)", with_method, Tag::pointwise));
TENON_OPERATORS(sign,
                (base, "aten::sign(Tensor self) -> Tensor", with_method, no_device_check, Tag::core, Tag::pointwise));
TENON_OPERATORS(sgn, (base, "aten::sgn(Tensor self) -> Tensor", with_method, Tag::pointwise));
TENON_OPERATORS(reciprocal, (base, "aten::reciprocal(Tensor self) -> Tensor", with_method, inplace_function,
                             no_device_check, Tag::core, Tag::pointwise));
TENON_OPERATORS(square, (base, "aten::square(Tensor self) -> Tensor", with_method, inplace_function, no_device_check,
                         Tag::pointwise));
TENON_OPERATORS_OF_NUMBERS(add,
                           (Tensor, "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
                            with_method, no_device_check, Tag::core, Tag::pointwise),
                           (Scalar, "aten::add.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor",
                            with_method, no_device_check, Tag::core, Tag::pointwise, out_tags({Tag::generated})));
TENON_OPERATORS_OF_NUMBERS(sub,
                           (Tensor, "aten::sub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
                            with_method, no_device_check, Tag::core, Tag::pointwise),
                           (Scalar, "aten::sub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor",
                            with_method, no_device_check, Tag::core, Tag::pointwise, out_tags({Tag::generated})));
TENON_OPERATORS_OF_NUMBERS(mul,
                           (Tensor, "aten::mul.Tensor(Tensor self, Tensor other) -> Tensor", with_method,
                            no_device_check, Tag::core, Tag::pointwise),
                           (Scalar, "aten::mul.Scalar(Tensor self, Scalar other) -> Tensor", with_method,
                            no_device_check, Tag::core, Tag::pointwise, out_tags({Tag::generated})));
TENON_OPERATORS_OF_NUMBERS(div,
                           (Tensor, "aten::div.Tensor(Tensor self, Tensor other) -> Tensor", with_method,
                            no_device_check, Tag::core, Tag::pointwise),
                           (Scalar, "aten::div.Scalar(Tensor self, Scalar other) -> Tensor", with_method,
                            no_device_check, Tag::core, Tag::pointwise, out_tags({Tag::generated})),
                           (Tensor_mode,
                            "aten::div.Tensor_mode(Tensor self, Tensor other, *, str? rounding_mode) -> Tensor",
                            "out_mode", with_method, no_device_check, Tag::core, Tag::pointwise),
                           (Scalar_mode,
                            "aten::div.Scalar_mode(Tensor self, Scalar other, *, str? rounding_mode) -> Tensor",
                            with_method, Tag::core, Tag::pointwise, out_tags({Tag::generated})));
TENON_OPERATORS(pow,
                (Tensor_Scalar, "aten::pow.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor",
                 inplace_overload("Scalar"), with_method, no_device_check, Tag::core, Tag::pointwise),
                (Tensor_Tensor, "aten::pow.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor",
                 inplace_overload("Tensor"), with_method, no_device_check, Tag::core, Tag::pointwise),
                (Scalar, "aten::pow.Scalar(Scalar self, Tensor exponent) -> Tensor", no_device_check, Tag::core,
                 Tag::pointwise));
TENON_OPERATORS_OUT(rsub,
                    (Tensor, "aten::rsub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor", "Tensor_out",
                     no_device_check, out_tags({Tag::generated})),
                    (Scalar, "aten::rsub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor", no_device_check,
                     Tag::pointwise, out_tags({Tag::generated})));
TENON_OPERATORS_OF_NUMBERS(floor_divide,
                           (base, "aten::floor_divide(Tensor self, Tensor other) -> Tensor", inplace_overload("Tensor"),
                            with_method, no_device_check),
                           (Scalar, "aten::floor_divide.Scalar(Tensor self, Scalar other) -> Tensor", with_method,
                            no_device_check, out_tags({Tag::generated})));
TENON_OPERATORS(fmod,
                (Tensor, "aten::fmod.Tensor(Tensor self, Tensor other) -> Tensor", "Tensor_out", with_method,
                 no_device_check, Tag::core, Tag::pointwise),
                (Scalar, "aten::fmod.Scalar(Tensor self, Scalar other) -> Tensor", with_method, no_device_check,
                 Tag::core, Tag::pointwise));
TENON_OPERATORS(remainder,
                (Tensor, "aten::remainder.Tensor(Tensor self, Tensor other) -> Tensor", "Tensor_out", with_method,
                 no_device_check, Tag::core, Tag::pointwise),
                (Scalar, "aten::remainder.Scalar(Tensor self, Scalar other) -> Tensor", with_method, Tag::core,
                 Tag::pointwise),
                (Scalar_Tensor, "aten::remainder.Scalar_Tensor(Scalar self, Tensor other) -> Tensor", no_inplace,
                 no_device_check, Tag::pointwise, out_tags({Tag::generated})));
TENON_OPERATORS_OF_NUMBERS(multiply,
                           (Tensor, "aten::multiply.Tensor(Tensor self, Tensor other) -> Tensor", with_method),
                           (Scalar, "aten::multiply.Scalar(Tensor self, Scalar other) -> Tensor", no_out, with_method));
TENON_OPERATORS_OF_NUMBERS(
    subtract, (Tensor, "aten::subtract.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor", with_method),
    (Scalar, "aten::subtract.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor", no_out, with_method));
TENON_OPERATORS_OF_NUMBERS(divide, (Tensor, "aten::divide.Tensor(Tensor self, Tensor other) -> Tensor", with_method),
                           (Scalar, "aten::divide.Scalar(Tensor self, Scalar other) -> Tensor", no_out, with_method),
                           (Scalar_mode,
                            "aten::divide.Scalar_mode(Tensor self, Scalar other, *, str? rounding_mode) -> Tensor",
                            no_out, with_method),
                           (Tensor_mode,
                            "aten::divide.Tensor_mode(Tensor self, Tensor other, *, str? rounding_mode) -> Tensor",
                            "out_mode", with_method));
TENON_OPERATORS_OF_NUMBERS(true_divide,
                           (Tensor, "aten::true_divide.Tensor(Tensor self, Tensor other) -> Tensor", with_method,
                            no_device_check, Tag::pointwise, inplace_tags(), out_tags()),
                           (Scalar, "aten::true_divide.Scalar(Tensor self, Scalar other) -> Tensor", no_out,
                            with_method, no_device_check));
TENON_OPERATORS(addcmul,
                (base, "aten::addcmul(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor",
                 with_method, no_device_check, Tag::pointwise));
TENON_OPERATORS(addcdiv,
                (base, "aten::addcdiv(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor",
                 with_method, no_device_check, Tag::pointwise));
TENON_OPERATORS(lerp,
                (Scalar, "aten::lerp.Scalar(Tensor self, Tensor end, Scalar weight) -> Tensor", with_method,
                 no_device_check, Tag::pointwise),
                (Tensor, "aten::lerp.Tensor(Tensor self, Tensor end, Tensor weight) -> Tensor", "Tensor_out",
                 with_method, no_device_check, Tag::pointwise));
TENON_OPERATORS(floor, (base, "aten::floor(Tensor self) -> Tensor", with_method, inplace_function, no_device_check,
                        Tag::core, Tag::pointwise));
TENON_OPERATORS(ceil, (base, "aten::ceil(Tensor self) -> Tensor", with_method, inplace_function, no_device_check,
                       Tag::core, Tag::pointwise));
TENON_OPERATORS(trunc, (base, "aten::trunc(Tensor self) -> Tensor", with_method, inplace_function, no_device_check,
                        Tag::core, Tag::pointwise));
TENON_OPERATORS(round,
                (base, "aten::round(Tensor self) -> Tensor", with_method, inplace_function, no_device_check, Tag::core,
                 Tag::pointwise),
                (decimals, "aten::round.decimals(Tensor self, *, int decimals) -> Tensor", "decimals_out", with_method,
                 inplace_function, no_device_check, Tag::pointwise));
TENON_OPERATORS(frac, (base, "aten::frac(Tensor self) -> Tensor", with_method, inplace_function, no_device_check,
                       Tag::pointwise));
TENON_OPERATORS(gcd, (base, "aten::gcd(Tensor self, Tensor other) -> Tensor", with_method, inplace_function,
                      Tag::pointwise, inplace_tags()));
TENON_OPERATORS(lcm, (base, "aten::lcm(Tensor self, Tensor other) -> Tensor", with_method, inplace_function,
                      Tag::pointwise, inplace_tags()));
TENON_OPERATORS(nextafter, (base, "aten::nextafter(Tensor self, Tensor other) -> Tensor", with_method, Tag::pointwise));
TENON_OPERATORS(copysign,
                (Tensor, "aten::copysign.Tensor(Tensor self, Tensor other) -> Tensor", with_method, no_device_check,
                 Tag::pointwise, inplace_tags()),
                (Scalar, "aten::copysign.Scalar(Tensor self, Scalar other) -> Tensor", with_method, Tag::pointwise,
                 inplace_tags()));
TENON_OPERATORS(heaviside, (base, "aten::heaviside(Tensor self, Tensor values) -> Tensor", with_method, no_device_check,
                            Tag::pointwise, inplace_tags()));
TENON_OPERATORS_PLAIN(conj_physical, (base, "aten::conj_physical(Tensor self) -> Tensor", with_method,
                                      Tag::maybe_aliasing_or_mutating, Tag::pointwise));
TENON_OPERATORS_INPLACE(conj_physical,
                        (base, "aten::conj_physical_(Tensor(a!) self) -> Tensor(a!)", with_method, Tag::pointwise));
// What conj_physical is for complex tensors; the form with `out` has the public name.
TENON_OPERATORS_OUT(_conj_physical, (base, "aten::_conj_physical(Tensor self) -> Tensor",
                                     "aten::conj_physical.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)",
                                     with_method, Tag::pointwise));

}  // namespace arithmetic_family
}  // namespace tenon::ops
