// Copies between all pairs of dtypes, with all kinds of strides.
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include <tenon/cpu/copy.hpp>

#include "../catch.hpp"
#include "arithmetic_types.hpp"

namespace {
using namespace tenon;
using namespace tenon::cpu;
using A = default_arch;
using test::arithmetic_types;
}  // namespace

TEST_CASE("every pair of dtypes converts element by element", "[cpu][copy]") {
  const double values[] = {0, 1, 2, 3.75, 100, 0.25, 127, 64.5, 7, 11, 13, 1.5, 0, 99, 42, 5.5, 120};
  for (ScalarType from : arithmetic_types)
    for (ScalarType to : arithmetic_types)
      for (std::int64_t n : {1, 15, 16, 33, 300})
        for (int gap : {1, 3}) {
          std::vector<unsigned char> src(static_cast<std::size_t>(n * gap) * 16 + 16), dst(src.size(), 0x5a);
          auto s = static_cast<std::int64_t>(item_size(from)), d = static_cast<std::int64_t>(item_size(to));
          visit_scalar_type(from, [&](auto tag) {
            for (std::int64_t i = 0; i < n; ++i) {
              auto v = cast_element<typename decltype(tag)::type>(values[i % 17]);
              std::memcpy(src.data() + i * s * gap, &v, sizeof v);
            }
          });
          std::int64_t sizes[1] = {n}, strides[1] = {gap};
          copy<A>(sizes, 1, Operand::strided(dst.data(), to, sizes, strides, 1),
                  Operand::strided(src.data(), from, sizes, strides, 1));
          bool good = true;
          visit_scalar_type(from, [&](auto from_tag) {
            visit_scalar_type(to, [&](auto to_tag) {
              using S = typename decltype(from_tag)::type;
              using D = typename decltype(to_tag)::type;
              for (std::int64_t i = 0; i < n; ++i) {
                S v;
                D got;
                std::memcpy(&v, src.data() + i * s * gap, sizeof v);
                std::memcpy(&got, dst.data() + i * d * gap, sizeof got);
                D want = cast_element<D>(v);
                good = good && got == want;
              }
            });
          });
          CAPTURE(to_string(from), to_string(to), n, gap);
          REQUIRE(good);
          REQUIRE(dst[static_cast<std::size_t>(((n - 1) * gap + 1) * d)] == 0x5a);
        }
}

TEST_CASE("anything nonzero becomes true and complex numbers lose their imaginary part", "[cpu][copy]") {
  float f[4] = {0.0f, -0.0f, 0.5f, NAN};
  bool b[4];
  copy_dense<A>(b, kBool, f, kFloat, 4);
  REQUIRE((!b[0] && !b[1] && b[2] && b[3]));
  Complex<float> z[2] = {{0, 1}, {2, 3}};
  float re[2];
  copy_dense<A>(re, kFloat, z, kComplexFloat, 2);
  copy_dense<A>(b, kBool, z, kComplexFloat, 2);
  REQUIRE((re[0] == 0 && re[1] == 2 && b[0] && b[1]));
  std::int64_t big = 9007199254740993;
  std::uint64_t u = 0;
  copy_dense<A>(&u, kUInt64, &big, kLong, 1);
  REQUIRE(u == 9007199254740993u);
}

TEST_CASE("transposed copies of every element size are exact", "[cpu][copy]") {
  for (ScalarType type : {kByte, kShort, kFloat, kDouble, kComplexDouble})
    for (std::int64_t rows : {8, 17, 64, 131})
      for (std::int64_t columns : {8, 16, 70, 200}) {
        auto e = static_cast<std::int64_t>(item_size(type));
        std::vector<unsigned char> src(static_cast<std::size_t>(rows * columns * e)), dst(src.size());
        std::mt19937 random(3);
        for (auto& c : src) c = static_cast<unsigned char>(random());
        std::int64_t sizes[2] = {rows, columns}, across[2] = {1, rows};
        copy<A>(sizes, 2, Operand::dense(dst.data(), type), Operand::strided(src.data(), type, sizes, across, 2));
        bool good = true;
        for (std::int64_t r = 0; r < rows; ++r)
          for (std::int64_t c = 0; c < columns; ++c)
            good = good &&
                   std::memcmp(&dst[static_cast<std::size_t>((r * columns + c) * e)],
                               &src[static_cast<std::size_t>((c * rows + r) * e)], static_cast<std::size_t>(e)) == 0;
        CAPTURE(to_string(type), rows, columns);
        REQUIRE(good);
        // With a conversion on the way.
        std::vector<double> wide(static_cast<std::size_t>(rows * columns));
        if (type != kByte) continue;
        copy<A>(sizes, 2, Operand::dense(wide.data(), kDouble), Operand::strided(src.data(), type, sizes, across, 2));
        for (std::int64_t r = 0; r < rows; ++r)
          for (std::int64_t c = 0; c < columns; ++c)
            good =
                good && wide[static_cast<std::size_t>(r * columns + c)] == src[static_cast<std::size_t>(c * rows + r)];
        REQUIRE(good);
      }
}

TEST_CASE("a transposed copy past the caches writes its elements and nothing else", "[cpu][copy]") {
  constexpr std::int64_t row = 1024;  // bytes
  for (std::int64_t item : {1, 2, 4, 8, 16})
    for (std::int64_t rows : {1, 5, 64, 67})
      for (std::int64_t columns : {1, 3, 33, 60})
        for (std::int64_t offset : {0, 16, 48}) {
          std::vector<unsigned char> src(static_cast<std::size_t>(rows * columns * item)),
              memory(static_cast<std::size_t>((rows + 1) * row) + 64, 0xee);
          std::mt19937 random(7);
          for (auto& c : src) c = static_cast<unsigned char>(random());
          unsigned char* dst = memory.data() + (64 - reinterpret_cast<std::uintptr_t>(memory.data()) % 64) + offset;
          bool done = cpu::detail::stream_transposed<A>(reinterpret_cast<char*>(dst), row,
                                                        reinterpret_cast<const char*>(src.data()), rows * item, rows,
                                                        columns, item);
          CAPTURE(item, rows, columns, offset);
          REQUIRE(done == bool(TENON_CPU_X86));
          if (!done) continue;
          std::vector<unsigned char> want(memory.size(), 0xee);
          const std::ptrdiff_t at = dst - memory.data();
          for (std::int64_t r = 0; r < rows; ++r)
            for (std::int64_t c = 0; c < columns; ++c)
              std::memcpy(&want[static_cast<std::size_t>(at + r * row + c * item)],
                          &src[static_cast<std::size_t>((c * rows + r) * item)], static_cast<std::size_t>(item));
          REQUIRE(memory == want);
        }
  char some[64] = {};
  REQUIRE_FALSE(cpu::detail::stream_transposed<A>(some, 36, some, 36, 1, 1, 4));
}

TEST_CASE("fill writes every element of a view and nothing else", "[cpu][copy]") {
  std::vector<float> memory(1000, -1.0f);
  std::int64_t sizes[2] = {10, 30}, strides[2] = {100, 2};
  double value = 2.5;
  cpu::fill<A>(sizes, 2, Operand::strided(memory.data(), kFloat, sizes, strides, 2), &value, kDouble);
  for (int i = 0; i < 1000; ++i)
    REQUIRE(memory[static_cast<std::size_t>(i)] == (i % 100 < 60 && i % 2 == 0 ? 2.5f : -1.0f));
  std::int64_t n[1] = {1000}, one = 1;
  cpu::fill<A>(n, 1, Operand::dense(memory.data(), kFloat), &one, kLong);
  for (float f : memory) REQUIRE(f == 1.0f);
}
