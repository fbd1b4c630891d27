// expect-error: operator_cannot_be_made<total_base_op, .*more_than_one_result
#include <tenon/tenon.hpp>

#include <tenon/cpu/reduction.hpp>

using namespace tenon;

#ifdef FIXED
TENON_OPERATORS_OUT(total, "my::total(Tensor self, int dim) -> Tensor");
#else
TENON_OPERATORS_OUT(total, "my::total(Tensor self, int dim) -> (Tensor, Tensor)");
#endif
TENON_REDUCTION(total_base, reduction::sum, reduction::same_dtype, reduction::no_gradient{});
