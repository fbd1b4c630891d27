// expect-error: kernel_does_not_match_schema<twice_op, .*number_of_arguments, .*count_is<3>.*count_is<2>
#include <tenon/structured/structured.hpp>

using namespace tenon;

void meta(Outputs& out, const Tensor& x, double) { out.set_output_strided(0, x.sizes(), {}, x.dtype()); }
#ifdef FIXED
void kernel(const Tensor&, double, const Tensor&) {}
#else
void kernel(const Tensor&, double) {}
#endif
TENON_STRUCTURED(twice, "my::twice(Tensor x, float by) -> Tensor", meta);
TENON_STRUCTURED_KERNEL(twice, CPU, kernel);
