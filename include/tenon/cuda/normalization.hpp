// Normalisation of rows, which layer, group and root-mean-square normalisation share, and of batches: a block for each
// row or channel, statistics and result in one kernel.
#pragma once
#include <cmath>
#include <cstdint>

#include <tenon/cuda/block.hpp>
#include <tenon/cuda/calls.hpp>
#include <tenon/cuda/packs.hpp>

namespace tenon::cuda {

namespace detail {
template <class S, class T>
TENON_HOST_DEVICE S element_or(const void* list, std::int64_t i, S other) {
  return list ? static_cast<S>(static_cast<const T*>(list)[i]) : other;
}
}  // namespace detail

/// (x - mean) * rstd * weight + bias. The variance is summed around the mean, in a pass of its own.
template <class T>
struct normalize_row {
  using S = sum_t<T>;
  static constexpr unsigned kMostLanes = kRowLanes;
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const NormCall& c) const {
    auto& memory = lane.template shared<RowMemory<S>>();
    std::int64_t row = lane.block(), n = c.channels * c.inner, channel = row % c.groups * c.channels;
    const T* in = static_cast<const T*>(c.in) + row * n;
    T* out = static_cast<T*>(c.out) + row * n;
    S mean = 0, squares = 0;
    if (c.centered) {
      each_of_block(lane, n, [&](std::int64_t i) { mean += static_cast<S>(in[i]); });
      mean = sum_for_all(lane, mean, memory) / static_cast<S>(n);
    }
    each_of_block(lane, n, [&](std::int64_t i) {
      S d = static_cast<S>(in[i]) - mean;
      squares += d * d;
    });
    S rstd = S(1) / std::sqrt(sum_for_all(lane, squares, memory) / static_cast<S>(n) + static_cast<S>(c.eps));
    each_of_block(lane, n, [&](std::int64_t i) {
      std::int64_t k = channel + i / c.inner;
      S x = (static_cast<S>(in[i]) - mean) * rstd * detail::element_or<S, T>(c.weight, k, S(1));
      out[i] = static_cast<T>(x + detail::element_or<S, T>(c.bias, k, S(0)));
    });
    if (lane.thread() != 0) return;
    if (c.mean) static_cast<S*>(c.mean)[row] = mean;
    static_cast<S*>(c.rstd)[row] = rstd;
  }
};
/// The same for rows of one group of single elements, read once.
template <class T>
struct normalize_held_row {
  using S = sum_t<T>;
  static constexpr unsigned kMostLanes = kRowLanes;
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const NormCall& c) const {
    auto& memory = lane.template shared<RowMemory<S>>();
    std::int64_t n = c.channels, start = lane.block() * n;
    HeldRow<T> row;
    row.load(lane, static_cast<const T*>(c.in) + start, n);
    S mean = 0, squares = 0;
    if (c.centered) {
      row.each(lane, n, [&](std::int64_t, S x) { mean += x; });
      mean = sum_for_all(lane, mean, memory) / static_cast<S>(n);
    }
    row.each(lane, n, [&](std::int64_t, S& x) {
      x -= mean;
      squares += x * x;
    });
    S rstd = S(1) / std::sqrt(sum_for_all(lane, squares, memory) / static_cast<S>(n) + static_cast<S>(c.eps));
    row.each(lane, n, [&](std::int64_t i, S& x) {
      x = x * rstd * detail::element_or<S, T>(c.weight, i, S(1)) + detail::element_or<S, T>(c.bias, i, S(0));
    });
    row.store(lane, static_cast<T*>(c.out) + start, n);
    if (lane.thread() != 0) return;
    if (c.mean) static_cast<S*>(c.mean)[lane.block()] = mean;
    static_cast<S*>(c.rstd)[lane.block()] = rstd;
  }
};
/// With gw = grad * weight and x' the normalised element: rstd * (gw - mean(gw) - x' * mean(gw x')).
template <class T>
struct normalize_row_back {
  using S = sum_t<T>;
  static constexpr unsigned kMostLanes = kRowLanes;
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const NormCall& c) const {
    auto& memory = lane.template shared<RowMemory<S>>();
    std::int64_t row = lane.block(), n = c.channels * c.inner, channel = row % c.groups * c.channels;
    const T *in = static_cast<const T*>(c.in) + row * n, *grad = static_cast<const T*>(c.grad) + row * n;
    S mean = detail::element_or<S, S>(c.mean, row, S(0)), rstd = static_cast<const S*>(c.rstd)[row];
    auto weighted = [&](std::int64_t i) {
      return static_cast<S>(grad[i]) * detail::element_or<S, T>(c.weight, channel + i / c.inner, S(1));
    };
    S about = 0, along = 0;
    each_of_block(lane, n, [&](std::int64_t i) {
      S g = weighted(i);
      about += g;
      along += g * (static_cast<S>(in[i]) - mean) * rstd;
    });
    about = c.centered ? sum_for_all(lane, about, memory) / static_cast<S>(n) : S(0);
    along = sum_for_all(lane, along, memory) / static_cast<S>(n);
    each_of_block(lane, n, [&](std::int64_t i) {
      S x = (static_cast<S>(in[i]) - mean) * rstd;
      static_cast<T*>(c.out)[row * n + i] = static_cast<T>(rstd * (weighted(i) - about - x * along));
    });
  }
};
/// A block for each channel of all groups.
template <class T>
struct normalize_parameters {
  using S = sum_t<T>;
  static constexpr unsigned kMostLanes = kRowLanes;
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const NormCall& c) const {
    auto& memory = lane.template shared<RowMemory<S>>();
    std::int64_t k = lane.block(), group = k / c.channels, n = c.channels * c.inner;
    S weight = 0, bias = 0;
    each_of_block(lane, c.rows / c.groups * c.inner, [&](std::int64_t i) {
      std::int64_t row = group + i / c.inner * c.groups, at = row * n + k % c.channels * c.inner + i % c.inner;
      S g = static_cast<S>(static_cast<const T*>(c.grad)[at]), x = static_cast<S>(static_cast<const T*>(c.in)[at]);
      bias += g;
      weight += g * (x - detail::element_or<S, S>(c.mean, row, S(0))) * static_cast<const S*>(c.rstd)[row];
    });
    weight = sum_for_all(lane, weight, memory);
    bias = sum_for_all(lane, bias, memory);
    if (lane.thread() != 0) return;
    if (c.weight_grad) static_cast<S*>(c.weight_grad)[k] = weight;
    if (c.bias_grad) static_cast<S*>(c.bias_grad)[k] = bias;
  }
};

/// f(place) for the elements of the block's channel.
template <class L, class F>
TENON_HOST_DEVICE void each_of_channel(L& lane, const BatchNormCall& c, F f) {
  each_of_block(lane, c.outer * c.inner,
                [&](std::int64_t i) { f((i / c.inner * c.channels + lane.block()) * c.inner + i % c.inner); });
}
template <class T>
struct normalize_channel {
  using S = sum_t<T>;
  static constexpr unsigned kMostLanes = kRowLanes;
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const BatchNormCall& c) const {
    auto& memory = lane.template shared<RowMemory<S>>();
    std::int64_t channel = lane.block();
    const T* in = static_cast<const T*>(c.in);
    S *saved_mean = static_cast<S*>(c.mean) + channel, *saved_invstd = static_cast<S*>(c.invstd) + channel;
    S mean, invstd;
    if (c.train) {
      auto n = static_cast<S>(c.outer * c.inner);
      S sum = 0, squares = 0;
      each_of_channel(lane, c, [&](std::int64_t at) { sum += static_cast<S>(in[at]); });
      mean = sum_for_all(lane, sum, memory) / n;
      each_of_channel(lane, c, [&](std::int64_t at) {
        S d = static_cast<S>(in[at]) - mean;
        squares += d * d;
      });
      squares = sum_for_all(lane, squares, memory);
      S variance = squares / n, eps = static_cast<S>(c.eps);
      invstd = variance != S(0) || eps != S(0) ? S(1) / std::sqrt(variance + eps) : S(0);
      if (lane.thread() == 0) {
        *saved_mean = mean;
        *saved_invstd = invstd;
        auto move = [&](void* running, S batch) {
          if (!running) return;
          S& r = static_cast<S*>(running)[channel];
          r = static_cast<S>(c.momentum) * batch + static_cast<S>(1 - c.momentum) * r;
        };
        move(c.running_mean, mean);
        move(c.running_var, squares / (n - S(1)));
      }
    } else {
      mean = *saved_mean;
      invstd = *saved_invstd;
    }
    S factor = invstd * detail::element_or<S, T>(c.weight, channel, S(1)),
      add = detail::element_or<S, T>(c.bias, channel, S(0));
    each_of_channel(lane, c, [&](std::int64_t at) {
      static_cast<T*>(c.out)[at] = static_cast<T>((static_cast<S>(in[at]) - mean) * factor + add);
    });
  }
};
template <class T>
struct normalize_channel_back {
  using S = sum_t<T>;
  static constexpr unsigned kMostLanes = kRowLanes;
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const BatchNormCall& c) const {
    auto& memory = lane.template shared<RowMemory<S>>();
    std::int64_t channel = lane.block();
    const T *in = static_cast<const T*>(c.in), *grad = static_cast<const T*>(c.grad);
    S mean = static_cast<const S*>(c.mean)[channel], invstd = static_cast<const S*>(c.invstd)[channel];
    S sum = 0, along = 0;
    each_of_channel(lane, c, [&](std::int64_t at) {
      S g = static_cast<S>(grad[at]);
      sum += g;
      along += g * (static_cast<S>(in[at]) - mean);
    });
    sum = sum_for_all(lane, sum, memory);
    along = sum_for_all(lane, along, memory);
    if (lane.thread() == 0) {
      if (c.weight_grad) static_cast<S*>(c.weight_grad)[channel] = along * invstd;
      if (c.bias_grad) static_cast<S*>(c.bias_grad)[channel] = sum;
    }
    if (!c.out) return;
    auto n = static_cast<S>(c.outer * c.inner);
    S about = c.train ? sum / n : S(0), factor = c.train ? along * invstd * invstd / n : S(0),
      scale = invstd * detail::element_or<S, T>(c.weight, channel, S(1));
    each_of_channel(lane, c, [&](std::int64_t at) {
      S x = static_cast<S>(in[at]) - mean;
      static_cast<T*>(c.out)[at] = static_cast<T>((static_cast<S>(grad[at]) - about - x * factor) * scale);
    });
  }
};

}  // namespace tenon::cuda
