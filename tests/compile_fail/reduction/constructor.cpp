// expect-error: operation_is_not_made_from_arguments<scaled_base_op, .*scaled_sum_op<(float|double)>
#include <tenon/tenon.hpp>

#include <tenon/cpu/reduction.hpp>

using namespace tenon;

template <class T>
struct scaled_sum_op : reduction::sum_op<T> {
  double factor;
#ifdef FIXED
  explicit scaled_sum_op(double by) : factor(by) {}
#else
  scaled_sum_op(double by, double more) : factor(by * more) {}
#endif
  T finish(T total, std::int64_t) const { return static_cast<T>(total * factor); }
};
TENON_OPERATORS_OUT(scaled, "my::scaled(Tensor self, float factor, int dim) -> Tensor");
TENON_REDUCTION(scaled_base, scaled_sum_op, reduction::same_dtype, reduction::no_gradient{});
