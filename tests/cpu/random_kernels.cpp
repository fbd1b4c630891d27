// Random numbers by the block: the same bits from every instruction set, and how near the formulas they are.
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include <tenon/cpu/random_kernels.hpp>

#include "../catch.hpp"

using namespace tenon;
using namespace tenon::cpu;

namespace {

std::vector<const RandomKernels*> all_sets() {
  std::vector<const RandomKernels*> sets;
#if TENON_CPU_X86
  sets.push_back(tenon_kernels_random_sse2(forwarding_executor()));
  if (machine_capability() >= Capability::avx2) sets.push_back(tenon_kernels_random_avx2(forwarding_executor()));
  if (machine_capability() >= Capability::avx512) sets.push_back(tenon_kernels_random_avx512(forwarding_executor()));
#else
  sets.push_back(tenon_kernels_random_neon64(forwarding_executor()));
#endif
  return sets;
}

}  // namespace

TEST_CASE("blocks of a generator's state give its outputs", "[cpu][random_kernels]") {
  for (auto set : all_sets()) {
    std::mt19937 oracle(5);
    GeneratorImpl g(5);
    for (std::int64_t most : {1, 3, 16, 17, 700, 31, 624, 5}) {
      auto [words, count] = g.take(most);
      REQUIRE(count <= most);
      std::vector<std::uint32_t> got(static_cast<std::size_t>(count) + 1, 7u);
      set->temper(got.data(), words, count);
      for (std::int64_t i = 0; i < count; ++i) CHECK(got[static_cast<std::size_t>(i)] == oracle());
      CHECK(got.back() == 7u);
    }
    CHECK(g.random() == oracle());
  }
}

TEST_CASE("an output's last bits give a number from 0 to 1", "[cpu][random_kernels]") {
  for (auto set : all_sets()) {
    GeneratorImpl g(5);
    std::vector<std::uint32_t> words{0, 0xffffff, 0xff000000, 0xffffffff};
    while (words.size() < 67) words.push_back(g.random());
    std::vector<float> got(words.size() + 1, 7);
    set->uniform(got.data(), words.data(), static_cast<std::int64_t>(words.size()));
    for (std::size_t i = 0; i < words.size(); ++i) CHECK(got[i] == GeneratorImpl::uniform(words[i]));
    CHECK(got[0] == 0);
    CHECK(got[1] < 1);
    CHECK(got.back() == 7);
  }
}

// The formula in double, but for the angle, which PyTorch rounds to float before taking its sine. Where that is tiny,
// so is the rounding; elsewhere the sum of three float roundings and of the polynomials' errors stays below 4e-7.
TEST_CASE("normal numbers are those of the formula, alike for every set", "[cpu][random_kernels]") {
  for (std::int64_t blocks : {1, 2, 31, 32, 33, 1000}) {
    const auto n = static_cast<std::size_t>(16 * blocks);
    std::mt19937 engine(3);
    std::vector<std::uint32_t> words(n);
    for (auto& w : words) w = engine();
    // The ends of the range: no distance, the largest, and directions at and beside the axes.
    words[0] = 0, words[1] = 0xffffffu, words[8] = 0, words[9] = 0xffffffu, words[10] = 1u << 22, words[11] = 1u << 23;
    std::vector<float> expected(n);
    const float mean = 0.5f, deviation = 2.0f;
    for (std::size_t i = 0; i < n; i += 16)
      for (std::size_t j = i; j < i + 8; ++j) {
        double radius = std::sqrt(-2 * std::log(1 - (words[j] & 0xffffffu) * 0x1p-24));
        double angle = 6.28318530717958647692f * (static_cast<float>(words[j + 8] & 0xffffffu) * 0x1p-24f);
        expected[j] = static_cast<float>(radius * std::cos(angle) * deviation + mean);
        expected[j + 8] = static_cast<float>(radius * std::sin(angle) * deviation + mean);
      }
    std::vector<float> first;
    for (auto set : all_sets()) {
      std::vector<float> got(n);
      set->normal(got.data(), words.data(), blocks, mean, deviation);
      for (std::size_t i = 0; i < n; ++i) {
        CAPTURE(blocks, i);
        REQUIRE(std::abs(got[i] - expected[i]) <= 4e-7f * (1 + std::abs(expected[i])));
      }
      if (first.empty()) first = got;
      REQUIRE(std::memcmp(got.data(), first.data(), n * sizeof(float)) == 0);
    }
  }
}
