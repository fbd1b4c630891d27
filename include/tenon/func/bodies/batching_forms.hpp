// Batching rules of forms that write results where the caller says, of random numbers, look-ups and attention.
#pragma once
#include <map>
#include <mutex>
#include <string>

#include <tenon/base/body.hpp>
#include <tenon/func/batching_forms.hpp>
#include <tenon/func/batching_products.hpp>
#include <tenon/func/batching_rules.hpp>
#include <tenon/func/detail/rule_table.hpp>
#include <tenon/func/reverse.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/axes.hpp>
#include <tenon/ops/bits.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/nonzero.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/repeat.hpp>
#include <tenon/ops/search.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::func::detail {

inline bool is_tensors(const SchemaView& s, std::size_t i) {
  const schema::TypeNode* node = &s.type(s.arg(i));
  while (node->kind != schema::Kind::Tensor && node->child >= 0) node = &s.node(node->child);
  return node->kind == schema::Kind::Tensor;
}
TENON_COLD_BODY bool takes_tensors(const SchemaView& s) {
  for (std::size_t i = 0; i < s.n_args(); ++i)
    if (is_tensors(s, i)) return true;
  return false;
}

// ---- results where the caller says

inline std::size_t results_given(const SchemaView& s) {
  std::size_t n = 0;
  for (std::size_t i = 0; i < s.n_args(); ++i) n += s.is_out(i);
  return n;
}
/// The same arguments but those that are written, and nothing else written.
inline bool is_form_of(const SchemaView& form, const SchemaView& out) {
  if (schema::is_mutable(form) || form.n_args() + results_given(out) != out.n_args()) return false;
  std::size_t k = 0;
  for (std::size_t i = 0; i < out.n_args(); ++i) {
    if (out.is_out(i)) continue;
    if (form.arg_name(k) != out.arg_name(i) || !schema::same_type(form, form.arg(k), out, out.arg(i))) return false;
    ++k;
  }
  return true;
}
/// The forms that return what others write, found once: the entries of the registry never go.
class ReturningForms {
 public:
  static OperatorHandle of(const SchemaView& out) {
    static ReturningForms forms;
    std::lock_guard lock(forms.mutex_);
    auto [at, fresh] = forms.known_.try_emplace(std::string(out.operator_name()));
    if (fresh) at->second = find(out);
    return at->second;
  }

 private:
  static OperatorHandle find(const SchemaView& out) {
    std::string overload(out.overload());
    for (std::string_view end : {"_out", "out"})
      if (overload.ends_with(end)) {
        overload.resize(overload.size() - end.size());
        break;
      }
    OperatorHandle usual = find_operator(concat(out.name(), overload.empty() ? "" : ".", overload));
    if (usual && usual.has_schema() && is_form_of(usual.schema(), out)) return usual;
    for (const OperatorHandle& op : Registry::get().operators())
      if (op.has_schema() && op.schema().name() == out.name() && is_form_of(op.schema(), out)) return op;
    return {};
  }
  std::mutex mutex_;
  std::map<std::string, OperatorHandle> known_;
};

inline bool out_rule(BatchedCall& c, Stack& results) {
  OperatorHandle form = ReturningForms::of(c.schema());
  if (!form) return false;
  const SchemaView& s = c.schema();
  Stack call;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < s.n_args(); ++i)
    if (s.is_out(i))
      places.push_back(i);
    else
      call.push_back(c.given[i]);
  {
    OutsideGuard within(&c.level);
    form.call_boxed(call);
  }
  if (call.size() != places.size()) return false;
  for (std::size_t k = 0; k < places.size(); ++k) {
    // Another shape or dtype is for the operator itself to refuse, or to warn of.
    if (!call[k].is_tensor() || !call[k].to_tensor().defined() || !given_tensor(c, places[k])) return false;
    const Tensor &made = call[k].to_tensor(), &given = c.given[places[k]].to_tensor();
    if (made.sizes() != given.sizes() || made.dtype() != given.dtype()) return false;
  }
  for (std::size_t k = 0; k < places.size(); ++k) {
    Tensor out = c.physical[places[k]].to_tensor();
    ops::copy_(out, batch_of(call[k].to_tensor(), c.level));
  }
  results.clear();
  return true;
}

/// Numbers that no example has a say in: written once for all, or drawn for each by one call.
inline bool made_rule(BatchedCall& c, Stack& results) {
  std::size_t at = c.given.size() - 1;
  const Tensor& out = c.given[at].to_tensor();
  Stack call = c.physical;
  if (c.op.entry().has_tag(Tag::nondeterministic_seeded)) {
    int size = c.schema().find_argument("size");
    if (size < 0) return false;
    std::vector<Value> sizes = c.given[static_cast<std::size_t>(size)].to_list();
    if (sizes.size() != out.sizes().size()) return false;
    for (std::size_t d = 0; d < sizes.size(); ++d)
      if (sizes[d].to_int() != out.sizes()[d]) return false;
    sizes.insert(sizes.begin(), Value(c.size()));
    call[static_cast<std::size_t>(size)] = Value::list(std::move(sizes), ValueKind::Int);
    return c.answer(std::move(call), results);
  }
  Tensor one = ops::new_empty(c.physical[at].to_tensor(), out.sizes());
  call[at] = one;
  c.op.call_boxed(call);
  if (one.sizes() != out.sizes()) return false;  // another shape is for the operator itself to warn of
  Tensor all = c.physical[at].to_tensor();
  ops::copy_(all, one);
  results.clear();
  return true;
}
/// Whether a tensor that is written is the last argument, and the only tensor.
inline bool makes_one(const SchemaView& s) {
  std::size_t tensors = 0;
  for (std::size_t i = 0; i < s.n_args(); ++i) tensors += is_tensors(s, i);
  return tensors == 1 && s.is_out(s.n_args() - 1);
}

TENON_COLD_BODY BatchingRule rule_of_out_form(const SchemaView& s) {
  if (results_given(s) == 0) return nullptr;
  if (makes_one(s)) return &made_rule;
  OperatorHandle form = ReturningForms::of(s);
  if (!form) return nullptr;
  bool at_once = form.entry().has_tag(Tag::pointwise) || is_composite(form) || find_rule(form.schema());
  return at_once ? &out_rule : nullptr;
}

// ---- random numbers

TENON_COLD_BODY bool drawn_rule(BatchedCall& c, Stack& results) {
  const SchemaView& s = c.schema();
  int at = s.find_argument("size");
  if (at < 0 || takes_tensors(s) || c.level.randomness != Randomness::Different) return false;
  Stack call = c.given;
  Value& size = call[static_cast<std::size_t>(at)];
  if (!size.is_list()) return false;
  std::vector<Value> sizes = size.to_list();
  sizes.insert(sizes.begin(), Value(c.size()));
  size = Value::list(std::move(sizes), ValueKind::Int);
  return c.answer(std::move(call), results);
}
/// Rows of weights.
inline bool multinomial_rule(BatchedCall& c, Stack& results) {
  if (!c.only_batched(0)) return false;
  Stack call = c.physical;
  if (rank_of(c, 0) == 1) return c.answer(std::move(call), results);
  std::int64_t rows = c.given[0].to_tensor().size(0);
  if (rows == 0) return false;
  call[0] = flattened(call[0].to_tensor(), 0, 1);
  c.op.call_boxed(call);
  results.emplace_back(ops::unflatten(call[0].to_tensor(), 0, {c.size(), rows}));
  return true;
}

// ---- look-ups

/// A sequence for each example.
inline Tensor places_among(const BatchedCall& c, Tensor values, std::size_t sequence, bool int32, bool right) {
  Tensor sorted = c.expanded(sequence);
  DimVector sizes(values.sizes());
  values = ops::contiguous(rows_of(values));
  return ops::reshape(ops::searchsorted(sorted, values, "out_int32"_a = int32, "right"_a = right), IntArrayRef(sizes));
}
inline bool searchsorted_rule(BatchedCall& c, Stack& results) {
  // A sequence of one dimension serves any tensor.
  if (c.only_batched(1) && rank_of(c, 0) == 1) return c.answer(std::move(c.physical), results);
  if (rank_of(c, 0) == 1) {
    if (given_tensor(c, 5) || !c.given[4].is_none() || c.given[1].to_tensor().numel() == 0) return false;
    results = {Value(places_among(c, c.expanded(1), 0, c.given[2].to_bool(), c.given[3].to_bool()))};
    return true;
  }
  Stack call = c.physical;
  for (std::size_t i : {0u, 1u, 5u})
    if (given_tensor(c, i)) call[i] = c.expanded(i);
  return c.answer(std::move(call), results);
}
inline bool bucketize_rule(BatchedCall& c, Stack& results) {
  if (c.only_batched(0)) return c.answer(std::move(c.physical), results);
  if (rank_of(c, 1) != 1 || c.given[0].to_tensor().numel() == 0) return false;
  results = {Value(places_among(c, c.expanded(0), 1, c.given[2].to_bool(), c.given[3].to_bool()))};
  return true;
}
/// The place of one number in a sequence of each example.
inline bool number_among_rule(BatchedCall& c, Stack& results) {
  bool bucketize = c.schema().base_name() == "bucketize";
  std::size_t sequence = bucketize ? 1 : 0;
  const Scalar number = c.given[1 - sequence].to_scalar();
  ScalarType dtype = c.given[sequence].to_tensor().dtype();
  if (rank_of(c, sequence) != 1 || (!is_floating_type(dtype) && !number.is_integral(true))) return false;
  if (!bucketize && (given_tensor(c, 5) || !c.given[4].is_none())) return false;
  Tensor value = ops::new_full(c.physical[sequence].to_tensor(), {c.size()}, number);
  results = {Value(places_among(c, value, sequence, c.given[2].to_bool(), c.given[3].to_bool()))};
  return true;
}
inline bool is_in_rule(BatchedCall& c, Stack& results) {
  bool number = !c.given[0].is_tensor();
  if (!number && c.only_batched(0)) return c.answer(std::move(c.physical), results);
  constexpr std::int64_t most = std::int64_t{1} << 24;  // comparisons, each a byte
  std::int64_t tested = c.given[1].to_tensor().numel(), asked = number ? 1 : c.given[0].to_tensor().numel();
  if (tested == 0 || asked == 0 || tested > most / asked / c.size()) return false;
  Tensor among = ops::reshape(c.expanded(1), {c.size(), 1, -1}), found;
  if (number) {
    found = ops::reshape(ops::any(ops::eq(among, c.given[0].to_scalar()), -1), {c.size()});
  } else {
    Tensor elements = c.expanded(0);
    found = ops::any(ops::eq(ops::reshape(elements, {c.size(), -1, 1}), among), -1);
    found = ops::reshape(found, elements.sizes());
  }
  results = {Value(c.given[3].to_bool() ? Tensor(ops::logical_not(found)) : found)};
  return true;
}

/// The numbers of what is repeated, where the caller says how many there are for each example.
inline bool repeated_numbers_rule(BatchedCall& c, Stack& results) {
  std::int64_t n = rank_of(c, 0) == 1 ? c.given[0].to_tensor().numel() : 0;
  if (n == 0 || !c.given[1].is_int()) return false;
  std::int64_t size = c.given[1].to_int();
  const Tensor& repeats = c.physical[0].to_tensor();
  // An example with more than its share would take that of the next.
  if (depth_of(repeats) > 0 || !ops::all(ops::eq(ops::sum(repeats, {1}), size)).item<bool>()) return false;
  Tensor all = ops::repeat_interleave(flattened(repeats, 0, 1), "output_size"_a = size * c.size());
  Tensor before = ops::arange(std::int64_t{0}, n * c.size(), n, "dtype"_a = all.dtype(), "device"_a = all.device());
  results = {Value(ops::sub(ops::unflatten(all, 0, {c.size(), size}), ops::unsqueeze(before, 1)))};
  return true;
}
/// What a mask that all examples share chooses of each.
inline bool shared_mask_rule(BatchedCall& c, Stack& results) {
  const Tensor &self = c.given[0].to_tensor(), &mask = c.given[1].to_tensor();
  if (c.batched(1) || mask.dtype() != kBool || depth_of(mask) > 0) return false;
  DimVector shape = broadcast_shapes(self.sizes(), mask.sizes()), all{c.size()};
  for (std::int64_t d : shape) all.push_back(d);
  Tensor x = ranked(c, 0, static_cast<std::int64_t>(shape.size()));
  Tensor chosen = ops::nonzero(ops::reshape(ops::expand(mask, IntArrayRef(shape)), {-1}));
  if (count_elements(all) == 0) return false;
  x = rows_of(ops::expand(x, IntArrayRef(all)));
  results = {Value(ops::index_select(x, 1, ops::select(chosen, 1, 0)))};
  return true;
}

// ---- elements of a whole tensor by their numbers

inline bool put_rule(BatchedCall& c, Stack& results) {
  Tensor all = c.expanded(0), index = c.expanded(1), source = c.expanded(2);
  if (all.numel() == 0 || index.numel() == 0 || c.given[1].to_tensor().numel() != c.given[2].to_tensor().numel())
    return false;
  Tensor flat = rows_of(all);
  index = rows_of(index);
  source = rows_of(source);
  Tensor from_start = ops::where(ops::lt(index, 0), ops::add(index, flat.size(1)), index);
  Tensor out =
      c.given[3].to_bool() ? ops::scatter_add(flat, 1, from_start, source) : ops::scatter(flat, 1, from_start, source);
  out = ops::reshape(out, all.sizes());
  if (c.schema().arg(0).write) {
    Tensor self = c.physical[0].to_tensor();
    ops::copy_(self, out);
  } else {
    results.emplace_back(std::move(out));
  }
  return true;
}
/// What is copied has the form of what it is copied over.
inline bool copied_rule(BatchedCall& c, Stack& results) {
  std::int64_t rank = rank_of(c, 0);
  if (rank_of(c, 1) > rank) return false;
  Stack call = c.physical;
  call[0] = c.expanded(0);
  call[1] = ranked(c, 1, rank);
  return c.answer(std::move(call), results);
}

// ---- examples as a part of N

/// Every tensor is (N, ..): examples and N as one dimension. Argument `apart`, if it is any, is `instead`.
inline bool merged_but(BatchedCall& c, Stack& results, std::size_t apart, const Tensor& instead) {
  std::int64_t n = rank_of(c, 0) == 0 ? 0 : c.given[0].to_tensor().size(0);
  if (n == 0) return false;
  Stack call = c.physical;
  for (std::size_t i = 0; i < call.size(); ++i) {
    if (i == apart) call[i] = instead;
    if (i == apart || !given_tensor(c, i)) continue;
    if (rank_of(c, i) == 0 || c.given[i].to_tensor().size(0) != n) return false;
    call[i] = flattened(c.expanded(i), 0, 1);
  }
  c.op.call_boxed(call);
  for (Value& v : call) v = map_tensors(v, [&](const Tensor& t) { return ops::unflatten(t, 0, {c.size(), n}); });
  results = std::move(call);
  return true;
}
inline bool merged(BatchedCall& c, Stack& results, std::int64_t rank) {
  return rank_of(c, 0) == rank && merged_but(c, results, c.given.size(), Tensor());
}
inline bool fractional_pool_rule(BatchedCall& c, Stack& results) {
  return merged(c, results, c.schema().base_name().find("2d") != std::string_view::npos ? 4 : 5);
}
inline bool shuffle_rule(BatchedCall& c, Stack& results) { return merged(c, results, rank_of(c, 0)); }
inline bool attention_rule(BatchedCall& c, Stack& results) {
  std::size_t mask = static_cast<std::size_t>(c.schema().find_argument("attn_mask"));
  if (!given_tensor(c, mask)) return merged(c, results, 4);
  // A mask of two dimensions is that of every head of every N.
  const Tensor& given = c.given[mask].to_tensor();
  std::int64_t n = c.given[0].to_tensor().size(0);
  if (given.dim() != 2 && given.dim() != 4) return false;
  Tensor own = c.physical[mask].to_tensor();
  if (given.dim() == 2) {
    if (!c.batched(mask)) return merged_but(c, results, mask, own);
    own = ops::unsqueeze(ops::unsqueeze(own, 1), 1);
  } else if (!c.batched(mask)) {
    own = c.expanded(mask);
  }
  DimVector sizes(own.sizes());
  sizes[1] = n;
  return merged_but(c, results, mask, flattened(ops::expand(own, IntArrayRef(sizes)), 0, 1));
}

/// A tensor and numbers: nothing of an example is spoken of. `axis` counts the example's dimensions.
inline bool along_axis_rule(BatchedCall& c, Stack& results) {
  if (!c.only_batched(0)) return false;
  auto axis = static_cast<std::size_t>(c.schema().find_argument("axis"));
  Stack call = c.physical;
  call[axis] = Value(static_cast<std::int64_t>(wrap_dim(c.given[axis].to_int(), rank_of(c, 0))) + 1);
  return c.answer(std::move(call), results);
}
/// What is asked of tensors, or done to them, that has one answer for all examples.
inline bool one_answer_rule(BatchedCall& c, Stack& results) { return c.answer(std::move(c.physical), results); }
/// The first tensor alone is of the batch; all others are numbers.
inline bool with_numbers_rule(BatchedCall& c, Stack& results) {
  if (!c.only_batched(0)) return false;
  for (std::size_t i = 1; i < c.given.size(); ++i)
    if (given_tensor(c, i) && c.given[i].to_tensor().numel() != 1) return false;
  return c.answer(std::move(c.physical), results);
}

TENON_COLD_BODY void add_form_rules() {
  auto& rules = RuleTable<BatchingRule>::get();
  rules.add_all(&multinomial_rule, "multinomial");
  rules.add_all(&pointwise_rule,
                "normal.Tensor_Tensor normal.Tensor_float normal.float_Tensor normal_functional random random.from "
                "random.to binomial bernoulli_.Tensor rrelu_with_noise_functional");
  rules.add_all(&searchsorted_rule, "searchsorted.Tensor");
  rules.add_all(&bucketize_rule, "bucketize.Tensor");
  rules.add_all(&number_among_rule, "searchsorted.Scalar bucketize.Scalar");
  rules.add_all(&is_in_rule, "isin.Tensor_Tensor isin.Scalar_Tensor");
  rules.add_all(&repeated_numbers_rule, "repeat_interleave.Tensor");
  rules.add_all(&shared_mask_rule, "masked_select");
  rules.add_all(&one_answer_rule, "is_pinned is_set_to _has_same_storage_numel record_stream");
  rules.add_all(&put_rule, "put put_");
  rules.add_all(&copied_rule, "copy");
  rules.add_all(&fractional_pool_rule,
                "fractional_max_pool2d fractional_max_pool3d fractional_max_pool2d_backward "
                "fractional_max_pool3d_backward");
  rules.add_all(&shuffle_rule, "channel_shuffle");
  rules.add_all(&attention_rule,
                "_scaled_dot_product_flash_attention_for_cpu _scaled_dot_product_flash_attention_for_cpu_backward");
  rules.add_all(&along_axis_rule,
                "fake_quantize_per_channel_affine_cachemask _fake_quantize_learnable_per_channel_affine");
  rules.add_all(&with_numbers_rule,
                "fake_quantize_per_tensor_affine_cachemask _fake_quantize_per_tensor_affine_cachemask_tensor_qparams "
                "_fake_quantize_learnable_per_tensor_affine linalg_pinv.atol_rtol_tensor _sample_dirichlet");
}

}  // namespace tenon::func::detail
