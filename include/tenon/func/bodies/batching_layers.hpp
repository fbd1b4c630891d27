// Batching rules of affine maps, norms, losses and indices.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/dispatch/registry.hpp>
#include <tenon/func/batching_layers.hpp>
#include <tenon/func/batching_products.hpp>
#include <tenon/func/detail/rule_table.hpp>
#include <tenon/func/reverse.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/axes.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/linalg.hpp>
#include <tenon/ops/operators.hpp>
#include <tenon/ops/reduce.hpp>

namespace tenon::func::detail {

/// beta * self + alpha * product.
inline bool affine_rule(BatchedCall& c, Stack& results) {
  std::string_view name = c.schema().base_name();
  Tensor a = c.physical[1].to_tensor(), b = c.physical[2].to_tensor(), out;
  std::int64_t rank = name == "addmv" ? 1 : name == "baddbmm" ? 3 : 2;
  if (name == "addr") {
    if (c.given[0].to_tensor().dtype() == kBool) return false;
    out = ops::mul(ops::unsqueeze(a, -1), ops::unsqueeze(b, -2));
  } else if (rank == 1 && c.batched(2))
    out = ops::squeeze(ops::matmul(a, ops::unsqueeze(b, -1)), -1);
  else
    out = ops::matmul(a, b);
  if (name == "addbmm") out = ops::sum(out, {-3}, false, out.dtype());
  Scalar beta = c.given[3].to_scalar(), alpha = c.given[4].to_scalar();
  // Of integers the operators cut the factors first.
  if (!is_differentiable_type(c.given[0].to_tensor().dtype()) && !(beta.is_integral(true) && alpha.is_integral(true)))
    return false;
  auto scaled = [](const Tensor& t, const Scalar& by) {
    return by.to<Complex<double>>().re == 1 && !by.is_complex() ? t : ops::mul(t, by);
  };
  out = scaled(out, alpha);
  bool ignored = !beta.is_complex() && beta.to<Complex<double>>().re == 0;  // even where self holds NaN
  if (!ignored) out = ops::add(out, scaled(ranked(c, 0, rank), beta));
  if (out.dim() == rank) return false;  // only an ignored self was of the batch
  results = {Value(out)};
  return true;
}

/// The same into self.
inline bool affine_in_place_rule(BatchedCall& c, Stack& results) {
  std::string_view name = c.schema().name();
  OperatorHandle op = Registry::get().find_schema(name.substr(0, name.size() - 1));
  BatchedCall plain{op, c.level, c.given, c.physical};
  if (!affine_rule(plain, results)) return false;
  Tensor self = c.physical[0].to_tensor();
  results = {Value(ops::copy_(self, results[0].to_tensor()))};
  return true;
}

inline bool layer_norm_rule(BatchedCall& c, Stack& results) {
  Stack call = c.physical;
  bool own = c.batched(2) || c.batched(3);
  if (own) call[2] = call[3] = Value();
  c.op.call_boxed(call);
  std::int64_t rank = rank_of(c, 0);
  Tensor out = call[0].to_tensor();
  if (own && given_tensor(c, 2)) out = ops::mul(out, ranked(c, 2, rank));
  if (own && given_tensor(c, 3)) out = ops::add(out, ranked(c, 3, rank));
  call[0] = out;
  if (!c.batched(0))
    for (std::size_t i : {1u, 2u}) call[i] = batch_of(call[i].to_tensor(), c.level);
  results = std::move(call);
  return true;
}

/// Examples are a part of N; where weights are those of an example, they are groups.
inline bool group_norm_rule(BatchedCall& c, Stack& results) {
  std::int64_t n = c.given[3].is_int() ? c.given[3].to_int() : 0;
  if (n == 0) return false;
  Stack call = c.physical;
  // The numbers tell the geometry, whatever dimensions the input has.
  const Tensor& example = c.given[0].to_tensor();
  std::int64_t channels = c.given[4].to_int(), plane = c.given[5].to_int();
  bool plain = example.dim() >= 2 && example.size(0) == n && example.size(1) == channels;
  Tensor whole = c.expanded(0), input = whole;
  if (!plain) {
    if (example.numel() != n * channels * plane) return false;
    input = ops::reshape(input, {c.size(), n, channels, plane});
  }
  if (!c.only_batched(0)) {
    call[0] = flattened(ops::movedim(input, 0, 1), 1, 2);
    for (std::size_t i : {1u, 2u})
      if (given_tensor(c, i)) call[i] = flattened(c.expanded(i), 0, 1);
    for (std::size_t i : {4u, 6u}) call[i] = Value(c.given[i].to_int() * c.size());
    c.op.call_boxed(call);
    for (Value& v : call) v = ops::movedim(ops::unflatten(v.to_tensor(), 1, {c.size(), -1}), 1, 0);
  } else {
    call[0] = flattened(input, 0, 1);
    call[3] = Value(n * c.size());
    c.op.call_boxed(call);
    for (Value& v : call) v = ops::unflatten(v.to_tensor(), 0, {c.size(), n});
  }
  if (!plain) call[0] = ops::reshape(call[0].to_tensor(), whole.sizes());
  results = std::move(call);
  return true;
}

/// Of an input that all examples share, in training: running statistics that they share are written once.
inline bool shared_batch_norm(BatchedCall& c, Stack& results) {
  Stack call = c.physical;
  bool own = c.batched(1) || c.batched(2);
  if (own) call[1] = call[2] = Value();
  for (std::size_t i : {3u, 4u})
    if (c.batched(i)) call[i] = ops::zeros_like(ops::select(c.physical[i].to_tensor(), 0, 0));
  Value momentum = call[6], steps[] = {call[3], call[4]};
  c.op.call_boxed(call);
  for (std::size_t i : {3u, 4u})
    if (c.batched(i))
      ops::add_(ops::mul_(c.physical[i].to_tensor(), 1 - momentum.to_double()), steps[i - 3].to_tensor());
  for (Value& v : call) v = batch_of(v.to_tensor(), c.level);
  Tensor out = call[0].to_tensor();
  auto of_channels = [&](std::size_t i) {
    DimVector sizes(static_cast<std::size_t>(out.dim()), 1);
    sizes[0] = c.size();
    sizes[2] = out.size(2);
    return ops::reshape(c.expanded(i), IntArrayRef(sizes));
  };
  if (own && given_tensor(c, 1)) out = ops::mul(out, of_channels(1));
  if (own && given_tensor(c, 2)) out = ops::add(out, of_channels(2));
  call[0] = out;
  results = std::move(call);
  return true;
}
/// Statistics are those of a channel: each example has channels of its own.
inline bool batch_norm_rule(BatchedCall& c, Stack& results) {
  bool training = c.given[5].to_bool(), running = given_tensor(c, 3);
  if (!c.batched(0)) return training && running && given_tensor(c, 4) && shared_batch_norm(c, results);
  if (training && running && !(c.batched(3) && c.batched(4)))
    fail<SharedStatisticsError>(
        "vmap: ", c.schema().operator_name(),
        "(): the running statistics are the same for all examples, and each would write them; pass none, "
        "or evaluate");
  if (training && running) return false;
  std::int64_t channels = c.given[0].to_tensor().size(1);
  Stack call = c.physical;
  call[0] = flattened(ops::movedim(call[0].to_tensor(), 0, 1), 1, 2);
  for (std::size_t i = 1; i < 5; ++i)
    if (given_tensor(c, i)) call[i] = flattened(c.expanded(i), 0, 1);
  c.op.call_boxed(call);
  call[0] = ops::movedim(ops::unflatten(call[0].to_tensor(), 1, {c.size(), channels}), 1, 0);
  for (std::size_t i : {1u, 2u}) {
    const Tensor& t = call[i].to_tensor();
    call[i] = t.numel() == 0 ? ops::new_empty(t, {c.size(), 0}) : ops::unflatten(t, 0, {c.size(), channels});
  }
  results = std::move(call);
  return true;
}

/// The root mean square alone, without or with a weight of each example.
inline bool rms_norm_rule(BatchedCall& c, Stack& results) {
  Stack call = c.physical;
  bool own = c.batched(2);
  if (own) call[2] = Value();
  c.op.call_boxed(call);
  if (own) call[0] = ops::mul(call[0].to_tensor(), ranked(c, 2, rank_of(c, 0)));
  if (!c.batched(0)) call[1] = batch_of(call[1].to_tensor(), c.level);
  results = std::move(call);
  return true;
}

/// The negative log likelihood by a gather: of (C) and (), of (N, C) and (N), or of (N, C, H, W) and (N, H, W).
inline bool nll_rule(BatchedCall& c, Stack& results) {
  std::int64_t rank = rank_of(c, 0), reduction = c.given[3].to_int();
  bool plane = c.schema().base_name() == "nll_loss2d_forward";
  if (plane ? rank != 4 : rank > 2 || rank == 0) return false;
  if (c.batched(2) || rank_of(c, 1) != rank - 1) return false;
  Tensor input = c.expanded(0), target = c.expanded(1), weights;
  if (plane) input = ops::movedim(input, 2, -1);
  DimVector each;
  for (std::int64_t d = 1; d < rank; ++d) each.push_back(d);
  Tensor counts = ops::ne(target, c.given[4].to_int());
  Tensor safe = ops::mul(target, counts);
  Tensor loss = ops::neg(ops::squeeze(ops::gather(input, -1, ops::unsqueeze(safe, -1)), -1));
  if (given_tensor(c, 2))
    weights = ops::mul(
        ops::unflatten(ops::index_select(c.physical[2].to_tensor(), 0, ops::reshape(safe, {-1})), 0, safe.sizes()),
        counts);
  else
    weights = ops::to(counts, input.dtype());
  loss = ops::mul(loss, weights);
  Tensor total = rank > 1 ? ops::sum(weights, IntArrayRef(each)) : weights;
  if (reduction == 0) {
    if (rank > 1) total = ops::zeros_like(total);  // one example alone counts as a sum
  } else {
    if (rank > 1) loss = ops::sum(loss, IntArrayRef(each));
    if (reduction == 1) loss = ops::div(loss, total);
  }
  results = {Value(loss), Value(ops::detach(total))};
  return true;
}

/// The elementwise loss, then each example's mean or sum.
inline bool loss_rule(BatchedCall& c, Stack& results) {
  auto at = static_cast<std::size_t>(c.schema().find_argument("reduction"));
  std::int64_t rank = std::max(rank_of(c, 0), rank_of(c, 1)), reduction = c.given[at].to_int();
  Stack call = c.physical;
  bool same = c.given[0].to_tensor().sizes() == c.given[1].to_tensor().sizes();
  for (std::size_t i = 0; i < at; ++i)
    if (given_tensor(c, i)) call[i] = same && i < 2 ? c.expanded(i) : ranked(c, i, rank);
  call[at] = Value(std::int64_t{0});
  c.op.call_boxed(call);
  Tensor out = call[0].to_tensor();
  if (out.dim() != rank + 1 || out.size(0) != c.size()) return false;
  if (reduction != 0 && rank > 0) {
    Tensor flat = rows_of(out);
    out = reduction == 1 ? ops::mean(flat, {1}) : ops::sum(flat, {1});
  }
  results = {Value(out)};
  return true;
}

/// Sums and copies to places along one dimension that are the same for all examples.
inline bool places_rule(BatchedCall& c, Stack& results) {
  std::int64_t rank = rank_of(c, 0);
  if (rank == 0 || c.batched(2) || rank_of(c, 3) != rank) return false;
  Stack call = c.physical;
  call[0] = c.expanded(0);
  call[1] = Value(static_cast<std::int64_t>(wrap_dim(c.given[1].to_int(), rank)) + 1);
  call[3] = c.expanded(3);
  return c.answer(std::move(call), results);
}

/// The indices of a call, of which some may be left out.
struct GivenIndices {
  std::int64_t first = -1, last = -1, count = 0, rank = 0;
  bool masks = false;
  explicit GivenIndices(const BatchedCall& c) {
    const std::vector<Value>& given = c.given[1].to_list();
    for (std::size_t k = 0; k < given.size(); ++k) {
      if (!given[k].is_tensor() || !given[k].to_tensor().defined()) continue;
      const Tensor& t = given[k].to_tensor();
      if (first < 0) first = static_cast<std::int64_t>(k);
      last = static_cast<std::int64_t>(k);
      ++count;
      bool mask = t.dtype() == kBool || t.dtype() == kByte;
      masks = masks || mask;
      rank = std::max(rank, mask ? std::int64_t{1} : t.dim());
    }
  }
  bool adjacent() const { return last - first + 1 == count; }
  /// The same with the number of the example in front.
  std::vector<Value> with_examples(const BatchedCall& c) const {
    DimVector sizes{c.size()};
    for (std::int64_t d = 0; d < rank; ++d) sizes.push_back(1);
    Device device = c.physical[0].to_tensor().device();
    std::vector<Value> all{
        Value(ops::view(ops::arange(c.size(), "dtype"_a = kLong, "device"_a = device), IntArrayRef(sizes)))};
    for (std::size_t k = 0; k < c.given[1].to_list().size(); ++k) {
      Value index = c.physical[1].to_list()[k];
      if (index.is_tensor() && index.to_tensor().defined() && belongs(c.given[1].to_list()[k].to_tensor(), c.level)) {
        Tensor t = index.to_tensor();
        while (t.dim() - 1 < rank) t = ops::unsqueeze(t, 1);
        index = t;
      }
      all.push_back(std::move(index));
    }
    return all;
  }
};

/// Indices of any kind: those of a batch beside the numbers of the examples.
inline bool index_rule(BatchedCall& c, Stack& results) {
  GivenIndices given(c);
  bool shared = c.only_batched(0);
  if (given.count == 0 || (given.masks && !shared)) return false;
  Stack call = c.physical;
  call[0] = c.expanded(0);
  std::vector<Value> indices;
  if (shared) {
    indices = c.physical[1].to_list();
    indices.insert(indices.begin(), Value());
  } else {
    indices = given.with_examples(c);
  }
  call[1] = Value::list(std::move(indices), ValueKind::Tensor);
  c.op.call_boxed(call);
  Tensor out = call[0].to_tensor();
  if (shared) {
    // Indices apart from each other put their dimensions first.
    if (!given.adjacent()) out = ops::movedim(out, given.rank, 0);
  } else if (given.adjacent() && given.first > 0) {
    for (std::int64_t d = 0; d < given.rank; ++d) out = ops::movedim(out, 1, given.rank + given.first);
  }
  results = {Value(out)};
  return true;
}
/// Values put at such indices.
inline bool index_put_rule(BatchedCall& c, Stack& results) {
  GivenIndices given(c);
  std::int64_t ahead = given.adjacent() ? given.first : 0, logical = given.rank + rank_of(c, 0) - given.count;
  if (given.count == 0 || given.masks || rank_of(c, 2) > logical) return false;
  Stack call = c.physical;
  call[0] = c.expanded(0);
  call[1] = Value::list(given.with_examples(c), ValueKind::Tensor);
  // Dimensions ahead of the indices come behind theirs once the examples are an index too.
  Tensor values = c.expanded(2);
  while (values.dim() - 1 < logical) values = ops::unsqueeze(values, 1);
  if (ahead > 0)
    for (std::int64_t d = 0; d < given.rank; ++d) values = ops::movedim(values, 1 + ahead + d, 1 + d);
  call[2] = values;
  return c.answer(std::move(call), results);
}

// ---- composites whose examples are rows or images already: one call instead of a way through their parts

inline bool layer_norm_of_rows_rule(BatchedCall& c, Stack& results) {
  if (!c.only_batched(0)) return false;
  const Tensor& x = c.given[0].to_tensor();
  const std::vector<Value>& of = c.given[1].to_list();
  std::size_t outer = static_cast<std::size_t>(x.dim()) - of.size();
  if (of.empty() || of.size() > static_cast<std::size_t>(x.dim())) return false;
  for (std::size_t d = 0; d < of.size(); ++d)
    if (!of[d].is_int() || of[d].to_int() != x.sizes()[outer + d]) return false;
  return c.answer(std::move(c.physical), results);
}
inline bool linear_rule(BatchedCall& c, Stack& results) {
  const Tensor &x = c.given[0].to_tensor(), &weight = c.given[1].to_tensor();
  if (!c.only_batched(0) || x.dim() == 0 || weight.dim() != 2 || x.size(-1) != weight.size(1)) return false;
  return c.answer(std::move(c.physical), results);
}
/// A batch of rows or matrices times one vector or matrix; or as many matrices as there are.
inline bool matmul_rule(BatchedCall& c, Stack& results) {
  const Tensor &a = c.given[0].to_tensor(), &b = c.given[1].to_tensor();
  if (a.dim() == 0 || b.dim() == 0 || a.size(-1) != b.size(b.dim() == 1 ? 0 : -2)) return false;
  bool rows = c.only_batched(0) && b.dim() <= 2, pairs = c.batched(0) && c.batched(1) && a.dim() == 2 && b.dim() == 2;
  if (!rows && !pairs) return false;
  return c.answer(std::move(c.physical), results);
}
inline bool convolution_of_images_rule(BatchedCall& c, Stack& results) {
  const Tensor &x = c.given[0].to_tensor(), &weight = c.given[1].to_tensor();
  std::int64_t groups = c.given[static_cast<std::size_t>(c.schema().find_argument("groups"))].to_int();
  if (!c.only_batched(0) || (x.dim() != weight.dim() && x.dim() != weight.dim() - 1)) return false;
  bool one = x.dim() == weight.dim() - 1;
  if (x.size(one ? 0 : 1) != weight.size(1) * groups || (!one && x.size(0) == 0)) return false;
  if (one) return c.answer(std::move(c.physical), results);
  Stack call = std::move(c.physical);
  call[0] = flattened(call[0].to_tensor(), 0, 1);
  c.op.call_boxed(call);
  results.emplace_back(ops::unflatten(call[0].to_tensor(), 0, {c.size(), x.size(0)}));
  return true;
}

TENON_COLD_BODY void add_layer_rules() {
  auto& rules = RuleTable<BatchingRule>::get();
  rules.add_all(&layer_norm_of_rows_rule, "layer_norm");
  rules.add_all(&linear_rule, "linear");
  rules.add_all(&matmul_rule, "matmul");
  rules.add_all(&convolution_of_images_rule, "conv2d conv1d conv3d");
  rules.add_all(&affine_rule, "addmm addmv baddbmm addbmm addr");
  rules.add_all(&affine_in_place_rule, "addmm_ addmv_ baddbmm_ addbmm_ addr_");
  rules.add_all(&layer_norm_rule, "native_layer_norm");
  rules.add_all(&group_norm_rule, "native_group_norm");
  rules.add_all(&batch_norm_rule, "native_batch_norm");
  rules.add_all(&rms_norm_rule, "_fused_rms_norm");
  rules.add_all(&nll_rule, "nll_loss_forward nll_loss2d_forward");
  rules.add_all(&loss_rule, "mse_loss binary_cross_entropy huber_loss smooth_l1_loss soft_margin_loss");
  rules.add_all(&places_rule, "index_add index_copy index_add_ index_copy_ index_reduce index_reduce_");
  rules.add_all(&index_rule, "index.Tensor _unsafe_index.Tensor");
  rules.add_all(&index_put_rule, "index_put index_put_ _index_put_impl _index_put_impl_ _unsafe_index_put");
}

}  // namespace tenon::func::detail
