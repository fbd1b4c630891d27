// Vector forms of the functions that xsimd lacks, computes too coarsely, or gets wrong at the ends of the range.
#pragma once
#include <cmath>
#include <concepts>
#include <limits>

#include <tenon/math/vec.hpp>

namespace tenon::math::detail {

/// c[0] + c[1] x + ..., Horner's rule.
template <class V, class T, int N>
V polynomial(V x, const T (&c)[N]) {
  V r = c[N - 1];
  for (int i = N - 2; i >= 0; --i) r = fma(r, x, V(c[i]));
  return r;
}

// (e^r - 1 - r) / r^2 on |r| <= ln(2) / 2: least-maximum fits by Lawson's iteration (float) and interpolation at
// Chebyshev nodes in 40 digits (double); relative errors of e^r 3e-9 and 2e-17.
template <class T>
struct exp_constants;
template <>
struct exp_constants<float> {
  static constexpr float series[] = {0.5000000095413768f, 0.1666651860250322f, 0.04166620506495623f,
                                     0.008368917876924658f, 0.001395054041999689f};
  // Cody and Waite's split of ln(2), as in Moshier's Cephes: the high part times any exponent is exact.
  static constexpr float ln2_high = 0.693359375f, ln2_low = -2.12194440e-4f;
  static constexpr float lowest = -104.0f, highest = 89.0f;
};
template <>
struct exp_constants<double> {
  static constexpr double series[] = {0.500000000000000103,     0.166666666666666675,   0.0416666666666239915,
                                      0.00833333333333005134,   0.00138888889172817936, 0.000198412698631059888,
                                      0.0000248015211902173359, 2.75572683786587498e-6, 2.76201387199201943e-7,
                                      2.51004241676036226e-8};
  static constexpr double ln2_high = 6.93145751953125e-1, ln2_low = 1.42860682030941723212e-6;
  static constexpr double lowest = -746.0, highest = 710.0;
};

/// x = n ln(2) + r; `tail` is e^r - 1.
template <class T, class Arch>
struct exp_parts {
  vec<T, Arch> n, tail;
};
template <class T, class Arch>
exp_parts<T, Arch> reduce_exp(vec<T, Arch> x) {
  using V = vec<T, Arch>;
  using C = exp_constants<T>;
  V y = min_ordered(V(C::highest), max_ordered(V(C::lowest), x));  // this order keeps a NaN
  V n = round_small(y * V(T(1.442695040888963407)));
  V r = fma(n, V(-C::ln2_high), y);
  r = fma(n, V(-C::ln2_low), r);
  return {n, fma(r * r, polynomial(r, C::series), r)};
}
template <class T, class Arch>
vec<T, Arch> exp(vec<T, Arch> x) {
  auto [n, tail] = reduce_exp(x);
  return scale(tail + vec<T, Arch>(T(1)), n);
}
template <class T, class Arch>
vec<T, Arch> exp2(vec<T, Arch> x) {
  using V = vec<T, Arch>;
  constexpr T bound = sizeof(T) == 4 ? T(160) : T(1100);
  V y = min_ordered(V(bound), max_ordered(V(-bound), x)), n = round_small(y), r = (y - n) * V(T(0.693147180559945309));
  return scale(fma(r * r, polynomial(r, exp_constants<T>::series), r) + V(T(1)), n);
}
template <class T, class Arch>
vec<T, Arch> expm1(vec<T, Arch> x) {
  using V = vec<T, Arch>;
  auto [n, tail] = reduce_exp(x);
  // Half of everything, so that 2^n does not overflow before the sum does.
  V half = scale(V(T(0.5)), n);
  V r = fma(half, tail, half - V(T(0.5))) * V(T(2));
  return select(x == V(T(0)), x, r);
}

template <class T, class Arch>
vec<T, Arch> sigmoid(vec<T, Arch> x) {
  return vec<T, Arch>(T(1)) / (vec<T, Arch>(T(1)) + exp(-x));
}
template <class T, class Arch>
vec<T, Arch> tanh(vec<T, Arch> x) {
  using V = vec<T, Arch>;
  V e = expm1(min_ordered(V(T(40)), abs(x) * V(T(2))));
  return copysign(e / (e + V(T(2))), x);
}

/// |x| = m 2^e with m in [sqrt(1/2), sqrt(2)).
template <class T, class Arch>
struct mantissa_exponent {
  vec<T, Arch> m, e;
};
template <class T, class Arch>
mantissa_exponent<T, Arch> split_normal(vec<T, Arch> x) {
  using V = vec<T, Arch>;
  using I = int_of_size<T>;
  constexpr int bits = sizeof(T) == 4 ? 23 : 52;
  constexpr I sqrt_half = sizeof(T) == 4 ? static_cast<I>(0x3f3504f3) : static_cast<I>(0x3fe6a09e667f3bcd);
  auto raw = bit_cast<I>(x) - vec<I, Arch>(sqrt_half);
  if constexpr (sizeof(T) == 4) {
    auto e = raw >> bits;
    V m = bit_cast<T>(bit_cast<I>(x) - (e << bits));
    return {m, V(typename V::batch_type(xsimd::to_float(e.v)))};
  } else {
    // 64-bit arithmetic shifts and conversions are slow below AVX-512: bias first, then read the integer from a
    // mantissa.
    auto biased = bit_cast<std::uint64_t>(raw + vec<I, Arch>(I{1} << 62)) >> bits;
    V e = bit_cast<T>(biased | vec<std::uint64_t, Arch>(std::uint64_t{0x4330000000000000})) -
          V(T(4503599627370496.0 + 1024));
    auto whole =
        bit_cast<std::uint64_t>(raw + vec<I, Arch>(I{1} << 62)) & vec<std::uint64_t, Arch>(~std::uint64_t{0} << bits);
    V m = bit_cast<T>(bit_cast<I>(x) - (bit_cast<I>(whole) - vec<I, Arch>(I{1} << 62)));
    return {m, e};
  }
}
/// The same, exact for denormals too.
template <class T, class Arch>
mantissa_exponent<T, Arch> split(vec<T, Arch> x) {
  using V = vec<T, Arch>;
  constexpr int bits = sizeof(T) == 4 ? 23 : 52;
  auto tiny = x < V(std::numeric_limits<T>::min());
  auto [m, e] = split_normal(select(tiny, x * V(T(std::uint64_t{1} << bits)), x));
  return {m, e - select(tiny, V(T(bits)), V(T(0)))};
}
/// What a logarithm is at 0, infinity, negative numbers and NaN, and `r` elsewhere.
template <class T, class Arch>
vec<T, Arch> finish_log(vec<T, Arch> x, vec<T, Arch> r) {
  using V = vec<T, Arch>;
  constexpr T infinity = std::numeric_limits<T>::infinity();
  r = select(x == V(infinity), x, r);
  r = select(x == V(T(0)), V(-infinity), r);
  return select(x >= V(T(0)), r, V(std::numeric_limits<T>::quiet_NaN()));
}
/// ln(1 + f) on sqrt(1/2) <= 1 + f < sqrt(2), as f - f^2/2 + f^3 p(f); p fitted by Lawson's iteration, error 8e-10.
template <class Arch>
vec<float, Arch> log1p_reduced(vec<float, Arch> f, vec<float, Arch> low) {
  constexpr float p[] = {0.33333312604f,  -0.250000096f,  0.20002118663f,  -0.16667995843f, 0.14219552279f,
                         -0.12405589063f, 0.11888162972f, -0.11675651212f, 0.067466382585f};
  vec<float, Arch> z = f * f;
  return f + (fma(z * f, polynomial(f, p), low) - vec<float, Arch>(0.5f) * z);
}
/// ln(1 + f) for double by Tang's form 2 atanh(f / (2 + f)), the series in FDLIBM's order (e_log.c).
template <class Arch>
vec<double, Arch> log1p_reduced(vec<double, Arch> f, vec<double, Arch> low) {
  using V = vec<double, Arch>;
  constexpr double p[] = {6.666666666666735130e-01, 3.999999999940941908e-01, 2.857142874366239149e-01,
                          2.222219843214978396e-01, 1.818357216161805012e-01, 1.531383769920937332e-01,
                          1.479819860511658591e-01};
  V s = f / (V(2.0) + f), z = s * s, half = V(0.5) * f * f;
  V r = z * polynomial(z, p);
  return f - (half - (fma(s, half + r, low)));
}
template <class T, class Arch>
vec<T, Arch> log_of(mantissa_exponent<T, Arch> x) {
  using V = vec<T, Arch>;
  using C = exp_constants<T>;
  return fma(x.e, V(C::ln2_high), log1p_reduced(x.m - V(T(1)), x.e * V(C::ln2_low)));
}
template <class T, class Arch>
vec<T, Arch> log(vec<T, Arch> x) {
  return finish_log(x, log_of(split(x)));
}
template <class T, class Arch>
vec<T, Arch> log2(vec<T, Arch> x) {
  using V = vec<T, Arch>;
  auto [m, e] = split(x);
  return finish_log(x, fma(log1p_reduced(m - V(T(1)), V(T(0))), V(T(1.442695040888963407)), e));
}
template <class T, class Arch>
vec<T, Arch> log10(vec<T, Arch> x) {
  using V = vec<T, Arch>;
  auto [m, e] = split(x);
  // log10(2) split so that the high part times an exponent is exact.
  constexpr T high = sizeof(T) == 4 ? T(0.301025390625) : T(0.301029995663611771306);
  constexpr T low = sizeof(T) == 4 ? T(4.605038981195214e-06) : T(3.69423907715893078616e-13);
  V r = fma(log1p_reduced(m - V(T(1)), V(T(0))), V(T(0.43429448190325182765)), e * V(low));
  return finish_log(x, fma(e, V(high), r));
}
template <class T, class Arch>
vec<T, Arch> log1p(vec<T, Arch> x) {
  using V = vec<T, Arch>;
  V u = x + V(T(1));
  V lost = (x - (u - V(T(1)))) / u;  // what rounding 1 + x lost, to first order
  V r = log(u) + lost;
  r = select(abs(x) < V(std::numeric_limits<T>::epsilon() / 2), x, r);
  return select(x == V(std::numeric_limits<T>::infinity()), x,
                select(x == V(T(-1)), V(-std::numeric_limits<T>::infinity()), r));
}

/// Far from 0 the logarithm of 2 |x|, before the square overflows. xsimd's does not compile for AVX-512 at -O0.
template <class T, class Arch>
vec<T, Arch> asinh(vec<T, Arch> x) {
  using V = vec<T, Arch>;
  V a = abs(x), square = a * a;
  auto far = a > V(sizeof(T) == 4 ? T(1e9) : T(1e17));
  V near = a + square / (V(T(1)) + sqrt(square + V(T(1))));
  V r = log1p(select(far, a, near)) + select(far, V(T(0.693147180559945309417)), V(T(0)));
  return copysign(r, x);
}

/// Own fits (Lawson): erf(x)/x - 1 in x^2 below 0.93 with error 5e-10; above, erfc(t) = exp(-t (1 + p(t))).
template <class Arch>
vec<float, Arch> erf_of_small(vec<float, Arch> x) {
  constexpr float small[] = {0.12837916658f,   -0.3761263319f,     0.11283687206f,   -0.026858942202f,
                             0.0051999079879f, -0.00081300247425f, 8.3168177898e-05f};
  return fma(x, polynomial(x * x, small), x);
}
template <class Arch>
vec<float, Arch> erf(vec<float, Arch> x) {
  using V = vec<float, Arch>;
  constexpr float large[] = {0.12864096374f,   0.63518149859f,     0.10618760996f,   -0.023720185256f,
                             0.0036229183827f, -0.00031805958847f, 1.0763162885e-05f};
  V t = min_ordered(V(4.05f), abs(x));
  V far = copysign(V(1.0f) - exp(-fma(t, polynomial(t, large), t)), x);
  return select(abs(x) > V(0.93f), far, select(x == V(0.0f), x, erf_of_small(x)));
}
/// The same in double, errors 1.4e-18 and, of erf, 6e-18.
template <class Arch>
vec<double, Arch> erf(vec<double, Arch> x) {
  using V = vec<double, Arch>;
  constexpr double small[] = {0.1283791670955126,     -0.3761263890318371,    0.1128379167095267,
                              -0.026866170644598356,  0.005223977619463643,   -0.0008548326627352157,
                              0.00012055316321186954, -1.492518795897721e-05, 1.6453519334483764e-06,
                              -1.625956985448865e-07, 1.3961886960337798e-08, -8.289988964814985e-10};
  constexpr double large[] = {0.1283791533533669,      0.6366198580155746,      0.10277252773899358,
                              -0.01912947968285876,    -0.0002037668222092091,  0.0016815204680513298,
                              -0.0005633921589002341,  -9.836619058033024e-06,  0.00010094833806826302,
                              -5.869116673739876e-05,  2.136651707787325e-05,   -5.68961893022232e-06,
                              1.1487534109683519e-06,  -1.7543983712352753e-07, 1.972784811708179e-08,
                              -1.5440816233999302e-09, 7.518393644358922e-11,   -1.7147377845787791e-12};
  V t = min_ordered(V(6.0), abs(x));
  V far = copysign(V(1.0) - exp(-fma(t, polynomial(t, large), t)), x);
  V near = fma(x, polynomial(x * x, small), x);
  return select(abs(x) > V(0.93), far, select(x == V(0.0), x, near));
}

/// erfc(t) = exp(-t^2) p((t - 3) / (t + 3)) / (t + 3) of t = |x| (own fit by Lawson's iteration, 2e-9). The leading
/// half of t has a square without rounding, so that the exponential keeps its digits; what is left of t^2 is below
/// 0.08.
template <class Arch>
vec<float, Arch> erfc(vec<float, Arch> x) {
  using V = vec<float, Arch>;
  constexpr float p[] = {1.07400691f,    -0.883394485f,  0.590228305f,   -0.310466047f,    0.119528966f,
                         -0.0268395862f, -0.0012258138f, 0.00308006301f, -0.000484383245f, -0.000325958085f},
                  series[] = {-1.0f, 0.5f, -0.16666667f, 0.041666668f};
  V t = min_ordered(V(10.1f), abs(x)), sum = t + V(3.0f);
  V head = bit_cast<float>(bit_cast<std::uint32_t>(t) & vec<std::uint32_t, Arch>(0xfffff000u));
  V rest = (t - head) * (t + head), less = rest * polynomial(rest, series);
  auto [n, tail] = reduce_exp(-(head * head));
  V r = polynomial((t - V(3.0f)) / sum, p) / sum;
  V far = scale(fma(r, fma(tail, less, tail + less), r), n);
  return select(t < V(0.75f), V(1.0f) - erf_of_small(x), select(x > V(0.0f), far, V(2.0f) - far));
}

/// Giles, Approximating the erfinv function (GPU Computing Gems, Jade edition, 2012), to 1e-6; then a step of Halley's
/// in double, which triples the digits.
template <class Arch>
vec<float, Arch> erfinv(vec<float, Arch> x) {
  using V = vec<float, Arch>;
  using D = vec<double, Arch>;
  constexpr float middle[] = {1.50140941f,     0.246640727f,    -0.00417768164f, -0.00125372503f, 0.00021858087f,
                              -4.39150654e-6f, -3.5233877e-06f, 3.43273939e-07f, 2.81022636e-08f},
                  far[] = {2.83297682f,     1.00167406f,    0.00943887047f,  -0.0076224613f,  0.00573950773f,
                           -0.00367342844f, 0.00134934322f, 0.000100950558f, -0.000200214257f};
  V w = -log((V(1.0f) - x) * (V(1.0f) + x));
  V start = x * select(w < V(5.0f), polynomial(w - V(2.5f), middle), polynomial(sqrt(w) - V(3.0f), far));
  auto step = [](D y, D wanted) {
    D u = (erf(y) - wanted) / (D(1.12837916709551257390) * exp(-(y * y)));
    return y - u / (D(1.0) + y * u);
  };
  auto y = widen(start), wanted = widen(x);
  V r = narrow(step(y.lo, wanted.lo), step(y.hi, wanted.hi));
  r = select(abs(x) < V(1.0f), r, copysign(V(std::numeric_limits<float>::infinity()), x));
  return select(abs(x) <= V(1.0f), r, V(std::numeric_limits<float>::quiet_NaN()));
}

/// The normal distribution's part below x with an error of 1.7e-7 of 1, rounding included: one half and, with the sign
/// of x, t P(t^2) / Q(t^2) of t = |x| (own fit by Lawson's iteration, 2e-8), which is past one half at 5.4 and cut
/// there. Of one exponential, which errs half as much, the time is 2.7 times this one's.
template <class Arch>
vec<float, Arch> ndtr(vec<float, Arch> x) {
  using V = vec<float, Arch>;
  constexpr float p[] = {0.39894217252731323f,    0.03579362854361534f,  0.004798464477062225f,
                         0.00018841303244698793f, 6.47501792627736e-06f, 2.1255443627410386e-08f},
                  q[] = {1.0f,
                         0.25638630986213684f,
                         0.029762038961052895f,
                         0.0019966636318713427f,
                         7.981708040460944e-05f,
                         1.1621622206803295e-06f};
  V t = min_ordered(V(5.4f), abs(x)), square = t * t;
  V half = min_ordered(V(0.5f), t * (polynomial(square, p) / polynomial(square, q)));
  return V(0.5f) + copysign(half, x);
}
template <class Arch>
vec<double, Arch> ndtr(vec<double, Arch> x) {
  using V = vec<double, Arch>;
  return fma(erf(x * V(0.70710678118654752440)), V(0.5), V(0.5));
}

/// |x|^y in double, for float operands: 1e-12 relative, so that the float result is rounded almost always right.
template <class Arch>
vec<double, Arch> power_core(vec<double, Arch> x, vec<double, Arch> y) {
  using V = vec<double, Arch>;
  constexpr double atanh_series[] = {2.88539008177792731,  0.961796693924330224, 0.577078017248294312,
                                     0.412198401727464096, 0.320616411500834747, 0.261443472759126257,
                                     0.242925682275834284};
  constexpr double exp2_series[] = {1.0,
                                    0.693147180545820898,
                                    0.240226506958122084,
                                    0.0555041094165575521,
                                    0.00961812915971418659,
                                    0.0013333450136575589,
                                    0.000154034555535738164,
                                    0.0000153101943391733208,
                                    1.3255304503367413e-6};
  auto [m, e] = split(x);
  V s = (m - V(1.0)) / (m + V(1.0));
  V log2 = fma(s, polynomial(s * s, atanh_series), e);
  V p = min_ordered(V(1020.0), max_ordered(V(-1020.0), y * log2));
  V n = round_small(p);
  return polynomial(p - n, exp2_series) * power_of_two(n);
}
template <class Arch>
vec<float, Arch> pow(vec<float, Arch> x, vec<float, Arch> y) {
  using V = vec<float, Arch>;
  constexpr float infinity = std::numeric_limits<float>::infinity();
  V a = abs(x);
  auto wx = widen(a), wy = widen(y);
  V r = narrow(power_core(wx.lo, wy.lo), power_core(wx.hi, wy.hi));
  auto y_positive = y > V(0.0f);
  // Zeros and infinities, where the logarithm is not finite; beyond 2^24 every float is an even integer.
  r = select(a == V(0.0f), select(y_positive, V(0.0f), V(infinity)), r);
  r = select(a == V(infinity), select(y_positive, V(infinity), V(0.0f)), r);
  auto grows = (a > V(1.0f)) ^ !y_positive;
  r = select((abs(y) == V(infinity)), select(a == V(1.0f), V(1.0f), select(grows, V(infinity), V(0.0f))), r);
  V whole = V(typename V::batch_type(xsimd::trunc(y.v)));
  V halves = V(typename V::batch_type(xsimd::trunc((y * V(0.5f)).v)));
  auto integral = whole == y, odd = integral & (halves * V(2.0f) != y);
  auto negative = copysign(V(1.0f), x) < V(0.0f);
  r = select(negative & odd, -r, r);
  r = select((x < V(0.0f)) & (x > V(-infinity)) & !integral, V(std::numeric_limits<float>::quiet_NaN()), r);
  r = select(isnan(x) | isnan(y), x + y, r);
  return select((y == V(0.0f)) | (x == V(1.0f)), V(1.0f), r);
}

}  // namespace tenon::math::detail
