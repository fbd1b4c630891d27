// Batching rules of counts in bins.
#pragma once
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/func/batching_products.hpp>
#include <tenon/func/interpret.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/arrange.hpp>
#include <tenon/ops/axes.hpp>
#include <tenon/ops/bits.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/join.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/search.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::func::detail {

/// What is within the edges of each example, counted or weighed by the number of its bin; sums in double precision.
inline Tensor counted(const Tensor& within, const Tensor& bin, const Tensor& weight, std::int64_t bins) {
  Tensor at = ops::clamp(ops::to(ops::where(within, bin, ops::zeros_like(bin)), kLong), 0, bins - 1);
  Tensor one = weight.defined() ? Tensor(ops::to(weight, kDouble)) : Tensor(ops::ones_like(at, "dtype"_a = kDouble));
  one = ops::where(within, one, ops::zeros_like(one));
  return ops::scatter_add(ops::new_zeros(one, {at.size(0), bins}), 1, at, one);
}
inline Tensor between(const Tensor& x, const Tensor& first, const Tensor& last) {
  return ops::logical_and(ops::ge(x, first), ops::le(x, last));
}
/// The least and the greatest of each example, or what the caller says; nothing if one is not finite.
inline std::optional<std::pair<Tensor, Tensor>> outer_edges_of(const Tensor& x, double low, double high, double apart) {
  auto all = [&](double value) { return Tensor(ops::new_full(x, {x.size(0), 1}, value)); };
  Tensor first = all(low), last = all(high);
  if (low == high) {
    if (depth_of(x) > 0) return std::nullopt;  // values of levels further out cannot be looked at
    first = ops::amin(x, {1}, true);
    last = ops::amax(x, {1}, true);
    if (!ops::all(ops::isfinite(ops::add(first, last))).item<bool>()) return std::nullopt;
  }
  Tensor same = ops::eq(first, last);
  return std::pair(Tensor(ops::where(same, ops::sub(first, apart), first)),
                   Tensor(ops::where(same, ops::add(last, apart), last)));
}
inline bool can_count(const BatchedCall& c) {
  const Tensor& self = c.given[0].to_tensor();
  return (self.dtype() == kFloat || self.dtype() == kDouble) && self.numel() > 0;
}
inline bool histc_rule(BatchedCall& c, Stack& results) {
  std::int64_t bins = c.given[1].to_int();
  double low = c.given[2].to_scalar().to_double(), high = c.given[3].to_scalar().to_double();
  if (!can_count(c) || bins <= 0 || !(low <= high) || !std::isfinite(low) || !std::isfinite(high)) return false;
  Tensor x = rows_of(c.expanded(0));
  auto edges = outer_edges_of(x, low, high, 1);
  if (!edges) return false;
  const auto& [first, last] = *edges;
  Tensor bin = ops::div(ops::mul(ops::sub(x, first), bins), ops::sub(last, first));
  results = {Value(ops::to(counted(between(x, first, last), bin, Tensor(), bins), x.dtype()))};
  return true;
}
/// Edges at equal distances, counted from the nearer end, between the ends that entries `2 * coordinate` and the next
/// of `range` say; nothing if the operator would refuse them.
inline std::optional<Tensor> even_edges_of(const Tensor& x, std::int64_t bins, const Value& range,
                                           std::size_t coordinate) {
  double low = 0, high = 0;
  if (range.is_list()) {
    low = range.to_list()[2 * coordinate].to_double();
    high = range.to_list()[2 * coordinate + 1].to_double();
    if (!(low < high) || !std::isfinite(low) || !std::isfinite(high)) return std::nullopt;
  }
  auto ends = outer_edges_of(x, low, high, 0.5);
  if (bins <= 0 || !ends) return std::nullopt;
  const auto& [first, last] = *ends;
  Tensor step = ops::div(ops::sub(last, first), bins);
  auto numbers = [&](std::int64_t n) { return Tensor(ops::arange(n, "dtype"_a = x.dtype(), "device"_a = x.device())); };
  std::int64_t near = (bins + 1) / 2;
  return Tensor(ops::cat({Tensor(ops::add(first, ops::mul(step, numbers(near)))),
                          Tensor(ops::sub(last, ops::mul(step, ops::flip(numbers(bins + 1 - near), {0}))))},
                         1));
}
/// Points of each example, (examples, points, coordinates), in cells between the edges of each coordinate.
inline Tensor counted_points(const Tensor& points, const std::vector<Tensor>& edges, const Tensor& weight,
                             bool density) {
  Tensor within, cell;
  DimVector sizes{points.size(0)};
  for (std::size_t d = 0; d < edges.size(); ++d) {
    Tensor x = ops::contiguous(ops::select(points, 2, static_cast<std::int64_t>(d)));
    std::int64_t bins = edges[d].size(1) - 1;
    Tensor bin = ops::clamp(ops::sub(ops::searchsorted(edges[d], x, "right"_a = true), 1), 0, bins - 1),
           inside = between(x, ops::narrow(edges[d], 1, 0, 1), ops::narrow(edges[d], 1, bins, 1));
    within = d == 0 ? inside : Tensor(ops::logical_and(within, inside));
    cell = d == 0 ? bin : Tensor(ops::add(ops::mul(cell, bins), bin));
    sizes.push_back(bins);
  }
  std::int64_t cells = 1;
  for (std::size_t d = 1; d < sizes.size(); ++d) cells *= sizes[d];
  Tensor found = ops::reshape(counted(within, cell, weight, cells), IntArrayRef(sizes));
  if (density) {
    DimVector one(sizes.size(), 1);
    one[0] = sizes[0];
    found = ops::div(found, ops::reshape(ops::sum(ops::reshape(found, {sizes[0], -1}), {1}), IntArrayRef(one)));
    for (std::size_t d = edges.size(); d-- > 0;) {
      Tensor at = ops::to(edges[d], kDouble);
      DimVector along(sizes.size(), 1);
      along[0] = sizes[0];
      along[d + 1] = sizes[d + 1];
      Tensor width = ops::sub(ops::narrow(at, 1, 1, sizes[d + 1]), ops::narrow(at, 1, 0, sizes[d + 1]));
      found = ops::div(found, ops::reshape(width, IntArrayRef(along)));
    }
  }
  return ops::to(found, points.dtype());
}
/// The arguments of a histogram.
struct Histogram {
  const BatchedCall& c;
  const Value& argument(std::string_view name) const {
    return c.given[static_cast<std::size_t>(c.schema().find_argument(name))];
  }
  /// The weights of all points, (examples, points), undefined if there are none; nothing if they do not fit.
  std::optional<Tensor> weight(IntArrayRef of) const {
    auto w = static_cast<std::size_t>(c.schema().find_argument("weight"));
    if (!given_tensor(c, w)) return Tensor();
    const Tensor& t = c.given[w].to_tensor();
    if (t.sizes() != of || t.dtype() != c.given[0].to_tensor().dtype()) return std::nullopt;
    return rows_of(c.expanded(w));
  }
  /// The edges of each coordinate, of which `bins` has the number or which it is; nothing if the operator would refuse
  /// them.
  std::optional<std::vector<Tensor>> edges(const Tensor& points, const std::vector<Value>& bins) const {
    std::vector<Tensor> all;
    const Value none, &range = bins.empty() || bins[0].is_tensor() ? none : argument("range");
    if (range.is_list() && range.to_list().size() != 2 * bins.size()) return std::nullopt;
    for (std::size_t d = 0; d < bins.size(); ++d) {
      std::optional<Tensor> of;
      if (!bins[d].is_tensor()) {
        of = even_edges_of(ops::select(points, 2, static_cast<std::int64_t>(d)), bins[d].to_int(), range, d);
      } else if (const Tensor& t = bins[d].to_tensor(); t.dim() == 1 && t.numel() > 1 && t.dtype() == points.dtype()) {
        BatchedCall one{c.op, c.level, {bins[d]}, {belongs(t, c.level) ? Value(level_impl(t).value) : bins[d]}};
        of = ops::contiguous(one.expanded(0));
      }
      if (!of) return std::nullopt;
      all.push_back(*of);
    }
    return all;
  }
};
inline bool histogram_rule(BatchedCall& c, Stack& results) {
  if (!can_count(c)) return false;
  Histogram h{c};
  Tensor points = ops::unsqueeze(rows_of(c.expanded(0)), 2);
  auto weight = h.weight(c.given[0].to_tensor().sizes());
  auto edges = h.edges(points, {c.given[1]});
  if (!weight || !edges) return false;
  results = {Value(counted_points(points, *edges, *weight, h.argument("density").to_bool())), Value((*edges)[0])};
  return true;
}
inline bool point_histogram_rule(BatchedCall& c, Stack& results) {
  const Tensor& self = c.given[0].to_tensor();
  const std::vector<Value> bins = c.given[1].to_list();
  if (!can_count(c) || self.dim() < 2 || self.size(-1) != static_cast<std::int64_t>(bins.size())) return false;
  Histogram h{c};
  Tensor points = ops::reshape(c.expanded(0), {c.size(), -1, self.size(-1)});
  auto weight = h.weight(self.sizes().slice(0, self.sizes().size() - 1));
  auto edges = h.edges(points, bins);
  if (!weight || !edges) return false;
  if (c.schema().base_name() == "_histogramdd_bin_edges") {
    std::vector<Value> all(edges->begin(), edges->end());
    results = {Value::list(std::move(all), ValueKind::Tensor)};
  } else {
    results = {Value(counted_points(points, *edges, *weight, h.argument("density").to_bool()))};
  }
  return true;
}

/// Numbers that occur in each example, of which all have the same greatest.
inline bool bincount_rule(BatchedCall& c, Stack& results) {
  const Tensor& self = c.given[0].to_tensor();
  std::int64_t least = c.given[2].to_int();
  if (self.dim() != 1 || self.numel() == 0 || !is_integral_type(self.dtype(), false) || least < 0) return false;
  Tensor x = ops::to(c.expanded(0), kLong), weight, bins;
  if (depth_of(x) > 0) return false;  // values of levels further out cannot be looked at
  if (given_tensor(c, 1)) {
    const Tensor& w = c.given[1].to_tensor();
    if (w.sizes() != self.sizes()) return false;
    weight = w.dtype() == kFloat ? c.expanded(1) : Tensor(ops::to(c.expanded(1), kDouble));
    if (depth_of(weight) > 0) return false;
  } else {
    weight = ops::ones_like(x);
  }
  bins = ops::clamp_min(ops::add(ops::amax(x, {1}), 1), least);
  std::int64_t n = ops::max(bins).item<std::int64_t>();
  if (ops::min(bins).item<std::int64_t>() != n || ops::min(x).item<std::int64_t>() < 0) return false;
  results = {Value(ops::scatter_add(ops::new_zeros(weight, {c.size(), n}), 1, x, weight))};
  return true;
}

}  // namespace tenon::func::detail
