// Softmax, its logarithm and their gradients: a block for each row, one pass over memory for each sum.
#pragma once
#include <cmath>
#include <cstdint>
#include <limits>

#include <tenon/cuda/block.hpp>
#include <tenon/cuda/calls.hpp>
#include <tenon/cuda/packs.hpp>

namespace tenon::cuda {

/// The first element of the block's row.
template <class L>
TENON_HOST_DEVICE std::int64_t row_start(const L& lane, const SoftmaxCall& c) {
  return lane.block() / c.inner * c.size * c.inner + lane.block() % c.inner;
}

/// The larger of two numbers, or the one that is none.
template <class S>
TENON_HOST_DEVICE S larger_of(S a, S b) {
  return a != a || a > b ? a : b;
}

template <class T>
struct softmax_row {
  using S = sum_t<T>;
  static constexpr unsigned kMostLanes = kRowLanes;
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const SoftmaxCall& c) const {
    auto& memory = lane.template shared<RowMemory<S>>();
    std::int64_t start = row_start(lane, c);
    const T* in = static_cast<const T*>(c.in) + start;
    T* out = static_cast<T*>(c.out) + start;
    const S least = -std::numeric_limits<S>::infinity();
    S most = least;
    each_of_block(lane, c.size, [&](std::int64_t i) { most = larger_of(most, static_cast<S>(in[i * c.inner])); });
    most = combine_for_all(lane, most, memory, larger_of<S>, least);
    S sum = 0;
    each_of_block(lane, c.size, [&](std::int64_t i) { sum += std::exp(static_cast<S>(in[i * c.inner]) - most); });
    sum = sum_for_all(lane, sum, memory);
    S log_sum = std::log(sum);
    each_of_block(lane, c.size, [&](std::int64_t i) {
      S x = static_cast<S>(in[i * c.inner]) - most;
      out[i * c.inner] = static_cast<T>(c.log ? x - log_sum : std::exp(x) / sum);
    });
  }
};
/// The same for rows that lie one after the other and are read once.
template <class T>
struct softmax_held_row {
  using S = sum_t<T>;
  static constexpr unsigned kMostLanes = kRowLanes;
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const SoftmaxCall& c) const {
    auto& memory = lane.template shared<RowMemory<S>>();
    std::int64_t start = lane.block() * c.size;
    const S least = -std::numeric_limits<S>::infinity();
    HeldRow<T> row;
    row.load(lane, static_cast<const T*>(c.in) + start, c.size);
    S most = least, sum = 0;
    row.each(lane, c.size, [&](std::int64_t, S& x) { most = larger_of(most, x); });
    most = combine_for_all(lane, most, memory, larger_of<S>, least);
    row.each(lane, c.size, [&](std::int64_t, S& x) {
      x -= most;
      S e = std::exp(x);
      sum += e;
      if (!c.log) x = e;
    });
    sum = sum_for_all(lane, sum, memory);
    S log_sum = std::log(sum);
    row.each(lane, c.size, [&](std::int64_t, S& x) { x = c.log ? x - log_sum : x / sum; });
    row.store(lane, static_cast<T*>(c.out) + start, c.size);
  }
};
/// Of softmax y (g - sum(g y)), of its logarithm g - exp(y) sum(g).
template <class T>
struct softmax_backward_row {
  using S = sum_t<T>;
  static constexpr unsigned kMostLanes = kRowLanes;
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const SoftmaxCall& c) const {
    auto& memory = lane.template shared<RowMemory<S>>();
    std::int64_t start = row_start(lane, c);
    const T *y = static_cast<const T*>(c.in) + start, *g = static_cast<const T*>(c.grad) + start;
    T* out = static_cast<T*>(c.out) + start;
    S sum = 0;
    each_of_block(lane, c.size, [&](std::int64_t i) {
      S grad = static_cast<S>(g[i * c.inner]);
      sum += c.log ? grad : grad * static_cast<S>(y[i * c.inner]);
    });
    sum = sum_for_all(lane, sum, memory);
    each_of_block(lane, c.size, [&](std::int64_t i) {
      S grad = static_cast<S>(g[i * c.inner]), at = static_cast<S>(y[i * c.inner]);
      out[i * c.inner] = static_cast<T>(c.log ? grad - std::exp(at) * sum : at * (grad - sum));
    });
  }
};

}  // namespace tenon::cuda
