// Vectors and masks of every instruction set that this unit may use, against scalars.
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include <tenon/cpu/reduce.hpp>
#include <tenon/math/vec.hpp>

#include "../catch.hpp"

namespace {

using namespace tenon;
using namespace tenon::cpu;

template <class T, class Arch>
void check_lanes() {
  using V = vec<T, Arch>;
  T a[64], b[64], out[64];
  for (int i = 0; i < 64; ++i) a[i] = T(i) - T(7.5), b[i] = T(3) - T(i) / 2;
  a[1] = std::numeric_limits<T>::quiet_NaN();
  b[0] = std::numeric_limits<T>::quiet_NaN();
  V x = V::load(a), y = V::load(b);
  auto each = [&](V v, auto f) {
    v.store(out);
    for (int i = 0; i < V::size; ++i) {
      T want = f(a[i], b[i]);
      CAPTURE(i, want, out[i], V::size);
      REQUIRE((out[i] == want || (std::isnan(out[i]) && std::isnan(want))));
    }
  };
  each(x + y, [](T p, T q) { return p + q; });
  each(x - y, [](T p, T q) { return p - q; });
  each(x * y, [](T p, T q) { return p * q; });
  each(x / y, [](T p, T q) { return p / q; });
  each(-x, [](T p, T) { return -p; });
  each(abs(x), [](T p, T) { return std::abs(p); });
  each(copysign(x, y), [](T p, T q) { return std::isnan(q) ? std::copysign(p, q) : std::copysign(p, q); });
  each(2 * x + 0.5, [](T p, T) { return 2 * p + T(0.5); });
  each(select(x < y, x, y), [](T p, T q) { return p < q ? p : q; });
  each(select(x != y, x, y), [](T p, T q) { return p != q ? p : q; });
  each(select((x > y) ^ (x >= y), x, y), [](T p, T q) { return (p > q) != (p >= q) ? p : q; });
  each(select(isnan(x) | !(y == y), V(1), V(2)), [](T p, T q) { return T(p != p || q != q ? 1 : 2); });
  bool truth[64];
  std::memset(truth, 7, sizeof truth);
  (x < y).store(truth);
  std::uint32_t bits = (x < y).bits();
  for (int i = 0; i < V::size; ++i) {
    REQUIRE(truth[i] == (a[i] < b[i]));
    REQUIRE((bits >> i & 1) == (a[i] < b[i]));
  }
  unsigned char after;
  std::memcpy(&after, truth + V::size, 1);
  REQUIRE(after == 7);
  for (int n = 1; n < V::size; ++n) {
    for (T& o : out) o = T(-9);
    V part = V::load_partial(a + 2, n);
    part.store_partial(out, n);
    for (int i = 0; i < V::size; ++i) REQUIRE(out[i] == (i < n ? a[i + 2] : T(-9)));
    part.store(out);
    for (int i = n; i < V::size; ++i) REQUIRE(out[i] == 0);
  }
  REQUIRE(hsum(V::load(a + 2)) == [&] {
    T s = 0;
    for (int i = 0; i < V::size; ++i) s += a[i + 2];
    return s;
  }());
  V power = power_of_two(V(T(-3)));
  power.store(out);
  REQUIRE(out[0] == T(0.125));
  scale(V(T(1.5)), V(std::numeric_limits<T>::min_exponent - T(5))).store(out);
  REQUIRE(out[0] == std::ldexp(T(1.5), std::numeric_limits<T>::min_exponent - 5));
}

template <class Arch>
void check_halves() {
  using V = vec<float, Arch>;
  for (std::uint32_t base = 0; base < 65536; base += V::size) {
    BFloat16 b[V::size], back_b[V::size];
    Half h[V::size], back_h[V::size];
    for (int i = 0; i < V::size; ++i)
      b[i] = BFloat16::from_bits(static_cast<std::uint16_t>(base + static_cast<unsigned>(i))),
      h[i] = Half::from_bits(b[i].bits);
    V vb = V::load(b), vh = V::load(h);
    float f[V::size], g[V::size];
    vb.store(f);
    vh.store(g);
    bool good = true;
    for (int i = 0; i < V::size; ++i)
      good = good && (f[i] == static_cast<float>(b[i]) || std::isnan(f[i])) &&
             (g[i] == static_cast<float>(h[i]) || std::isnan(g[i])) &&
             std::isnan(f[i]) == std::isnan(static_cast<float>(b[i]));
    // Between two representable values, to test rounding.
    V wider = vb * V(1.001f);
    wider.store(back_b);
    wider.store(f);
    for (int i = 0; i < V::size; ++i) good = good && (back_b[i].bits == BFloat16(f[i]).bits || std::isnan(f[i]));
    V near = vh * V(1.0007f);
    near.store(back_h);
    near.store(g);
    for (int i = 0; i < V::size; ++i) good = good && (back_h[i].bits == Half(g[i]).bits || std::isnan(g[i]));
    CAPTURE(base);
    REQUIRE(good);
  }
}

template <class Arch>
float sum_with(const std::vector<float>& x, std::int64_t n) {
  std::int64_t sizes[1] = {n}, strides[1] = {1}, out_strides[1] = {0};
  float out = 0;
  Reduction r;
  r.in = x.data();
  r.in_type = r.out_type = kFloat;
  r.out = &out;
  r.sizes = sizes;
  r.strides = strides;
  r.out_strides = out_strides;
  r.dims = 1;
  r.reduced = 1;
  reduce<Arch>(r, sum_op<float>{});
  return out;
}

}  // namespace

TEST_CASE("vectors compute what scalars compute in every lane", "[cpu][simd]") {
#if TENON_CPU_X86
  check_lanes<float, sse2>();
  check_lanes<double, sse2>();
  check_halves<sse2>();
#endif
#if TENON_CPU_AVX2
  check_lanes<float, avx2>();
  check_lanes<double, avx2>();
  check_halves<avx2>();
#endif
#if TENON_CPU_AVX512
  check_lanes<float, avx512>();
  check_lanes<double, avx512>();
  check_halves<avx512>();
#endif
  check_lanes<float, default_arch>();
}

#if TENON_CPU_AVX512
TEST_CASE("a sum has the same bits for every instruction set", "[cpu][simd]") {
  std::vector<float> x(200000);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>((i * 7919) % 10007) * 0.013f - 60.0f;
  for (std::int64_t n : {1, 5, 15, 16, 17, 31, 33, 63, 64, 65, 100, 1000, 16384, 16385, 50001, 200000}) {
    float a = sum_with<sse2>(x, n), b = sum_with<avx2>(x, n), c = sum_with<avx512>(x, n);
    CAPTURE(n);
    REQUIRE(std::memcmp(&a, &b, 4) == 0);
    REQUIRE(std::memcmp(&a, &c, 4) == 0);
  }
}
#endif

TEST_CASE("division and roots are rounded once, with infinities, denormals and signs of zero", "[cpu][simd]") {
  auto agree = []<class T>(T) {
    using V = math::vec<T, default_arch>;
    using L = std::numeric_limits<T>;
    const T numbers[] = {T(0),     T(-0.0),         T(1),     T(-3), T(7),          T(0.1),        L::min(),
                         L::max(), L::denorm_min(), T(1e-40), T(49), L::infinity(), -L::infinity()};
    auto same = [](T got, T want) {
      return std::isnan(want) ? std::isnan(got) : got == want && std::signbit(got) == std::signbit(want);
    };
    T out[64];
    for (T a : numbers) {
      sqrt(V(a)).store(out);
      if (!same(out[0], std::sqrt(a))) return false;
      for (T b : numbers) {
        (V(a) / V(b)).store(out);
        if (!same(out[0], a / b)) return false;
      }
    }
    return true;
  };
  CHECK(agree(float()));
  CHECK(agree(double()));
}
