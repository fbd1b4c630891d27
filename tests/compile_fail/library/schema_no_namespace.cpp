// expect-error: operator_schema_error<scale_op, .*namespace_expected, .*at_column<1>, .*near_text<'s', 'c', 'a', 'l'
#include <tenon/library/function.hpp>
#include <tenon/library/library.hpp>

using namespace tenon;

#ifdef FIXED
TENON_OPERATOR(scale, "my::scale(Tensor self) -> Tensor");
#else
TENON_OPERATOR(scale, "scale(Tensor self) -> Tensor");
#endif
Tensor call(const Tensor& x) { return scale(x); }
