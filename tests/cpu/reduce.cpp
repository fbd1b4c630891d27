// Reductions against plain loops in higher precision, over random shapes, strides and sets of dimensions.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <random>
#include <tuple>
#include <vector>

#include <tenon/cpu/reduce.hpp>

#include "../catch.hpp"

namespace {

using namespace tenon;
using namespace tenon::cpu;
using A = default_arch;

struct Problem {
  std::vector<std::int64_t> sizes, strides, out_strides;
  std::uint64_t reduced = 0;
  std::int64_t outputs = 1, span = 1, per_output = 1;
};
Problem random_problem(std::mt19937& random, bool large) {
  Problem p;
  std::size_t dims = random() % 4;
  for (std::size_t d = 0; d < dims; ++d)
    p.sizes.push_back(large ? random() % 70 + 1 : random() % 3 == 0 ? 1 : random() % 20 + 1);
  if (large && dims && random() % 2) p.sizes[random() % dims] = 300;
  p.strides.assign(dims, 0);
  std::vector<std::size_t> order(dims);
  for (std::size_t d = 0; d < dims; ++d) order[d] = dims - 1 - d;
  if (random() % 2) std::shuffle(order.begin(), order.end(), random);
  std::int64_t step = random() % 4 == 0 ? 2 : 1;
  for (std::size_t d : order) {
    p.strides[d] = random() % 12 == 0 ? 0 : step;
    step *= p.sizes[d];
    if (random() % 5 == 0) ++step;
  }
  p.reduced = random() % (1u << dims);
  p.out_strides.assign(dims, 0);
  for (std::size_t d = dims; d-- > 0;) {
    p.span += p.strides[d] * (p.sizes[d] - 1);
    if (p.reduced >> d & 1) {
      p.per_output *= p.sizes[d];
    } else {
      p.out_strides[d] = p.outputs;
      p.outputs *= p.sizes[d];
    }
  }
  return p;
}
template <class F>
void each(const Problem& p, F f) {  // f(input offset, output offset), in elements
  std::vector<std::int64_t> index(p.sizes.size(), 0);
  for (;;) {
    std::int64_t in = 0, out = 0;
    for (std::size_t d = 0; d < index.size(); ++d) {
      in += index[d] * p.strides[d];
      if (!(p.reduced >> d & 1)) out += index[d] * p.out_strides[d];
    }
    f(in, out);
    std::size_t d = index.size();
    while (d > 0 && ++index[d - 1] == p.sizes[d - 1]) index[--d] = 0;
    if (d == 0) return;
  }
}
Reduction reduction_of(const Problem& p, const void* in, ScalarType in_type, void* out, ScalarType out_type) {
  Reduction r;
  r.in = in;
  r.in_type = in_type;
  r.out = out;
  r.out_type = out_type;
  r.sizes = p.sizes.data();
  r.strides = p.strides.data();
  r.out_strides = p.out_strides.data();
  r.dims = static_cast<int>(p.sizes.size());
  r.reduced = p.reduced;
  return r;
}
template <class T>
std::vector<T> random_values(std::mt19937& random, std::int64_t n) {
  std::vector<T> v(static_cast<std::size_t>(n));
  for (T& x : v) x = static_cast<T>(static_cast<double>(random() % 2001) / 100 - 10);
  return v;
}

}  // namespace

TEST_CASE("sums, means and extremes over any dimensions equal plain loops", "[cpu][reduce]") {
  std::mt19937 random(11);
  for (int round = 0; round < 600; ++round) {
    Problem p = random_problem(random, round % 6 == 0);
    auto x = random_values<float>(random, p.span);
    std::size_t n = static_cast<std::size_t>(p.outputs);
    std::vector<double> sum(n, 0), top(n, -INFINITY), low(n, INFINITY), squares(n, 0);
    each(p, [&](std::int64_t in, std::int64_t out) {
      double v = x[static_cast<std::size_t>(in)];
      auto o = static_cast<std::size_t>(out);
      sum[o] += v;
      squares[o] += v * v;
      top[o] = std::max(top[o], v);
      low[o] = std::min(low[o], v);
    });
    std::vector<float> got(n);
    std::vector<double> wide(n);
    CAPTURE(round, p.sizes, p.strides, p.reduced);
    double tolerance = 1e-5 * static_cast<double>(p.per_output);
    reduce<A>(reduction_of(p, x.data(), kFloat, got.data(), kFloat), sum_op<float>{});
    for (std::size_t i = 0; i < n; ++i) REQUIRE(std::abs(got[i] - sum[i]) <= tolerance);
    reduce<A>(reduction_of(p, x.data(), kFloat, wide.data(), kDouble), mean_op<double>{});
    for (std::size_t i = 0; i < n; ++i)
      REQUIRE(std::abs(wide[i] - sum[i] / static_cast<double>(p.per_output)) <=
              1e-12 * static_cast<double>(p.per_output));
    reduce<A>(reduction_of(p, x.data(), kFloat, got.data(), kFloat), max_op<float>{});
    for (std::size_t i = 0; i < n; ++i) REQUIRE(got[i] == static_cast<float>(top[i]));
    reduce<A>(reduction_of(p, x.data(), kFloat, wide.data(), kDouble), min_op<float>{});
    for (std::size_t i = 0; i < n; ++i) REQUIRE(wide[i] == static_cast<float>(low[i]));
    reduce<A>(reduction_of(p, x.data(), kFloat, wide.data(), kDouble), norm_op<double>{});
    for (std::size_t i = 0; i < n; ++i) REQUIRE(std::abs(wide[i] - std::sqrt(squares[i])) <= 1e-9 * (1 + wide[i]));
    std::vector<double> mean(n), m2(n);
    moments<float, A>(reduction_of(p, x.data(), kFloat, nullptr, kFloat),
                      [&](float m, float s, std::int64_t count, std::int64_t place) {
                        REQUIRE(count == p.per_output);
                        mean[static_cast<std::size_t>(place)] = m;
                        m2[static_cast<std::size_t>(place)] = s;
                      });
    for (std::size_t i = 0; i < n; ++i) {
      double expected = squares[i] - sum[i] * sum[i] / static_cast<double>(p.per_output);
      REQUIRE(std::abs(mean[i] - sum[i] / static_cast<double>(p.per_output)) <= 1e-5);
      REQUIRE(std::abs(m2[i] - expected) <= 1e-4 * (1 + expected));
    }
  }
}

TEST_CASE("integers, bool and complex numbers reduce exactly", "[cpu][reduce]") {
  std::mt19937 random(12);
  for (int round = 0; round < 300; ++round) {
    Problem p = random_problem(random, round % 6 == 0);
    std::size_t n = static_cast<std::size_t>(p.outputs), span = static_cast<std::size_t>(p.span);
    std::vector<std::int8_t> x(span);
    std::vector<Complex<float>> z(span);
    for (std::size_t i = 0; i < span; ++i)
      x[i] = static_cast<std::int8_t>(random() % 3 ? random() % 250 - 125 : 0), z[i] = {static_cast<float>(x[i]), 1.0f};
    std::vector<std::int64_t> sum(n, 0), count(n, 0);
    std::vector<char> any(n, 0), all(n, 1);
    each(p, [&](std::int64_t in, std::int64_t out) {
      auto o = static_cast<std::size_t>(out);
      std::int8_t v = x[static_cast<std::size_t>(in)];
      sum[o] += v;
      count[o] += 1;
      any[o] |= v != 0;
      all[o] &= v != 0;
    });
    std::vector<std::int64_t> got(n);
    std::vector<Complex<float>> zs(n);
    auto flags = std::make_unique<bool[]>(n);
    CAPTURE(round, p.sizes, p.strides, p.reduced);
    reduce<A>(reduction_of(p, x.data(), kChar, got.data(), kLong), sum_op<std::int64_t>{});
    REQUIRE(got == sum);
    reduce<A>(reduction_of(p, z.data(), kComplexFloat, zs.data(), kComplexFloat), sum_op<Complex<float>>{});
    for (std::size_t i = 0; i < n; ++i)
      REQUIRE(zs[i] == Complex<float>(static_cast<float>(sum[i]), static_cast<float>(count[i])));
    reduce<A>(reduction_of(p, x.data(), kChar, flags.get(), kBool), any_op<bool>{});
    for (std::size_t i = 0; i < n; ++i) REQUIRE(flags[i] == static_cast<bool>(any[i]));
    reduce<A>(reduction_of(p, x.data(), kChar, flags.get(), kBool), all_op<bool>{});
    for (std::size_t i = 0; i < n; ++i) REQUIRE(flags[i] == static_cast<bool>(all[i]));
  }
}

TEST_CASE("argmax gives the first place and prefers NaN", "[cpu][reduce]") {
  std::mt19937 random(13);
  for (std::int64_t rows : {1, 5, 40, 1500})
    for (std::int64_t columns : {1, 17, 130, 3000}) {
      std::vector<float> x(static_cast<std::size_t>(rows * columns));
      for (float& v : x) v = static_cast<float>(random() % 50);
      if (rows * columns > 1000) x[777] = NAN, x[780] = NAN;
      for (int dim : {0, 1}) {
        Problem p;
        p.sizes = {rows, columns};
        p.strides = {columns, 1};
        p.out_strides = {1, 1};
        p.reduced = 1u << dim;
        std::int64_t n = dim ? rows : columns, length = dim ? columns : rows;
        std::vector<float> top(static_cast<std::size_t>(n)), low(top);
        std::vector<std::int64_t> where(static_cast<std::size_t>(n)), low_where(where);
        arg_reduce<float, A, true>(reduction_of(p, x.data(), kFloat, nullptr, kFloat), top.data(), where.data());
        arg_reduce<float, A, false>(reduction_of(p, x.data(), kFloat, nullptr, kFloat), low.data(), low_where.data());
        bool good = true;
        for (std::int64_t o = 0; o < n; ++o) {
          auto at = [&](std::int64_t i) {
            return x[static_cast<std::size_t>(dim ? o * columns + i : i * columns + o)];
          };
          std::int64_t best = 0, least = 0;
          for (std::int64_t i = 1; i < length; ++i) {
            if (!std::isnan(at(best)) && (at(i) > at(best) || std::isnan(at(i)))) best = i;
            if (!std::isnan(at(least)) && (at(i) < at(least) || std::isnan(at(i)))) least = i;
          }
          auto k = static_cast<std::size_t>(o);
          good = good && where[k] == best && low_where[k] == least && (top[k] == at(best) || std::isnan(at(best)));
        }
        CAPTURE(rows, columns, dim);
        REQUIRE(good);
      }
    }
}

TEST_CASE("the first extreme of a long line is found in whichever part it lies, by any threads", "[cpu][reduce]") {
  std::mt19937 random(5);
  int before = get_num_threads();
  for (int threads : {1, 3}) {
    set_num_threads(threads);
    for (std::int64_t n : {65536, 65537, 200001})
      for (std::int64_t first : {std::int64_t{0}, std::int64_t{4095}, std::int64_t{4096}, std::int64_t{65535}, n - 1})
        for (bool nan : {false, true}) {
          CAPTURE(threads, n, first, nan);
          std::vector<float> x(static_cast<std::size_t>(n));
          for (float& v : x) v = static_cast<float>(random() % 1000);
          // Behind the first there are more of its kind, and before a NaN larger numbers.
          float top = nan ? std::numeric_limits<float>::quiet_NaN() : 1000.0f;
          for (std::int64_t i = first; i < n; i += 30000) x[static_cast<std::size_t>(i)] = top;
          std::int64_t zero = 0, one = 1, place = -1;
          float value = 0;
          Reduction r{nullptr, kFloat, &zero, x.data(), kFloat, &n, &one, 1, 1};
          arg_reduce<float, A, true>(r, &value, &place);
          CHECK(place == first);
          CHECK((nan ? value != value : value == top));
          for (float& v : x) v = -v;
          arg_reduce<float, A, false>(r, &value, &place);
          CHECK(place == first);
        }
  }
  set_num_threads(before);
}

TEST_CASE("NaN spreads through extremes and empty sets give the identity", "[cpu][reduce]") {
  std::vector<float> x(1000, 1.0f);
  x[611] = NAN;
  Problem p;
  p.sizes = {1000};
  p.strides = {1};
  p.out_strides = {1};
  p.reduced = 1;
  float out = 0;
  reduce<A>(reduction_of(p, x.data(), kFloat, &out, kFloat), max_op<float>{});
  REQUIRE(std::isnan(out));
  reduce<A>(reduction_of(p, x.data(), kFloat, &out, kFloat), min_op<float>{});
  REQUIRE(std::isnan(out));
  p.sizes = {0};
  reduce<A>(reduction_of(p, x.data(), kFloat, &out, kFloat), sum_op<float>{});
  REQUIRE(out == 0);
  reduce<A>(reduction_of(p, x.data(), kFloat, &out, kFloat), prod_op<float>{});
  REQUIRE(out == 1);
  reduce<A>(reduction_of(p, x.data(), kFloat, &out, kFloat), mean_op<float>{});
  REQUIRE(std::isnan(out));
}

TEST_CASE("a sum's bits do not depend on the number of threads", "[cpu][reduce]") {
  std::mt19937 random(14);
  auto x = random_values<float>(random, 500000);
  for (auto [rows, columns, reduced] : {std::tuple<std::int64_t, std::int64_t, std::uint64_t>{1, 500000, 2},
                                        {500, 1000, 1},
                                        {5000, 100, 1},
                                        {500, 1000, 2},
                                        {500, 1000, 3}}) {
    Problem p;
    p.sizes = {rows, columns};
    p.strides = {columns, 1};
    p.out_strides = {1, 1};
    p.reduced = reduced;
    std::vector<float> first(5000), again(5000);
    for (int threads : {1, 2, 3}) {
      set_num_threads(threads);
      reduce<A>(reduction_of(p, x.data(), kFloat, (threads == 1 ? first : again).data(), kFloat), sum_op<float>{});
      if (threads > 1) REQUIRE(std::memcmp(first.data(), again.data(), 4 * first.size()) == 0);
    }
    set_num_threads(2);
  }
}
