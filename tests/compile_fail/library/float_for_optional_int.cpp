// expect-error: argument_is_not_convertible<first_op, .*argument_name<'d', 'i', 'm'>,
// .*expected<.*optional<.*found<
#include <tenon/library/function.hpp>
#include <tenon/library/library.hpp>

using namespace tenon;

TENON_OPERATOR(first, "my::first(Tensor self, int? dim=None) -> Tensor");

#ifdef FIXED
Tensor call(const Tensor& x) { return first(x, 1); }
#else
Tensor call(const Tensor& x) { return first(x, 1.5); }
#endif
