// Every function of tenon/math that runs on a device as a kernel; compile.py sees to it that what no
// row calls is here.
#include <type_traits>
#include <utility>

#include <tenon/cuda/optim.hpp>
#include <tenon/math/beta_slope.hpp>

#include "device_math.hpp"

namespace tenon {

using boost::mp11::mp_append;
using small_integer = types<std::uint8_t, std::int8_t, std::int16_t>;
using real = mp_append<over::boolean, over::integer, over::fast_float>;
using real_or_complex = mp_append<real, over::complex>;
using float_with_half = over::fast_float;
using any_integer = mp_append<over::integer, small_integer>;

template <class F, class T, int... I>
__device__ void call(void* out, const T* x, std::integer_sequence<int, I...>) {
  auto r = F::of(x[I]...);
  *static_cast<decltype(r)*>(out) = r;
}
template <class F, class T>
__global__ void called(void* out, const T* x) {
  call<F>(out, x, std::make_integer_sequence<int, F::arguments>{});
}
template <class F, class... T>
int kernels_of(types<T...>) {
  const void* all[] = {reinterpret_cast<const void*>(&called<F, T>)...};
  return static_cast<int>(sizeof(all) / sizeof(*all));
}

/// The kernels of math::NAME of COUNT arguments that are all of one type.
#define FUNCTION(NAME, COUNT, ...)                                        \
  struct NAME##_call {                                                    \
    static constexpr int arguments = COUNT;                               \
    template <class... T>                                                 \
    __device__ static auto of(T... x) {                                   \
      return math::NAME(x...);                                            \
    }                                                                     \
  };                                                                      \
  int NAME##_kernels() { return kernels_of<NAME##_call>(__VA_ARGS__{}); } \
  static_assert(true)
/// The same where the type of the elements in memory is said.
#define FUNCTION_OF(NAME, COUNT, ...)                                     \
  struct NAME##_call {                                                    \
    static constexpr int arguments = COUNT;                               \
    template <class T, class... R>                                        \
    __device__ static auto of(T x, R... rest) {                           \
      return math::NAME<T>(x, rest...);                                   \
    }                                                                     \
  };                                                                      \
  int NAME##_kernels() { return kernels_of<NAME##_call>(__VA_ARGS__{}); } \
  static_assert(true)

// scalar.hpp
FUNCTION(abs, 1, real_or_complex);
FUNCTION(conj, 1, real_or_complex);
FUNCTION(isnan, 1, real_or_complex);
FUNCTION(isinf, 1, real);
FUNCTION(isfinite, 1, real);
FUNCTION(sign, 1, real);
FUNCTION(fma, 3, float_with_half);
FUNCTION(maximum, 2, real);
FUNCTION(minimum, 2, real);
FUNCTION(max, 2, real);
FUNCTION(min, 2, real);
FUNCTION(fmax, 2, real);
FUNCTION(fmin, 2, real);
FUNCTION(floor, 1, real);
FUNCTION(ceil, 1, real);
FUNCTION(trunc, 1, real);
FUNCTION(round, 1, real);
struct select_call {
  static constexpr int arguments = 2;
  template <class T>
  __device__ static T of(T a, T b) {
    return math::select(a == b, a, b);
  }
};
int select_kernels() { return kernels_of<select_call>(real_or_complex{}); }

// elementary.hpp
FUNCTION(exp, 1, real_or_complex);
FUNCTION(expm1, 1, real_or_complex);
FUNCTION(log, 1, real_or_complex);
FUNCTION(log2, 1, real_or_complex);
FUNCTION(log10, 1, real_or_complex);
FUNCTION(log1p, 1, real_or_complex);
FUNCTION(tanh, 1, real_or_complex);
FUNCTION(sigmoid, 1, real_or_complex);
FUNCTION(exp2, 1, real_or_complex);
FUNCTION(sqrt, 1, real_or_complex);
FUNCTION(rsqrt, 1, real_or_complex);
FUNCTION(sin, 1, real_or_complex);
FUNCTION(cos, 1, real_or_complex);
FUNCTION(tan, 1, real_or_complex);
FUNCTION(asin, 1, real_or_complex);
FUNCTION(acos, 1, real_or_complex);
FUNCTION(atan, 1, real_or_complex);
FUNCTION(sinh, 1, real_or_complex);
FUNCTION(cosh, 1, real_or_complex);
FUNCTION(asinh, 1, real_or_complex);
FUNCTION(acosh, 1, real_or_complex);
FUNCTION(atanh, 1, real_or_complex);
FUNCTION(pow, 2, mp_append<any_integer, float_with_half, over::complex>);
FUNCTION(atan2, 2, real);
FUNCTION(hypot, 2, real);
FUNCTION(copysign, 2, real);
FUNCTION(fmod, 2, mp_append<any_integer, float_with_half>);
FUNCTION(remainder, 2, mp_append<any_integer, over::floating>);

// arithmetic.hpp; 16-bit floats come as float, and their own type is said where a formula rounds to it
using number = mp_append<any_integer, over::floating, over::complex>;
FUNCTION(plus, 2, mp_append<over::boolean, number>);
FUNCTION(minus, 2, number);
FUNCTION(times, 2, mp_append<over::boolean, number>);
FUNCTION(negate, 1, number);
FUNCTION(plus_scaled, 3, number);
FUNCTION_OF(rounded, 1, over::fast_float);
FUNCTION_OF(div_trunc, 2, mp_append<any_integer, over::floating>);
FUNCTION_OF(div_floor, 2, mp_append<any_integer, over::floating>);
FUNCTION_OF(sigmoid_backward, 2, over::float_or_complex);
FUNCTION(checked_fmod, 2, mp_append<any_integer, over::floating>);
FUNCTION(checked_remainder, 2, mp_append<any_integer, over::floating>);
FUNCTION(truth, 1, mp_append<over::boolean, number>);
FUNCTION(both, 2, mp_append<over::boolean, any_integer>);
FUNCTION(either, 2, mp_append<over::boolean, any_integer>);
FUNCTION(one_of, 2, mp_append<over::boolean, any_integer>);
FUNCTION(sgn, 1, mp_append<over::boolean, number>);
FUNCTION(sinc, 1, over::float_or_complex);
FUNCTION(bit_not, 1, mp_append<over::boolean, any_integer>);
FUNCTION(signbit, 1, over::real);
FUNCTION(isinf_any, 1, number);
FUNCTION(isfinite_all, 1, number);
FUNCTION(is_real, 1, number);
FUNCTION(logaddexp, 2, over::float_or_complex);
FUNCTION(logaddexp2, 2, over::floating);
FUNCTION(nextafter, 2, over::floating);
FUNCTION(xlogy, 2, over::floating);
FUNCTION(gcd, 2, any_integer);
FUNCTION(lcm, 2, any_integer);
FUNCTION(shift_left, 2, any_integer);
FUNCTION(shift_right, 2, any_integer);
FUNCTION(lerp, 3, over::float_or_complex);
FUNCTION(nan_to_num, 4, over::float_or_complex);
FUNCTION_OF(logit, 1, over::float_or_complex);
struct is_infinity_call {
  static constexpr int arguments = 1;
  template <class T>
  __device__ static bool of(T x) {
    return math::is_infinity(x, 1) || math::is_infinity(x, -1);
  }
};
int is_infinity_kernels() { return kernels_of<is_infinity_call>(over::real{}); }

// special.hpp
FUNCTION(polygamma, 2, over::floating);
FUNCTION(digamma, 1, real);
FUNCTION(erf, 1, real);
FUNCTION(erfc, 1, real);
FUNCTION(erfinv, 1, real);
FUNCTION(ndtr, 1, real);
FUNCTION(lgamma, 1, real);

// beta_slope.hpp
FUNCTION(beta_slope, 3, types<double>);

// philox.hpp
struct philox_call {
  static constexpr int arguments = 1;
  template <class T>
  __device__ static T of(T x) {
    return math::philox({{x, x, x, x}}, x).at[0];
  }
};
int philox_kernels() { return kernels_of<philox_call>(types<std::uint32_t>{}); }

// optim_rules.hpp
template <class Rule, class... State>
__global__ void step_of(Rule rule, cuda::OneNumber<float>* p, cuda::OneNumber<float> grad, State*... state) {
  rule(*p, grad, *state...);
}
/// The kernel of math::steps::NAME; further arguments: the types of its states.
#define RULE(NAME, ...)                                                                     \
  const void* NAME##_kernel() {                                                             \
    return reinterpret_cast<const void*>(&step_of<math::steps::NAME<Number>, __VA_ARGS__>); \
  }                                                                                         \
  static_assert(true)
using Number = cuda::OneNumber<float>;
RULE(SgdRule, Number);
RULE(AdagradRule, Number);
RULE(RmspropRule, Number, Number, Number);
RULE(AdamRule, Number, Number, Number);
RULE(AdadeltaRule, Number, Number);
RULE(AdamaxRule, Number, Number);
RULE(NadamRule, Number, Number);
RULE(RadamRule, Number, Number);
RULE(AsgdRule, Number);
RULE(RpropRule, Number, Number);

}  // namespace tenon
