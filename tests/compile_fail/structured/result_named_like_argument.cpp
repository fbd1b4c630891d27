// expect-error: operator_cannot_be_made<copied_op, .*result_has_the_name_of_an_argument
#include <tenon/structured/structured.hpp>

using namespace tenon;

void meta(Outputs& out, const Tensor& x) { out.set_output_strided(0, x.sizes(), {}, x.dtype()); }
#ifdef FIXED
TENON_STRUCTURED(copied, "my::copied(Tensor x) -> Tensor", meta);
#else
TENON_STRUCTURED(copied, "my::copied(Tensor out) -> Tensor", meta);
#endif
