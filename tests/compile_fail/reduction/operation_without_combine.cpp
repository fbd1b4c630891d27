// expect-error: class_is_not_a_reduction_operation<plus<(float|double)>
#include <tenon/tenon.hpp>

#include <tenon/cpu/reduction.hpp>

using namespace tenon;

template <class T>
struct plus {
  using value_type = T;
  static T identity() { return T(0); }
  template <class X>
  X map(X x) const {
    return x;
  }
#ifdef FIXED
  template <class X>
  X combine(X a, X b) const {
    return a + b;
  }
#endif
  T finish(T total, std::int64_t) const { return total; }
};
TENON_OPERATORS_OUT(total, "my::total(Tensor self, int dim) -> Tensor");
TENON_REDUCTION(total_base, plus, reduction::same_dtype, reduction::no_gradient{});
