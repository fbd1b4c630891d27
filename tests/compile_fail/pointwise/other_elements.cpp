// expect-error: formula_takes_other_elements_or_numbers<.*shifted_base_op, .*shifted_formula
#include <tenon/cpu/pointwise_engine.hpp>
#include <tenon/pointwise/row.hpp>

namespace mine {
TENON_OPERATORS(shifted, "mine::shifted(Tensor self, Scalar other) -> Tensor");
TENON_FORMULA(shifted, tenon::over::real, (self, other), (), (self + other));
#ifdef FIXED
TENON_COMPUTES_BY(shifted_base, TENON_ELSE(shifted_formula, (self, other), ()), not_differentiable);
#else
TENON_COMPUTES_BY(shifted_base, TENON_ELSE(shifted_formula, (self), (other)), not_differentiable);
#endif
}  // namespace mine
