// What each element of a resampled dimension is made of, for every kind of up- and downsampling.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <optional>
#include <vector>

namespace tenon::composite {

enum class Sampling { Nearest, NearestExact, Linear, Cubic, FilteredLinear, FilteredCubic, FilteredLanczos };

/// The elements that each result is made of, with their weights.
template <class C>
struct Taps {
  std::int64_t in = 0;
  std::vector<std::size_t> first{0};
  std::vector<std::int64_t> at;
  std::vector<C> weight;
  std::int64_t out() const { return static_cast<std::int64_t>(first.size()) - 1; }
  void add(std::int64_t i, C w) {
    at.push_back(std::clamp<std::int64_t>(i, 0, in - 1));
    weight.push_back(w);
  }
  void end() { first.push_back(at.size()); }
};
/// Cubic convolution (Keys 1981) by its parameter, at a distance.
template <class C>
C cubic_weight(C x, C a) {
  x = std::abs(x);
  if (x <= 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
  return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : C(0);
}
/// Lanczos' window of three periods over the sinc (Duchon 1979), at a distance.
template <class C>
C lanczos_weight(C x) {
  if (x == 0) return 1;
  if (x < -3 || x >= 3) return 0;
  C turn = std::numbers::pi_v<C> * x;
  return 3 * std::sin(turn) * std::sin(turn / 3) / (turn * turn);
}
/// The weight of an element at a distance, for the kinds that filter, and how far they reach.
template <class C>
C filter_weight(Sampling kind, C x) {
  if (kind == Sampling::FilteredLanczos) return lanczos_weight(x);
  return kind == Sampling::FilteredCubic ? cubic_weight(x, C(-0.5)) : std::max(C(0), 1 - std::abs(x));
}
constexpr int filter_reach(Sampling kind) {
  return kind == Sampling::FilteredLanczos ? 3 : kind == Sampling::FilteredCubic ? 2 : 1;
}
template <class C>
C resampling_step(std::int64_t in, std::int64_t out, bool align_corners, std::optional<double> factor) {
  if (align_corners) return out > 1 ? static_cast<C>(in - 1) / static_cast<C>(out - 1) : C(0);
  return factor && *factor > 0 ? static_cast<C>(1 / *factor) : static_cast<C>(in) / static_cast<C>(out);
}
template <class C>
void add_filtered(Taps<C>& t, std::int64_t i, C step, Sampling kind) {
  C wide = std::max(step, C(1)), support = static_cast<C>(filter_reach(kind)) * wide,
    center = step * (static_cast<C>(i) + C(0.5));
  auto bound = [&](C x) { return static_cast<std::int64_t>(std::clamp<C>(x, 0, static_cast<C>(t.in))); };
  std::int64_t low = bound(center - support + C(0.5)), high = bound(center + support + C(0.5));
  std::vector<C> w;
  C sum = 0;
  for (std::int64_t k = low; k < high; ++k) {
    C x = (static_cast<C>(k) - center + C(0.5)) / wide;
    w.push_back(filter_weight(kind, x));
    sum += w.back();
  }
  for (std::int64_t k = low; k < high; ++k) t.add(k, sum != 0 ? w[static_cast<std::size_t>(k - low)] / sum : C(0));
}
template <class C>
Taps<C> taps_for(Sampling kind, std::int64_t in, std::int64_t out, bool align_corners, std::optional<double> factor) {
  Taps<C> t;
  t.in = in;
  C step = resampling_step<C>(in, out, align_corners, factor);
  auto near = resampling_step<float>(in, out, false, factor);
  auto whole = [&](float x) { return static_cast<std::int64_t>(std::min(std::floor(x), static_cast<float>(in - 1))); };
  for (std::int64_t i = 0; i < out; ++i) {
    auto place = static_cast<float>(i);
    if (kind == Sampling::Nearest) {
      t.add(whole(place * near), 1);
    } else if (kind == Sampling::NearestExact) {
      t.add(whole((place + 0.5f) * near), 1);
    } else if (kind == Sampling::Linear || kind == Sampling::Cubic) {
      C x = align_corners ? step * static_cast<C>(i) : step * (static_cast<C>(i) + C(0.5)) - C(0.5);
      if (kind == Sampling::Linear) x = in == out ? static_cast<C>(i) : std::max(x, C(0));
      auto low = static_cast<std::int64_t>(std::min(std::floor(x), static_cast<C>(in - 1)));
      C part = std::clamp<C>(x - static_cast<C>(low), 0, 1);
      if (kind == Sampling::Linear) {
        t.add(low, 1 - part);
        t.add(low + 1, part);
      } else {
        for (std::int64_t k = -1; k <= 2; ++k) t.add(low + k, cubic_weight(part - static_cast<C>(k), C(-0.75)));
      }
    } else {
      add_filtered(t, i, step, kind);
    }
    t.end();
  }
  return t;
}

}  // namespace tenon::composite
