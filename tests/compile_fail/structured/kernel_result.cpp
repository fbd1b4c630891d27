// expect-error: kernel_does_not_match_schema<twice_op, .*argument<2>
// expect-error: expected<const (tenon::)?Tensor ?&>, .*found<(tenon::)?Tensor ?&>
#include <tenon/structured/structured.hpp>

using namespace tenon;

void meta(Outputs& out, const Tensor& x) { out.set_output_strided(0, x.sizes(), {}, x.dtype()); }
#ifdef FIXED
void kernel(const Tensor&, const Tensor&) {}
#else
void kernel(const Tensor&, Tensor&) {}
#endif
TENON_STRUCTURED(twice, "my::twice(Tensor x) -> Tensor", meta);
TENON_STRUCTURED_KERNEL(twice, CPU, kernel);
