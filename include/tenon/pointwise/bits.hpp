// Rows of bits and truth.
#pragma once
#include <tenon/pointwise/row.hpp>
#if TENON_ROWS_REGISTER
#include <tenon/pointwise/checks.hpp>
#include <tenon/pointwise/detail/gradients.hpp>
#endif

namespace tenon::ops {

TENON_COMPUTES(logical_not_base, over::modular<over::element>, (self), (), (!math::truth(self)), promote<Compare>,
               unrecorded);
TENON_COMPUTES(bitwise_not_base, over::modular<over::integer_or_bool>, (self), (), (math::bit_not(self)),
               check<checks::bits>);
TENON_COMPUTES(logical_and_base, over::modular<over::element>, (self, other), (),
               (math::both(math::truth(self), math::truth(other))), promote<Compare>, unrecorded);
TENON_COMPUTES(logical_or_base, over::modular<over::element>, (self, other), (),
               (math::either(math::truth(self), math::truth(other))), promote<Compare>, unrecorded);
TENON_COMPUTES(logical_xor_base, over::modular<over::element>, (self, other), (),
               (math::one_of(math::truth(self), math::truth(other))), promote<Compare>, unrecorded);
TENON_FORMULA(bitwise_and, over::modular<over::integer_or_bool>, (self, other), (), (self & other));
TENON_COMPUTES_BY(bitwise_and_Tensor, TENON_ELSE(bitwise_and_formula, (self, other), ()), check<checks::bits>);
TENON_COMPUTES_BY(bitwise_and_Scalar, TENON_ELSE(bitwise_and_formula, (self, other), ()), check<checks::bits>);
TENON_FORMULA(bitwise_or, over::modular<over::integer_or_bool>, (self, other), (), (self | other));
TENON_COMPUTES_BY(bitwise_or_Tensor, TENON_ELSE(bitwise_or_formula, (self, other), ()), check<checks::bits>);
TENON_COMPUTES_BY(bitwise_or_Scalar, TENON_ELSE(bitwise_or_formula, (self, other), ()), check<checks::bits>);
TENON_FORMULA(bitwise_xor, over::modular<over::integer_or_bool>, (self, other), (), (self ^ other));
TENON_COMPUTES_BY(bitwise_xor_Tensor, TENON_ELSE(bitwise_xor_formula, (self, other), ()), check<checks::bits>);
TENON_COMPUTES_BY(bitwise_xor_Scalar, TENON_ELSE(bitwise_xor_formula, (self, other), ()), check<checks::bits>);
TENON_FORMULA(bitwise_left_shift, over::integer_with_byte, (self, other), (), (math::shift_left(self, other)));
TENON_COMPUTES_BY(bitwise_left_shift_Tensor, TENON_ELSE(bitwise_left_shift_formula, (self, other), ()),
                  check<checks::bits>);
TENON_COMPUTES_BY(bitwise_left_shift_Tensor_Scalar, TENON_ELSE(bitwise_left_shift_formula, (self, other), ()),
                  check<checks::bits>);
TENON_FORMULA(bitwise_right_shift, over::integer_with_byte, (self, other), (), (math::shift_right(self, other)));
TENON_COMPUTES_BY(bitwise_right_shift_Tensor, TENON_ELSE(bitwise_right_shift_formula, (self, other), ()),
                  check<checks::bits>);
TENON_COMPUTES_BY(bitwise_right_shift_Tensor_Scalar, TENON_ELSE(bitwise_right_shift_formula, (self, other), ()),
                  check<checks::bits>);

}  // namespace tenon::ops
