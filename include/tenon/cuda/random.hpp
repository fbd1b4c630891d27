// Random numbers as kernels: PyTorch's for the same seed on a device of as many lanes. Uniform and normal numbers are
// made of Philox's words as cuRAND makes them.
#pragma once
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <tenon/cuda/calls.hpp>
#include <tenon/cuda/grid.hpp>
#include <tenon/cuda/launch.hpp>
#include <tenon/math/philox.hpp>

namespace tenon::cuda {

/// The words of a sequence, four for each step.
TENON_HOST_DEVICE inline math::PhiloxWords words_of(const RandomState& state, std::int64_t sequence,
                                                    std::uint64_t step) {
  std::uint64_t seed = state.graph ? state.graph[0] : state.seed,
                counter = (state.offset + (state.graph ? state.graph[1] : 0)) / 4 + step,
                lane = static_cast<std::uint64_t>(sequence);
  auto low = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
  return math::philox({{low(counter), low(counter >> 32), low(lane), low(lane >> 32)}}, seed);
}

// Uniform in (0, 1], and numbers of a normal distribution (Box and Muller, Ann. Math. Statist. 29:2, 1958).
TENON_HOST_DEVICE inline float unit_float(std::uint32_t word) { return static_cast<float>(word) * 0x1p-32f + 0x1p-33f; }
TENON_HOST_DEVICE inline std::uint64_t word53(std::uint32_t low, std::uint32_t high) {
  return low ^ std::uint64_t{high} << 21;
}
TENON_HOST_DEVICE inline double unit_double(std::uint64_t word) {
  return static_cast<double>(word) * 0x1p-53 + 0x1p-54;
}
TENON_HOST_DEVICE inline void uniform_numbers(const math::PhiloxWords& w, float (&x)[4]) {
  for (int k = 0; k < 4; ++k) x[k] = unit_float(w.at[k]);
}
TENON_HOST_DEVICE inline void uniform_numbers(const math::PhiloxWords& w, double (&x)[2]) {
  for (int k = 0; k < 2; ++k) x[k] = unit_double(word53(w.at[2 * k], w.at[2 * k + 1]));
}
template <class L>
TENON_HOST_DEVICE void normal_numbers(L& lane, const math::PhiloxWords& w, float (&x)[4]) {
  constexpr float turn = 0x1p-32f * 6.2831855f;
  for (int k = 0; k < 4; k += 2) {
    float radius = std::sqrt(-2.0f * std::log(unit_float(w.at[k])));
    lane.sincos(static_cast<float>(w.at[k + 1]) * turn + turn / 2, x[k], x[k + 1]);
    x[k] *= radius;
    x[k + 1] *= radius;
  }
}
template <class L>
TENON_HOST_DEVICE void normal_numbers(L&, const math::PhiloxWords& w, double (&x)[2]) {
  double radius = std::sqrt(-2.0 * std::log(unit_double(word53(w.at[0], w.at[1])))),
         angle = 3.14159265358979323846 * (static_cast<double>(word53(w.at[2], w.at[3])) * 0x1p-52 + 0x1p-53);
  x[0] = radius * std::sin(angle);
  x[1] = radius * std::cos(angle);
}

/// f(i, k, words) for every i below n: its number comes from part k of the words, of which each step has `parts`.
template <class L, class F>
TENON_HOST_DEVICE void each_drawn(L& lane, const RandomState& state, std::int64_t n, int parts, F f) {
  std::int64_t lanes = lane.blocks() * lane.threads(), me = lane.block() * lane.threads() + lane.thread();
  std::uint64_t step = 0;
  for (std::int64_t first = me; first < n; first += lanes * parts, ++step) {
    math::PhiloxWords words = words_of(state, me, step);
    for (int k = 0; k < parts; ++k)
      if (first + k * lanes < n) f(first + k * lanes, k, words);
  }
}

/// Real numbers, computed in S.
template <class S>
struct draw_real {
  static constexpr int kParts = std::is_same_v<S, double> ? 2 : 4;
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const RandomCall& c) const {
    bool normal = c.what == Draw::Normal || c.what == Draw::LogNormal;
    S numbers[kParts];
    each_drawn(lane, c.state, c.walk.count, kParts, [&](std::int64_t i, int k, const math::PhiloxWords& words) {
      if (k == 0 && normal) normal_numbers(lane, words, numbers);
      if (k == 0 && !normal) uniform_numbers(words, numbers);
      char* to = c.out + Offsets<1>(c.walk, i).at[0];
      store_as(to, c.dtype, made_of(c, numbers[k]));
      // The bounds are turned round when the result is rounded: (from, to] becomes [from, to).
      if (c.what == Draw::Uniform && load_as<S>(to, c.dtype) == static_cast<S>(c.b))
        store_as(to, c.dtype, static_cast<S>(c.a));
    });
  }

 private:
  TENON_HOST_DEVICE static S made_of(const RandomCall& c, S x) {
    const S a = static_cast<S>(c.a), b = static_cast<S>(c.b), eps = std::numeric_limits<S>::epsilon();
    switch (c.what) {
      case Draw::Uniform: return x * load_range(c) + a;
      case Draw::Normal: return x * b + a;
      case Draw::LogNormal: return std::exp(x * b + a);
      case Draw::Exponential: return S(-1) / a * (x >= S(1) - eps / 2 ? -eps / 2 : std::log(x));
      case Draw::Cauchy:
        x = x > S(1) - eps ? S(1) - eps : x < eps ? eps : x;
        return a + b * std::tan(static_cast<S>(3.14159265358979323846) * (x - S(0.5)));
      case Draw::Geometric: return std::ceil(std::log(x) / std::log1p(-a));
      default: return x < a ? S(1) : S(0);
    }
  }
  /// The length of a range, rounded to the dtype.
  TENON_HOST_DEVICE static S load_range(const RandomCall& c) {
    alignas(8) unsigned char element[8];
    store_as(element, c.dtype, static_cast<S>(c.b) - static_cast<S>(c.a));
    return load_as<S>(element, c.dtype);
  }
};
/// Whole numbers of 32 bits, or of 64.
struct draw_whole {
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const RandomCall& c) const {
    each_drawn(lane, c.state, c.walk.count, c.wide ? 2 : 4, [&](std::int64_t i, int k, const math::PhiloxWords& words) {
      std::uint64_t value = c.wide ? std::uint64_t{words.at[2 * k]} << 32 | words.at[2 * k + 1] : words.at[k];
      if (c.range) value = value % c.range + static_cast<std::uint64_t>(c.base);
      store_as(c.out + Offsets<1>(c.walk, i).at[0], c.dtype, static_cast<std::int64_t>(value));
    });
  }
};

/// Four neighbours for each lane.
template <class P>
struct draw_bernoulli {
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const BernoulliCall& c) const {
    each_of_grid(lane, (c.walk.count + 3) / 4, [&](std::int64_t four) {
      math::PhiloxWords words = words_of(c.state, four, 0);
      for (int k = 0; k < 4 && 4 * four + k < c.walk.count; ++k) {
        std::int64_t i = 4 * four + k;
        P p = static_cast<const P*>(c.p)[i];
        if (!(p >= P(0) && p <= P(1))) *c.fault = 1;  // any of them will do
        store_as(c.out + Offsets<1>(c.walk, i).at[0], c.dtype, unit_float(words.at[k]) <= p ? 1.0f : 0.0f);
      }
    });
  }
};

template <class T>
struct drop_elements {
  using S = sum_t<T>;
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const DropoutCall& c) const {
    auto keeps = static_cast<S>(c.keeps);
    const S scale = S(1) / keeps;
    auto one = [&](std::int64_t i, std::uint32_t word) {
      bool stays = static_cast<S>(unit_float(word)) < keeps;
      static_cast<T*>(c.out)[i] =
          static_cast<T>(static_cast<S>(static_cast<const T*>(c.in)[i]) * (stays ? S(1) : S(0)) * scale);
      c.mask[i] = stays;
    };
    if (c.vector == 1)
      return each_drawn(lane, c.state, c.n, 4,
                        [&](std::int64_t i, int k, const math::PhiloxWords& words) { one(i, words.at[k]); });
    std::int64_t lanes = lane.blocks() * lane.threads(), me = lane.block() * lane.threads() + lane.thread();
    int used = 0;  // words of all steps
    for (std::int64_t first = me * c.vector; first < c.n; first += lanes * c.vector, used += c.vector) {
      math::PhiloxWords words = words_of(c.state, me, static_cast<std::uint64_t>(used / 4));
      for (int k = 0; k < c.vector; ++k) one(first + k, words.at[used % 4 + k]);
    }
  }
};

}  // namespace tenon::cuda
