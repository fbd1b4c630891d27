// Matrix products against plain loops, for all strides, shapes around the panel sizes, and dtypes.
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <tenon/cpu/gemm_kernels.hpp>

#include "../catch.hpp"

namespace {

using namespace tenon;
using namespace tenon::cpu;
using A = default_arch;

template <class T>
Matrix<T> place(std::vector<T>& memory, std::int64_t rows, std::int64_t columns, int layout) {
  switch (layout) {
    case 0: memory.resize(static_cast<std::size_t>(rows * columns)); return {memory.data(), columns, 1};
    case 1: memory.resize(static_cast<std::size_t>(rows * columns)); return {memory.data(), 1, rows};
    case 2: memory.resize(static_cast<std::size_t>(rows * (columns + 3))); return {memory.data(), columns + 3, 1};
    default: memory.resize(static_cast<std::size_t>(rows * columns * 2)); return {memory.data(), 2 * columns, 2};
  }
}
template <class T>
void check(std::int64_t m, std::int64_t n, std::int64_t k, int la, int lb, int lc, double alpha, double beta,
           unsigned seed) {
  std::mt19937 random(seed);
  std::vector<T> ma, mb, mc;
  Matrix<T> a = place(ma, m, k, la), b = place(mb, k, n, lb), c = place(mc, m, n, lc);
  for (auto* v : {&ma, &mb, &mc})
    for (T& x : *v) x = T(static_cast<float>(random() % 9) - 4);
  std::vector<T> before = mc;
  if (beta == 0)
    if constexpr (std::is_floating_point_v<T>)
      for (T& x : mc) x = T(NAN);
  gemm<A, T>(m, n, k, T(static_cast<float>(alpha)), {a.data, a.row, a.column}, {b.data, b.row, b.column},
             T(static_cast<float>(beta)), c);
  double worst = 0, scale = 1;
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      auto value = [](T x) {
        if constexpr (is_complex_v<T>)
          return static_cast<double>(x.re);
        else
          return static_cast<double>(static_cast<std::conditional_t<std::is_arithmetic_v<T>, T, float>>(x));
      };
      double sum = 0;
      for (std::int64_t p = 0; p < k; ++p)
        sum += value(a.data[i * a.row + p * a.column]) * value(b.data[p * b.row + j * b.column]);
      double want =
          alpha * sum + (beta == 0 ? 0 : beta * value(before[static_cast<std::size_t>(i * c.row + j * c.column)]));
      double got = value(c.data[i * c.row + j * c.column]);
      scale = std::max(scale, std::abs(want));
      worst = std::isnan(got) ? INFINITY : std::max(worst, std::abs(got - want));
    }
  CAPTURE(m, n, k, la, lb, lc, alpha, beta);
  // Small integers: float and double are exact; 16-bit floats round the result once.
  REQUIRE(worst <= (std::is_arithmetic_v<T> || is_complex_v<T> ? 0.0 : scale / 100));
}

}  // namespace

TEST_CASE("products of small matrices are exact in every layout", "[cpu][gemm]") {
  unsigned seed = 0;
  for (std::int64_t m : {1, 2, 3, 5, 14, 15, 40})
    for (std::int64_t n : {1, 4, 16, 17, 32, 50})
      for (std::int64_t k : {1, 7, 33})
        for (int layout = 0; layout<64; layout += m * n> 400 ? 5 : 1) {
          check<float>(m, n, k, layout & 3, layout >> 2 & 3, layout >> 4, 1, 0, ++seed);
          if (layout % 3 == 0) check<double>(m, n, k, layout & 3, layout >> 2 & 3, layout >> 4, 2, 3, ++seed);
        }
}

TEST_CASE("products above the packing threshold are exact", "[cpu][gemm]") {
  unsigned seed = 1000;
  for (auto [m, n, k] :
       {std::tuple<int, int, int>{100, 90, 110}, {141, 67, 335}, {29, 333, 645}, {300, 20, 321}, {16, 2100, 40}})
    for (int la : {0, 1, 3})
      for (int lb : {0, 1, 3})
        for (int lc : {0, 1, 3}) {
          check<float>(m, n, k, la, lb, lc, 1, la == lb ? 0 : 1, ++seed);
          if (la == lc) check<double>(m, n, k, la, lb, lc, 2, 0.5, ++seed);
        }
}

TEST_CASE("the other dtypes multiply too", "[cpu][gemm]") {
  unsigned seed = 5000;
  for (auto [m, n, k] : {std::tuple<int, int, int>{3, 5, 7}, {40, 150, 20}, {1, 30, 9}, {12, 1, 40}})
    for (int la : {0, 1, 3})
      for (int lb : {0, 1, 3}) {
        check<std::int32_t>(m, n, k, la, lb, 0, 1, 0, ++seed);
        check<std::int64_t>(m, n, k, la, lb, 3, 2, 1, ++seed);
        check<Complex<float>>(m, n, k, la, lb, 1, 1, 0, ++seed);
        check<BFloat16>(m, n, k, la, lb, la, 1, 1, ++seed);
        check<Half>(m, n, k, la, lb, la, 1, 0, ++seed);
      }
}

namespace {
/// Numbers of the whole range, and as many of the extremes that no float would hold their sum.
template <class T>
void check_wrapping(std::int64_t m, std::int64_t n, std::int64_t k, int la, int lb, int lc, T alpha, T beta,
                    unsigned seed) {
  std::mt19937 random(seed);
  std::vector<T> ma, mb, mc;
  Matrix<T> a = place(ma, m, k, la), b = place(mb, k, n, lb), c = place(mc, m, n, lc);
  for (auto* v : {&ma, &mb, &mc})
    for (T& x : *v) {
      x = static_cast<T>(random());
      if (seed % 2) x = seed % 3 ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
    }
  std::vector<T> before = mc;
  gemm<A, T>(m, n, k, alpha, {a.data, a.row, a.column}, {b.data, b.row, b.column}, beta, c);
  int wrong = 0;
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      auto at = static_cast<std::size_t>(i * c.row + j * c.column);
      std::uint64_t sum = 0;
      for (std::int64_t p = 0; p < k; ++p)
        sum += static_cast<std::uint64_t>(a.data[i * a.row + p * a.column]) *
               static_cast<std::uint64_t>(b.data[p * b.row + j * b.column]);
      sum = sum * static_cast<std::uint64_t>(alpha) +
            static_cast<std::uint64_t>(before[at]) * static_cast<std::uint64_t>(beta);
      wrong += static_cast<T>(sum) != mc[at];
    }
  CAPTURE(m, n, k, la, lb, lc, sizeof(T), seed);
  REQUIRE(wrong == 0);
}
}  // namespace

TEST_CASE("products of integers wrap exactly, however long the sums", "[cpu][gemm]") {
  unsigned seed = 7000;
  for (auto [m, n, k] : {std::tuple<int, int, int>{30, 40, 17}, {9, 33, 1100}, {1, 70, 513}, {80, 1, 2049}})
    for (int la : {0, 1, 3})
      for (int lb : {0, 2, 1}) {
        int lc = (la + lb) % 4;
        check_wrapping<std::int8_t>(m, n, k, la, lb, lc, 1, 0, ++seed);
        check_wrapping<std::uint8_t>(m, n, k, la, lb, lc, 3, 1, ++seed);
        check_wrapping<std::int16_t>(m, n, k, la, lb, lc, -2, 5, ++seed);
        check_wrapping<std::int32_t>(m, n, k, la, lb, lc, -77777, 3, ++seed);
        check_wrapping<std::int64_t>(m, n, k, la, lb, lc, 1, 2, ++seed);
      }
}

TEST_CASE("an empty sum leaves beta times C", "[cpu][gemm]") {
  float c[4] = {1, 2, 3, 4};
  gemm<A, float>(2, 2, 0, 1, {nullptr, 1, 1}, {nullptr, 1, 1}, 2, {c, 2, 1});
  REQUIRE((c[0] == 2 && c[3] == 8));
  gemm<A, float>(2, 2, 0, 1, {nullptr, 1, 1}, {nullptr, 1, 1}, 0, {c, 2, 1});
  REQUIRE((c[0] == 0 && c[3] == 0));
}

TEST_CASE("batched products equal single ones for every number of threads", "[cpu][gemm]") {
  std::vector<float> a(20 * 12 * 9), b(9 * 17), one(20 * 12 * 17), all(one.size());
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i % 23) * 0.25f;
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(i % 19) * 0.5f;
  for (int i = 0; i < 20; ++i)
    gemm<A, float>(12, 17, 9, 1, {a.data() + i * 108, 9, 1}, {b.data(), 17, 1}, 0, {one.data() + i * 204, 17, 1});
  for (int threads : {1, 2, 3}) {
    set_num_threads(threads);
    const float alpha = 1, beta = 0;
    kernel_group<GemmKernels, A>::value.run(
        {kFloat, 20, 12, 17, 9, {a.data(), 108, 9, 1}, {b.data(), 0, 17, 1}, {all.data(), 204, 17, 1}, &alpha, &beta});
    REQUIRE(one == all);
  }
  std::vector<float> x(400 * 300), y(300 * 500), first(400 * 500), again(first.size());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 97) * 0.01f;
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = static_cast<float>(i % 89) * 0.01f;
  for (int threads : {1, 2, 3}) {
    set_num_threads(threads);
    gemm<A, float>(400, 500, 300, 1, {x.data(), 300, 1}, {y.data(), 500, 1}, 0,
                   {(threads == 1 ? first : again).data(), 500, 1});
    if (threads > 1) REQUIRE(first == again);
  }
  set_num_threads(2);
}
