// Sources of random numbers.
#pragma once
#include <cstdint>
#include <utility>

#include <tenon/base/device.hpp>
#include <tenon/base/intrusive_ptr.hpp>
#include <tenon/base/mutex.hpp>
#include <tenon/base/shared_object.hpp>
#include <tenon/keys/key_set.hpp>

namespace tenon {

class Tensor;

/// A Mersenne Twister (Matsumoto and Nishimura, ACM TOMACS 8:1, 1998), PyTorch's engine on the CPU. Lock `mutex` around
/// draws.
class GeneratorImpl final : public RefCounted {
 public:
  explicit GeneratorImpl(std::uint64_t seed = 67280421310721u) { set_seed(seed); }
  void set_seed(std::uint64_t seed);
  std::uint64_t seed() const { return seed_; }
  std::uint32_t random() {
    if (next_ == kWords) refill();
    return tempered(state_[next_++]);
  }
  std::uint64_t random64() {
    std::uint64_t high = random();
    return high << 32 | random();
  }
  /// The output that a word of the state, or a vector of words, gives.
  template <class Bare>
  static Bare tempered(Bare y) {
    y = y ^ (y >> 11);
    y = y ^ ((y << 7) & Bare(0x9d2c5680u));
    y = y ^ ((y << 15) & Bare(0xefc60000u));
    return y ^ (y >> 18);
  }
  /// Up to `most` words of the state from which the next outputs come, and their number. They count as drawn.
  std::pair<const std::uint32_t*, std::int64_t> take(std::int64_t most) {
    if (next_ == kWords) refill();
    const std::uint32_t* words = state_ + next_;
    std::int64_t left = kWords - next_, count = most < left ? most : left;
    next_ += static_cast<std::uint32_t>(count);
    return {words, count};
  }
  /// Uniform in [0, 1) with 24 (float) or 53 (double) random bits.
  static float uniform(std::uint32_t bits) { return static_cast<float>(bits & 0xffffffu) * 0x1p-24f; }
  static double uniform(std::uint64_t bits) {
    return static_cast<double>(bits & ((std::uint64_t{1} << 53) - 1)) * 0x1p-53;
  }
  float uniform_float() { return uniform(random()); }
  double uniform_double() { return uniform(random64()); }
  /// The second normal number of a pair is kept for the next call.
  bool take_cached_normal(double& value) {
    if (!has_normal_) return false;
    has_normal_ = false;
    value = normal_;
    return true;
  }
  void cache_normal(double value) {
    has_normal_ = true;
    normal_ = value;
  }
  Device device() const { return kCPU; }
  /// Draws from now on what the other would draw. Lock `mutex` of one that others use.
  void set_state(const GeneratorImpl& other) {
    seed_ = other.seed_;
    for (std::uint32_t i = 0; i < kWords; ++i) state_[i] = other.state_[i];
    next_ = other.next_;
    has_normal_ = other.has_normal_;
    normal_ = other.normal_;
  }
  Mutex mutex;

 private:
  friend class Generator;
  static constexpr std::uint32_t kWords = 624, kShift = 397;
  void refill();
  std::uint64_t seed_;
  std::uint32_t state_[kWords], next_;
  bool has_normal_ = false;
  double normal_ = 0;
};

/// A handle to a source of random numbers; an undefined one stands for the default.
class Generator {
 public:
  Generator() = default;
  explicit Generator(std::uint64_t seed) : impl_(make_intrusive<GeneratorImpl>(seed)) {}
  explicit Generator(intrusive_ptr<GeneratorImpl> impl) : impl_(std::move(impl)) {}
  bool defined() const { return static_cast<bool>(impl_); }
  GeneratorImpl* operator->() const { return impl_.get(); }
  const intrusive_ptr<GeneratorImpl>& impl() const { return impl_; }
  KeySet keys() const { return impl_ ? KeySet(dispatch_key_of(impl_->device().type)) : KeySet(); }

  // An undefined generator stands for the default one in these, too.
  std::uint64_t initial_seed() const;
  const Generator& manual_seed(std::uint64_t seed) const;
  /// The whole state, in the bytes that PyTorch's CPU generator writes and reads.
  Tensor get_state() const;
  /// Errors: TypeError or ValueError if the tensor is not 5056 bytes on the CPU, or holds no state.
  void set_state(const Tensor& state) const;
  /// Another generator in the same state.
  Generator clone() const;

  friend bool operator==(const Generator& a, const Generator& b) { return a.impl_ == b.impl_; }

 private:
  GeneratorImpl& used() const;
  intrusive_ptr<GeneratorImpl> impl_;
};

/// The process's generator for the CPU.
TENON_PROCESS_OBJECT(Generator, default_generator, std::uint64_t{67280421310721})
/// Seeds the default generator.
void manual_seed(std::uint64_t seed);

/// While it lives, draws leave no trace: when it ends the default generator for the CPU is in the state that it was in.
/// The generators of devices go on. `ForkRng(false)` does nothing. Source: torch.random.fork_rng of PyTorch 2.15.
class ForkRng {
 public:
  explicit ForkRng(bool enabled = true);
  ForkRng(const ForkRng&) = delete;
  ForkRng& operator=(const ForkRng&) = delete;
  ~ForkRng();

 private:
  Generator before_;
};

}  // namespace tenon
