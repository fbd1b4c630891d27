// expect-error: operator_schema_error<broken_op, .*arrow_expected.*at_column<
#include <tenon/library/function.hpp>
#include <tenon/library/library.hpp>

using namespace tenon;

#ifdef FIXED
TENON_OPERATOR(broken, "my::broken(Tensor self) -> Tensor");
void define(Library& m) { m.def<broken>(); }
#else
TENON_OPERATOR(broken, "my::broken(Tensor self)");
void define(Library& m) { m.def<broken>(); }
#endif
