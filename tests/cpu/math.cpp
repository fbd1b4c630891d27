// Accuracy of the vector functions in units of the last place, and their values at the ends of the range.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <tenon/math/vector.hpp>

#include "../catch.hpp"
#include "../test_data.hpp"

namespace {

using namespace tenon;
using A = cpu::default_arch;

template <class T>
double ulps(T got, long double want) {
  T rounded = static_cast<T>(want);
  if (std::isnan(got) || std::isnan(rounded)) return std::isnan(got) && std::isnan(rounded) ? 0 : 1e30;
  if (got == rounded) return std::signbit(got) == std::signbit(rounded) ? 0 : 1e30;
  if (std::isinf(got) || std::isinf(rounded)) return 1e30;
  int e;
  std::frexp(rounded, &e);
  T unit = std::ldexp(T(1), std::max(e, std::numeric_limits<T>::min_exponent) - std::numeric_limits<T>::digits);
  return static_cast<double>(std::abs((static_cast<long double>(got) - want) / unit));
}
/// The largest error over random points of [low, high] and the special points.
template <class T, class F, class R>
double worst(F f, R reference, double low, double high) {
  using V = math::vec<T, A>;
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(low, high);
  std::vector<T> x;
  for (int i = 0; i < 20000; ++i) x.push_back(static_cast<T>(uniform(random)));
  for (int i = 0; i < 4000; ++i)
    x.push_back(static_cast<T>(uniform(random) * std::pow(10.0, -10 * std::abs(uniform(random) / high))));
  using L = std::numeric_limits<T>;
  for (T v : {T(0), T(-0.0), L::infinity(), -L::infinity(), L::quiet_NaN(), T(1), T(-1), L::min(), L::denorm_min(),
              L::max(), L::lowest()})
    x.push_back(v);
  while (x.size() % V::size) x.push_back(T(1));
  double result = 0;
  T out[V::size];
  for (std::size_t i = 0; i < x.size(); i += V::size) {
    f(V::load(&x[i])).store(out);
    for (int k = 0; k < V::size; ++k) {
      double u = ulps<T>(out[k], reference(static_cast<long double>(x[i + static_cast<std::size_t>(k)])));
      if (u > result) {
        result = u;
        if (u > 100) UNSCOPED_INFO("at " << x[i + static_cast<std::size_t>(k)] << " got " << out[k]);
      }
    }
  }
  return result;
}
struct Errors {
  double in_float, in_double;
};
/// The functions of docs/accuracy.md, beside those of `long double`.
// clang-format off
#define TENON_TEST_FUNCTIONS(X)                                                                                      \
  X(exp) X(exp2) X(expm1) X(log) X(log2) X(log10) X(log1p) X(tanh) X(sin) X(cos) X(tan) X(asin) X(acos) X(atan)      \
  X(sinh) X(cosh) X(asinh) X(erf) X(erfc) X(sqrt)
// clang-format on
const std::map<std::string, Errors (*)(double, double)> functions = {
#define X(NAME)                                                                                \
  {#NAME, [](double low, double high) {                                                        \
     auto reference = [](long double x) { return std::NAME(x); };                              \
     return Errors{worst<float>([](auto x) { return math::NAME(x); }, reference, low, high),   \
                   worst<double>([](auto x) { return math::NAME(x); }, reference, low, high)}; \
   }},
    TENON_TEST_FUNCTIONS(X)
#undef X
// Those that the library lacks are what they are made of there.
#define X(NAME, ...)                                                                           \
  {#NAME, [](double low, double high) {                                                        \
     auto reference = [](long double x) { return __VA_ARGS__; };                               \
     return Errors{worst<float>([](auto x) { return math::NAME(x); }, reference, low, high),   \
                   worst<double>([](auto x) { return math::NAME(x); }, reference, low, high)}; \
   }},
        X(sigmoid, 1 / (1 + std::exp(-x))) X(rsqrt, 1 / std::sqrt(x))
            X(ndtr, std::erfc(x * -0.70710678118654752440084436210485L) / 2)
#undef X
};

struct Range {
  double low, high;
};
/// The largest error over random points of two ranges, every other one with numbers of smaller size.
template <class T, class F, class R>
double worst_of_two(F f, R reference, Range first, Range second) {
  using V = math::vec<T, A>;
  std::mt19937_64 random(3);
  double result = 0;
  for (int i = 0; i < 40000; i += V::size) {
    T a[V::size], b[V::size], out[V::size];
    auto draw = [&](Range r) {
      std::uniform_real_distribution<double> uniform(r.low, r.high), part(0, 4);
      const double x = uniform(random);
      return static_cast<T>(i / V::size % 2 ? x : x * std::pow(10.0, -part(random)));
    };
    for (int k = 0; k < V::size; ++k) a[k] = draw(first), b[k] = draw(second);
    f(V::load(a), V::load(b)).store(out);
    for (int k = 0; k < V::size; ++k) {
      const double u = ulps<T>(out[k], reference(static_cast<long double>(a[k]), static_cast<long double>(b[k])));
      if (u > result) {
        result = u;
        if (u > 100) UNSCOPED_INFO("at " << a[k] << ", " << b[k] << " got " << out[k]);
      }
    }
  }
  return result;
}
/// The derivative of digamma of order n > 0 at x > 0: a sum, and Euler's and Maclaurin's formula (DLMF 25.11.43) from
/// 30 on, where ten Bernoulli numbers leave a rest below 1e-20 of it.
long double polygamma_reference(int n, long double x) {
  const long double s = n + 1;
  long double sum = 0, size = 1;
  for (int k = 2; k <= n; ++k) size *= k;
  for (; x < 30; x += 1) sum += std::pow(x, -s);
  // B2, B4, ...
  constexpr long double b[] = {1.0L / 6,       -1.0L / 30, 1.0L / 42,      -1.0L / 30,     5.0L / 66,
                               -691.0L / 2730, 7.0L / 6,   -3617.0L / 510, 43867.0L / 798, -174611.0L / 330};
  const long double power = std::pow(x, -s);
  sum += power * x / (s - 1) + power / 2;
  long double term = s * power / x / 2;  // the rising factorial over (2j)!, and the power
  for (int j = 0; j < 10; ++j) {
    sum += b[j] * term;
    term *= (s + 2 * j + 1) * (s + 2 * j + 2) / ((2 * j + 3) * (2 * j + 4)) / (x * x);
  }
  return (n % 2 == 1 ? size : -size) * sum;
}
const std::map<std::string, Errors (*)(Range, Range)> functions_of_two = {
#define X(NAME, ...)                                                                                                 \
  {#NAME, [](Range first, Range second) {                                                                            \
     auto reference = [](long double a, long double b) { return __VA_ARGS__; };                                      \
     return Errors{worst_of_two<float>([](auto a, auto b) { return math::NAME(a, b); }, reference, first, second),   \
                   worst_of_two<double>([](auto a, auto b) { return math::NAME(a, b); }, reference, first, second)}; \
   }},
    X(pow, std::pow(a, b)) X(logaddexp, std::max(a, b) + std::log1p(std::exp(-std::abs(a - b))))
        X(xlogy, a == 0 ? 0 : a * std::log(b))
#undef X
};
template <class T>
double worst_polygamma(int n, Range range) {
  auto f = [n](auto x, auto) { return math::polygamma(x, static_cast<T>(n)); };
  auto reference = [n](long double x, long double) { return polygamma_reference(n, x); };
  return worst_of_two<T>(f, reference, range, {0, 1});
}

}  // namespace

TEST_CASE("vector functions are as near the true value as docs/accuracy.md says", "[cpu][math]") {
  std::ifstream file(test_data("../../docs/accuracy.md"));
  REQUIRE(file);
  std::set<std::string> found;
  for (std::string line; std::getline(file, line);) {
    char name[16];
    double low, high;
    Errors stated;
    if (std::sscanf(line.c_str(), "| `%15[a-z0-9]` | %lf to %lf | %lf | %lf |", name, &low, &high, &stated.in_float,
                    &stated.in_double) != 5)
      continue;
    CAPTURE(line);
    REQUIRE(functions.contains(name));
    Errors got = functions.at(name)(low, high);
    CHECK(got.in_float <= stated.in_float);
    CHECK(got.in_double <= stated.in_double);
    found.insert(name);
  }
  CHECK(found.size() == functions.size());
}

TEST_CASE("functions of two numbers are as near the true value as docs/accuracy.md says", "[cpu][math]") {
  std::ifstream file(test_data("../../docs/accuracy.md"));
  REQUIRE(file);
  std::set<std::string> found;
  for (std::string line; std::getline(file, line);) {
    char name[16];
    Range first, second;
    Errors stated;
    if (std::sscanf(line.c_str(), "| `%15[a-z0-9]` | %lf to %lf | %lf to %lf | %lf | %lf |", name, &first.low,
                    &first.high, &second.low, &second.high, &stated.in_float, &stated.in_double) != 7)
      continue;
    CAPTURE(line);
    found.insert(name);
    Errors got{};
    if (std::string(name) == "polygamma") {
      for (int n = static_cast<int>(first.low); n <= static_cast<int>(first.high); ++n) {
        got.in_float = std::max(got.in_float, worst_polygamma<float>(n, second));
        got.in_double = std::max(got.in_double, worst_polygamma<double>(n, second));
      }
    } else {
      REQUIRE(functions_of_two.contains(name));
      got = functions_of_two.at(name)(first, second);
    }
    CHECK(got.in_float <= stated.in_float);
    CHECK(got.in_double <= stated.in_double);
  }
  CHECK(found.size() == functions_of_two.size() + 1);
}

TEST_CASE("functions of two numbers are the C library's, or as near as docs/accuracy.md says", "[cpu][math]") {
  auto check = []<class T>(T) {
    using V = math::vec<T, A>;
    using L = std::numeric_limits<T>;
    std::vector<T> special;
    for (T v : {T(0), T(1), T(2), T(3), T(0.1), T(7), T(1e-30), T(1e30), T(16777217), L::max(), L::min(),
                L::denorm_min(), L::infinity(), L::quiet_NaN(), T(1) - L::epsilon() / 2})
      special.insert(special.end(), {v, -v});
    std::vector<T> a, b;
    for (T x : special)
      for (T y : special) {
        // Alone among ordinary numbers, and in all lanes: some forms ask whether all lanes may go a faster way.
        for (int k = 0; k < V::size; ++k) a.push_back(x), b.push_back(y);
        for (int k = 0; k < V::size; ++k) a.push_back(k ? T(5) : x), b.push_back(k ? T(-3) : y);
      }
    std::mt19937_64 random(2);
    std::uniform_real_distribution<double> uniform(-9, 9);
    while (a.size() < 200000) {
      int shift = static_cast<int>(4 * uniform(random));
      T y = static_cast<T>(uniform(random)), x = std::ldexp(static_cast<T>(uniform(random)), shift);
      // Multiples, and their neighbours: what is left is nothing, or nearly the whole divisor.
      if (a.size() % 3 == 0) x = std::nextafter(y * std::trunc(static_cast<T>(uniform(random)) * 100), x);
      a.push_back(x);
      b.push_back(y);
    }
    while (a.size() % V::size) a.push_back(T(1)), b.push_back(T(1));
    auto errs = [&](auto f, auto reference) {
      double most = 0;
      for (std::size_t i = 0; i < a.size(); i += V::size) {
        T out[V::size];
        f(V::load(&a[i]), V::load(&b[i])).store(out);
        for (std::size_t k = 0; k < V::size; ++k) {
          const double u = ulps<T>(out[k], reference(a[i + k], b[i + k]));
          if (u > most) UNSCOPED_INFO("at " << a[i + k] << ", " << b[i + k] << " got " << out[k]);
          most = std::max(most, u);
        }
      }
      return most;
    };
    using W = long double;
    CHECK(errs([](V x, V y) { return math::fmod(x, y); }, [](T x, T y) { return W(std::fmod(x, y)); }) == 0);
    CHECK(errs([](V x, V y) { return math::remainder(x, y); }, [](T x, T y) { return W(math::remainder(x, y)); }) == 0);
    CHECK(errs([](V x, V y) { return math::div_floor<T>(x, y); },
               [](T x, T y) { return W(math::div_floor<T>(x, y)); }) == 0);
    CHECK(errs([](V x, V y) { return math::nextafter<T>(x, y); }, [](T x, T y) { return W(std::nextafter(x, y)); }) ==
          0);
    CHECK(errs([](V x, V y) { return math::hypot(x, y); }, [](T x, T y) { return std::hypot(W(x), W(y)); }) <= 0.6);
    CHECK(errs([](V x, V y) { return math::atan2(x, y); }, [](T x, T y) { return std::atan2(W(x), W(y)); }) <= 2.6);
  };
  check(0.0f);
  check(0.0);
}

TEST_CASE("erfinv of float is the double one, rounded", "[cpu][math]") {
  double got = worst<float>(
      [](auto x) { return math::erfinv(x); },
      [](long double x) { return static_cast<long double>(math::detail::erfinv(static_cast<double>(x))); }, -1, 1);
  CHECK(got <= 0.6);
}

TEST_CASE("ndtr is right to the last places of 1, and falls to 0", "[cpu][math]") {
  auto check = []<class T>(T bound) {
    T got[64], before = 0;
    for (int i = -4000; i <= 4000; ++i) {
      const T x = static_cast<T>(i) / 250;
      math::ndtr(math::vec<T, A>(x)).store(got);
      CAPTURE(x, got[0]);
      CHECK(std::abs(got[0] - std::erfc(-static_cast<double>(x) / std::sqrt(2.0)) / 2) <= bound);
      CHECK(got[0] >= before - bound);
      before = got[0];
    }
    constexpr T infinity = std::numeric_limits<T>::infinity();
    for (auto [x, want] :
         {std::pair(-infinity, T(0)), {T(-1e30), T(0)}, {T(-100), T(0)}, {infinity, T(1)}, {T(0), T(0.5)}}) {
      math::ndtr(math::vec<T, A>(x)).store(got);
      CAPTURE(x);
      CHECK(got[0] == want);  // what is left would count times a large number
    }
    math::ndtr(math::vec<T, A>(std::numeric_limits<T>::quiet_NaN())).store(got);
    CHECK(std::isnan(got[0]));
  };
  check(2e-7f);
  check(2.3e-16);
}

TEST_CASE("asinh keeps signs, zeros, infinities and NaN", "[cpu][math]") {
  const float infinity = std::numeric_limits<float>::infinity();
  const float x[] = {0.0f, -0.0f, infinity, -infinity, std::nanf(""), 1e-40f, -3.4e38f, 1e-10f};
  for (float v : x) {
    float want = std::asinh(v), got[64];
    math::asinh(math::vec<float, A>(v)).store(got);
    CAPTURE(v, want, got[0]);
    CHECK(((std::isnan(want) && std::isnan(got[0])) ||
           ulps<float>(got[0], std::asinh(static_cast<long double>(v))) <= 2 || got[0] == want));
    if (!std::isnan(want)) CHECK(std::signbit(got[0]) == std::signbit(want));
  }
}

TEST_CASE("exp keeps denormals and overflows where the result does", "[cpu][math]") {
  using V = math::vec<float, A>;
  auto one = [](float x) {
    float out[V::size];
    math::exp(V(x)).store(out);
    return out[0];
  };
  CHECK(one(88.72f) == Approx(3.4e38f).epsilon(0.01));
  CHECK(std::isinf(one(88.73f)));
  CHECK(one(-103.9f) == std::numeric_limits<float>::denorm_min());
  CHECK(one(-104.5f) == 0);
  CHECK(one(-100.0f) > 0);
}

TEST_CASE("pow treats signs, zeros, infinities and NaN as the standard says", "[cpu][math]") {
  const float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  const float values[] = {0.0f, -0.0f, 1.0f,     -1.0f,     2.0f, -2.0f, 0.5f,   -0.5f,  3.0f,        -3.0f,
                          2.5f, -2.5f, infinity, -infinity, nan,  1e20f, -1e20f, 1e-30f, 16777217.0f, 10.3f};
  using V = math::vec<float, A>;
  for (float x : values)
    for (float y : values) {
      float out[V::size];
      math::pow(V(x), V(y)).store(out);
      CAPTURE(x, y, out[0]);
      CHECK(ulps<float>(out[0], std::pow(static_cast<long double>(x), static_cast<long double>(y))) <= 1);
    }
}

TEST_CASE("extremes propagate NaN and fmax ignores it", "[cpu][math]") {
  using V = math::vec<float, A>;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  auto first = [](V v) {
    float out[V::size];
    v.store(out);
    return out[0];
  };
  for (auto [a, b] : {std::pair<float, float>{nan, 1.0f}, {1.0f, nan}}) {
    CHECK(std::isnan(first(math::maximum(V(a), V(b)))));
    CHECK(std::isnan(first(math::minimum(V(a), V(b)))));
    CHECK(first(math::fmax(V(a), V(b))) == 1);
    CHECK(first(math::fmin(V(a), V(b))) == 1);
    CHECK(std::isnan(math::maximum(a, b)));
    CHECK(math::fmin(a, b) == 1);
  }
  CHECK(first(math::max(V(2), 3)) == 3);
  CHECK(first(math::min(2, V(3))) == 2);
}

TEST_CASE("scalar forms exist for integers, 16-bit floats and complex numbers", "[cpu][math]") {
  CHECK(math::abs(std::int8_t{-5}) == 5);
  CHECK(math::pow(std::int64_t{3}, std::int64_t{5}) == 243);
  CHECK(math::pow(std::int32_t{2}, std::int32_t{-1}) == 0);
  CHECK(math::remainder(-7, 3) == 2);
  CHECK(math::fmod(-7, 3) == -1);
  CHECK(math::remainder(-7.5, 2.0) == 0.5);
  CHECK(math::sign(-2.5f) == -1);
  CHECK(math::sign(std::numeric_limits<float>::quiet_NaN()) == 0);
  CHECK(static_cast<float>(math::exp(Half(1.0f))) == Approx(2.71828f).epsilon(1e-3));
  CHECK(math::round(2.5f) == 2);
  Complex<double> z = math::exp(Complex<double>(0.0, 3.14159265358979323846));
  CHECK(z.re == Approx(-1));
  CHECK(std::abs(z.im) < 1e-15);
  CHECK(math::abs(Complex<float>(3, 4)) == 5);
  CHECK(math::sigmoid(0.0f) == 0.5f);
  CHECK(math::sigmoid(Complex<float>(0, 0)) == Complex<float>(0.5f, 0));
  CHECK(std::isnan(math::sigmoid(Complex<float>(-1000, 1)).re));
}
