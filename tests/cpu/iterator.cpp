// The iterator against plain loops, over random shapes, strides and dtypes.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

#include <tenon/cpu/copy.hpp>
#include <tenon/cpu/iterator.hpp>

#include "../catch.hpp"
#include "arithmetic_types.hpp"

namespace {

using namespace tenon;
using namespace tenon::cpu;
using A = default_arch;

using test::arithmetic_types;

/// A tensor in its own memory, with the element at a multi-index.
struct View {
  std::vector<unsigned char> memory;
  std::vector<std::int64_t> sizes, strides;
  ScalarType dtype = kFloat;
  unsigned char* at(const std::vector<std::int64_t>& index) {
    std::int64_t offset = 0;
    for (std::size_t d = 0; d < sizes.size(); ++d) {
      std::size_t own = d + index.size() - sizes.size();
      if (sizes[d] != 1) offset += strides[d] * index[own];
    }
    return memory.data() + 64 + offset * static_cast<std::int64_t>(item_size(dtype));
  }
  Operand operand() {
    return Operand::strided(memory.data() + 64, dtype, sizes.data(), strides.data(), static_cast<int>(sizes.size()));
  }
};

template <class T>
T value_at(const unsigned char* p, ScalarType type) {
  return visit_scalar_type(type, [&](auto tag) {
    typename decltype(tag)::type v;
    std::memcpy(&v, p, sizeof v);
    return cast_element<T>(v);
  });
}
void put(unsigned char* p, ScalarType type, double value) {
  visit_scalar_type(type, [&](auto tag) {
    auto v = cast_element<typename decltype(tag)::type>(value);
    std::memcpy(p, &v, sizeof v);
  });
}

/// Random layout of `sizes`: permuted order and gaps between the steps.
View random_view(std::mt19937& random, std::vector<std::int64_t> sizes, ScalarType dtype, bool gaps) {
  View v;
  v.sizes = sizes;
  v.strides.assign(sizes.size(), 0);
  v.dtype = dtype;
  std::vector<std::size_t> order(sizes.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = order.size() - 1 - i;
  if (random() % 2) std::shuffle(order.begin(), order.end(), random);
  std::int64_t step = gaps && random() % 3 == 0 ? 2 : 1;
  for (std::size_t d : order) {
    v.strides[d] = step;
    step *= sizes[d];
    if (gaps && random() % 4 == 0) step += 3;
  }
  std::int64_t span = 1;
  for (std::size_t d = 0; d < sizes.size(); ++d) span += v.strides[d] * (sizes[d] ? sizes[d] - 1 : 0);
  v.memory.assign(static_cast<std::size_t>(128 + span * static_cast<std::int64_t>(item_size(dtype))), 0x5a);
  for (std::int64_t i = 0; i < span; ++i)
    put(v.memory.data() + 64 + i * static_cast<std::int64_t>(item_size(dtype)), dtype,
        static_cast<double>(random() % 50) + 1);
  return v;
}

template <class F>
void each_index(const std::vector<std::int64_t>& sizes, F f) {
  std::vector<std::int64_t> index(sizes.size(), 0);
  for (std::int64_t s : sizes)
    if (s == 0) return;
  for (;;) {
    f(index);
    std::size_t d = sizes.size();
    while (d > 0 && ++index[d - 1] == sizes[d - 1]) index[--d] = 0;
    if (d == 0) return;
  }
}

std::vector<std::int64_t> random_shape(std::mt19937& random, bool large) {
  std::vector<std::int64_t> s(random() % 4 + (large ? 1 : 0));
  for (auto& n : s) {
    unsigned kind = random() % 6;
    n = kind == 0 ? 1 : kind < 4 ? random() % 9 + 1 : large ? random() % 90 + 30 : random() % 20 + 1;
  }
  return s;
}
std::vector<std::int64_t> broadcast_of(std::mt19937& random, std::vector<std::int64_t> s) {
  if (random() % 2) return s;
  for (auto& n : s)
    if (random() % 3 == 0) n = 1;
  while (!s.empty() && random() % 3 == 0) s.erase(s.begin());
  return s;
}
std::int64_t product(const std::vector<std::int64_t>& s) {
  std::int64_t n = 1;
  for (auto x : s) n *= x;
  return n;
}

constexpr auto multiply_add_loops = make_loops<A, 3>(wide_types{}, [](auto a, auto b, auto c) { return a * b + c; }) +
                                    make_loops<A, 3>(complex_types{}, [](auto a, auto b, auto c) { return a * b + c; });
constexpr auto multiply_add = make_table(multiply_add_loops);
constexpr auto less_loops = make_loops<A, 2>(types<std::int32_t, float, double, BFloat16, Half, std::int8_t>{},
                                             [](auto a, auto b) { return a < b; });
constexpr auto less = make_table(less_loops);
constexpr auto two_results_loops =
    make_loops<A, 2, 2>(floating_types{}, [](auto a, auto b) { return std::tuple(a + b, a > b); });
constexpr auto two_results = make_table(two_results_loops);

}  // namespace

TEST_CASE("multiply-add over random views equals a plain loop", "[cpu][iterator]") {
  std::mt19937 random(7);
  const ScalarType computes[] = {kInt, kLong, kFloat, kDouble, kComplexFloat, kHalf, kByte};
  for (int round = 0; round < 1500; ++round) {
    ScalarType compute = computes[random() % 7];
    auto shape = random_shape(random, round % 5 == 0);
    View out = random_view(random, shape,
                           random() % 2               ? compute
                           : is_complex_type(compute) ? kComplexDouble
                                                      : arithmetic_types[random() % std::size(arithmetic_types)],
                           true);
    if (!is_complex_type(compute) && is_complex_type(out.dtype))
      out.dtype = compute, out = random_view(random, shape, compute, true);
    View in[3];
    for (View& v : in) {
      ScalarType type = random() % 2 ? compute : arithmetic_types[random() % std::size(arithmetic_types)];
      if (is_complex_type(type) && !is_complex_type(compute)) type = compute;
      v = random_view(random, broadcast_of(random, shape), type, random() % 2);
    }
    View before = out;
    Operands o(shape.data(), static_cast<int>(shape.size()), product(shape), compute);
    o.add_output(out.operand());
    for (View& v : in) o.add_input(v.operand());
    run<A>(multiply_add, nullptr, o);
    bool good = true;
    // Every value is a small integer, so each type that can hold the result holds it exactly; compare in the output's
    // type.
    each_index(shape, [&](const auto& index) {
      double x[3];
      for (int k = 0; k < 3; ++k) x[k] = value_at<double>(in[k].at(index), in[k].dtype);
      double expected = x[0] * x[1] + x[2];
      unsigned char want[16] = {}, half[16] = {};
      ScalarType through = multiply_add.find(compute)->output[0];
      put(half, through, expected);
      visit_scalar_type(through, [&](auto tag) {
        typename decltype(tag)::type v;
        std::memcpy(&v, half, sizeof v);
        convert<A>(want, out.dtype, 0, &v, through, 0, 1);
      });
      good = good && std::memcmp(out.at(index), want, item_size(out.dtype)) == 0;
      std::memcpy(out.at(index), before.at(index), item_size(out.dtype));
    });
    CAPTURE(round, to_string(compute), to_string(out.dtype), shape);
    REQUIRE(good);
    REQUIRE(out.memory == before.memory);  // nothing outside the view was written
  }
}

TEST_CASE("comparisons store bool for every tail and step", "[cpu][iterator]") {
  std::mt19937 random(8);
  for (ScalarType type : {kInt, kFloat, kDouble, kBFloat16, kHalf, kChar})
    for (std::int64_t n = 0; n < 80; ++n)
      for (int splat = 0; splat < 3; ++splat) {
        View a = random_view(random, {splat == 1 ? 1 : n}, type, false),
             b = random_view(random, {splat == 2 ? 1 : n}, type, false);
        View out = random_view(random, {n}, kBool, false);
        Operands o(out.sizes.data(), 1, n, type);
        o.add_output(Operand::dense(out.memory.data() + 64, kBool));
        o.add_input(splat == 1 ? Operand::splat(a.memory.data() + 64, type)
                               : Operand::dense(a.memory.data() + 64, type));
        o.add_input(splat == 2 ? Operand::splat(b.memory.data() + 64, type)
                               : Operand::dense(b.memory.data() + 64, type));
        run<A>(less, nullptr, o);
        bool good = true;
        for (std::int64_t i = 0; i < n; ++i)
          good = good && *out.at({i}) == (value_at<double>(a.at({i}), type) < value_at<double>(b.at({i}), type));
        CAPTURE(to_string(type), n, splat);
        REQUIRE(good);
        REQUIRE(out.memory[64 + static_cast<std::size_t>(n) + 1] == 0x5a);
      }
}

TEST_CASE("a loop may have several outputs", "[cpu][iterator]") {
  std::mt19937 random(9);
  for (int round = 0; round < 200; ++round) {
    auto shape = random_shape(random, round % 5 == 0);
    View a = random_view(random, shape, kFloat, true),
         b = random_view(random, broadcast_of(random, shape), kDouble, true);
    View sum = random_view(random, shape, kDouble, true), greater = random_view(random, shape, kBool, true);
    Operands o(shape.data(), static_cast<int>(shape.size()), product(shape), kDouble);
    o.add_output(sum.operand());
    o.add_output(greater.operand());
    o.add_input(a.operand());
    o.add_input(b.operand());
    run<A>(two_results, nullptr, o);
    bool good = true;
    each_index(shape, [&](const auto& index) {
      double x = value_at<double>(a.at(index), kFloat), y = value_at<double>(b.at(index), kDouble);
      good = good && value_at<double>(sum.at(index), kDouble) == x + y &&
             value_at<bool>(greater.at(index), kBool) == (x > y);
    });
    REQUIRE(good);
  }
}

TEST_CASE("results do not depend on the number of threads", "[cpu][iterator]") {
  std::int64_t shape[2] = {700, 300}, across[2] = {1, 700}, row[2] = {0, 1};
  std::vector<float> a(210000), b(210000), c(300), first(210000), again(210000);
  for (std::size_t i = 0; i < a.size(); ++i)
    a[i] = static_cast<float>(i % 97) / 7, b[i] = static_cast<float>(i % 89) / 3;
  for (std::size_t i = 0; i < c.size(); ++i) c[i] = static_cast<float>(i) / 11;
  for (int threads : {1, 2, 3}) {
    set_num_threads(threads);
    std::vector<float>& out = threads == 1 ? first : again;
    Operands o(shape, 2, 210000, kFloat);
    o.add_output(Operand::dense(out.data(), kFloat));
    o.add_input(Operand::dense(a.data(), kFloat));
    o.add_input(Operand::strided(b.data(), kFloat, shape, across, 2));
    o.add_input(Operand::strided(c.data(), kFloat, shape, row, 2));
    run<A>(multiply_add, nullptr, o);
    if (threads > 1) REQUIRE(first == again);
  }
  set_num_threads(2);
  REQUIRE(first[301 * 2] == a[602] * b[2 + 700 * 2] + c[2]);
}

TEST_CASE("a short row that is repeated is the same for every group of rows", "[cpu][iterator]") {
  std::mt19937 random(9);
  for (std::int64_t width : {16, 17, 40, 95, 96}) {
    // More rows than one group holds, and a row of its own for each index further out.
    std::vector<std::int64_t> shape{3, 150, width};
    View out = random_view(random, shape, kFloat, false), whole = random_view(random, shape, kFloat, false);
    View row = random_view(random, {3, 1, width}, kFloat, false), other = random_view(random, {width}, kFloat, false);
    for (View* v : {&out, &whole}) v->strides = {150 * width, width, 1};
    row.strides = {width, width, 1};
    Operands o(shape.data(), 3, product(shape), kFloat);
    o.add_output(out.operand());
    for (View* v : {&whole, &row, &other}) o.add_input(v->operand());
    run<A>(multiply_add, nullptr, o);
    std::int64_t wrong = 0;
    each_index(shape, [&](const auto& at) {
      auto value = [&](View& v) { return value_at<double>(v.at(at), kFloat); };
      wrong += value(out) != value(whole) * value(row) + value(other);
    });
    CAPTURE(width);
    CHECK(wrong == 0);
  }
}

TEST_CASE("an output may be the same view as an input", "[cpu][iterator]") {
  std::vector<float> a(1000), expected(1000);
  for (int i = 0; i < 1000; ++i) a[i] = static_cast<float>(i), expected[i] = a[i] * a[i] + 1;
  float one = 1;
  std::int64_t shape[1] = {1000};
  Operands o(shape, 1, 1000, kFloat);
  o.add_output(Operand::dense(a.data(), kFloat));
  o.add_input(Operand::dense(a.data(), kFloat));
  o.add_input(Operand::dense(a.data(), kFloat));
  o.add_input(Operand::splat(&one, kFloat));
  run<A>(multiply_add, nullptr, o);
  REQUIRE(a == expected);
}

TEST_CASE("streamed results are those of the inner loop, from any address", "[cpu][iterator]") {
  std::mt19937 random(10);
  for (ScalarType type : {kFloat, kDouble, kInt, kBFloat16})
    for (bool compares : {false, true}) {
      if (!compares && type == kBFloat16) continue;
      const Loop& loop = *(compares ? less : multiply_add).find(type);
      const std::size_t size = item_size(loop.output[0]);
      for (std::int64_t n : {0, 1, 15, 127, 128, 129, 511, 512, 513, 700, 2000})
        for (std::size_t offset : {0u, 1u, 7u, 16u, 63u, 64u}) {
          View in[3];
          const void* ins[3];
          std::int64_t steps[3];
          for (int k = 0; k < 3; ++k) {
            bool splat = random() % 4 == 0;
            in[k] = random_view(random, {splat ? 1 : n}, loop.input[0], false);
            ins[k] = in[k].memory.data() + 64;
            steps[k] = !splat;
          }
          std::vector<unsigned char> expected((static_cast<std::size_t>(n) + 130) * size, 0x5a), found = expected;
          auto start = [&](std::vector<unsigned char>& memory) {
            void* to = memory.data() + offset * size;
            return to;
          };
          void* to = start(expected);
          loop.row(nullptr, &to, ins, steps, n);
          cpu::detail::ResultStream<A>().run(loop, nullptr, start(found), ins, steps, n);
          CAPTURE(to_string(type), compares, n, offset);
          REQUIRE(found == expected);
        }
    }
}

TEST_CASE("large results are streamed unless they are an operand", "[cpu][iterator]") {
  const Loop& loop = *multiply_add.find(kFloat);
  const std::int64_t rows = 1100, columns = 4001, n = rows * columns;  // 17 MB, rows on no line's border
  REQUIRE(n * 4 >= cpu::detail::kStreamedBytes);
  std::vector<float> a(static_cast<std::size_t>(n)), b(a), c(static_cast<std::size_t>(columns)), out(a);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i % 97), b[i] = static_cast<float>(i % 89);
  for (std::size_t i = 0; i < c.size(); ++i) c[i] = static_cast<float>(i);
  const void* ins[] = {a.data(), b.data(), c.data()};
  REQUIRE(cpu::detail::streams<A>(loop, out.data(), ins, n) == (TENON_CPU_X86 == 1));
  REQUIRE_FALSE(cpu::detail::streams<A>(loop, b.data(), ins, n));
  REQUIRE_FALSE(cpu::detail::streams<A>(loop, out.data(), ins, 1000));

  std::int64_t shape[2] = {rows, columns}, row[2] = {0, 1};
  for (bool in_place : {false, true}) {
    std::vector<float>& to = in_place ? a : out;
    std::vector<float> before = a;
    Operands o(shape, 2, n, kFloat);
    o.add_output(Operand::dense(to.data(), kFloat));
    o.add_input(Operand::dense(a.data(), kFloat));
    o.add_input(Operand::dense(b.data(), kFloat));
    o.add_input(Operand::strided(c.data(), kFloat, shape, row, 2));
    run<A>(multiply_add, nullptr, o);
    bool good = true;
    for (std::size_t i = 0; i < to.size(); ++i)
      good = good && to[i] == before[i] * b[i] + c[i % static_cast<std::size_t>(columns)];
    REQUIRE(good);
  }
}

TEST_CASE("a dtype without a loop is refused by name", "[cpu][iterator]") {
  std::int64_t shape[1] = {1};
  Operands o(shape, 1, 1, kComplexFloat);
  REQUIRE_THROWS_AS(run<A>(less, nullptr, o), TypeError);
}
