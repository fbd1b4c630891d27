// expect-error: a_derived_row_has_one_case_without_condition<mine::shifted_base_op>
#include <tenon/cpu/rows.hpp>

namespace mine {
TENON_OPERATORS(shifted, "mine::shifted(Tensor self, Scalar other) -> Tensor");
TENON_FORMULA(same, tenon::over::floating, (self), (), (self));
TENON_FORMULA(sum, tenon::over::floating, (self), (other), (self + other));
#ifdef FIXED
TENON_COMPUTES_BY(shifted_base, TENON_ELSE(sum_formula, (self), (other)), derived);
#else
TENON_COMPUTES_BY(shifted_base, TENON_WHEN((other), (other.equal(0)), same_formula, (self), ()),
                  TENON_ELSE(sum_formula, (self), (other)), derived);
#endif
}  // namespace mine
