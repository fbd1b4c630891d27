// Batching rules of steps of optimisers, bags of embeddings and assertions, and where those of counts in bins are
// entered.
#pragma once
#include <utility>

#include <tenon/base/body.hpp>
#include <tenon/func/batching_products.hpp>
#include <tenon/func/batching_steps.hpp>
#include <tenon/func/detail/batching_bins.hpp>
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
  Tensor indices = behind_each_other(c, rows_of(c.expanded(1)), rows);
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
