// expect-error: view_geometry_does_not_match_schema<evens_op, .*argument<2>
// expect-error: expected<long|expected<std::int64_t|expected<long int
#include <tenon/structured/function_check.hpp>
#include <tenon/view/row.hpp>

using namespace tenon;

struct evens_geometry {
  template <class Int>
#ifdef FIXED
  BasicGeometry<Int> operator()(const BasicGeometryRef<Int>& self, std::int64_t) const {
#else
  BasicGeometry<Int> operator()(const BasicGeometryRef<Int>& self, const Tensor&) const {
#endif
      return self.copy();
}
}
;
TENON_VIEW(evens, "my::evens(Tensor(a) self, int dim) -> Tensor(a)", evens_geometry);
