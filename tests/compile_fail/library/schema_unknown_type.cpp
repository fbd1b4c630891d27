// expect-error: operator_schema_error<unknown_op, .*unknown_type_name.*at_column<[0-9]+>.*near_text<
#include <tenon/library/function.hpp>
#include <tenon/library/library.hpp>

using namespace tenon;

#ifdef FIXED
TENON_OPERATOR(unknown, "my::unknown(Tensor self, Tensor other) -> Tensor");
Tensor call(const Tensor& x) { return unknown(x, x); }
#else
TENON_OPERATOR(unknown, "my::unknown(Tensor self, Tensr other) -> Tensor");
Tensor call(const Tensor& x) { return unknown(x, x); }
#endif
