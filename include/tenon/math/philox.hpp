// Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011): random words that are a
// function of a counter and a key.
#pragma once
#include <cstdint>

#include <tenon/base/host_device.hpp>

namespace tenon::math {

struct PhiloxWords {
  std::uint32_t at[4];
};
TENON_HOST_DEVICE inline PhiloxWords philox(PhiloxWords counter, std::uint64_t key) {
  auto low = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
  auto high = [](std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); };
  PhiloxWords c = counter;
  std::uint32_t k0 = low(key), k1 = high(key);
  for (int round = 0; round < 10; ++round) {
    std::uint64_t a = std::uint64_t{0xd2511f53u} * c.at[0], b = std::uint64_t{0xcd9e8d57u} * c.at[2];
    c = {{high(b) ^ c.at[1] ^ k0, low(b), high(a) ^ c.at[3] ^ k1, low(a)}};
    k0 += 0x9e3779b9u;
    k1 += 0xbb67ae85u;
  }
  return c;
}

}  // namespace tenon::math
