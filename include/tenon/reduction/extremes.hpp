// Rows of the largest and smallest elements.
#pragma once
#include <tenon/autograd/derivatives/reduced.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/reduction/row.hpp>

namespace tenon::reduction {

struct extreme_over_dims : same_dtype {
  template <class Int>
  static void check(const Call<Int>& call) {
    const Tensor &self = call.self(), &given = call.out.maybe_get_output();
    check_not_empty<Int>(call.name, self, call.mask, !call.arguments.dims->empty());
    if (count_elements(call.result) != 0) check_ordered(call.name, self);
    if (given.defined())
      TENON_CHECK(given.dtype() == self.dtype(), TypeError, "Expected the dtype for input and out to match, but got ",
                  self.dtype(), " for input's dtype and ", given.dtype(), " for out's dtype.");
  }
};
struct extreme_of_all : same_dtype {
  template <class Int>
  static void check(const Call<Int>& call) {
    check_not_empty<Int>(call.name, call.self(), call.mask, false);
    check_ordered(call.name, call.self());
  }
  static constexpr OutputCast cast = OutputCast::Allowed;
};

}  // namespace tenon::reduction

namespace tenon::ops {

namespace derivatives {

inline Tensor extreme_of_all_gradient(const Tensor& grad, const Tensor& self, const Tensor& result) {
  Tensor mask = ne(result, result).item<bool>() ? ne(self, self) : eq(self, result);
  return div(mul(grad, mask), sum(mask));
}

}  // namespace derivatives

TENON_REDUCTION(amax_base, reduction::max, reduction::extreme_over_dims,
                TENON_WRT((self), (grad, self, result, dim, keepdim),
                          (derivatives::extreme_gradient(grad, self, result, dim, keepdim))));
TENON_REDUCTION(amin_base, reduction::min, reduction::extreme_over_dims,
                TENON_WRT((self), (grad, self, result, dim, keepdim),
                          (derivatives::extreme_gradient(grad, self, result, dim, keepdim))));
TENON_REDUCTION(max_base, reduction::max, reduction::extreme_of_all,
                TENON_WRT((self), (grad, self, result), (derivatives::extreme_of_all_gradient(grad, self, result))));
TENON_REDUCTION(min_base, reduction::min, reduction::extreme_of_all,
                TENON_WRT((self), (grad, self, result), (derivatives::extreme_of_all_gradient(grad, self, result))));

}  // namespace tenon::ops
