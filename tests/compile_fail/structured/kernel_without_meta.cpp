// expect-error: operator_has_no_meta_function<twice_op>
#include <tenon/structured/structured.hpp>

using namespace tenon;

TENON_OPERATOR_FORMS(twice, "my::twice(Tensor x) -> Tensor");
#ifdef FIXED
void meta(Outputs& out, const Tensor& x) { out.set_output_strided(0, x.sizes(), {}, x.dtype()); }
TENON_STRUCTURED_OF(twice, meta);
#endif
void kernel(const Tensor&, const Tensor&) {}
TENON_STRUCTURED_KERNEL(twice, CPU, kernel);
