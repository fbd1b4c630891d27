// expect-error: view_geometry_takes_no_function_for_the_results<rows_op, rows_geometry>
#include <tenon/view/row.hpp>

using namespace tenon;

struct rows_geometry {
#ifdef FIXED
  template <class Int, class Each>
  void operator()(const BasicGeometryRef<Int>& self, Each each) const {
    each(self.copy());
  }
#else
  template <class Int>
  BasicGeometry<Int> operator()(const BasicGeometryRef<Int>& self) const {
    return self.copy();
  }
#endif
};
TENON_VIEW(rows, "my::rows(Tensor(a -> *) self) -> Tensor(a)[]", rows_geometry);
