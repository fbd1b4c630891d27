// expect-error: kernel_does_not_match_schema<add_op, .*return_type, .*expected<(tenon::)?Tensor>, .*found<void>
#include <tenon/library/function.hpp>
#include <tenon/library/library.hpp>

using namespace tenon;

TENON_OPERATOR(add, "my::add(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor");

#ifdef FIXED
Tensor kernel(const Tensor& self, const Tensor&, const Scalar&) { return self; }
void implement(Library& m) { m.impl<add, &kernel>(); }
#else
void kernel(const Tensor&, const Tensor&, const Scalar&) {}
void implement(Library& m) { m.impl<add, &kernel>(); }
#endif
