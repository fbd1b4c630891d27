// expect-error: operator_schema_error<wrong_op, .*default_does_not_fit_type
#include <tenon/library/function.hpp>
#include <tenon/library/library.hpp>

using namespace tenon;

#ifdef FIXED
TENON_OPERATOR(wrong, "my::wrong(Tensor self, int? n=None) -> Tensor");
void implement(Library& m) { m.def<wrong>(); }
#else
TENON_OPERATOR(wrong, "my::wrong(Tensor self, int n=None) -> Tensor");
void implement(Library& m) { m.def<wrong>(); }
#endif
