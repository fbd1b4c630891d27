// Sources of random numbers: seeding and refilling, states in bytes.
#pragma once
#include <cstring>
#include <mutex>

#include <tenon/base/body.hpp>
#include <tenon/base/error.hpp>
#include <tenon/tensor/create.hpp>
#include <tenon/tensor/generator.hpp>

/// Seeds the generators of the CUDA component, where the program links it.
extern "C" [[gnu::weak]] void tenon_cuda_manual_seed(std::uint64_t seed);

namespace tenon {

TENON_BODY void GeneratorImpl::set_seed(std::uint64_t seed) {
  seed_ = seed;
  state_[0] = static_cast<std::uint32_t>(seed);
  for (std::uint32_t i = 1; i < kWords; ++i) state_[i] = 1812433253u * (state_[i - 1] ^ (state_[i - 1] >> 30)) + i;
  next_ = kWords;
  has_normal_ = false;
}

TENON_BODY void GeneratorImpl::refill() {
  constexpr int size = kWords, shift = kShift;
  // Constant bounds that are multiples of 4 and a mask instead of a choice let compilers take four words at a time.
  auto next = [s = state_](int i, int following, int far) {
    std::uint32_t y = (s[i] & 0x80000000u) | (s[following] & 0x7fffffffu);
    s[i] = s[far] ^ y >> 1 ^ ((0u - (y & 1)) & 0x9908b0dfu);
  };
  constexpr int whole = (size - shift) / 4 * 4;
  for (int i = 0; i < whole; ++i) next(i, i + 1, i + shift);
  for (int i = whole; i < size - shift; ++i) next(i, i + 1, i + shift);
  for (int i = size - shift; i < size - 1; ++i) next(i, i + 1, i + shift - size);
  next(size - 1, 0, shift - 1);
  next_ = 0;
}

TENON_BODY void manual_seed(std::uint64_t seed) {
  auto& g = default_generator();
  std::lock_guard lock(g->mutex);
  g->set_seed(seed);
  if (&tenon_cuda_manual_seed) tenon_cuda_manual_seed(seed);
}

TENON_BODY GeneratorImpl& Generator::used() const { return *(defined() ? impl_ : default_generator().impl_); }
TENON_BODY std::uint64_t Generator::initial_seed() const { return used().seed(); }
TENON_BODY const Generator& Generator::manual_seed(std::uint64_t seed) const {
  GeneratorImpl& g = used();
  std::lock_guard lock(g.mutex);
  g.set_seed(seed);
  return *this;
}

namespace detail {
/// PyTorch's state of a CPU generator: words of 64 bits for those of 32, and fields of engines that it once had.
struct GeneratorState {
  std::uint64_t seed;
  std::int32_t left, seeded;
  std::uint64_t next, words[624];
  double unused, normal, also_unused;
  std::int32_t has_normal, padding;
  float float_normal;
  std::int32_t has_float_normal;
};
static_assert(sizeof(GeneratorState) == 5056, "tenon: the size that PyTorch's generators demand");
}  // namespace detail

TENON_BODY Tensor Generator::get_state() const {
  GeneratorImpl& g = used();
  std::lock_guard lock(g.mutex);
  detail::GeneratorState state{};
  state.seed = g.seed_;
  state.left = static_cast<std::int32_t>(GeneratorImpl::kWords + 1 - g.next_);
  state.seeded = 1;
  state.next = g.next_;
  for (std::uint32_t i = 0; i < GeneratorImpl::kWords; ++i) state.words[i] = g.state_[i];
  state.has_normal = g.has_normal_;
  state.normal = g.has_normal_ ? g.normal_ : 0;
  Tensor t = make_tensor(IntArrayRef{static_cast<std::int64_t>(sizeof state)}, {}, kByte);
  std::memcpy(t.data_ptr(), &state, sizeof state);
  return t;
}
TENON_BODY void Generator::set_state(const Tensor& t) const {
  TENON_CHECK(t.defined() && t.dtype() == kByte && t.device().is_cpu() && t.is_contiguous(), TypeError,
              "RNG state must be a torch.ByteTensor");
  detail::GeneratorState state;
  TENON_CHECK(t.numel() == static_cast<std::int64_t>(sizeof state), ValueError,
              "Expected a CPUGeneratorImplState of size ", sizeof state, " but found the input RNG state size to be ",
              t.numel());
  std::memcpy(&state, t.data_ptr(), sizeof state);
  TENON_CHECK(state.seeded && state.left >= 1 && state.next <= GeneratorImpl::kWords &&
                  state.left <= static_cast<std::int32_t>(GeneratorImpl::kWords),
              ValueError, "Invalid mt19937 state");
  GeneratorImpl& g = used();
  std::lock_guard lock(g.mutex);
  g.seed_ = state.seed;
  // One left: the block is used up, or none has been drawn since the seed.
  g.next_ = state.left == 1 ? GeneratorImpl::kWords : static_cast<std::uint32_t>(state.next);
  for (std::uint32_t i = 0; i < GeneratorImpl::kWords; ++i) g.state_[i] = static_cast<std::uint32_t>(state.words[i]);
  g.has_normal_ = state.has_normal != 0;
  g.normal_ = state.normal;
}
TENON_BODY Generator Generator::clone() const {
  Generator copy(initial_seed());
  copy.set_state(get_state());
  return copy;
}

TENON_BODY ForkRng::ForkRng(bool enabled) {
  if (!enabled) return;
  before_ = Generator(std::uint64_t{0});
  const Generator& g = default_generator();
  std::lock_guard lock(g->mutex);
  before_->set_state(*g.impl());
}
TENON_BODY ForkRng::~ForkRng() {
  if (!before_.defined()) return;
  const Generator& g = default_generator();
  std::lock_guard lock(g->mutex);
  g->set_state(*before_.impl());
}

}  // namespace tenon
