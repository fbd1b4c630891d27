// Random numbers of samples.
#include <tenon/data/random.hpp>
#include <tenon/tenon.hpp>

#include "../catch.hpp"

using namespace tenon;
using tenon::data::Random;

TEST_CASE("the words are Philox4x32-10's", "[data][random]") {
  // The known answers of Random123 1.09, kat_vectors: counter and key of zeros.
  Random random(0, 0, 0);
  CHECK(random() == 0x6627e8d5u);
  CHECK(random() == 0xe169c58du);
  CHECK(random() == 0xbc57ac4cu);
  CHECK(random() == 0x9b00dbd8u);
}

TEST_CASE("numbers depend on seed, epoch and index, and on nothing else", "[data][random]") {
  auto first = [](std::uint64_t seed, std::int64_t epoch, std::int64_t index) {
    return Random(seed, epoch, index).bits64();
  };
  CHECK(first(1, 2, 3) == first(1, 2, 3));
  CHECK(first(1, 2, 3) != first(2, 2, 3));
  CHECK(first(1, 2, 3) != first(1, 3, 3));
  CHECK(first(1, 2, 3) != first(1, 2, 4));
  CHECK(first(1, 2, 3) != first(std::uint64_t{1} << 32 | 1, 2, 3));
  CHECK(first(1, 2, 3) != first(1, 2, std::int64_t{1} << 32 | 3));
}

TEST_CASE("whole numbers reach both ends equally often, and normal ones have their moments", "[data][random]") {
  Random random(7, 0, 0);
  int counts[3] = {};
  constexpr int n = 30000;
  double sum = 0, squares = 0;
  for (int i = 0; i < n; ++i) {
    std::int64_t k = random.integer(-1, 1);
    REQUIRE((k >= -1 && k <= 1));
    ++counts[k + 1];
    double x = random.normal();
    sum += x;
    squares += x * x;
    double u = random.uniform(2, 3);
    REQUIRE((u >= 2 && u < 3));
  }
  // Five deviations: sqrt(n * 1/3 * 2/3) = 82 and sqrt(n) = 173, sqrt(2 n) = 245.
  for (int c : counts) CHECK(std::abs(c - n / 3) < 410);
  CHECK(std::abs(sum) < 870);
  CHECK(std::abs(squares - n) < 1230);
  CHECK(Random(1, 1, 1).integer(5, 5) == 5);
  CHECK_ERROR(Random(1, 1, 1).integer(2, 1), ValueError, "Random::integer(): expected low <= high, got 2 and 1");
}

TEST_CASE("a generator for operators belongs to the sample", "[data][random]") {
  auto draw = [](std::int64_t index) {
    return ops::rand({3}, "generator"_a = Random(1, 0, index).generator()).select(0, 0).item<double>();
  };
  CHECK(draw(4) == draw(4));
  CHECK(draw(4) != draw(5));
}
