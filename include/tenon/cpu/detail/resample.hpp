// Resampling along one dimension by weights, and its transpose: what every kind of up- and downsampling is made of.
#pragma once
#include <algorithm>
#include <cstdint>

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

}  // namespace tenon::cpu::detail
