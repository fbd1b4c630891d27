// expect-error: operator_has_no_meta_function<twice_base_op>
#include <tenon/library/operators.hpp>
#include <tenon/structured/structured.hpp>

using namespace tenon;

TENON_OPERATORS(twice, "my::twice(Tensor x) -> Tensor");
#ifdef FIXED
void meta(Outputs& out, const Tensor& x) { out.set_output_strided(0, x.sizes(), {}, x.dtype()); }
TENON_STRUCTURED_OF(twice_base, meta);
#endif
void kernel(const Tensor&, const Tensor&) {}
TENON_STRUCTURED_KERNEL(twice_base, CPU, kernel);
