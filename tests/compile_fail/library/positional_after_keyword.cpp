// expect-error: operator_call_error<add_op, .*positional_argument_after_keyword, .*argument_name<'a', 'l', 'p', 'h',
// 'a'>
#include <tenon/library/function.hpp>
#include <tenon/library/library.hpp>

using namespace tenon;

TENON_OPERATOR(add, "my::add(Tensor self, Tensor? other=None, *, Scalar alpha=1) -> Tensor");

#ifdef FIXED
Tensor call(const Tensor& x) { return add(x, x, "alpha"_a = 2); }
#else
Tensor call(const Tensor& x) { return add(x, "alpha"_a = 2, x); }
#endif
