// Inner loops: parameters, closures, mixed element types, borrowed types and tails.
#include <cmath>
#include <tuple>
#include <vector>

#include <tenon/cpu/iterator.hpp>
#include <tenon/cpu/loops.hpp>

#include "../catch.hpp"

namespace {

using namespace tenon;
using namespace tenon::cpu;
using A = default_arch;

struct Alpha {
  double value;
  template <class T>
  T as() const {
    return static_cast<T>(value);
  }
};
struct Bounds {
  float low, high;
};

template <class In, class Out>
std::vector<Out> apply(const Loop& loop, const void* closure, const std::vector<In>& x) {
  std::vector<Out> out(x.size() + 1, Out(77));
  void* outs[1] = {out.data()};
  const void* ins[1] = {x.data()};
  std::int64_t steps[1] = {1};
  loop.row(closure, outs, ins, steps, static_cast<std::int64_t>(x.size()));
  REQUIRE(out.back() == Out(77));
  out.pop_back();
  return out;
}

}  // namespace

TEST_CASE("parameters arrive in the compute type", "[cpu][loops]") {
  constexpr auto loops = make_loops<A, 1, 1, Alpha>(types<std::int64_t, float, double, BFloat16>{},
                                                    [](auto alpha, auto x) { return x * alpha; });
  Alpha alpha{3};
  for (std::size_t n : {0, 1, 15, 16, 17, 63, 100}) {
    std::vector<float> f(n, 1.5f);
    std::vector<std::int64_t> i(n, 5);
    std::vector<BFloat16> b(n, BFloat16(2.0f));
    for (float v : apply<float, float>(loops.loops[1], &alpha, f)) REQUIRE(v == 4.5f);
    for (std::int64_t v : apply<std::int64_t, std::int64_t>(loops.loops[0], &alpha, i)) REQUIRE(v == 15);
    for (BFloat16 v : apply<BFloat16, BFloat16>(loops.loops[3], &alpha, b)) REQUIRE(static_cast<float>(v) == 6);
  }
}

TEST_CASE("parameters without a conversion and captures are copied as they are", "[cpu][loops]") {
  constexpr Loop clamp =
      make_loop<float, A, 1, 1, Bounds>([](const Bounds& b, auto x) { return math::min(math::max(x, b.low), b.high); });
  Bounds bounds{-1, 2};
  REQUIRE(apply<float, float>(clamp, &bounds, {-5, 0.5f, 9}) == std::vector<float>{-1, 0.5f, 2});
  float shift = 10;
  auto add = [shift](auto x) { return x + shift; };
  Loop loop = make_loop<float, A, 1>(add);
  REQUIRE(apply<float, float>(loop, &add, {1, 2}) == std::vector<float>{11, 12});
}

TEST_CASE("bool inputs of a vector loop select lanes", "[cpu][loops]") {
  constexpr Loop where =
      make_mixed_loop<A, types<bool, float, float>>([](auto c, auto a, auto b) { return math::select(c, a, b); });
  REQUIRE(where.input[0] == kBool);
  for (std::int64_t n : {1, 7, 16, 40}) {
    std::vector<float> a(static_cast<std::size_t>(n), 1), b(a.size(), 2), out(a.size());
    std::vector<char> c(a.size());
    for (std::size_t i = 0; i < c.size(); ++i) c[i] = i % 3 == 0;
    void* outs[1] = {out.data()};
    const void* ins[3] = {c.data(), a.data(), b.data()};
    std::int64_t steps[3] = {1, 1, 0};
    where.row(nullptr, outs, ins, steps, n);
    for (std::size_t i = 0; i < out.size(); ++i) REQUIRE(out[i] == (i % 3 == 0 ? 1 : 2));
  }
}

TEST_CASE("results take the type that the lambda's result means", "[cpu][loops]") {
  constexpr Loop less = make_loop<double, A, 2>([](auto a, auto b) { return a < b; });
  constexpr Loop magnitude = make_loop<Complex<double>, A, 1>([](auto z) { return math::abs(z); });
  constexpr Loop split = make_scalar_loop<float, A, 1, 2>([](float x) {
    int e;
    float m = std::frexp(x, &e);
    return std::tuple<float, std::int32_t>(m, e);
  });
  STATIC_REQUIRE(less.output[0] == kBool);
  STATIC_REQUIRE(magnitude.output[0] == kDouble);
  STATIC_REQUIRE((split.output[0] == kFloat && split.output[1] == kInt));
  REQUIRE(apply<Complex<double>, double>(magnitude, nullptr, {{3, 4}, {0, -2}}) == std::vector<double>{5, 2});
  std::vector<float> x{8, 0.75f}, m(2);
  std::vector<std::int32_t> e(2);
  void* outs[2] = {m.data(), e.data()};
  const void* ins[1] = {x.data()};
  std::int64_t steps[1] = {1};
  split.row(nullptr, outs, ins, steps, 2);
  REQUIRE((m[0] == 0.5f && e[0] == 4 && m[1] == 0.75f && e[1] == 0));
}

TEST_CASE("a table lends wider loops to types without their own", "[cpu][loops]") {
  static constexpr auto loops =
      make_loops<A, 1>(types<std::int64_t, float, Complex<float>>{}, [](auto x) { return x + x; });
  constexpr LoopTable table = make_table(loops);
  STATIC_REQUIRE(table.find(kHalf) == &loops.loops[1]);
  STATIC_REQUIRE(table.find(kByte) == &loops.loops[0]);
  STATIC_REQUIRE(table.find(kComplexHalf) == &loops.loops[2]);
  STATIC_REQUIRE(table.find(kDouble) == nullptr);
  STATIC_REQUIRE(table.find(kUInt64) == nullptr);
  STATIC_REQUIRE(table.find(ScalarType::Undefined) == nullptr);
}

TEST_CASE("integer loops wrap as two's complement and take single elements", "[cpu][loops]") {
  constexpr Loop add = make_loop<std::int8_t, A, 2>([](auto a, auto b) { return a + b; });
  std::vector<std::int8_t> x(200, 100), out(200);
  std::int8_t one = 100;
  void* outs[1] = {out.data()};
  const void* ins[2] = {x.data(), &one};
  std::int64_t steps[2] = {1, 0};
  add.row(nullptr, outs, ins, steps, 200);
  for (std::int8_t v : out) REQUIRE(v == -56);
}

TEST_CASE("rows of any length and address are computed in one call", "[cpu][loops]") {
  // Two outputs of different widths; one operand has a single element in each row, another one for them all.
  constexpr Loop loop = make_loop<float, A, 3, 2>([](auto x, auto y, auto z) { return std::tuple(x * y + z, x < y); });
  constexpr std::int64_t rows = 3, gap = 5;
  for (std::int64_t n : {1, 15, 16, 40, 255, 256, 300, 517})
    for (std::int64_t offset : {0, 1, 7, 15}) {
      const std::int64_t stride = n + gap;
      const auto size = static_cast<std::size_t>(rows * stride + offset);
      std::vector<float> x(size), out(size, 77), y{20, 200, 2};
      for (std::size_t i = 0; i < size; ++i) x[i] = static_cast<float>(i % 251);
      std::vector<char> less(size, 77);
      float z = 0.5f;
      void* outs[2] = {out.data() + offset, less.data() + offset};
      const void* ins[3] = {x.data() + offset, y.data(), &z};
      std::int64_t steps[3] = {1, 0, 0};
      std::int64_t next[5] = {stride * 4, stride, stride * 4, 4, 0};
      loop.function(nullptr, outs, ins, steps, n, rows, next);
      std::int64_t wrong = 0;
      for (std::int64_t i = 0; i < static_cast<std::int64_t>(size); ++i) {
        const auto at = static_cast<std::size_t>(i);
        const std::int64_t row = (i - offset) / stride;
        const bool inside = i >= offset && (i - offset) % stride < n;
        const float by = inside ? y[static_cast<std::size_t>(row)] : 0;
        wrong += out[at] != (inside ? x[at] * by + z : 77.0f);
        wrong += less[at] != (inside ? static_cast<char>(x[at] < by) : 77);
      }
      CAPTURE(n, offset);
      REQUIRE(wrong == 0);
    }
}
