// An operator without a batching rule, called once for each example.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include <tenon/func/batching.hpp>
#include <tenon/func/batching_forms.hpp>
#include <tenon/func/detail/randomness.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/join.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::func::detail {

/// A value for example `i`.
inline Value example_of(const Value& given, const Level& level, std::int64_t i) {
  return map_tensors(given,
                     [&](const Tensor& t) { return belongs(t, level) ? ops::select(level_impl(t).value, 0, i) : t; });
}

/// What the results of every example are together.
inline Value stacked(const SchemaView& s, std::vector<Value>& results) {
  const Value& first = results[0];
  if (first.is_list()) {
    std::vector<Value> items;
    for (std::size_t k = 0; k < first.to_list().size(); ++k) {
      std::vector<Value> each;
      for (const Value& r : results) each.push_back(r.to_list().at(k));
      items.push_back(stacked(s, each));
    }
    return Value::list(std::move(items), ValueKind::Tensor);
  }
  if (first.is_none()) return first;
  if (!first.is_tensor())
    fail<BatchError>("vmap: ", s.operator_name(), "(): a result is no tensor, and only tensors can be batched");
  std::vector<Tensor> tensors;
  for (const Value& r : results) tensors.push_back(r.to_tensor());
  if (!tensors[0].defined()) return first;
  for (const Tensor& t : tensors)
    if (t.sizes() != tensors[0].sizes())
      fail<BatchError>("vmap: ", s.operator_name(), "(): the examples' results differ in size: ", tensors[0].sizes(),
                       " and ", t.sizes());
  return ops::stack(tensors);
}

/// One call for each example.
inline void loop_rule(BatchedCall& c, Stack& results) {
  const SchemaView& s = c.schema();
  TENON_CHECK(c.size() > 0, ValueError, "vmap: ", s.operator_name(),
              "(): expected at least one example, got a batch of none; this operator runs once for each");
  std::vector<std::vector<Value>> all(s.n_returns());
  SameNumbers numbers(c.level.randomness == Randomness::Same);
  for (std::int64_t i = 0; i < c.size(); ++i) {
    if (i > 0) numbers.again();
    Stack call;
    std::vector<Tensor> given, written;
    for (std::size_t k = 0; k < c.given.size(); ++k) {
      Value example = example_of(c.given[k], c.level, i);
      // Memory that an operator may resize is no part of that of all examples.
      if (s.is_out(k))
        example = map_tensors(example, [&](const Tensor& t) {
          given.push_back(t);
          return written.emplace_back(ops::clone(t));
        });
      call.push_back(std::move(example));
    }
    c.op.call_boxed(call);
    for (std::size_t k = 0; k < given.size(); ++k) {
      if (written[k].sizes() != given[k].sizes())
        fail<BatchError>("vmap: ", s.operator_name(), "(): expected memory of ", written[k].sizes(),
                         " for the result of each example, got ", given[k].sizes(),
                         ", which cannot change its size for one of them; make it of that size");
      ops::copy_(given[k], written[k]);
    }
    for (std::size_t r = 0; r < all.size(); ++r) all[r].push_back(std::move(call[r]));
  }
  for (std::size_t r = 0; r < all.size(); ++r)
    results.push_back(schema::written_argument(s, r) >= 0 ? Value() : stacked(s, all[r]));
}

}  // namespace tenon::func::detail
