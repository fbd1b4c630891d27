// Random numbers that belong to one sample of one epoch.
#pragma once
#include <cstdint>

#include <tenon/tensor/generator.hpp>

namespace tenon::data {

/// The random numbers of one sample: a function of (seed, epoch, index) alone, whichever thread asks and in whatever
/// order samples are made. A uniform random bit generator of the standard library's kind, too.
/// Source: Philox4x32-10, Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011; the key is the seed,
/// the counter holds epoch and index.
class Random {
 public:
  using result_type = std::uint32_t;

  Random(std::uint64_t seed, std::int64_t epoch, std::int64_t index) : seed_(seed), epoch_(epoch), index_(index) {}

  static constexpr std::uint32_t min() { return 0; }
  static constexpr std::uint32_t max() { return 0xffffffffu; }
  std::uint32_t operator()();
  std::uint64_t bits64() {
    std::uint64_t high = (*this)();
    return high << 32 | (*this)();
  }
  /// In [0, 1), with 53 random bits.
  double uniform() { return static_cast<double>(bits64() >> 11) * 0x1p-53; }
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  /// A whole number in [low, high], each equally likely. Throws ValueError if low > high.
  std::int64_t integer(std::int64_t low, std::int64_t high);
  /// True with the given probability.
  bool chance(double probability) { return uniform() < probability; }
  /// Normal with mean 0 and deviation 1.
  double normal();
  /// For operators that draw: seeded from the next numbers here, so that their draws belong to the sample as well.
  Generator generator() { return Generator(bits64()); }

 private:
  void refill();

  std::uint64_t seed_;
  std::int64_t epoch_, index_;
  std::uint32_t block_ = 0, next_ = 4, words_[4] = {};
};

}  // namespace tenon::data
