// Batching rules of sequences and segments, masks, distances, and of operators that are made of others.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/func/batching_products.hpp>
#include <tenon/func/batching_sequences.hpp>
#include <tenon/func/detail/rule_table.hpp>
#include <tenon/func/reverse.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/arrange.hpp>
#include <tenon/ops/axes.hpp>
#include <tenon/ops/bits.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/diagonal.hpp>
#include <tenon/ops/distance.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/join.hpp>
#include <tenon/ops/linalg.hpp>
#include <tenon/ops/pad.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/tensor/default_dtype.hpp>
#include <tenon/tensor/geometry.hpp>

namespace tenon::func::detail {

/// One kernel serves all back ends, and calls nothing but operators: it runs on tensors of the batch.
inline bool parts_rule(BatchedCall& c, Stack& results) {
  Stack call = c.given;
  try {
    OutsideGuard within(&c.level);
    c.op.redispatch_boxed(DispatchKey::CPU, call);
  } catch (const RandomnessError&) { throw; } catch (const Error&) {
    return false;
  }
  for (Value& v : call) v = map_tensors(v, [&](const Tensor& t) { return batch_of(t, c.level); });
  results = std::move(call);
  return true;
}

// ---- sequences

/// Losses of N sequences, which the examples are more of: of each the probabilities (T, N, C), labels and lengths.
inline bool sequence_loss_rule(BatchedCall& c, Stack& results) {
  const SchemaView& s = c.schema();
  auto at = static_cast<std::size_t>(s.find_argument("log_probs"));
  if (rank_of(c, at) != 3 || c.given[at].to_tensor().size(1) == 0) return false;
  std::int64_t n = c.given[at].to_tensor().size(1);
  Stack call = c.physical;
  for (std::size_t i = 0; i < call.size(); ++i) {
    if (i == at) {
      call[i] = flattened(ops::movedim(c.expanded(i), 0, 1), 1, 2);
    } else if (call[i].is_tensor()) {
      if (rank_of(c, i) == 0) return false;
      // Labels one after the other take as much room in each example.
      if (i == at + 1 && rank_of(c, i) == 1 && given_tensor(c, at + 3) && c.batched(at + 3)) return false;
      call[i] = flattened(c.expanded(i), 0, 1);
    } else if (call[i].is_list()) {
      std::vector<Value> lengths;
      for (std::int64_t k = 0; k < c.size(); ++k)
        lengths.insert(lengths.end(), c.given[i].to_list().begin(), c.given[i].to_list().end());
      call[i] = Value::list(std::move(lengths), ValueKind::Int);
    }
  }
  c.op.call_boxed(call);
  for (Value& v : call) {
    Tensor t = ops::unflatten(v.to_tensor(), at == 0 ? 0 : 1, {c.size(), n});
    v = at == 0 ? t : Tensor(ops::movedim(t, 1, 0));
  }
  results = std::move(call);
  return true;
}

/// Segments along an axis, whose lengths every example has.
inline bool segments_rule(BatchedCall& c, Stack& results) {
  const SchemaView& s = c.schema();
  auto data = static_cast<std::size_t>(s.find_argument("data")),
       axis = static_cast<std::size_t>(s.find_argument("axis"));
  if (rank_of(c, data) == 0) return false;
  if (int indices = s.find_argument("indices"); indices >= 0 && given_tensor(c, static_cast<std::size_t>(indices)))
    return false;
  Stack call = c.physical;
  for (std::size_t i = 0; i < call.size(); ++i)
    if (given_tensor(c, i)) call[i] = c.expanded(i);
  call[axis] = Value(static_cast<std::int64_t>(wrap_dim(c.given[axis].to_int(), rank_of(c, data))) + 1);
  return c.answer(std::move(call), results);
}

// ---- masks

/// An argument with all examples, spread to a shape of each.
inline Tensor spread(const BatchedCall& c, std::size_t i, IntArrayRef shape) {
  Tensor t = c.expanded(i);
  while (t.dim() - 1 < static_cast<std::int64_t>(shape.size())) t = ops::unsqueeze(t, 1);
  DimVector sizes{c.size()};
  for (std::int64_t n : shape) sizes.push_back(n);
  return ops::expand(t, IntArrayRef(sizes));
}
/// How many chosen elements of its row lie before one.
inline Tensor chosen_before(const Tensor& rows) { return ops::sub(ops::cumsum(ops::to(rows, kLong), 1), 1); }

/// The elements of the source in order, where there are enough of them whatever the mask is.
inline bool masked_scatter_rule(BatchedCall& c, Stack& results) {
  const Tensor &self = c.given[0].to_tensor(), &mask = c.given[1].to_tensor(), &source = c.given[2].to_tensor();
  DimVector shape = broadcast_shapes(self.sizes(), mask.sizes());
  bool writes = c.schema().arg(0).write;
  std::int64_t n = count_elements(shape);
  if (mask.dtype() != kBool || self.dtype() != source.dtype() || n == 0 || source.numel() < n) return false;
  if (writes && IntArrayRef(shape) != self.sizes()) return false;
  Tensor from = spread(c, 0, shape), where = spread(c, 1, shape);
  Tensor at = ops::clamp_min(chosen_before(rows_of(where)), 0);
  Tensor taken = ops::reshape(ops::gather(rows_of(c.expanded(2)), 1, at), from.sizes());
  Tensor out = ops::where(where, taken, from);
  if (writes) {
    Tensor written = c.physical[0].to_tensor();
    ops::copy_(written, out);
  } else {
    results.emplace_back(std::move(out));
  }
  return true;
}
/// What is masked in order, and zeros behind it.
inline bool masked_scatter_gradient_rule(BatchedCall& c, Stack& results) {
  DimVector sizes{c.size()};
  std::int64_t n = 1;
  for (const Value& v : c.given[2].to_list()) {
    sizes.push_back(v.to_int());
    n *= v.to_int();
  }
  const Tensor& grad = c.given[0].to_tensor();
  if (c.given[1].to_tensor().dtype() != kBool || c.given[1].to_tensor().sizes() != grad.sizes() || grad.numel() == 0)
    return false;
  Tensor mask = rows_of(c.expanded(1)), from = rows_of(c.expanded(0)), at = chosen_before(mask);
  at = ops::where(ops::logical_and(mask, ops::lt(at, n)), at, ops::full_like(at, n));  // one place for all others
  Tensor out = ops::scatter(ops::new_zeros(from, {c.size(), n + 1}), 1, at, from);
  results = {Value(ops::reshape(ops::narrow(out, 1, 0, n), IntArrayRef(sizes)))};
  return true;
}
/// The places of what is not zero, as many as are asked for.
inline bool nonzero_static_rule(BatchedCall& c, Stack& results) {
  const Tensor& self = c.given[0].to_tensor();
  std::int64_t size = c.given[1].to_int(), fill = c.given[2].to_int();
  if (self.dim() == 0 || self.numel() == 0 || size <= 0) return false;
  Tensor chosen = rows_of(ops::ne(c.physical[0].to_tensor(), 0)), at = chosen_before(chosen);
  at = ops::where(ops::logical_and(chosen, ops::lt(at, size)), at, ops::full_like(at, size));
  Tensor numbers = ops::expand_as(ops::arange(self.numel(), "dtype"_a = kLong, "device"_a = self.device()), at);
  Tensor none = ops::new_full(at, {c.size(), size + 1}, -1);
  Tensor places = ops::narrow(ops::scatter(none, 1, at, numbers), 1, 0, size);
  Tensor found = ops::ge(places, 0), filled = ops::full_like(places, fill);
  std::vector<Tensor> coordinates;
  std::int64_t step = self.numel();
  for (std::int64_t n : self.sizes()) {
    step /= n;
    Tensor along = ops::remainder(ops::floor_divide(places, step), n);
    coordinates.push_back(ops::where(found, along, filled));
  }
  results = {Value(ops::stack(coordinates, -1))};
  return true;
}

// ---- distances of all pairs of rows, each once

inline Tensor numbers_of_pairs(const Tensor& x, std::int64_t n) {
  Tensor pairs = ops::triu_indices(n, n, 1, "device"_a = x.device());
  return ops::add(ops::mul(ops::select(pairs, 0, 0), n), ops::select(pairs, 0, 1));
}
inline bool pair_distances_rule(BatchedCall& c, Stack& results) {
  std::int64_t n = rank_of(c, 0) == 2 ? c.given[0].to_tensor().size(0) : 0;
  if (n < 2) return false;
  const Tensor& x = c.physical[0].to_tensor();
  Tensor all = ops::_cdist_forward(x, x, c.given[1].to_double(), 2);
  results = {Value(ops::index_select(rows_of(all), 1, numbers_of_pairs(x, n)))};
  return true;
}
inline bool pair_distances_gradient_rule(BatchedCall& c, Stack& results) {
  std::int64_t n = rank_of(c, 1) == 2 ? c.given[1].to_tensor().size(0) : 0;
  if (n < 2) return false;
  Tensor x = c.expanded(1), at = numbers_of_pairs(x, n);
  auto square = [&](const Tensor& pairs) {
    Tensor half = ops::reshape(ops::index_copy(ops::new_zeros(pairs, {c.size(), n * n}), 1, at, pairs), {-1, n, n});
    return Tensor(ops::add(half, ops::transpose(half, 1, 2)));
  };
  results = {Value(ops::_cdist_backward(square(c.expanded(0)), x, x, c.given[2].to_double(), square(c.expanded(3))))};
  return true;
}

// ---- matrices

/// Sums of 8-bit products are those of 32-bit ones.
inline bool int_product_rule(BatchedCall& c, Stack& results) {
  for (std::size_t i : {0u, 1u})
    if (rank_of(c, i) != 2 || c.given[i].to_tensor().dtype() != kChar) return false;
  if (c.given[0].to_tensor().size(1) != c.given[1].to_tensor().size(0)) return false;
  auto wide = [&](std::size_t i) { return Tensor(ops::to(c.physical[i].to_tensor(), kInt)); };
  results = {Value(ops::matmul(wide(0), wide(1)))};
  return true;
}
/// Least squares of matrices: what a driver does not give is empty for each example.
inline bool least_squares_rule(BatchedCall& c, Stack& results) {
  if (rank_of(c, 0) < 2 || rank_of(c, 0) != rank_of(c, 1)) return false;
  Stack call = c.physical;
  for (std::size_t i : {0u, 1u}) call[i] = c.expanded(i);
  c.op.call_boxed(call);
  for (Value& v : call)
    if (const Tensor& t = v.to_tensor(); t.dim() == 1 && t.numel() == 0) v = ops::new_empty(t, {c.size(), 0});
  results = std::move(call);
  return true;
}
/// Blocks along a diagonal: each with zeros before and behind it.
inline bool diagonal_blocks_rule(BatchedCall& c, Stack& results) {
  std::vector<Tensor> blocks, rows, given;
  std::int64_t columns = 0, before = 0;
  for (const Value& v : c.given[0].to_list()) {
    const Tensor& t = v.to_tensor();
    if (t.dim() > 2) return false;
    BatchedCall one{c.op, c.level, {v}, {belongs(t, c.level) ? Value(level_impl(t).value) : v}};
    Tensor block = one.expanded(0);
    while (block.dim() < 3) block = ops::unsqueeze(block, 1);
    columns += block.size(2);
    blocks.push_back(block);
    given.push_back(t);
  }
  for (const Tensor& t : given)
    if (t.dtype() != given[0].dtype()) return false;
  for (const Tensor& block : blocks) {
    rows.push_back(ops::constant_pad_nd(block, {before, columns - before - block.size(2)}, 0));
    before += block.size(2);
  }
  results = {Value(ops::cat(rows, 1))};
  return true;
}
/// A copy with the same place in memory written in each example.
inline bool strided_scatter_rule(BatchedCall& c, Stack& results) {
  const Tensor& self = c.given[0].to_tensor();
  if (self.numel() == 0 || !self.is_contiguous()) return false;
  Stack call = c.physical;
  call[0] = ops::contiguous(c.expanded(0));
  call[1] = c.expanded(1);
  std::vector<Value> sizes = c.given[2].to_list(), strides = c.given[3].to_list();
  sizes.insert(sizes.begin(), Value(c.size()));
  strides.insert(strides.begin(), Value(self.numel()));
  call[2] = Value::list(std::move(sizes), ValueKind::Int);
  call[3] = Value::list(std::move(strides), ValueKind::Int);
  if (call[4].is_none()) call[4] = Value(std::int64_t{0});
  return c.answer(std::move(call), results);
}

/// Evenly spaced numbers between ends of each example, counted from the nearer end as for one.
inline bool spaced_rule(BatchedCall& c, Stack& results) {
  const SchemaView& s = c.schema();
  auto argument = [&](std::string_view name) -> const Value& {
    return c.given[static_cast<std::size_t>(s.find_argument(name))];
  };
  int out_at = s.find_argument("out");
  const Tensor out = out_at < 0 ? Tensor() : c.given[static_cast<std::size_t>(out_at)].to_tensor();
  ScalarType dtype = out.defined()                ? out.dtype()
                     : argument("dtype").is_int() ? static_cast<ScalarType>(argument("dtype").to_int())
                                                  : get_default_dtype();
  std::int64_t steps = argument("steps").to_int();
  if ((dtype != kFloat && dtype != kDouble) || steps < 2) return false;
  if (out.defined() && out.sizes() != IntArrayRef(steps)) return false;  // which the operator changes, or warns of
  Tensor like = ops::detach(c.physical[c.given[0].is_tensor() ? 0 : 1].to_tensor());
  auto end = [&](std::size_t i) {
    if (!c.given[i].is_tensor()) return Tensor(ops::new_full(like, {c.size(), 1}, c.given[i].to_scalar(), dtype));
    return Tensor(ops::reshape(ops::to(ops::detach(c.expanded(i)), dtype), {c.size(), 1}));
  };
  for (std::size_t i : {0u, 1u})
    if (c.given[i].is_tensor() ? rank_of(c, i) != 0 || c.given[i].to_tensor().is_complex()
                               : c.given[i].to_scalar().is_complex())
      return false;
  Tensor first = end(0), last = end(1), step = ops::div(ops::sub(last, first), steps - 1);
  auto counted = [&](std::int64_t from, std::int64_t to) {
    return Tensor(ops::arange(from, to, 1, "dtype"_a = dtype, "device"_a = like.device()));
  };
  Tensor up = ops::add(first, ops::mul(step, counted(0, steps / 2)));
  Tensor down = ops::sub(last, ops::mul(step, ops::flip(counted(0, steps - steps / 2), {0})));
  Tensor made = ops::cat({up, down}, 1);
  if (s.base_name() == "logspace") made = ops::pow(argument("base").to_scalar(), made);
  if (out.defined()) {
    Tensor written = c.physical[static_cast<std::size_t>(out_at)].to_tensor();
    ops::copy_(written, made);
  } else {
    results = {Value(made)};
  }
  return true;
}

/// Elementwise, of tensors of one size, none of which is spread.
inline bool same_size_rule(BatchedCall& c, Stack& results) {
  Stack call = c.physical;
  for (std::size_t i = 0; i < call.size(); ++i) {
    if (!given_tensor(c, i)) continue;
    if (c.given[i].to_tensor().sizes() != c.given[0].to_tensor().sizes()) return false;
    call[i] = c.expanded(i);
  }
  return c.answer(std::move(call), results);
}

TENON_COLD_BODY void add_sequence_rules() {
  auto& rules = RuleTable<BatchingRule>::get();
  rules.add_all(
      &parts_rule,
      "_euclidean_dist _masked_softmax _native_multi_head_attention _transform_bias_rescale_qkv "
      "_transformer_encoder_layer_fwd _unsafe_masked_index _unsafe_masked_index_put_accumulate "
      "_weight_int8pack_mm _scaled_mm _weight_norm_interface _weight_norm_interface_backward "
      "_amp_foreach_non_finite_check_and_unscale _amp_foreach_non_finite_check_and_unscale_ _amp_update_scale "
      "_amp_update_scale_ _fake_quantize_learnable_per_tensor_affine_backward "
      "_fake_quantize_learnable_per_channel_affine_backward _grouped_mm");
  rules.add_all(&sequence_loss_rule, "_ctc_loss _ctc_loss_backward");
  rules.add_all(&segments_rule, "segment_reduce _segment_reduce_backward");
  rules.add_all(&masked_scatter_rule, "masked_scatter masked_scatter_");
  rules.add_all(&masked_scatter_gradient_rule, "masked_scatter_backward");
  rules.add_all(&nonzero_static_rule, "nonzero_static");
  rules.add_all(&pair_distances_rule, "_pdist_forward");
  rules.add_all(&pair_distances_gradient_rule, "_pdist_backward");
  rules.add_all(&int_product_rule, "_int_mm");
  rules.add_all(&least_squares_rule, "linalg_lstsq");
  rules.add_all(&diagonal_blocks_rule, "block_diag");
  rules.add_all(&strided_scatter_rule, "as_strided_scatter");
  rules.add_all(&spaced_rule,
                "linspace.Tensor_Tensor linspace.Tensor_Scalar linspace.Scalar_Tensor logspace.Tensor_Tensor "
                "logspace.Tensor_Scalar logspace.Scalar_Tensor linspace.Tensor_Tensor_out linspace.Tensor_Scalar_out "
                "linspace.Scalar_Tensor_out logspace.Tensor_Tensor_out logspace.Tensor_Scalar_out "
                "logspace.Scalar_Tensor_out");
  rules.add_all(&same_size_rule, "_standard_gamma_grad rrelu_with_noise_backward");
}

}  // namespace tenon::func::detail
