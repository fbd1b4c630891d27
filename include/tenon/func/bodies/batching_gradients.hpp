// Batching rules of gradients of losses, layers, convolution and views.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/func/batching_gradients.hpp>
#include <tenon/func/batching_products.hpp>
#include <tenon/func/detail/rule_table.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/axes.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::func::detail {

inline Value mask_of(bool first, bool second, bool third) {
  return Value::list({Value(first), Value(second), Value(third)}, ValueKind::Bool);
}
inline Tensor summed(const Tensor& t, const DimVector& dims) {
  return dims.empty() ? t : Tensor(ops::sum(t, IntArrayRef(dims)));
}

/// By the gradient of the elementwise loss: each example's result is their sum or mean.
inline bool loss_gradient_rule(BatchedCall& c, Stack& results) {
  auto at = static_cast<std::size_t>(c.schema().find_argument("reduction"));
  std::int64_t reduction = c.given[at].to_int();
  const Tensor &self = c.given[1].to_tensor(), &target = c.given[2].to_tensor();
  if (self.sizes() != target.sizes()) return false;
  Stack call = c.physical;
  for (std::size_t i = 1; i < at; ++i)
    if (given_tensor(c, i)) call[i] = i < 3 ? c.expanded(i) : ranked(c, i, self.dim());
  Tensor grad = c.expanded(0);
  while (grad.dim() - 1 < self.dim()) grad = ops::unsqueeze(grad, 1);
  if (reduction == 1) grad = ops::div(grad, self.numel());
  call[0] = ops::expand_as(grad, call[1].to_tensor());
  call[at] = Value(std::int64_t{0});
  return c.answer(std::move(call), results);
}

/// Of (C) and (), of (N, C) and (N) or of (N, C, H, W) and (N, H, W): minus the weight at the place of the target.
inline bool nll_gradient_rule(BatchedCall& c, Stack& results) {
  std::int64_t rank = rank_of(c, 1), reduction = c.given[4].to_int();
  bool plane = c.schema().base_name() == "nll_loss2d_backward";
  if (plane ? rank != 4 : rank > 2 || rank == 0) return false;
  if (c.batched(3) || rank_of(c, 2) != rank - 1) return false;
  Tensor target = c.expanded(2), counts = ops::ne(target, c.given[5].to_int());
  Tensor safe = ops::mul(target, counts), grad = ranked(c, 0, rank - 1);
  // The total weight does not depend on the input: recorded, it would ask its loss for a gradient that is none.
  if (reduction == 1) grad = ops::div(grad, ops::detach(ranked(c, 6, rank - 1)));
  Tensor weight = ops::to(counts, grad.dtype());
  if (given_tensor(c, 3))
    weight = ops::mul(
        ops::unflatten(ops::index_select(c.physical[3].to_tensor(), 0, ops::reshape(safe, {-1})), 0, safe.sizes()),
        weight);
  Tensor at_target = ops::neg(ops::where(counts, ops::mul(grad, weight), ops::zeros_like(weight)));
  Tensor none = ops::zeros_like(c.expanded(1));
  if (plane) none = ops::movedim(none, 2, -1);
  Tensor out = ops::scatter(none, -1, ops::unsqueeze(safe, -1), ops::unsqueeze(at_target, -1));
  results = {Value(plane ? ops::movedim(out, -1, 2) : out)};
  return true;
}

/// Statistics are of channels or of groups of them: the examples' channels stand side by side.
inline bool channels_gradient_rule(BatchedCall& c, Stack& results) {
  bool groups = c.schema().base_name() == "native_group_norm_backward";
  const Tensor& example = c.given[1].to_tensor();
  // For groups the numbers tell the geometry, whatever dimensions the input has.
  std::int64_t b = c.size(), channels = groups ? c.given[6].to_int() : example.size(1);
  bool plain = !groups || (example.dim() >= 2 && example.size(0) == c.given[5].to_int() && example.size(1) == channels);
  Stack call = c.physical;
  for (std::size_t i = 0; i < call.size(); ++i) {
    if (!given_tensor(c, i)) continue;
    Tensor t = c.expanded(i);
    if (!plain && i < 2) t = ops::reshape(t, {b, c.given[5].to_int(), channels, c.given[7].to_int()});
    call[i] = t.dim() > 2 ? flattened(ops::movedim(t, 0, 1), 1, 2) : flattened(t, 0, 1);
  }
  if (groups)
    for (std::size_t i : {6u, 8u}) call[i] = Value(c.given[i].to_int() * b);
  c.op.call_boxed(call);
  for (std::size_t i = 0; i < call.size(); ++i) {
    if (!call[i].is_tensor() || !call[i].to_tensor().defined()) continue;
    const Tensor& t = call[i].to_tensor();
    call[i] = i == 0 ? ops::movedim(ops::unflatten(t, 1, {b, channels}), 1, 0) : ops::unflatten(t, 0, {b, channels});
  }
  if (!plain && call[0].is_tensor() && call[0].to_tensor().defined())
    call[0] = ops::reshape(call[0].to_tensor(), c.expanded(1).sizes());
  results = std::move(call);
  return true;
}

inline bool rms_norm_gradient_rule(BatchedCall& c, Stack& results) {
  std::int64_t rank = rank_of(c, 1);
  auto outer = rank - static_cast<std::int64_t>(c.given[2].to_list().size());
  const std::vector<Value> mask = c.given[5].to_list();
  Tensor grad = c.expanded(0), x = c.expanded(1), rstd = c.expanded(3);
  results.assign(2, Value(Tensor()));
  if (mask[0].to_bool()) {
    Tensor weighted = given_tensor(c, 4) ? Tensor(ops::mul(grad, ranked(c, 4, rank))) : grad;
    std::vector<Value> only{Value(true), Value(false)};
    Stack call{Value(weighted), Value(x), c.given[2], Value(rstd), Value(), Value::list(only, ValueKind::Bool)};
    c.op.call_boxed(call);
    results[0] = call[0];
  }
  DimVector dims;
  for (std::int64_t d = 1; d <= outer; ++d) dims.push_back(d);
  if (mask[1].to_bool() && given_tensor(c, 4)) results[1] = summed(ops::mul(grad, ops::mul(x, rstd)), dims);
  return true;
}

inline bool layer_norm_gradient_rule(BatchedCall& c, Stack& results) {
  std::int64_t rank = rank_of(c, 1);
  auto outer = rank - static_cast<std::int64_t>(c.given[2].to_list().size());
  const std::vector<Value> mask = c.given[7].to_list();
  Tensor grad = c.expanded(0), x = c.expanded(1), mean = c.expanded(3), rstd = c.expanded(4);
  results.assign(3, Value(Tensor()));
  if (mask[0].to_bool()) {
    Tensor weighted = given_tensor(c, 5) ? Tensor(ops::mul(grad, ranked(c, 5, rank))) : grad;
    Stack call{Value(weighted), Value(x), c.given[2], Value(mean),
               Value(rstd),     Value(),  Value(),    mask_of(true, false, false)};
    c.op.call_boxed(call);
    results[0] = call[0];
  }
  DimVector dims;
  for (std::int64_t d = 1; d <= outer; ++d) dims.push_back(d);
  if (mask[1].to_bool() && given_tensor(c, 5))
    results[1] = summed(ops::mul(grad, ops::mul(ops::sub(x, mean), rstd)), dims);
  if (mask[2].to_bool() && given_tensor(c, 6)) results[2] = summed(grad, dims);
  return true;
}

/// Examples of images are images; where weights are those of an example, or their gradients are, examples are groups.
inline bool convolution_gradient_rule(BatchedCall& c, Stack& results) {
  std::int64_t n = c.given[1].to_tensor().size(0), b = c.size();
  if (rank_of(c, 1) != rank_of(c, 2) || n == 0) return false;
  const std::vector<Value> mask = c.given[10].to_list();
  results.assign(3, Value(Tensor()));
  if (mask[2].to_bool()) {
    DimVector dims{1};
    for (std::int64_t d = 3; d <= rank_of(c, 0); ++d) dims.push_back(d);
    results[2] = summed(c.expanded(0), dims);
  }
  if (!mask[0].to_bool() && !mask[1].to_bool()) return true;
  Stack call = c.physical;
  call[3] = Value();
  bool groups = c.batched(2) || mask[1].to_bool();
  call[10] = mask_of(mask[0].to_bool(), mask[1].to_bool(), false);
  for (std::size_t i : {0u, 1u})
    call[i] = groups ? flattened(ops::transpose(c.expanded(i), 0, 1), 1, 2) : flattened(c.expanded(i), 0, 1);
  if (groups) {
    call[2] = flattened(c.expanded(2), 0, 1);
    call[9] = Value(c.given[9].to_int() * b);
  }
  c.op.call_boxed(call);
  if (mask[0].to_bool())
    results[0] = groups
                     ? ops::transpose(ops::unflatten(call[0].to_tensor(), 1, {b, c.given[1].to_tensor().size(1)}), 0, 1)
                     : ops::unflatten(call[0].to_tensor(), 0, {b, n});
  if (mask[1].to_bool()) results[1] = ops::unflatten(call[1].to_tensor(), 0, {b, c.given[2].to_tensor().size(0)});
  return true;
}

/// Rows of one table for all examples: those of an example follow those of the one before.
inline Tensor places_of_examples(const BatchedCall& c, std::size_t i, std::int64_t rows) {
  Tensor at = c.expanded(i);
  Tensor first = ops::arange(0, c.size() * rows, rows, "dtype"_a = at.dtype(), "device"_a = at.device());
  while (first.dim() < at.dim()) first = ops::unsqueeze(first, -1);
  return ops::add(at, first);
}
inline bool embedding_gradient_rule(BatchedCall& c, Stack& results) {
  std::int64_t rows = c.given[2].to_int(), padding = c.given[3].to_int();
  Stack call = c.physical;
  Tensor grad = c.expanded(0);
  if (padding >= 0) {
    if (c.given[4].to_bool()) return false;
    Tensor kept = ops::ne(c.expanded(1), padding);
    grad = ops::mul(grad, ops::unsqueeze(kept, -1));
  }
  call[0] = grad;
  call[1] = places_of_examples(c, 1, rows);
  call[2] = Value(rows * c.size());
  call[3] = Value(std::int64_t{-1});
  c.op.call_boxed(call);
  results = {Value(ops::unflatten(call[0].to_tensor(), 0, {c.size(), rows}))};
  return true;
}
/// A table for each example.
inline bool table_rule(BatchedCall& c, Stack& results) {
  if (!c.batched(0)) {
    Stack call = c.physical;
    return c.answer(std::move(call), results);
  }
  std::int64_t rows = c.given[0].to_tensor().size(0);
  // A row whose gradient is none is not the same for all.
  if (c.given[2].to_int() >= 0 || c.given[3].to_bool() || rows == 0) return false;
  Stack call = c.physical;
  call[0] = flattened(call[0].to_tensor(), 0, 1);
  call[1] = places_of_examples(c, 1, rows);
  return c.answer(std::move(call), results);
}

/// Gradients of views, and values written into views: sizes and dimensions are those of an example.
inline bool view_gradient_rule(BatchedCall& c, Stack& results) {
  const SchemaView& s = c.schema();
  Stack call = c.physical;
  std::int64_t rank = rank_of(c, 0);
  for (std::size_t i = 1; i < call.size(); ++i)
    if (s.arg_name(i) == "input_sizes") {
      std::vector<Value> sizes = c.given[i].to_list();
      rank = static_cast<std::int64_t>(sizes.size());
      sizes.insert(sizes.begin(), Value(c.size()));
      call[i] = Value::list(std::move(sizes), ValueKind::Int);
    }
  std::string_view name = s.base_name();
  bool scatter = name.ends_with("scatter"), drops = name.starts_with("select") || name.starts_with("diagonal");
  // What is smaller than the view is spread over it.
  if (rank == 0 || rank_of(c, scatter) != rank + name.starts_with("unfold") - drops) return false;
  for (std::size_t i = 0; i < call.size(); ++i) {
    if (call[i].is_tensor()) call[i] = c.expanded(i);
    std::string_view arg = s.arg_name(i);
    if (arg == "dim" || arg == "dim1" || arg == "dim2")
      call[i] = Value(static_cast<std::int64_t>(wrap_dim(c.given[i].to_int(), rank)) + 1);
  }
  return c.answer(std::move(call), results);
}

TENON_COLD_BODY void add_gradient_rules() {
  auto& rules = RuleTable<BatchingRule>::get();
  rules.add_all(&loss_gradient_rule,
                "mse_loss_backward binary_cross_entropy_backward huber_loss_backward smooth_l1_loss_backward "
                "soft_margin_loss_backward");
  rules.add_all(&nll_gradient_rule, "nll_loss_backward nll_loss2d_backward");
  rules.add_all(&channels_gradient_rule, "native_batch_norm_backward native_group_norm_backward");
  rules.add_all(&rms_norm_gradient_rule, "_fused_rms_norm_backward");
  rules.add_all(&layer_norm_gradient_rule, "native_layer_norm_backward");
  rules.add_all(&convolution_gradient_rule, "convolution_backward");
  rules.add_all(&embedding_gradient_rule, "embedding_dense_backward");
  rules.add_all(&table_rule, "embedding");
  rules.add_all(&view_gradient_rule,
                "slice_backward select_backward diagonal_backward unfold_backward slice_scatter select_scatter "
                "diagonal_scatter");
}

}  // namespace tenon::func::detail
