// expect-error: no_overload_accepts<sum_function, .*
#include <tenon/library/function.hpp>
#include <tenon/library/library.hpp>

using namespace tenon;

TENON_OPERATOR(sum_all, "my::sum(Tensor self) -> Tensor");
TENON_OPERATOR(sum_dims, "my::sum.dims(Tensor self, int[] dims) -> Tensor");
TENON_FUNCTION(sum, sum_all, sum_dims);

#ifdef FIXED
Tensor call(const Tensor& x) { return sum(x, {0, 1}); }
#else
Tensor call(const Tensor& x) { return sum(x, "text"); }
#endif
