// expect-error: argument_is_not_convertible<add_op, .*argument_name<'o', 't', 'h', 'e', 'r'>, .*expected<const
// (tenon::)?Tensor ?&>, .*found<
#include <tenon/library/function.hpp>
#include <tenon/library/library.hpp>

using namespace tenon;

TENON_OPERATOR(add, "my::add(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor");

#ifdef FIXED
Tensor call(const Tensor& x) { return add(x, x); }
#else
Tensor call(const Tensor& x) { return add(x, "text"); }
#endif
