// expect-error: operator_cannot_be_made<same_op, .*no_tensor_among_the_arguments
#include <tenon/tenon.hpp>

#include <tenon/cpu/pointwise_operator.hpp>

#ifdef FIXED
TENON_POINTWISE(same, "my::same(Scalar a, Tensor b) -> Tensor", [](auto a, auto b) { return a * b; });
#else
TENON_POINTWISE(same, "my::same(Scalar a) -> Tensor", [](auto a) { return a; });
#endif
