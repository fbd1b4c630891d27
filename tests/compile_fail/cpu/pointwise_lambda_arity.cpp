// expect-error: operator_cannot_be_made<sum_op, .*lambda_does_not_take_these_arguments, .*count_is<2>
#include <tenon/tenon.hpp>

#include <tenon/cpu/pointwise_operator.hpp>

#ifdef FIXED
TENON_POINTWISE(sum, "my::sum(Tensor a, Tensor b) -> Tensor", [](auto a, auto b) { return a + b; });
#else
TENON_POINTWISE(sum, "my::sum(Tensor a, Tensor b) -> Tensor", [](auto a) { return a; });
#endif
