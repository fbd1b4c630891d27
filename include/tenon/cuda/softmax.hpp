// Softmax, its logarithm and their gradients: a block for each row, one pass over memory for each sum.
#pragma once
#include <cmath>
#include <cstdint>
#include <limits>

#include <tenon/cuda/block.hpp>
#include <tenon/cuda/calls.hpp>

namespace tenon::cuda {

/// The first element of the block's row.
template <class L>
TENON_HOST_DEVICE std::int64_t row_start(const L& lane, const SoftmaxCall& c) {
  return lane.block() / c.inner * c.size * c.inner + lane.block() % c.inner;
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
    auto larger = [](S a, S b) { return a != a || a > b ? a : b; };
    const S least = -std::numeric_limits<S>::infinity();
    S most = least;
    each_of_block(lane, c.size, [&](std::int64_t i) { most = larger(most, static_cast<S>(in[i * c.inner])); });
    most = combine_for_all(lane, most, memory, larger, least);
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
