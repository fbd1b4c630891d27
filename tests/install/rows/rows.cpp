// Their rows, compiled once per instruction set: this file holds nothing else.
#include <tenon/cpu/rows.hpp>

#include <tenon/autograd/derivatives/reduced.hpp>
#include <tenon/cpu/reduction.hpp>

#include "mine.hpp"

#if defined(__AVX512F__)
#define LANES 16
#elif defined(__AVX2__)
#define LANES 8
#else
#define LANES 4
#endif

namespace mine {

using namespace tenon;

TENON_COMPUTES(swish_base, tenon::over::fast_float, (self), (beta), (self * math::sigmoid(decltype(self)(beta) * self)),
               promote<IntToFloat>, derived);
// For which set a loop was compiled.
TENON_COMPUTES(lanes_base, tenon::over::floating, (self), (), (self - self + decltype(self)(LANES)),
               not_differentiable);

// The root of the mean square.
template <class T>
struct root_mean_square : tenon::reduction::sum_op<T> {
  template <class X>
  X map(X x) const {
    return x * x;
  }
  T finish(T total, std::int64_t n) const { return std::sqrt(total / static_cast<T>(n)); }
};
TENON_REDUCTION(rms_base, root_mean_square, tenon::reduction::floating_dtype,
                TENON_WRT((self), (grad, self, result, dim, keepdim),
                          (self * ops::derivatives::spread(grad / result, self.sizes(), dim, keepdim) /
                           static_cast<double>(ops::derivatives::reduced_count(self.sizes(), dim)))));

// For which set the loops of a reduction were compiled, times an argument; of one dimension the same, negated.
template <class T>
struct lanes_found : tenon::reduction::sum_op<T> {
  double scale;
  explicit lanes_found(double given) : scale(given) {}
  T finish(T, std::int64_t) const { return static_cast<T>(LANES * scale); }
};
template <class T>
struct lanes_negated : lanes_found<T> {
  using lanes_found<T>::lanes_found;
  T finish(T total, std::int64_t n) const { return -lanes_found<T>::finish(total, n); }
};
struct of_some {
  template <class... N>
  static bool holds(const tenon::reduction::Arguments& a, tenon::ScalarType, const N&...) {
    return a.dims.has_value();
  }
};
using negated = tenon::reduction::operation<lanes_negated, float, double>;
TENON_REDUCTION(lanes_of_sum_base, lanes_found, tenon::reduction::floating_dtype,
                tenon::reduction::when<of_some, negated>{}, tenon::reduction::no_gradient{});

}  // namespace mine
