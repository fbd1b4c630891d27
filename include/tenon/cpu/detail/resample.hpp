// Resampling along one dimension by weights, and its transpose: what every kind of up- and downsampling is made of.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include <tenon/composite/resample_taps.hpp>
#include <tenon/cpu/parallel.hpp>

namespace tenon::cpu::detail {

using composite::Sampling;
using composite::Taps;
using composite::taps_for;

/// y[o, i, :] = sum of weight * x[o, tap, :].
template <class C>
void resample(const Taps<C>& t, std::int64_t outer, std::int64_t inner, const C* x, C* y) {
  std::int64_t n = t.out();
  parallel_for(0, outer, std::max<std::int64_t>(1, (1 << 13) / std::max<std::int64_t>(1, n * inner)),
               [&](std::int64_t from, std::int64_t to) {
                 for (std::int64_t o = from; o < to; ++o)
                   for (std::int64_t i = 0; i < n; ++i) {
                     C* line = y + (o * n + i) * inner;
                     std::fill_n(line, inner, C(0));
                     for (std::size_t k = t.first[static_cast<std::size_t>(i)];
                          k < t.first[static_cast<std::size_t>(i) + 1]; ++k) {
                       const C* src = x + (o * t.in + t.at[k]) * inner;
                       C w = t.weight[k];
                       if (t.first[static_cast<std::size_t>(i) + 1] - t.first[static_cast<std::size_t>(i)] == 1)
                         std::copy_n(src, inner, line);
                       else
                         for (std::int64_t j = 0; j < inner; ++j) line[j] += w * src[j];
                     }
                   }
               });
}
/// The transpose: x[o, tap, :] += weight * y[o, i, :], from zero.
template <class C>
void resample_back(const Taps<C>& t, std::int64_t outer, std::int64_t inner, const C* y, C* x) {
  std::int64_t n = t.out();
  parallel_for(0, outer, std::max<std::int64_t>(1, (1 << 13) / std::max<std::int64_t>(1, n * inner)),
               [&](std::int64_t from, std::int64_t to) {
                 for (std::int64_t o = from; o < to; ++o) {
                   std::fill_n(x + o * t.in * inner, t.in * inner, C(0));
                   for (std::int64_t i = 0; i < n; ++i) {
                     const C* line = y + (o * n + i) * inner;
                     for (std::size_t k = t.first[static_cast<std::size_t>(i)];
                          k < t.first[static_cast<std::size_t>(i) + 1]; ++k) {
                       C* to_line = x + (o * t.in + t.at[k]) * inner;
                       C w = t.weight[k];
                       for (std::int64_t j = 0; j < inner; ++j) to_line[j] += w * line[j];
                     }
                   }
                 }
               });
}

/// Weights in steps of 2^-precision, as PyTorch resamples bytes; taps at one element are one.
inline std::pair<Taps<std::int32_t>, int> whole_taps(const Taps<double>& t) {
  std::pair<Taps<std::int32_t>, int> result{{}, 0};
  auto& [whole, precision] = result;
  whole.in = t.in;
  std::vector<double> weight;
  double largest = 0;
  for (std::size_t i = 0; i + 1 < t.first.size(); ++i) {
    for (std::size_t k = t.first[i]; k < t.first[i + 1]; ++k) {
      if (k > t.first[i] && t.at[k] == whole.at.back()) {
        weight.back() += t.weight[k];
      } else {
        whole.at.push_back(t.at[k]);
        weight.push_back(t.weight[k]);
      }
      largest = std::max(largest, weight.back());
    }
    whole.end();
  }
  while (precision < 22 && static_cast<int>(0.5 + largest * (1 << (precision + 1))) < (1 << 15)) ++precision;
  for (double w : weight) whole.weight.push_back(static_cast<std::int32_t>(std::lround(w * (1 << precision))));
  return result;
}
/// As resample, of bytes: sums of whole numbers, rounded once.
inline void resample(const Taps<double>& taps, std::int64_t outer, std::int64_t inner, const std::uint8_t* x,
                     std::uint8_t* y) {
  auto [t, precision] = whole_taps(taps);
  for (std::int64_t o = 0; o < outer; ++o)
    for (std::int64_t i = 0; i < t.out(); ++i)
      for (std::int64_t j = 0; j < inner; ++j) {
        std::int32_t sum = 1 << precision >> 1;
        for (std::size_t k = t.first[static_cast<std::size_t>(i)]; k < t.first[static_cast<std::size_t>(i) + 1]; ++k)
          sum += t.weight[k] * x[(o * t.in + t.at[k]) * inner + j];
        y[(o * t.out() + i) * inner + j] = static_cast<std::uint8_t>(std::clamp(sum >> precision, 0, 255));
      }
}

}  // namespace tenon::cpu::detail
