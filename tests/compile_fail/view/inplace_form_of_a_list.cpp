// expect-error: operator_has_no_inplace_form<rows_op>
#include <tenon/view/row.hpp>

using namespace tenon;

struct rows_geometry {
  template <class Int, class Each>
  void operator()(const BasicGeometryRef<Int>& self, Each each) const {
    each(self.copy());
  }
};
TENON_VIEW(rows, "my::rows(Tensor(a -> *) self) -> Tensor(a)[]", rows_geometry);

void f(Tensor& x) {
#ifdef FIXED
  rows(x);
#else
  rows_(x);
#endif
}
