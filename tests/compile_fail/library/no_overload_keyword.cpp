// expect-error: tenon: a keyword of this call is no argument of the function
// expect-error: no_argument_has_this_keyword<my::sum_function, .*argument_name<'d', 'i', 'm'>, .*argument_name<'s', 'e'
// expect-error: argument_name<'d', 'i', 'm', 's'>
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
