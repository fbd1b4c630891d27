// expect-error: operator_schema_error<twice_op, .*unknown_type_name
#include <tenon/structured/structured.hpp>

using namespace tenon;

void meta(Outputs& out, const Tensor& x) { out.set_output_strided(0, x.sizes(), {}, x.dtype()); }
void kernel(const Tensor&, const Tensor&) {}
#ifdef FIXED
TENON_STRUCTURED(twice, "my::twice(Tensor x) -> Tensor", meta);
#else
TENON_STRUCTURED(twice, "my::twice(Tenser x) -> Tensor", meta);
#endif
TENON_STRUCTURED_KERNEL(twice, CPU, kernel);
