// expect-error: row_has_no_such_option<total_base_op, int>
#include <tenon/tenon.hpp>

#include <tenon/cpu/reduction.hpp>

using namespace tenon;

TENON_OPERATORS_OUT(total, "my::total(Tensor self, int dim) -> Tensor");
#ifdef FIXED
TENON_REDUCTION(total_base, reduction::sum, reduction::same_dtype, reduction::no_gradient{});
#else
TENON_REDUCTION(total_base, reduction::sum, reduction::same_dtype, 2);
#endif
