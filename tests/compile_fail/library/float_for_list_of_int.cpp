// expect-error: argument_is_not_convertible<sums_op, .*argument_name<'d', 'i', 'm'>,
// .*expected<.*ArrayRef<.*found<
#include <tenon/library/function.hpp>
#include <tenon/library/library.hpp>

using namespace tenon;

TENON_OPERATOR(sums, "my::sums(Tensor self, int[1]? dim=None) -> Tensor");

#ifdef FIXED
Tensor call(const Tensor& x) { return sums(x, "dim"_a = 1); }
#else
Tensor call(const Tensor& x) { return sums(x, "dim"_a = 1.5); }
#endif
