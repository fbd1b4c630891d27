// What is made of Philox's words.
#pragma once
#include <cmath>

#include <tenon/base/body.hpp>
#include <tenon/base/error.hpp>
#include <tenon/data/random.hpp>
#include <tenon/math/philox.hpp>

namespace tenon::data {

TENON_BODY void Random::refill() {
  auto low = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
  auto high = [](std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); };
  auto index = static_cast<std::uint64_t>(index_);
  math::PhiloxWords counter{{block_++, low(static_cast<std::uint64_t>(epoch_)), low(index), high(index)}};
  math::PhiloxWords words = math::philox(counter, seed_);
  for (int i = 0; i < 4; ++i) words_[i] = words.at[i];
  next_ = 0;
}
TENON_BODY std::uint32_t Random::operator()() {
  if (next_ == 4) refill();
  return words_[next_++];
}
TENON_BODY std::int64_t Random::integer(std::int64_t low, std::int64_t high) {
  TENON_CHECK(low <= high, ValueError, "Random::integer(): expected low <= high, got ", low, " and ", high);
  std::uint64_t range = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
  if (range == 0) return static_cast<std::int64_t>(bits64());
  // What lies above the last whole multiple of the range would favour its first numbers.
  std::uint64_t rest = (0 - range) % range, bits;
  do bits = bits64();
  while (bits < rest);
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + bits % range);
}
TENON_BODY double Random::normal() {
  double radius = std::sqrt(-2 * std::log(1 - uniform()));
  return radius * std::cos(6.283185307179586 * uniform());
}

}  // namespace tenon::data
