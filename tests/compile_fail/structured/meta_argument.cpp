// expect-error: meta_function_does_not_match_schema<twice_op, .*argument<3>
// expect-error: expected<double>, .*found<const (tenon::)?Tensor ?&>
#include <tenon/structured/structured.hpp>

using namespace tenon;

#ifdef FIXED
void meta(Outputs& out, const Tensor& x, double) { out.set_output_strided(0, x.sizes(), {}, x.dtype()); }
#else
void meta(Outputs& out, const Tensor& x, const Tensor&) { out.set_output_strided(0, x.sizes(), {}, x.dtype()); }
#endif
void kernel(const Tensor&, double, const Tensor&) {}
TENON_STRUCTURED(twice, "my::twice(Tensor x, float by) -> Tensor", meta);
TENON_STRUCTURED_KERNEL(twice, CPU, kernel);
