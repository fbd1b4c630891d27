// expect-error: kernel_does_not_match_schema<twice_op, .*argument<2>
// expect-error: expected<double>, .*found<float>
#include <tenon/structured/structured.hpp>

using namespace tenon;

void meta(Outputs& out, const Tensor& x, double) { out.set_output_strided(0, x.sizes(), {}, x.dtype()); }
#ifdef FIXED
void kernel(const Tensor&, double, const Tensor&) {}
#else
void kernel(const Tensor&, float, const Tensor&) {}
#endif
TENON_STRUCTURED(twice, "my::twice(Tensor x, float by) -> Tensor", meta);
TENON_STRUCTURED_KERNEL(twice, CPU, kernel);
