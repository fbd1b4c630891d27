// expect-error: no_overload_accepts<my::sum_function, .*operator_call_error<my::sum_all_op,
// .*too_many_arguments.*argument_is_not_convertible<my::sum_dims_op, .*argument_name<'d', 'i', 'm', 's'
#include <tenon/library/function.hpp>
#include <tenon/library/library.hpp>

using namespace tenon;

namespace my {
TENON_OPERATOR(sum_all, "my::sum(Tensor self) -> Tensor");
TENON_OPERATOR(sum_dims, "my::sum.dims(Tensor self, int[] dims) -> Tensor");
TENON_FUNCTION(sum, sum_all, sum_dims);
}  // namespace my

#ifdef FIXED
Tensor call(const Tensor& x) { return my::sum(x, {0, 1}); }
#else
Tensor call(const Tensor& x) { return my::sum(x, "text"); }
#endif
