// expect-error: operator_cannot_be_made<scaled_op, .*argument_is_neither_tensor_nor_number, .*argument_name<.s.
#include <tenon/tenon.hpp>

#include <tenon/cpu/pointwise_operator.hpp>

#ifdef FIXED
TENON_POINTWISE(scaled, "my::scaled(Tensor x, Scalar s=1) -> Tensor", [](auto x, auto s) { return x * s; });
#else
TENON_POINTWISE(scaled, "my::scaled(Tensor x, Scalar? s=None) -> Tensor", [](auto x, auto s) { return x * s; });
#endif
