// expect-error: operator_cannot_be_made<both_op, .*more_than_one_result
#include <tenon/tenon.hpp>

#include <tenon/cpu/pointwise_operator.hpp>

#ifdef FIXED
TENON_POINTWISE(both, "my::both(Tensor x) -> Tensor", [](auto x) { return x; });
#else
TENON_POINTWISE(both, "my::both(Tensor x) -> (Tensor, Tensor)", [](auto x) { return std::make_tuple(x, x); });
#endif
