// expect-error: name_one_operator_of_this_overload_set<.*my::sum_function, .*my::sum_base_op, .*my::sum_dims_op
#include <tenon/library/library.hpp>
#include <tenon/library/operators.hpp>

using namespace tenon;

namespace my {
TENON_OPERATORS_PLAIN(sum, "my::sum(Tensor self) -> Tensor", (dims, "my::sum.dims(Tensor self, int dims) -> Tensor"));
}  // namespace my

Tensor sum_all(const Tensor& x) { return x; }

TENON_LIBRARY_IMPL(my, PrivateUse1, m) {
#ifdef FIXED
  m.impl<my::sum_base, &sum_all>();
#else
  m.impl<my::sum, &sum_all>();
#endif
}
