// expect-error: inplace_form_of_a_view_lacks_its_tag<evens__op>
#include <tenon/view/row.hpp>

using namespace tenon;

struct evens_geometry {
  template <class Int>
  BasicGeometry<Int> operator()(const BasicGeometryRef<Int>& self) const {
    return self.copy();
  }
};
TENON_OPERATOR(evens, "my::evens(Tensor(a) self) -> Tensor(a)");
#ifdef FIXED
TENON_OPERATOR(evens_, "my::evens_(Tensor(a!) self) -> Tensor(a!)", Tag::inplace_view);
#else
TENON_OPERATOR(evens_, "my::evens_(Tensor(a!) self) -> Tensor(a!)");
#endif
TENON_VIEW_OF(evens, evens_geometry, in_place_as<evens_>());
