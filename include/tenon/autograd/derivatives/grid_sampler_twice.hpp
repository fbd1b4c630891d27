// The derivative of the gradients of sampling at the points of a grid.
#pragma once
#include <tuple>
#include <vector>

#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/axes.hpp>
#include <tenon/ops/bits.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/grid_sampler.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/join.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::ops::derivatives {

/// For every point of a grid an element along one axis, with its weight in the sampled value and that weight's first
/// and second derivative by the point's coordinate. Weights outside are zero.
struct GridTap {
  Tensor at, weight, slope, bend;
};
/// One axis of an image: how coordinates become elements.
struct GridAxisOf {
  std::int64_t size, mode, padding;
  bool align_corners;

  /// The taps for coordinates from -1 to 1. Places are constant, weights follow the coordinates.
  std::vector<GridTap> taps(const Tensor& coordinate) const {
    double n = static_cast<double>(size), scale = (align_corners ? n - 1 : n) / 2;
    Tensor fixed = detach(coordinate), change = sub(coordinate, fixed);
    Tensor at = align_corners ? mul(div(add(fixed, 1), 2), n - 1) : div(sub(mul(add(fixed, 1), n), 1), 2);
    Tensor rate = full_like(at, scale), none = zeros_like(at);
    std::vector<GridTap> list;
    if (mode == 2) {
      Tensor low = floor(at), part = add(sub(at, low), mul(change, scale));
      for (std::int64_t k = 0; k < 4; ++k) {
        Tensor place = add(low, k - 1), unused = rate;
        pad(place, unused);
        // The distance from the tap, and its sign by the coordinate.
        double to = k < 2 ? 1 : -1;
        Tensor d = k < 2 ? Tensor(add(part, 1 - k)) : Tensor(rsub(part, k - 1));
        bool near = k == 1 || k == 2;
        double a = -0.75;
        Tensor weight = near ? add(mul(sub(mul(d, a + 2), a + 3), mul(d, d)), 1)
                             : sub(mul(add(mul(sub(mul(d, a), 5 * a), d), 8 * a), d), 4 * a);
        Tensor slope =
            near ? mul(sub(mul(d, 3 * (a + 2)), 2 * (a + 3)), d) : add(mul(sub(mul(d, 3 * a), 10 * a), d), 8 * a);
        Tensor bend = near ? sub(mul(d, 6 * (a + 2)), 2 * (a + 3)) : sub(mul(d, 6 * a), 10 * a);
        list.push_back(tap(place, weight, mul(slope, to * scale), mul(bend, scale * scale)));
      }
      return list;
    }
    pad(at, rate);
    if (mode == 1) return {tap(round(at), ones_like(at), none, none)};
    Tensor low = floor(at), part = add(sub(at, low), mul(change, rate));
    return {tap(low, rsub(part, 1), neg(rate), none), tap(add(low, 1), part, rate, none)};
  }

 private:
  /// Brings places into the image by the padding; `rate` becomes how they change with the coordinate.
  void pad(Tensor& at, Tensor& rate) const {
    double last = static_cast<double>(size - 1);
    if (padding == 2) {
      double low = align_corners ? 0 : -0.5, span = align_corners ? last : last + 1;
      if (span == 0) {
        at = zeros_like(at), rate = zeros_like(rate);
      } else {
        Tensor y = sub(at, low), before = lt(y, 0), x = abs(y), rest = fmod(x, span);
        Tensor odd = ne(fmod(floor(div(x, span)), 2), 0);
        at = add(where(odd, rsub(rest, span), rest), low);
        rate = where(ne(before, odd), neg(rate), rate);
      }
    }
    if (padding != 0) {
      rate = where(logical_or(le(at, 0), ge(at, last)), zeros_like(rate), rate);
      at = clamp(at, 0, last);
    }
    // What no integer holds lies outside.
    at = where(logical_and(gt(at, -1e9), lt(at, 1e9)), at, full_like(at, -100));
  }
  GridTap tap(const Tensor& place, const Tensor& weight, const Tensor& slope, const Tensor& bend) const {
    Tensor at = to(place, kLong), inside = logical_and(ge(at, 0), lt(at, size));
    auto held = [&](const Tensor& t) { return Tensor(where(inside, t, zeros_like(t))); };
    return {clamp(at, 0, size - 1), held(weight), held(slope), held(bend)};
  }
};

/// The gradients of what grid_sampler_?d_backward gives, by grad_output, input and grid: all three are sums over the
/// taps of every point, whose weights are products along the axes.
class GridTwice {
 public:
  GridTwice(const Tensor& of_input, const Tensor& of_grid, const Tensor& grad, const Tensor& input, const Tensor& grid,
            std::int64_t mode, std::int64_t padding, bool align_corners)
      : dims_(static_cast<std::size_t>(input.dim() - 2)) {
    ScalarType own = input.dtype(), compute = own == kDouble ? kDouble : kFloat;
    std::int64_t n = input.size(0), channels = input.size(1), points = 1, plane = 1, stride = 1;
    for (std::size_t d = 0; d < dims_; ++d) {
      points *= grid.size(static_cast<std::int64_t>(d) + 1);
      plane *= input.size(static_cast<std::int64_t>(d) + 2);
    }
    auto flat = [&](const Tensor& t, std::int64_t last) {
      return t.defined() ? reshape(to(t, compute), {n, channels, last}) : Tensor();
    };
    x_ = flat(input, plane), step_ = flat(of_input, plane), grad_ = flat(grad, points);
    Tensor at = reshape(to(grid, compute), {n, points, input.dim() - 2});
    if (of_grid.defined()) {
      Tensor v = reshape(to(of_grid, compute), {n, points, input.dim() - 2});
      for (std::size_t d = 0; d < dims_; ++d) moves_.push_back(select(v, 2, static_cast<std::int64_t>(d)));
    }
    for (std::size_t d = 0; d < dims_; ++d) {
      std::int64_t size = input.size(input.dim() - 1 - static_cast<std::int64_t>(d));
      GridAxisOf axis{size, mode, padding, align_corners};
      taps_.push_back(axis.taps(select(at, 2, static_cast<std::int64_t>(d))));
      strides_.push_back(stride);
      stride *= size;
    }
    by_grid_.resize(dims_);
    std::vector<const GridTap*> chosen(dims_);
    each_tap(chosen, 0);
    grad_output = to(reshape(by_grad_, grad.sizes()), own);
    by_input = by_input_.defined() ? to(reshape(by_input_, input.sizes()), own) : zeros_like(input);
    std::vector<Tensor> columns;
    for (const Tensor& t : by_grid_) columns.push_back(t);
    by_points = to(reshape(stack(columns, -1), grid.sizes()), own);
  }
  Tensor grad_output, by_input, by_points;

 private:
  static void accumulate(Tensor& sum, const Tensor& part) { sum = sum.defined() ? add(sum, part) : part; }
  void each_tap(std::vector<const GridTap*>& chosen, std::size_t axis) {
    if (axis == dims_) return add_tap(chosen);
    for (const GridTap& t : taps_[axis]) {
      chosen[axis] = &t;
      each_tap(chosen, axis + 1);
    }
  }
  /// The product of weights along the axes, by the coordinates `k` and `l` differentiated (-1: not).
  Tensor product(const std::vector<const GridTap*>& taps, int k, int l) const {
    Tensor all;
    for (std::size_t d = 0; d < dims_; ++d) {
      int times = (static_cast<int>(d) == k) + (static_cast<int>(d) == l);
      const Tensor& t = times == 0 ? taps[d]->weight : times == 1 ? taps[d]->slope : taps[d]->bend;
      all = all.defined() ? mul(all, t) : t;
    }
    return all;
  }
  void add_tap(const std::vector<const GridTap*>& taps) {
    Tensor place;
    for (std::size_t d = 0; d < dims_; ++d) accumulate(place, mul(taps[d]->at, strides_[d]));
    place = expand(unsqueeze(place, 1), grad_.sizes());
    auto wide = [](const Tensor& t) { return unsqueeze(t, 1); };
    int n = static_cast<int>(dims_);
    Tensor moved, value = gather(x_, 2, place);
    if (!moves_.empty()) {
      for (int l = 0; l < n; ++l) accumulate(moved, mul(moves_[static_cast<std::size_t>(l)], product(taps, l, -1)));
      accumulate(by_grad_, mul(value, wide(moved)));
      if (!by_input_.defined()) by_input_ = zeros_like(x_);
      by_input_ = scatter_add(by_input_, 2, place, mul(grad_, wide(moved)));
    }
    Tensor step;
    if (step_.defined()) {
      step = gather(step_, 2, place);
      accumulate(by_grad_, mul(step, wide(product(taps, -1, -1))));
      step = sum(mul(grad_, step), {1});
    }
    Tensor weighted = sum(mul(grad_, value), {1});
    for (int k = 0; k < n; ++k) {
      Tensor& to = by_grid_[static_cast<std::size_t>(k)];
      if (step.defined()) accumulate(to, mul(step, product(taps, k, -1)));
      if (moves_.empty()) continue;
      for (int l = 0; l < n; ++l)
        accumulate(to, mul(mul(weighted, moves_[static_cast<std::size_t>(l)]), product(taps, k, l)));
    }
  }

  std::size_t dims_;
  Tensor x_, step_, grad_, by_grad_, by_input_;
  std::vector<Tensor> moves_, by_grid_;
  std::vector<std::vector<GridTap>> taps_;
  std::vector<std::int64_t> strides_;
};

inline std::tuple<Tensor, Tensor, Tensor> grid_sampler_twice(const Tensor& of_input, const Tensor& of_grid,
                                                             const Tensor& grad, const Tensor& input,
                                                             const Tensor& grid, std::int64_t mode,
                                                             std::int64_t padding, bool align_corners) {
  if (!of_input.defined() && !of_grid.defined()) return {};
  GridTwice all(of_input, of_grid, grad, input, grid, mode, padding, align_corners);
  // Of nearest elements no gradient depends on the input.
  return {all.grad_output, mode == 1 ? Tensor() : all.by_input, all.by_points};
}

}  // namespace tenon::ops::derivatives
