// Batching rules of steps of optimisers, bags of embeddings, counts in bins, and assertions.
#pragma once
#include <cmath>
#include <optional>
#include <utility>

#include <tenon/base/body.hpp>
#include <tenon/func/batching_products.hpp>
#include <tenon/func/batching_steps.hpp>
#include <tenon/func/detail/rule_table.hpp>
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
#include <tenon/ops/pad.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/search.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::func::detail {

// ---- lists of parameters

/// The parameters of all examples are as many parameters, each with a state and a count of steps of its own.
inline bool step_rule(BatchedCall& c, Stack& results) {
  Stack call = c.physical;
  for (std::size_t i = 0; i < call.size(); ++i) {
    if (!c.given[i].is_list()) {
      if (c.batched(i)) return false;  // a rate, or a scale, that differs from example to example
      continue;
    }
    const std::vector<Value> given = c.given[i].to_list(), physical = c.physical[i].to_list();
    std::vector<Value> all;
    for (std::int64_t b = 0; b < c.size(); ++b)
      for (std::size_t k = 0; k < given.size(); ++k) {
        bool own = given[k].is_tensor() && belongs(given[k].to_tensor(), c.level);
        all.push_back(own ? Value(ops::select(physical[k].to_tensor(), 0, b)) : physical[k]);
      }
    call[i] = Value::list(std::move(all), c.given[i].element_kind());
  }
  c.op.call_boxed(call);
  for (Value& v : call) {
    const std::vector<Value> all = v.to_list();
    std::size_t n = all.size() / static_cast<std::size_t>(c.size());
    std::vector<Value> lists;
    for (std::size_t k = 0; k < n; ++k) {
      std::vector<Tensor> each;
      for (std::size_t at = k; at < all.size(); at += n) each.push_back(all[at].to_tensor());
      lists.emplace_back(ops::stack(each));
    }
    v = Value::list(std::move(lists), ValueKind::Tensor);
  }
  results = std::move(call);
  return true;
}

// ---- bags of rows of a table

/// Numbers of each example behind those of the examples before it, of which each has `step`.
inline Tensor behind_each_other(const BatchedCall& c, const Tensor& numbers, std::int64_t step) {
  if (step == 0) return numbers;
  Tensor before =
      ops::arange(std::int64_t{0}, c.size() * step, step, "dtype"_a = numbers.dtype(), "device"_a = numbers.device());
  return ops::add(numbers, ops::reshape(before, {c.size(), 1}));
}
/// Rows of one long table; those of the padding stay one row.
inline Tensor rows_behind_each_other(const BatchedCall& c, std::size_t i, std::int64_t rows, std::int64_t padding) {
  Tensor given = c.expanded(i), all = behind_each_other(c, given, rows);
  if (padding >= 0) all = ops::where(ops::eq(given, padding), given, all);
  return flattened(all, 0, 1);
}
/// One more bag of each example, with nothing in it.
inline Tensor with_an_empty_bag(const Tensor& t, std::int64_t value) {
  std::vector<std::int64_t> widths(static_cast<std::size_t>(2 * (t.dim() - 1)), 0);
  widths.back() = 1;
  return ops::constant_pad_nd(t, IntArrayRef(widths), value);
}

/// The bags of all examples one behind another. What lies behind the last offset, where that is given, is one more bag
/// of each, which nobody sees.
inline bool bag_rule(BatchedCall& c, Stack& results) {
  constexpr std::int64_t kSum = 0, kMax = 2;
  if (rank_of(c, 0) != 2 || rank_of(c, 1) != 1 || rank_of(c, 2) != 1) return false;
  const Tensor &weight = c.given[0].to_tensor(), &indices = c.given[1].to_tensor(), &offsets = c.given[2].to_tensor();
  std::int64_t n = indices.numel(), bags = offsets.numel(), mode = c.given[4].to_int(), padding = c.given[8].to_int();
  bool last = c.given[7].to_bool(), own = c.batched(0), weighted = given_tensor(c, 6);
  if (n == 0 || bags <= (last ? 1 : 0) || indices.dtype() != offsets.dtype()) return false;
  std::int64_t rows = own ? weight.size(0) : 0, seen = last ? bags - 1 : bags;
  Stack call = c.physical;
  if (own) call[0] = flattened(call[0].to_tensor(), 0, 1);
  call[1] = rows_behind_each_other(c, 1, rows, padding);
  call[2] = flattened(behind_each_other(c, c.expanded(2), n), 0, 1);
  if (weighted) call[6] = flattened(c.expanded(6), 0, 1);
  call[7] = Value(false);
  c.op.call_boxed(call);
  // Sums without gradients count a bag for each offset.
  std::int64_t counted = mode == kSum && c.schema().base_name().ends_with("forward_only") ? bags : seen;
  auto of_bags = [&](const Value& v, std::int64_t kept) {
    return Tensor(ops::narrow(ops::unflatten(v.to_tensor(), 0, {c.size(), bags}), 1, 0, kept));
  };
  Tensor bag_of = call[1].to_tensor(), sizes = of_bags(call[2], counted), places = of_bags(call[3], counted);
  if (bag_of.numel() == 0)
    bag_of = ops::new_empty(bag_of, {c.size(), 0});
  else
    bag_of = behind_each_other(c, ops::unflatten(bag_of, 0, {c.size(), n}), -bags);
  if (mode == kMax && own) {
    Tensor of_example = flattened(places, 1, -1);
    of_example = ops::reshape(behind_each_other(c, of_example, -rows), places.sizes());
    places = ops::where(ops::eq(ops::unsqueeze(sizes, -1), 0), ops::zeros_like(places), of_example);
  }
  results = {Value(of_bags(call[0], seen)), Value(bag_of), Value(sizes), Value(places)};
  return true;
}
inline bool bag_gradient_rule(BatchedCall& c, Stack& results) {
  if (rank_of(c, 0) != 2 || rank_of(c, 1) != 1 || c.given[1].to_tensor().numel() == 0) return false;
  std::int64_t bags = c.given[0].to_tensor().size(0) + 1, rows = c.given[5].to_int(), padding = c.given[9].to_int();
  Stack call = c.physical;
  call[0] = flattened(with_an_empty_bag(c.expanded(0), 0), 0, 1);
  call[1] = rows_behind_each_other(c, 1, rows, padding);
  if (c.given[2].to_tensor().numel() > 0)
    call[2] = flattened(behind_each_other(c, c.expanded(2), bags), 0, 1);
  else
    call[2] = flattened(c.expanded(2), 0, 1);
  call[3] = flattened(with_an_empty_bag(c.expanded(3), 1), 0, 1);
  Tensor places = c.expanded(4);
  if (places.dim() == 3) {
    Tensor all = ops::reshape(behind_each_other(c, flattened(places, 1, 2), rows), places.sizes());
    call[4] = flattened(with_an_empty_bag(all, 0), 0, 1);
  } else {
    call[4] = flattened(places, 0, 1);
  }
  call[5] = Value(rows * c.size());
  if (given_tensor(c, 8)) call[8] = flattened(c.expanded(8), 0, 1);
  c.op.call_boxed(call);
  results = {Value(ops::unflatten(call[0].to_tensor(), 0, {c.size(), rows}))};
  return true;
}
inline bool bag_weights_gradient_rule(BatchedCall& c, Stack& results) {
  if (rank_of(c, 0) != 2 || rank_of(c, 1) != 2 || rank_of(c, 2) != 1 || rank_of(c, 3) != 1) return false;
  std::int64_t bags = c.given[0].to_tensor().size(0), n = c.given[2].to_tensor().numel(), padding = c.given[6].to_int(),
               rows = c.batched(1) ? c.given[1].to_tensor().size(0) : 0;
  if (n == 0) return false;
  bool named = c.given[4].to_tensor().numel() > 0, more = named || c.given[3].to_tensor().numel() == bags + 1;
  Stack call = c.physical;
  call[0] = flattened(more ? with_an_empty_bag(c.expanded(0), 0) : c.expanded(0), 0, 1);
  if (rows > 0) call[1] = flattened(c.physical[1].to_tensor(), 0, 1);
  call[2] = rows_behind_each_other(c, 2, rows, padding);
  call[3] = flattened(behind_each_other(c, c.expanded(3), n), 0, 1);
  call[4] = named ? flattened(behind_each_other(c, c.expanded(4), bags + 1), 0, 1) : flattened(c.expanded(4), 0, 1);
  c.op.call_boxed(call);
  results = {Value(ops::unflatten(call[0].to_tensor(), 0, {c.size(), n}))};
  return true;
}

/// Rows that are looked up, brought down to a norm.
inline bool renorm_rule(BatchedCall& c, Stack& results) {
  if (rank_of(c, 0) != 2 || c.given[1].to_tensor().numel() == 0) return false;
  std::int64_t rows = c.given[0].to_tensor().size(0);
  Tensor indices = behind_each_other(c, ops::reshape(c.expanded(1), {c.size(), -1}), rows);
  Stack call = c.physical;
  call[0] = ops::clone(flattened(c.expanded(0), 0, 1));
  call[1] = flattened(indices, 0, 1);
  c.op.call_boxed(call);
  Tensor out = ops::unflatten(call[0].to_tensor(), 0, {c.size(), rows});
  if (c.schema().arg(0).write) {
    Tensor written = c.physical[0].to_tensor();
    ops::copy_(written, out);
  } else {
    results.emplace_back(std::move(out));
  }
  return true;
}

// ---- counts in bins

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
inline Tensor flat_examples(const BatchedCall& c, std::size_t i) { return ops::reshape(c.expanded(i), {c.size(), -1}); }
inline bool histc_rule(BatchedCall& c, Stack& results) {
  std::int64_t bins = c.given[1].to_int();
  double low = c.given[2].to_scalar().to_double(), high = c.given[3].to_scalar().to_double();
  if (!can_count(c) || bins <= 0 || !(low <= high) || !std::isfinite(low) || !std::isfinite(high)) return false;
  Tensor x = flat_examples(c, 0);
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
    return flat_examples(c, w);
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
  Tensor points = ops::unsqueeze(flat_examples(c, 0), 2);
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

// ---- what speaks of dimensions beside several tensors

/// A scan that writes what it is given.
inline bool scan_into_rule(BatchedCall& c, Stack& results) {
  std::int64_t rank = rank_of(c, 0);
  if (rank == 0 || rank_of(c, 1) != rank || rank_of(c, 2) != rank) return false;
  Stack call = c.physical;
  call[0] = c.expanded(0);
  call[3] = Value(static_cast<std::int64_t>(wrap_dim(c.given[3].to_int(), rank)) + 1);
  return c.answer(std::move(call), results);
}
inline bool joined_chunks_rule(BatchedCall& c, Stack& results) {
  Stack call = c.physical;
  std::vector<Value> tensors;
  for (std::size_t k = 0; k < c.given[0].to_list().size(); ++k) {
    BatchedCall one{c.op, c.level, {c.given[0].to_list()[k]}, {c.physical[0].to_list()[k]}};
    tensors.emplace_back(one.expanded(0));
  }
  if (c.given[1].to_int() < 0) return false;
  call[0] = Value::list(std::move(tensors), ValueKind::Tensor);
  call[1] = Value(c.given[1].to_int() + 1);
  return c.answer(std::move(call), results);
}
/// What has to hold for every example has to hold for all.
inline bool assertion_rule(BatchedCall& c, Stack& results) {
  if (c.given[0].to_tensor().numel() != 1) return false;
  Stack call = c.physical;
  call[0] = ops::all(ops::ne(c.physical[0].to_tensor(), 0));
  c.op.call_boxed(call);
  if (c.schema().n_returns() == 1) results = {Value(c.expanded(2))};
  return true;
}

TENON_COLD_BODY void add_step_rules() {
  auto& rules = RuleTable<BatchingRule>::get();
  rules.add_all(&step_rule,
                "_fused_sgd_ _fused_adagrad_ _fused_adam_ _fused_adamw_ _fused_sgd _fused_adagrad _fused_adam "
                "_fused_adamw");
  for (std::string_view name : {"rmsprop", "adadelta", "adamax", "nadam", "radam", "asgd", "rprop"})
    rules.add(concat("tenon::_fused_", name, "_"), &step_rule);
  rules.add_all(&bag_rule, "_embedding_bag _embedding_bag_forward_only");
  rules.add_all(&bag_gradient_rule, "_embedding_bag_dense_backward");
  rules.add_all(&bag_weights_gradient_rule, "_embedding_bag_per_sample_weights_backward");
  rules.add_all(&renorm_rule, "embedding_renorm embedding_renorm_");
  rules.add_all(&histc_rule, "histc");
  rules.add_all(&histogram_rule, "histogram.bin_ct histogram.bins_tensor");
  rules.add_all(&point_histogram_rule,
                "_histogramdd_bin_edges _histogramdd_from_bin_cts _histogramdd_from_bin_tensors");
  rules.add_all(&bincount_rule, "bincount");
  rules.add_all(&scan_into_rule, "_cummax_helper _cummin_helper");
  rules.add_all(&joined_chunks_rule, "_chunk_cat");
  rules.add_all(&assertion_rule, "_assert_async _functional_assert_async");
}

}  // namespace tenon::func::detail
