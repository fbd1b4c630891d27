// expect-error: meta_functor_has_no_such_call_operator<twice_meta>
#include <tenon/structured/structured.hpp>

using namespace tenon;

struct twice_meta {
#ifdef FIXED
  template <class Int>
#endif
  void operator()(Outputs& out, const Tensor& x) const {
    out.set_output_strided(0, x.sizes(), {}, x.dtype());
  }
};
TENON_STRUCTURED(twice, "my::twice(Tensor x) -> Tensor", twice_meta);
