// expect-error: operator_cannot_be_made<size_op, .*result_is_not_a_tensor.*, .*result<2>
#include <tenon/structured/structured.hpp>

using namespace tenon;

#ifdef FIXED
void size_meta(Outputs& out, const Tensor& x) {
  out.set_output_strided(0, x.sizes(), {}, x.dtype());
  out.set_output_strided(1, {1}, {}, kLong);
}
TENON_STRUCTURED(size, "my::size(Tensor x) -> (Tensor, Tensor)", size_meta);
#else
void size_meta(Outputs& out, const Tensor& x) { out.set_output_strided(0, x.sizes(), {}, x.dtype()); }
TENON_STRUCTURED(size, "my::size(Tensor x) -> (Tensor, int)", size_meta);
#endif
