// The inner loops of the pointwise operators, one line each: the name, the element types, the number of inputs, the
// result.
#pragma once
#include <tenon/base/scalar.hpp>
#include <tenon/base/selection.hpp>
#include <tenon/cpu/iterator.hpp>
#include <tenon/cpu/kernel_tables.hpp>
#include <tenon/cpu/pointwise_math.hpp>

// Inputs are x, y, z; n[0], n[1] are the numbers of the call in the compute type. Types without a loop of their own
// borrow a wider one (cpu/loops.hpp), so the short lists serve 16-bit floats and small integers too.
// E, in the kinds that end in _OF, is the type of the elements in memory: 16-bit floats arrive as float.
// math::maximum and minimum of equal values are the second, and PyTorch keeps a -0 that equals a limit: limits stand
// first.
#define TENON_CPU_POINTWISE_LOOPS(UNARY, BINARY, TERNARY, UNARY_N, BINARY_N, TERNARY_N, MASKED, UNARY_OF, BINARY_OF,   \
                                  UNARY_N_OF)                                                                          \
  UNARY(abs, fast_number, math::abs(x))                                                                                \
  UNARY(neg, fast_number, math::negate(x))                                                                             \
  UNARY(exp, fast_float_or_complex, math::exp(x))                                                                      \
  UNARY(log, float_or_complex, math::log(x))                                                                           \
  UNARY(sqrt, fast_float_or_complex, math::sqrt(x))                                                                    \
  UNARY(tanh, fast_float_or_complex, math::tanh(x))                                                                    \
  UNARY(sigmoid, fast_float_or_complex, math::sigmoid(x))                                                              \
  UNARY(relu, fast_real, math::maximum(decltype(x)(0), x))                                                             \
  UNARY(reciprocal, float_or_complex, decltype(x)(1) / x)                                                              \
  UNARY(rsqrt, float_or_complex, math::rsqrt(x))                                                                       \
  UNARY(sin, float_or_complex, math::sin(x))                                                                           \
  UNARY(cos, float_or_complex, math::cos(x))                                                                           \
  UNARY(tan, float_or_complex, math::tan(x))                                                                           \
  UNARY(asin, float_or_complex, math::asin(x))                                                                         \
  UNARY(acos, float_or_complex, math::acos(x))                                                                         \
  UNARY(atan, float_or_complex, math::atan(x))                                                                         \
  UNARY(sinh, float_or_complex, math::sinh(x))                                                                         \
  UNARY(cosh, float_or_complex, math::cosh(x))                                                                         \
  UNARY(log1p, float_or_complex, math::log1p(x))                                                                       \
  UNARY(log2, float_or_complex, math::log2(x))                                                                         \
  UNARY(log10, float_or_complex, math::log10(x))                                                                       \
  UNARY(expm1, float_or_complex, math::expm1(x))                                                                       \
  UNARY(exp2, float_or_complex, math::exp2(x))                                                                         \
  UNARY(erf, floating, math::erf(x))                                                                                   \
  UNARY(erfc, floating, math::erfc(x))                                                                                 \
  UNARY(floor, real, math::floor(x))                                                                                   \
  UNARY(ceil, real, math::ceil(x))                                                                                     \
  UNARY(trunc, real, math::trunc(x))                                                                                   \
  UNARY(round, real, math::round(x))                                                                                   \
  UNARY(sign, real_or_bool, math::sign(x))                                                                             \
  UNARY(identity, any_element, x)                                                                                      \
  UNARY(conj, complex_pair, math::conj(x))                                                                             \
  UNARY(square, number, math::times(x, x))                                                                             \
  UNARY(cube, number, math::times(math::times(x, x), x))                                                               \
  UNARY(one_over_square, float_or_complex, decltype(x)(1) / (x * x))                                                   \
  BINARY(add, fast_element, math::plus(x, y))                                                                          \
  BINARY(sub, fast_number, math::minus(x, y))                                                                          \
  BINARY(mul, fast_element, math::times(x, y))                                                                         \
  BINARY(div, fast_float_or_complex, x / y)                                                                            \
  BINARY_OF(div_trunc, fast_real_with_byte, math::div_trunc<E>(x, y))                                                  \
  BINARY_OF(div_floor, fast_real_with_byte, math::div_floor<E>(x, y))                                                  \
  BINARY(pow, number, math::pow(x, y))                                                                                 \
  BINARY(maximum, fast_real_or_bool, math::maximum(y, x))                                                              \
  BINARY(minimum, fast_real_or_bool, math::minimum(y, x))                                                              \
  BINARY(eq, comparable, x == y)                                                                                       \
  BINARY(ne, comparable, x != y)                                                                                       \
  BINARY(lt, real_or_bool, x < y)                                                                                      \
  BINARY(le, real_or_bool, x <= y)                                                                                     \
  BINARY(gt, real_or_bool, x > y)                                                                                      \
  BINARY(ge, real_or_bool, x >= y)                                                                                     \
  BINARY_OF(sigmoid_backward, fast_float_or_complex, math::sigmoid_backward<E>(x, y))                                  \
  BINARY(tanh_backward, float_or_complex, x* math::conj(decltype(y)(1) - y * y))                                       \
  BINARY_N(add_scaled, fast_element, math::plus_scaled(x, n[0], y))                                                    \
  BINARY_N(sub_scaled, fast_number, math::minus(x, math::times(decltype(x)(n[0]), y)))                                 \
  BINARY_N(threshold_backward, fast_real, math::select(y <= decltype(y)(n[0]), decltype(x)(0), x))                     \
  UNARY(acosh, float_or_complex, math::acosh(x))                                                                       \
  UNARY(asinh, float_or_complex, math::asinh(x))                                                                       \
  UNARY(atanh, float_or_complex, math::atanh(x))                                                                       \
  UNARY(deg2rad, floating, x * 0.017453292519943295769)                                                                \
  UNARY(rad2deg, floating, x * 57.295779513082320877)                                                                  \
  UNARY(frac, floating, x - math::trunc(x))                                                                            \
  UNARY(lgamma, floating, math::lgamma(x))                                                                             \
  UNARY(digamma, floating, math::digamma(x))                                                                           \
  UNARY(sgn, element, math::sgn(x))                                                                                    \
  UNARY(sinc, float_or_complex, math::sinc(x))                                                                         \
  UNARY(logical_not, element, !math::truth(x))                                                                         \
  UNARY(bitwise_not, integer_or_bool, math::bit_not(x))                                                                \
  UNARY(signbit, real, math::signbit(x))                                                                               \
  UNARY(isnan, comparable, math::isnan(x))                                                                             \
  UNARY(isinf, comparable, math::isinf_any(x))                                                                         \
  UNARY(isfinite, comparable, math::isfinite_all(x))                                                                   \
  UNARY(isposinf, real_or_bool, math::is_infinity(x, 1))                                                               \
  UNARY(isneginf, real_or_bool, math::is_infinity(x, -1))                                                              \
  UNARY(isreal, element, math::is_real(x))                                                                             \
  UNARY(silu, fast_float_or_complex, x / (decltype(x)(1) + math::exp(-x)))                                             \
  UNARY(mish, floating, x* math::tanh(math::log1p(math::exp(x))))                                                      \
  UNARY(hardswish, floating, x* math::minimum(math::maximum(x + 3, decltype(x)(0)), decltype(x)(6)) / 6)               \
  UNARY(hardsigmoid, floating, math::minimum(math::maximum(x + 3, decltype(x)(0)), decltype(x)(6)) / 6)                \
  UNARY(log_sigmoid, floating, math::minimum(x, decltype(x)(0)) - math::log1p(math::exp(-math::abs(x))))               \
  UNARY(gelu, fast_float, x * 0.5 * (decltype(x)(1) + math::erf(x * 0.70710678118654752440)))                          \
  UNARY(gelu_tanh, fast_float,                                                                                         \
        x * 0.5 * (decltype(x)(1) + math::tanh((x + x * x * x * 0.044715) * 0.79788456080286535588)))                  \
  UNARY_OF(logit, fast_float, math::logit<E>(x))                                                                       \
  BINARY(fmax, real_or_bool, math::fmax(x, y))                                                                         \
  BINARY(fmin, real_or_bool, math::fmin(x, y))                                                                         \
  BINARY(logaddexp, float_or_complex, math::logaddexp(x, y))                                                           \
  BINARY(logaddexp2, floating, math::logaddexp2(x, y))                                                                 \
  BINARY(atan2, floating, math::atan2(x, y))                                                                           \
  BINARY(hypot, floating, math::hypot(x, y))                                                                           \
  BINARY(nextafter, floating, math::nextafter(x, y))                                                                   \
  BINARY(copysign, floating, math::copysign(x, y))                                                                     \
  BINARY(gcd, integer, math::gcd(x, y))                                                                                \
  BINARY(lcm, integer, math::lcm(x, y))                                                                                \
  BINARY(heaviside, real_or_bool,                                                                                      \
         math::select(x == decltype(x)(0), y, math::select(x < decltype(x)(0), decltype(x)(0), decltype(x)(1))))       \
  BINARY(xlogy, floating, math::xlogy(x, y))                                                                           \
  BINARY(fmod, real_with_byte, math::checked_fmod(x, y))                                                               \
  BINARY(remainder, real_with_byte, math::checked_remainder(x, y))                                                     \
  BINARY(logical_and, element, math::both(math::truth(x), math::truth(y)))                                             \
  BINARY(logical_or, element, math::either(math::truth(x), math::truth(y)))                                            \
  BINARY(logical_xor, element, math::one_of(math::truth(x), math::truth(y)))                                           \
  BINARY(bitwise_and, integer_or_bool, x& y)                                                                           \
  BINARY(bitwise_or, integer_or_bool, x | y)                                                                           \
  BINARY(bitwise_xor, integer_or_bool, x ^ y)                                                                          \
  BINARY(bitwise_left_shift, integer, math::shift_left(x, y))                                                          \
  BINARY(bitwise_right_shift, integer, math::shift_right(x, y))                                                        \
  TERNARY(clamp, fast_real, math::minimum(z, math::maximum(y, x)))                                                     \
  TERNARY(lerp, float_or_complex, math::lerp(x, y, z))                                                                 \
  UNARY_N(polygamma, floating, math::polygamma(x, n[0]))                                                               \
  UNARY_N(nan_to_num, float_or_complex, math::nan_to_num(x, n))                                                        \
  UNARY_N_OF(logit_clamped, fast_float, math::logit<E>(x, n[0]))                                                       \
  UNARY_N(softplus, floating, math::select(x* n[0] > decltype(x)(n[1]), x, math::log1p(math::exp(x * n[0])) / n[0]))   \
  UNARY_N(softshrink, floating,                                                                                        \
          math::select(x > decltype(x)(n[0]), x - n[0], math::select(x < decltype(x)(-n[0]), x + n[0], x * 0)))        \
  UNARY_N(hardshrink, floating, math::select((x >= decltype(x)(-n[0])) & (x <= decltype(x)(n[0])), decltype(x)(0), x)) \
  UNARY_N(leaky_relu, fast_float, math::select(x > decltype(x)(0), x, x * n[0]))                                       \
  UNARY_N(elu, floating, math::select(x <= decltype(x)(0), math::expm1(x * n[2]) * (n[0] * n[1]), x * n[1]))           \
  UNARY_N(hardtanh, fast_real, math::minimum(decltype(x)(n[1]), math::maximum(decltype(x)(n[0]), x)))                  \
  BINARY_N(rsub, fast_number, math::minus(y, math::times(decltype(x)(n[0]), x)))                                       \
  BINARY_N(lerp_number, float_or_complex, math::lerp(x, y, decltype(x)(n[0])))                                         \
  TERNARY_N(addcmul, number, math::plus(x, math::times(math::times(decltype(x)(n[0]), y), z)))                         \
  TERNARY_N(addcdiv, float_or_complex, x + decltype(x)(n[0]) * y / z)                                                  \
  MASKED(where, any_element, math::select(x, y, z))

namespace tenon::cpu {

/// Names the loops of the library's pointwise operators.
enum class PointwiseOp : std::uint16_t {
#define TENON_INTERNAL_NAME(NAME, ...) NAME,
  TENON_CPU_POINTWISE_LOOPS(TENON_INTERNAL_NAME, TENON_INTERNAL_NAME, TENON_INTERNAL_NAME, TENON_INTERNAL_NAME,
                            TENON_INTERNAL_NAME, TENON_INTERNAL_NAME, TENON_INTERNAL_NAME, TENON_INTERNAL_NAME,
                            TENON_INTERNAL_NAME, TENON_INTERNAL_NAME)
#undef TENON_INTERNAL_NAME
      count
};

/// The closure of a loop with numbers; a loop sees them in its compute type.
struct PointwiseNumbers {
  static constexpr int kMost = 3;
  const Scalar* numbers;
  int count;
  template <class T>
  struct typed {
    T value[kMost];
    T operator[](int i) const { return value[i]; }
  };
  template <class T>
  typed<T> as() const {
    typed<T> t{};
    for (int i = 0; i < count && i < kMost; ++i) t.value[i] = numbers[i].to<T>();
    return t;
  }
};

struct PointwiseKernels {
  LoopTable loops[static_cast<int>(PointwiseOp::count)];
  /// `cpu::run` of the set.
  void (*run)(const Loop& loop, const void* closure, const Operands& operands);
};

namespace detail {

using floating = floating_types;
using complex_pair = complex_types;
using float_or_complex = types<float, double, Complex<float>, Complex<double>>;
using fast_float_or_complex = types<float, double, Half, BFloat16, Complex<float>, Complex<double>>;
using real = wide_types;
using integer = types<std::int32_t, std::int64_t, std::uint8_t>;
using integer_or_bool = types<bool, std::int32_t, std::int64_t>;
using fast_float = types<float, double, Half, BFloat16>;
using real_with_byte = types<std::int32_t, std::int64_t, float, double, std::uint8_t>;
using fast_real_with_byte = types<std::int32_t, std::int64_t, float, double, Half, BFloat16, std::uint8_t>;
using real_or_bool = types<bool, std::int32_t, std::int64_t, float, double>;
using number = types<std::int32_t, std::int64_t, float, double, Complex<float>, Complex<double>>;
using element = types<bool, std::int32_t, std::int64_t, float, double, Complex<float>, Complex<double>>;
using fast_real = types<std::int32_t, std::int64_t, float, double, Half, BFloat16>;
using fast_real_or_bool = types<bool, std::int32_t, std::int64_t, float, double, Half, BFloat16>;
using fast_number = types<std::int32_t, std::int64_t, float, double, Half, BFloat16, Complex<float>, Complex<double>>;
using fast_element =
    types<bool, std::int32_t, std::int64_t, float, double, Half, BFloat16, Complex<float>, Complex<double>>;
using comparable = boost::mp11::mp_append<element, stored_types>;
using any_element = boost::mp11::mp_append<types<bool, std::uint8_t, std::int32_t, std::int64_t, float, double, Half,
                                                 BFloat16, Complex<float>, Complex<double>>,
                                           stored_types>;

template <class Arch, class F, class... T>
constexpr auto masked_loops(types<T...>, F f) {
  return loops_for<T...>([&]<class U>(type_tag<U>) { return make_mixed_loop<Arch, types<bool, U, U>>(f); });
}

/// The loops of a lambda that is made for each element type.
template <class Arch, int N_in, class Params = no_params, class F, class... T>
constexpr auto loops_of_each(types<T...>, F make) {
  return loops_for<T...>([&]<class U>(type_tag<U> tag) { return make_loop<U, Arch, N_in, 1, Params>(make(tag)); });
}

/// The loops of one operator and instruction set.
template <class Arch, PointwiseOp Op>
struct pointwise_loops;
#define TENON_INTERNAL_LOOPS(NAME, ...)                              \
  template <class Arch>                                              \
  struct pointwise_loops<Arch, PointwiseOp::NAME> {                  \
    static constexpr auto array = __VA_ARGS__;                       \
    static constexpr LoopTable table() { return make_table(array); } \
  };
#define TENON_INTERNAL_UNARY(NAME, TYPES, ...) \
  TENON_INTERNAL_LOOPS(NAME, make_loops<Arch, 1>(TYPES{}, [](auto x) { return __VA_ARGS__; }))
#define TENON_INTERNAL_BINARY(NAME, TYPES, ...) \
  TENON_INTERNAL_LOOPS(NAME, make_loops<Arch, 2>(TYPES{}, [](auto x, auto y) { return __VA_ARGS__; }))
#define TENON_INTERNAL_TERNARY(NAME, TYPES, ...) \
  TENON_INTERNAL_LOOPS(NAME, make_loops<Arch, 3>(TYPES{}, [](auto x, auto y, auto z) { return __VA_ARGS__; }))
#define TENON_INTERNAL_UNARY_N(NAME, TYPES, ...) \
  TENON_INTERNAL_LOOPS(                          \
      NAME, make_loops<Arch, 1, 1, PointwiseNumbers>(TYPES{}, [](const auto& n, auto x) { return __VA_ARGS__; }))
#define TENON_INTERNAL_BINARY_N(NAME, TYPES, ...)                      \
  TENON_INTERNAL_LOOPS(NAME, make_loops<Arch, 2, 1, PointwiseNumbers>( \
                                 TYPES{}, [](const auto& n, auto x, auto y) { return __VA_ARGS__; }))
#define TENON_INTERNAL_TERNARY_N(NAME, TYPES, ...)                     \
  TENON_INTERNAL_LOOPS(NAME, make_loops<Arch, 3, 1, PointwiseNumbers>( \
                                 TYPES{}, [](const auto& n, auto x, auto y, auto z) { return __VA_ARGS__; }))
#define TENON_INTERNAL_MASKED(NAME, TYPES, ...) \
  TENON_INTERNAL_LOOPS(NAME, masked_loops<Arch>(TYPES{}, [](auto x, auto y, auto z) { return __VA_ARGS__; }))
#define TENON_INTERNAL_UNARY_OF(NAME, TYPES, ...) \
  TENON_INTERNAL_LOOPS(                           \
      NAME, loops_of_each<Arch, 1>(TYPES{}, []<class E>(type_tag<E>) { return [](auto x) { return __VA_ARGS__; }; }))
#define TENON_INTERNAL_BINARY_OF(NAME, TYPES, ...)                                      \
  TENON_INTERNAL_LOOPS(NAME, loops_of_each<Arch, 2>(TYPES{}, []<class E>(type_tag<E>) { \
                         return [](auto x, auto y) { return __VA_ARGS__; };             \
                       }))
#define TENON_INTERNAL_UNARY_N_OF(NAME, TYPES, ...)                                                       \
  TENON_INTERNAL_LOOPS(NAME, loops_of_each<Arch, 1, PointwiseNumbers>(TYPES{}, []<class E>(type_tag<E>) { \
                         return [](const auto& n, auto x) { return __VA_ARGS__; };                        \
                       }))
TENON_CPU_POINTWISE_LOOPS(TENON_INTERNAL_UNARY, TENON_INTERNAL_BINARY, TENON_INTERNAL_TERNARY, TENON_INTERNAL_UNARY_N,
                          TENON_INTERNAL_BINARY_N, TENON_INTERNAL_TERNARY_N, TENON_INTERNAL_MASKED,
                          TENON_INTERNAL_UNARY_OF, TENON_INTERNAL_BINARY_OF, TENON_INTERNAL_UNARY_N_OF)
#undef TENON_INTERNAL_UNARY_OF
#undef TENON_INTERNAL_BINARY_OF
#undef TENON_INTERNAL_UNARY_N_OF
#undef TENON_INTERNAL_UNARY
#undef TENON_INTERNAL_BINARY
#undef TENON_INTERNAL_TERNARY
#undef TENON_INTERNAL_UNARY_N
#undef TENON_INTERNAL_BINARY_N
#undef TENON_INTERNAL_TERNARY_N
#undef TENON_INTERNAL_MASKED
#undef TENON_INTERNAL_LOOPS

/// Whether the group starts empty and takes the loops of the operators that the program's selection keeps.
inline constexpr bool pointwise_is_selective =
#if defined(TENON_KERNELS_ARCH) || defined(TENON_KERNELS_COMPILED)
    false;
#else
    selection_names_namespace(tenon::detail::selection_text(TENON_SELECTED_OPERATORS), "aten::");
#endif

}  // namespace detail

template <class Arch>
struct kernel_group<PointwiseKernels, Arch> {
  static constexpr auto run_loop = [](const Loop& loop, const void* closure, const Operands& o) {
    run<Arch>(loop, closure, o);
  };
  static constexpr PointwiseKernels make() {
    if constexpr (detail::pointwise_is_selective)
      return {{}, run_loop};
    else
#define TENON_INTERNAL_TABLE(NAME, ...) detail::pointwise_loops<Arch, PointwiseOp::NAME>::table(),
      return {{TENON_CPU_POINTWISE_LOOPS(TENON_INTERNAL_TABLE, TENON_INTERNAL_TABLE, TENON_INTERNAL_TABLE,
                                         TENON_INTERNAL_TABLE, TENON_INTERNAL_TABLE, TENON_INTERNAL_TABLE,
                                         TENON_INTERNAL_TABLE, TENON_INTERNAL_TABLE, TENON_INTERNAL_TABLE,
                                         TENON_INTERNAL_TABLE)},
              run_loop};
#undef TENON_INTERNAL_TABLE
  }
  inline static constinit std::conditional_t<detail::pointwise_is_selective, PointwiseKernels, const PointwiseKernels>
      value = make();
};

}  // namespace tenon::cpu
