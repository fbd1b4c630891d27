// expect-error: operator_has_no_inplace_form<times_op>
#include <tenon/structured/structured.hpp>

using namespace tenon;

void meta(Outputs& out, std::int64_t, const Tensor& x) { out.set_output_strided(0, x.sizes(), {}, x.dtype()); }
TENON_STRUCTURED(times, "my::times(int n, Tensor x) -> Tensor", meta);

#ifdef FIXED
void call(Tensor& x) { x = times(2, x); }
#else
void call(Tensor& x) { times_(2, x); }
#endif
