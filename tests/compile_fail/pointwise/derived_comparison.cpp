// expect-error: derived_formula_depends_on_no_element<mine::above_base_op, mine::above_base_formula>
#include <tenon/cpu/rows.hpp>

namespace mine {
TENON_OPERATORS(above, "mine::above(Tensor self, Tensor other) -> Tensor");
#ifdef FIXED
TENON_COMPUTES(above_base, tenon::over::floating, (self, other), (), (self > other), promote<Compare>,
               not_differentiable);
#else
TENON_COMPUTES(above_base, tenon::over::floating, (self, other), (), (self > other), promote<Compare>, derived);
#endif
}  // namespace mine
