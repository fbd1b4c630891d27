// expect-error: no_overload_accepts<my::sum_function, .*sum_all_op, .*unknown_keyword, .*argument_name<'d', 'i',
// 'm'>.*sum_dims_op, .*unknown_keyword, .*argument_name<'d', 'i', 'm'>
#include <tenon/library/function.hpp>
#include <tenon/library/library.hpp>

using namespace tenon;

namespace my {
TENON_OPERATOR(sum_all, "my::sum(Tensor self) -> Tensor");
TENON_OPERATOR(sum_dims, "my::sum.dims(Tensor self, int dims) -> Tensor");
TENON_FUNCTION(sum, sum_all, sum_dims);
}  // namespace my

#ifdef FIXED
Tensor call(const Tensor& x) { return my::sum(x, "dims"_a = 1); }
#else
Tensor call(const Tensor& x) { return my::sum(x, "dim"_a = 1); }
#endif
