// expect-error: row_has_no_such_option<mine::shifted_base_op, int>
#include <tenon/cpu/rows.hpp>

namespace mine {
TENON_OPERATORS(shifted, "mine::shifted(Tensor self, Scalar other) -> Tensor");
#ifdef FIXED
TENON_COMPUTES(shifted_base, tenon::over::real, (self, other), (), (self + other), promote<IntToFloat>);
#else
TENON_COMPUTES(shifted_base, tenon::over::real, (self, other), (), (self + other), 5);
#endif
}  // namespace mine
