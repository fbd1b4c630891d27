// expect-error: declaration_has_no_such_option<int>
#include <tenon/library/operators.hpp>

#ifdef FIXED
TENON_OPERATORS(twice, (Tensor, "my::twice.Tensor(Tensor self) -> Tensor", no_out));
#else
TENON_OPERATORS(twice, (Tensor, "my::twice.Tensor(Tensor self) -> Tensor", 5));
#endif
auto options = twice_Tensor_op::options();
