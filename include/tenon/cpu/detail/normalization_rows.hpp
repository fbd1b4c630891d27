// Normalising rows: what layer, group and root-mean-square normalisation share. Sums do not depend on threads.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include <tenon/cpu/parallel.hpp>

namespace tenon::cpu::detail {

/// The sum of f(0) .. f(n - 1): sixteen lanes of C in blocks, joined by a tree, the blocks in double.
template <class C, class F>
double sum_of(std::int64_t n, F f) {
  constexpr std::int64_t kLanes = 16, kBlock = 2048;
  double total = 0;
  for (std::int64_t first = 0; first < n; first += kBlock) {
    C lane[kLanes] = {};
    std::int64_t last = std::min(n, first + kBlock), i = first;
    for (; i + kLanes <= last; i += kLanes)
      for (std::int64_t k = 0; k < kLanes; ++k) lane[k] += f(i + k);
    for (std::int64_t k = 0; i < last; ++i, ++k) lane[k] += f(i);
    for (std::int64_t width = kLanes / 2; width > 0; width /= 2)
      for (std::int64_t k = 0; k < width; ++k) lane[k] += lane[k + width];
    total += static_cast<double>(lane[0]);
  }
  return total;
}

/// Rows of `channels` runs of `inner` elements. Row r has the weights of group r % groups.
struct NormRows {
  std::int64_t rows, groups, channels, inner;
  bool centered;  ///< subtract the mean; without it the root mean square is taken about zero
  std::int64_t length() const { return channels * inner; }
  std::int64_t grain() const { return std::max<std::int64_t>(1, (1 << 14) / std::max<std::int64_t>(1, length())); }
  /// Calls f(first element, channel among all) for the stretches of a row that share a weight.
  template <class F>
  void each_channel(std::int64_t row, F f) const {
    std::int64_t first = row % groups * channels;
    for (std::int64_t c = 0; c < channels; ++c) f(c * inner, first + c);
  }
};

/// y = (x - mean) * rstd * weight + bias, row by row. `weight`, `bias` and `mean` may be null.
template <class T, class C>
void normalize_rows(const NormRows& n, const T* x, T* y, C* mean, C* rstd, const C* weight, const C* bias, double eps) {
  constexpr std::int64_t kRun = 16;
  std::int64_t length = n.length();
  parallel_for(0, n.rows, n.grain(), [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t r = first; r < last; ++r) {
      const T* from = x + r * length;
      T* to = y + r * length;
      auto size = static_cast<double>(length);
      C m =
          n.centered ? static_cast<C>(sum_of<C>(length, [&](auto i) { return static_cast<C>(from[i]); }) / size) : C(0);
      double squares = sum_of<C>(length, [&](auto i) {
        C d = static_cast<C>(from[i]) - m;
        return d * d;
      });
      C scale = static_cast<C>(1 / std::sqrt(squares / size + eps));
      if (mean) mean[r] = m;
      rstd[r] = scale;
      if (n.inner == 1) {
        const C *w = weight ? weight + r % n.groups * n.channels : nullptr,
                *b = bias ? bias + r % n.groups * n.channels : nullptr;
        std::int64_t i = 0;
        if (w && b)
          for (; i + kRun <= length; i += kRun) {
            C run[kRun];  // a compiler need not think of what else the result may lie over
            for (std::int64_t k = 0; k < kRun; ++k)
              run[k] = (static_cast<C>(from[i + k]) - m) * scale * w[i + k] + b[i + k];
            for (std::int64_t k = 0; k < kRun; ++k) to[i + k] = static_cast<T>(run[k]);
          }
        for (; i < length; ++i)
          to[i] = static_cast<T>((static_cast<C>(from[i]) - m) * scale * (w ? w[i] : C(1)) + (b ? b[i] : C(0)));
      } else {
        n.each_channel(r, [&](std::int64_t at, std::int64_t c) {
          C s = scale * (weight ? weight[c] : C(1)), add = bias ? bias[c] : C(0);
          for (std::int64_t i = at; i < at + n.inner; ++i)
            to[i] = static_cast<T>((static_cast<C>(from[i]) - m) * s + add);
        });
      }
    }
  });
}

/// The gradient by x.
template <class T, class C>
void normalize_rows_back(const NormRows& n, const T* grad, const T* x, T* to, const C* mean, const C* rstd,
                         const C* weight) {
  std::int64_t length = n.length();
  parallel_for(0, n.rows, n.grain(), [&](std::int64_t first, std::int64_t last) {
    std::vector<C> weighted(static_cast<std::size_t>(length));
    for (std::int64_t r = first; r < last; ++r) {
      const T *from = x + r * length, *g = grad + r * length;
      T* d = to + r * length;
      C m = mean ? mean[r] : C(0), scale = rstd[r];
      if (n.inner == 1) {
        const C* w = weight ? weight + r % n.groups * n.channels : nullptr;
        for (std::int64_t i = 0; i < length; ++i) weighted[i] = static_cast<C>(g[i]) * (w ? w[i] : C(1));
      } else {
        n.each_channel(r, [&](std::int64_t at, std::int64_t c) {
          C w = weight ? weight[c] : C(1);
          for (std::int64_t i = at; i < at + n.inner; ++i) weighted[i] = static_cast<C>(g[i]) * w;
        });
      }
      auto size = static_cast<double>(length);
      C about = n.centered ? static_cast<C>(sum_of<C>(length, [&](auto i) { return weighted[i]; }) / size) : C(0);
      C along = static_cast<C>(
          sum_of<C>(length, [&](auto i) { return weighted[i] * (static_cast<C>(from[i]) - m) * scale; }) / size);
      // In PyTorch's order of products: what remains of equal terms is a rounding.
      const C* w = weight && n.inner == 1 ? weight + r % n.groups * n.channels : nullptr;
      for (std::int64_t i = 0; i < length; ++i) {
        C by = w ? scale * static_cast<C>(g[i]) * w[i] : scale * weighted[i];
        d[i] = static_cast<T>(by - scale * about - (static_cast<C>(from[i]) - m) * scale * scale * along);
      }
    }
  });
}

/// The gradients by weight and bias; either may be null.
template <class T, class C>
void normalize_rows_parameters(const NormRows& n, const T* grad, const T* x, const C* mean, const C* rstd, C* weight,
                               C* bias) {
  constexpr std::int64_t kBlock = 64;
  std::int64_t length = n.length(), all = n.groups * n.channels;
  std::int64_t blocks = (n.channels + kBlock - 1) / kBlock;
  if (n.rows < n.groups) {
    if (weight) std::fill_n(weight, all, C(0));
    if (bias) std::fill_n(bias, all, C(0));
    return;
  }
  parallel_for(0, n.groups * blocks, 1, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t block = first; block < last; ++block) {
      std::int64_t group = block / blocks, from = block % blocks * kBlock, to = std::min(n.channels, from + kBlock);
      double dw[kBlock] = {}, db[kBlock] = {};
      for (std::int64_t r = group; r < n.rows; r += n.groups) {
        const T *a = x + r * length, *g = grad + r * length;
        C m = mean ? mean[r] : C(0), scale = rstd[r];
        if (n.inner == 1) {
          for (std::int64_t c = from; c < to; ++c) {
            dw[c - from] += static_cast<double>(static_cast<C>(g[c]) * (static_cast<C>(a[c]) - m) * scale);
            db[c - from] += static_cast<double>(g[c]);
          }
        } else {
          for (std::int64_t c = from; c < to; ++c) {
            const T *p = a + c * n.inner, *q = g + c * n.inner;
            dw[c - from] +=
                sum_of<C>(n.inner, [&](auto i) { return static_cast<C>(q[i]) * (static_cast<C>(p[i]) - m) * scale; });
            db[c - from] += sum_of<C>(n.inner, [&](auto i) { return static_cast<C>(q[i]); });
          }
        }
      }
      for (std::int64_t c = from; c < to; ++c) {
        if (weight) weight[group * n.channels + c] = static_cast<C>(dw[c - from]);
        if (bias) bias[group * n.channels + c] = static_cast<C>(db[c - from]);
      }
    }
  });
}

}  // namespace tenon::cpu::detail
