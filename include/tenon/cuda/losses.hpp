// Losses of elements and their slopes, and the negative log likelihood, as kernels.
#pragma once
#include <cmath>
#include <cstdint>
#include <limits>

#include <tenon/cuda/block.hpp>
#include <tenon/cuda/calls.hpp>

namespace tenon::cuda {

/// Computed in S.
template <class S>
struct loss_elements {
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const LossCall& call) const {
    const Elementwise& c = call.elements;
    each_of_grid(lane, c.walk.count, [&](std::int64_t i) {
      Offsets<5> offsets(c.walk, i);
      auto read = [&](int k) {
        const Operand& o = c.at[k];
        return load_as<S>(o.data ? static_cast<const void*>(o.data + offsets.at[k]) : o.element, o.dtype);
      };
      S x = read(1), y = read(2), result;
      if (call.fault && !(x >= S(0) && x <= S(1))) *call.fault = 1;  // any of them will do
      if (call.slope)
        result = slope(call, x, y) * read(4) * read(3);
      else
        result = value(call, x, y) * read(3);
      store_as(c.at[0].data + offsets.at[0], c.at[0].dtype, result);
    });
  }

 private:
  /// Not below -100.
  TENON_HOST_DEVICE static S bounded(S logarithm) { return logarithm < S(-100) ? S(-100) : logarithm; }
  TENON_HOST_DEVICE static S value(const LossCall& call, S x, S y) {
    const S d = x - y, size = d < S(0) ? -d : d, bound = static_cast<S>(call.parameter);
    switch (call.what) {
      case Loss::Squared: return d * d;
      case Loss::SmoothL1: return size < bound ? S(0.5) * size * size / bound : size - S(0.5) * bound;
      case Loss::Huber: return size <= bound ? S(0.5) * size * size : bound * (size - S(0.5) * bound);
      case Loss::SoftMargin: return std::log1p(std::exp(-x * y));
      default: return (y - S(1)) * bounded(std::log1p(-x)) - y * bounded(std::log(x));
    }
  }
  TENON_HOST_DEVICE static S slope(const LossCall& call, S x, S y) {
    const S d = x - y, bound = static_cast<S>(call.parameter), norm = static_cast<S>(call.norm);
    switch (call.what) {
      case Loss::Squared: return S(2) * norm * d;
      case Loss::SmoothL1: return d <= -bound ? -norm : d >= bound ? norm : norm * d / bound;
      case Loss::Huber: return d <= -bound ? -norm * bound : d >= bound ? norm * bound : norm * d;
      case Loss::SoftMargin: {
        S z = std::exp(-x * y);
        return z > std::numeric_limits<S>::max() ? -norm * y : -norm * y * z / (S(1) + z);
      }
      default: {
        S spread = (S(1) - x) * x, least = S(1e-12);
        return norm * d / (spread < least ? least : spread);
      }
    }
  }
};

/// The class of a row, or below zero for one that is ignored or none, which is told.
TENON_HOST_DEVICE inline std::int64_t class_of(const LikelihoodCall& c, std::int64_t row) {
  std::int64_t k = c.target[row];
  if (k == c.ignored) return -1;
  if (k >= 0 && k < c.classes) return k;
  *c.fault = 1 + row;  // any of them will do
  return -1;
}
template <class T>
TENON_HOST_DEVICE sum_t<T> class_weight(const LikelihoodCall& c, std::int64_t k) {
  return c.weight ? static_cast<sum_t<T>>(static_cast<const T*>(c.weight)[k]) : sum_t<T>(1);
}
template <class T>
struct likelihood_of_rows {
  using S = sum_t<T>;
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const LikelihoodCall& c) const {
    each_of_grid(lane, c.n, [&](std::int64_t row) {
      std::int64_t k = class_of(c, row);
      S x = k < 0 ? S(0) : -static_cast<S>(static_cast<const T*>(c.in)[row * c.classes + k]) * class_weight<T>(c, k);
      static_cast<T*>(c.out)[row] = static_cast<T>(x);
    });
  }
};
/// One block for all rows.
template <class T>
struct likelihood_of_all {
  using S = sum_t<T>;
  static constexpr unsigned kMostLanes = kRowLanes;
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const LikelihoodCall& c) const {
    auto& memory = lane.template shared<RowMemory<S>>();
    S loss = 0, weight = 0;
    each_of_block(lane, c.n, [&](std::int64_t row) {
      std::int64_t k = class_of(c, row);
      if (k < 0) return;
      S w = class_weight<T>(c, k);
      loss -= static_cast<S>(static_cast<const T*>(c.in)[row * c.classes + k]) * w;
      weight += w;
    });
    loss = sum_for_all(lane, loss, memory);
    weight = sum_for_all(lane, weight, memory);
    if (lane.thread() != 0) return;
    *static_cast<T*>(c.out) = static_cast<T>(c.mean ? loss / weight : loss);
    *static_cast<T*>(c.total_weight) = static_cast<T>(weight);
  }
};
template <class T>
struct likelihood_back_to_rows {
  using S = sum_t<T>;
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const LikelihoodCall& c) const {
    each_of_grid(lane, c.n, [&](std::int64_t row) {
      std::int64_t k = class_of(c, row);
      if (k < 0) return;
      S grad = static_cast<S>(static_cast<const T*>(c.grad)[c.each ? row : 0]);
      if (c.mean) grad /= static_cast<S>(*static_cast<const T*>(c.total));
      static_cast<T*>(c.out)[row * c.classes + k] = static_cast<T>(-class_weight<T>(c, k) * grad);
    });
  }
};

}  // namespace tenon::cuda
