// expect-error: argument_is_not_convertible<narrow_op, .*argument_name<'d', 'i', 'm'>,
// .*expected<(long|int64_t|std::int64_t|long int)>, .*found<
#include <tenon/library/function.hpp>
#include <tenon/library/library.hpp>

using namespace tenon;

TENON_OPERATOR(narrow, "my::narrow(Tensor self, int dim) -> Tensor");

#ifdef FIXED
Tensor call(const Tensor& x) { return narrow(x, 1); }
#else
Tensor call(const Tensor& x) { return narrow(x, 1.5); }
#endif
