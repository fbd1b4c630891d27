// Formulas that rows of several families compute.
#pragma once
#include <tenon/pointwise/row.hpp>

namespace tenon::ops {

TENON_FORMULA(identity, over::any_element, (self), (), (self));
TENON_FORMULA(one, over::fast_element, (self), (), (decltype(self)(1)));
TENON_FORMULA(square, over::number, (self), (), (math::times(self, self)));
TENON_FORMULA(cube, over::number, (self), (), (math::times(math::times(self, self), self)));
TENON_FORMULA(one_over_square, over::float_or_complex, (self), (), (decltype(self)(1) / (self * self)));
// Of equal values math::maximum and minimum give the second, and PyTorch keeps a -0 that equals a limit: limits stand
// first.
TENON_FORMULA(maximum, over::ordered<over::fast_real_or_bool>, (self, other), (), (math::maximum(other, self)));
TENON_FORMULA(minimum, over::ordered<over::fast_real_or_bool>, (self, other), (), (math::minimum(other, self)));

}  // namespace tenon::ops
