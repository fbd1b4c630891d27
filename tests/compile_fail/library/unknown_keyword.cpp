// expect-error: operator_call_error<add_op, .*unknown_keyword, .*argument_name<'b', 'e', 't', 'a'>, .*<'s', 'e', 'l'
#include <tenon/library/function.hpp>
#include <tenon/library/library.hpp>

using namespace tenon;

TENON_OPERATOR(add, "my::add(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor");

#ifdef FIXED
Tensor call(const Tensor& x) { return add(x, x, "alpha"_a = 2); }
#else
Tensor call(const Tensor& x) { return add(x, x, "beta"_a = 2); }
#endif
