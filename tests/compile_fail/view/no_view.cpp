// expect-error: schema_is_not_that_of_a_view<evens_op>
#include <tenon/view/row.hpp>

using namespace tenon;

struct evens_geometry {
  template <class Int>
  BasicGeometry<Int> operator()(const BasicGeometryRef<Int>& self) const {
    return self.copy();
  }
};
#ifdef FIXED
TENON_VIEW(evens, "my::evens(Tensor(a) self) -> Tensor(a)", evens_geometry);
#else
TENON_VIEW(evens, "my::evens(Tensor self) -> Tensor", evens_geometry);
#endif
