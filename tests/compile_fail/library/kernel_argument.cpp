// expect-error: kernel_does_not_match_schema<add_op, .*argument<1>
// expect-error: expected<const (tenon::)?Tensor ?&>, .*found<(tenon::)?Tensor>
#include <tenon/library/function.hpp>
#include <tenon/library/library.hpp>

using namespace tenon;

TENON_OPERATOR(add, "my::add(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor");

#ifdef FIXED
Tensor kernel(const Tensor& self, const Tensor&, const Scalar&) { return self; }
void implement(Library& m) { m.impl<add, &kernel>(); }
#else
Tensor kernel(Tensor self, const Tensor&, const Scalar&) { return self; }
void implement(Library& m) { m.impl<add, &kernel>(); }
#endif
