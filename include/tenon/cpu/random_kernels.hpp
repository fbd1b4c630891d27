// Random numbers by the block: the last step of the Mersenne Twister, and normal numbers.
#pragma once
#include <cstring>

#include <tenon/math/vec_elementary.hpp>
#include <tenon/math/vec_words.hpp>
#include <tenon/cpu/kernel_tables.hpp>
#include <tenon/tensor/generator.hpp>

namespace tenon::cpu {

struct RandomKernels {
  /// The outputs that belong to `n` words of a Mersenne Twister's state.
  void (*temper)(std::uint32_t* to, const std::uint32_t* state, std::int64_t n);
  /// A number in [0, 1) of each output's last 24 bits.
  void (*uniform)(float* to, const std::uint32_t* words, std::int64_t n);
  /// Sixteen normal numbers per block from as many outputs, the same bits for every instruction set.
  void (*normal)(float* to, const std::uint32_t* words, std::int64_t blocks, float mean, float deviation);
};

namespace detail {

template <class Arch>
void temper(std::uint32_t* to, const std::uint32_t* state, std::int64_t n) {
  using V = vec<std::uint32_t, Arch>;
  std::int64_t i = 0;
  for (; i + V::size <= n; i += V::size) GeneratorImpl::tempered(V::load(state + i)).store(to + i);
  for (; i < n; ++i) to[i] = GeneratorImpl::tempered(state[i]);
}

template <class Arch>
vec<float, Arch> uniform_of(vec<std::uint32_t, Arch> words) {
  using V = vec<float, Arch>;
  return math::to_float(words & vec<std::uint32_t, Arch>(0xffffffu)) * V(0x1p-24f);
}
template <class Arch>
void uniform(float* to, const std::uint32_t* words, std::int64_t n) {
  using U = vec<std::uint32_t, Arch>;
  std::int64_t i = 0;
  for (; i + U::size <= n; i += U::size) uniform_of(U::load(words + i)).store(to + i);
  for (; i < n; ++i) to[i] = GeneratorImpl::uniform(words[i]);
}

template <class V>
struct SineCosine {
  V sine, cosine;
};
/// Of angles from 0 to 2 pi. The parts of pi / 2 and the polynomials are those of Moshier's Cephes (sinf.c).
template <class Arch>
SineCosine<vec<float, Arch>> sine_cosine(vec<float, Arch> x) {
  using V = vec<float, Arch>;
  using U = vec<std::uint32_t, Arch>;
  constexpr float sine[] = {-1.6666654611e-1f, 8.3321608736e-3f, -1.9515295891e-4f};
  constexpr float cosine[] = {4.166664568298827e-2f, -1.388731625493765e-3f, 2.443315711809948e-5f};
  // Adding 1.5 * 2^23 leaves the number of quarter turns in the low bits.
  const V magic = 12582912.0f, shifted = x * V(0.63661977236758134f) + magic, n = shifted - magic;
  const U quarter = math::bit_cast<std::uint32_t>(shifted), one = 1u, two = 2u;
  V r = ((x - n * V(1.5703125f)) - n * V(4.837512969970703125e-4f)) - n * V(7.54978995489188216e-8f);
  V z = r * r;
  U s = math::bit_cast<std::uint32_t>(math::detail::polynomial(z, sine) * z * r + r);
  U c = math::bit_cast<std::uint32_t>(math::detail::polynomial(z, cosine) * z * z - V(0.5f) * z + V(1.0f));
  U exchange = (s ^ c) & (U(0u) - (quarter & one));
  return {math::bit_cast<float>(s ^ exchange ^ ((quarter & two) << 30)),
          math::bit_cast<float>(c ^ exchange ^ (((quarter + one) & two) << 30))};
}

/// Box and Muller, Ann. Math. Statist. 29:2, 1958. A block's first eight words give the distances from the origin, the
/// others the directions.
template <class Arch>
void normal(float* to, const std::uint32_t* words, std::int64_t blocks, float mean, float deviation) {
  using V = vec<float, unfused<Arch>>;
  using U = vec<std::uint32_t, unfused<Arch>>;
  constexpr std::int64_t kHalf = 8, kWidth = V::size;
  auto vector = [&](const std::uint32_t* distances, const std::uint32_t* directions, float* first, float* second) {
    // What a logarithm asks of zero, denormals and infinity is nothing to 2^-24 .. 1.
    V log = math::detail::log_of(math::detail::split_normal(V(1.0f) - uniform_of(U::load(distances))));
    V radius = sqrt(V(-2.0f) * log);
    auto [sine, cosine] = sine_cosine(V(6.28318530717958647692f) * uniform_of(U::load(directions)));
    (radius * cosine * V(deviation) + V(mean)).store(first);
    (radius * sine * V(deviation) + V(mean)).store(second);
  };
  if constexpr (kWidth <= kHalf) {
    for (; blocks > 0; --blocks, to += 2 * kHalf, words += 2 * kHalf)
      for (std::int64_t i = 0; i < kHalf; i += kWidth) vector(words + i, words + kHalf + i, to + i, to + kHalf + i);
  } else {
    alignas(64) std::uint32_t distances[kWidth] = {}, directions[kWidth] = {};
    alignas(64) float first[kWidth], second[kWidth];
    for (constexpr std::int64_t kMost = kWidth / kHalf; blocks > 0; blocks -= kMost) {
      const std::int64_t count = blocks < kMost ? blocks : kMost;
      for (std::int64_t i = 0; i < count; ++i, words += 2 * kHalf) {
        std::memcpy(distances + i * kHalf, words, kHalf * sizeof *words);
        std::memcpy(directions + i * kHalf, words + kHalf, kHalf * sizeof *words);
      }
      vector(distances, directions, first, second);
      for (std::int64_t i = 0; i < count; ++i, to += 2 * kHalf) {
        std::memcpy(to, first + i * kHalf, kHalf * sizeof *to);
        std::memcpy(to + kHalf, second + i * kHalf, kHalf * sizeof *to);
      }
    }
  }
}

}  // namespace detail

template <class Arch>
struct kernel_group<RandomKernels, Arch> {
  static constexpr RandomKernels value{&detail::temper<Arch>, &detail::uniform<Arch>, &detail::normal<Arch>};
};

}  // namespace tenon::cpu
