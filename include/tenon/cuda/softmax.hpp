// Softmax, its logarithm and their gradients, and layer norm: a block for each row, one pass over memory for each sum.
#pragma once
#include <cmath>
#include <cstdint>
#include <limits>

#include <tenon/cuda/calls.hpp>
#include <tenon/cuda/launch.hpp>
#include <tenon/cuda/reduce.hpp>

namespace tenon::cuda {

/// The type that elements of T are summed in.
template <class T>
using sum_t = typename element_type<compute_type_of(scalar_type_v<T>)>::type;

/// One value of a block for all of its lanes.
template <class S>
struct RowMemory {
  WarpValues<S> warps;
  alignas(16) unsigned char result[sizeof(S)];
};
template <class L, class S, class Combine>
TENON_HOST_DEVICE S combine_for_all(L& lane, S value, RowMemory<S>& memory, Combine combine, S identity) {
  value = combine_block(lane, value, memory.warps, combine, identity);
  S& result = *reinterpret_cast<S*>(memory.result);
  if (lane.thread() == 0) result = value;
  lane.sync();
  value = result;
  lane.sync();  // before the memory is written again
  return value;
}
template <class L, class S>
TENON_HOST_DEVICE S sum_for_all(L& lane, S value, RowMemory<S>& memory) {
  return combine_for_all(
      lane, value, memory, [](S a, S b) { return a + b; }, S(0));
}

template <class T>
struct softmax_row {
  using S = sum_t<T>;
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const SoftmaxCall& c) const {
    auto& memory = lane.template shared<RowMemory<S>>();
    std::int64_t start = lane.block() / c.inner * c.size * c.inner + lane.block() % c.inner;
    const T* in = static_cast<const T*>(c.in) + start;
    T* out = static_cast<T*>(c.out) + start;
    auto larger = [](S a, S b) { return a != a || a > b ? a : b; };
    const S least = -std::numeric_limits<S>::infinity();
    S most = least;
    for (std::int64_t i = lane.thread(); i < c.size; i += lane.threads())
      most = larger(most, static_cast<S>(in[i * c.inner]));
    most = combine_for_all(lane, most, memory, larger, least);
    S sum = 0;
    for (std::int64_t i = lane.thread(); i < c.size; i += lane.threads())
      sum += std::exp(static_cast<S>(in[i * c.inner]) - most);
    sum = sum_for_all(lane, sum, memory);
    S log_sum = std::log(sum);
    for (std::int64_t i = lane.thread(); i < c.size; i += lane.threads()) {
      S x = static_cast<S>(in[i * c.inner]) - most;
      out[i * c.inner] = static_cast<T>(c.log ? x - log_sum : std::exp(x) / sum);
    }
  }
};
/// Of softmax y (g - sum(g y)), of its logarithm g - exp(y) sum(g).
template <class T>
struct softmax_backward_row {
  using S = sum_t<T>;
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const SoftmaxCall& c) const {
    auto& memory = lane.template shared<RowMemory<S>>();
    std::int64_t start = lane.block() / c.inner * c.size * c.inner + lane.block() % c.inner;
    const T *y = static_cast<const T*>(c.in) + start, *g = static_cast<const T*>(c.grad) + start;
    T* out = static_cast<T*>(c.out) + start;
    S sum = 0;
    for (std::int64_t i = lane.thread(); i < c.size; i += lane.threads()) {
      S grad = static_cast<S>(g[i * c.inner]);
      sum += c.log ? grad : grad * static_cast<S>(y[i * c.inner]);
    }
    sum = sum_for_all(lane, sum, memory);
    for (std::int64_t i = lane.thread(); i < c.size; i += lane.threads()) {
      S grad = static_cast<S>(g[i * c.inner]), at = static_cast<S>(y[i * c.inner]);
      out[i * c.inner] = static_cast<T>(c.log ? grad - std::exp(at) * sum : at * (grad - sum));
    }
  }
};

/// (x - mean) / sqrt(variance + eps) * weight + bias. The variance is summed around the mean, in a pass of its own.
template <class T>
struct layer_norm_row {
  using S = sum_t<T>;
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const LayerNormCall& c) const {
    auto& memory = lane.template shared<RowMemory<S>>();
    const T* in = static_cast<const T*>(c.in) + lane.block() * c.size;
    T* out = static_cast<T*>(c.out) + lane.block() * c.size;
    auto n = static_cast<S>(c.size);
    S sum = 0;
    for (std::int64_t i = lane.thread(); i < c.size; i += lane.threads()) sum += static_cast<S>(in[i]);
    S mean = sum_for_all(lane, sum, memory) / n, squares = 0;
    for (std::int64_t i = lane.thread(); i < c.size; i += lane.threads()) {
      S d = static_cast<S>(in[i]) - mean;
      squares += d * d;
    }
    S rstd = S(1) / std::sqrt(sum_for_all(lane, squares, memory) / n + static_cast<S>(c.eps));
    for (std::int64_t i = lane.thread(); i < c.size; i += lane.threads()) {
      S x = (static_cast<S>(in[i]) - mean) * rstd;
      if (c.weight) x *= static_cast<S>(static_cast<const T*>(c.weight)[i]);
      if (c.bias) x += static_cast<S>(static_cast<const T*>(c.bias)[i]);
      out[i] = static_cast<T>(x);
    }
    if (lane.thread() == 0) {
      static_cast<S*>(c.mean)[lane.block()] = mean;
      static_cast<S*>(c.rstd)[lane.block()] = rstd;
    }
  }
};

}  // namespace tenon::cuda
