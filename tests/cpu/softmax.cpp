// Softmax and its gradient against formulas in double.
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <tenon/cpu/softmax.hpp>

#include "../catch.hpp"

namespace {
using namespace tenon;
using namespace tenon::cpu;
using A = default_arch;

template <class E, bool Log>
void check(std::int64_t outer, std::int64_t size, std::int64_t inner, double tolerance) {
  std::mt19937 random(5);
  std::size_t n = static_cast<std::size_t>(outer * size * inner);
  std::vector<E> x(n), y(n), g(n), gi(n);
  for (std::size_t i = 0; i < n; ++i)
    x[i] = E(static_cast<float>(random() % 1000) / 100 - 5), g[i] = E(static_cast<float>(random() % 100) / 50 - 1);
  softmax<Log, A>(y.data(), x.data(), outer, size, inner);
  softmax_backward<Log, A>(gi.data(), g.data(), y.data(), outer, size, inner);
  double worst = 0;
  for (std::int64_t o = 0; o < outer; ++o)
    for (std::int64_t c = 0; c < inner; ++c) {
      auto at = [&](const std::vector<E>& v, std::int64_t r) {
        return static_cast<double>(v[static_cast<std::size_t>((o * size + r) * inner + c)]);
      };
      double total = 0, dot = 0;
      for (std::int64_t r = 0; r < size; ++r) total += std::exp(at(x, r));
      for (std::int64_t r = 0; r < size; ++r) dot += Log ? at(g, r) : at(g, r) * at(y, r);
      for (std::int64_t r = 0; r < size; ++r) {
        double p = std::exp(at(x, r)) / total, want = Log ? std::log(p) : p;
        double grad = Log ? at(g, r) - std::exp(at(y, r)) * dot : (at(g, r) - dot) * at(y, r);
        worst = std::max({worst, std::abs(at(y, r) - want), std::abs(at(gi, r) - grad)});
      }
    }
  CAPTURE(outer, size, inner, Log, sizeof(E));
  REQUIRE(worst <= tolerance);
}
}  // namespace

TEST_CASE("softmax and log-softmax equal their formulas forward and backward", "[cpu][softmax]") {
  for (auto [outer, size, inner] : {std::tuple<int, int, int>{3, 1, 1},
                                    {4, 2, 1},
                                    {4, 3, 1},
                                    {4, 7, 1},
                                    {3, 10, 1},
                                    {3, 16, 1},
                                    {3, 17, 1},
                                    {2, 64, 1},
                                    {5, 1000, 1},
                                    {2, 3001, 1},
                                    {3, 5, 7},
                                    {2, 33, 200}}) {
    check<float, false>(outer, size, inner, 2e-6);
    check<float, true>(outer, size, inner, 4e-6 * (1 + size / 100));
    check<double, false>(outer, size, inner, 1e-13);
    check<double, true>(outer, size, inner, 1e-12);
    check<BFloat16, false>(outer, size, inner, 1e-2);
    check<Half, true>(outer, size, inner, 2e-2 * (1 + size / 500));
  }
}

TEMPLATE_TEST_CASE("16-bit logarithms of a softmax round the sum and its logarithm, in short rows and long",
                   "[cpu][softmax]", BFloat16, Half) {
  auto rounded = [](float v) { return static_cast<float>(TestType(v)); };
  for (std::int64_t n : {3, 15, 100, 1100}) {
    std::vector<TestType> x, y(static_cast<std::size_t>(n));
    for (std::int64_t i = 0; i < n; ++i) x.push_back(TestType(static_cast<float>((i * 37 + 11) % 53) / 8 - 3));
    softmax<true, A>(y.data(), x.data(), 1, n, 1);
    float top = static_cast<float>(*std::max_element(
        x.begin(), x.end(), [](TestType a, TestType b) { return static_cast<float>(a) < static_cast<float>(b); }));
    double total = 0;
    for (TestType v : x) total += std::exp(static_cast<double>(static_cast<float>(v) - top));
    float log_total = rounded(std::log(rounded(static_cast<float>(total))));
    CAPTURE(n, log_total);
    int different = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
      different += static_cast<float>(y[i]) != rounded(static_cast<float>(x[i]) - top - log_total);
    CHECK(different == 0);
  }
}

TEMPLATE_TEST_CASE("a row in registers has the bits of the lanes in memory", "[cpu][softmax]", float, double) {
  constexpr int W = vec<TestType, A>::size;
  std::mt19937 random(7);
  TestType x[cpu::detail::kLanes], all[W];
  for (TestType& v : x) v = static_cast<TestType>(random() % 100000) / 777 - 50;
  int rows = 0;
  for (int n = 1; n <= cpu::detail::kLanes; ++n) {
    CAPTURE(n);
    rows += cpu::detail::in_registers<A, TestType>(n, [&](auto row) {
      auto equal = [&](auto op) {
        row.total(op, row.load(x)).store(all);
        for (int l = 0; l < std::min(n, W); ++l) REQUIRE(all[l] == cpu::detail::reduce_row<A>(op, x, n));
      };
      equal(sum_op<TestType>{});
      equal(max_op<TestType>{});
      TestType copy[cpu::detail::kLanes] = {};
      row.store(row.load(x), copy);
      for (int l = 0; l < cpu::detail::kLanes; ++l) REQUIRE(copy[l] == (l < n ? x[l] : 0));
    });
  }
  CHECK(rows >= W);
}

TEST_CASE("softmax of large logits does not overflow and works in place", "[cpu][softmax]") {
  float x[3] = {1000, 1001, -1000};
  softmax<false, A>(x, x, 1, 3, 1);
  REQUIRE(std::abs(x[0] - 0.26894143f) < 1e-6f);
  REQUIRE(std::abs(x[1] - 0.7310586f) < 1e-6f);
  REQUIRE(x[2] == 0);
}
