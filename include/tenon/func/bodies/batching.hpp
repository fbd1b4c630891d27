// Operators on tensors of a batch: by rule, by their parts, or example by example.
#pragma once
#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <tuple>

#include <tenon/base/body.hpp>
#include <tenon/base/warning.hpp>
#include <tenon/func/batching.hpp>
#include <tenon/func/batching_forms.hpp>
#include <tenon/func/batching_rules.hpp>
#include <tenon/func/detail/defined_names.hpp>
#include <tenon/func/detail/example_loop.hpp>
#include <tenon/func/detail/randomness.hpp>
#include <tenon/func/detail/rule_table.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::func {

TENON_COLD_BODY bool BatchedCall::batched(std::size_t i) const {
  if (given[i].is_tensor()) return belongs(given[i].to_tensor(), level);
  bool found = false;
  detail::each_tensor(given[i], [&](const Tensor& t) { found = found || belongs(t, level); });
  return found;
}
TENON_COLD_BODY bool BatchedCall::only_batched(std::size_t i) const {
  for (std::size_t k = 0; k < given.size(); ++k)
    if (batched(k) != (k == i)) return false;
  return true;
}
TENON_COLD_BODY Tensor BatchedCall::expanded(std::size_t i) const {
  const Tensor& t = physical[i].to_tensor();
  if (!t.defined() || belongs(given[i].to_tensor(), level)) return t;
  DimVector sizes{level.size};
  for (std::int64_t n : t.sizes()) sizes.push_back(n);
  return ops::expand(t, IntArrayRef(sizes));
}
TENON_COLD_BODY bool BatchedCall::answer(Stack arguments, Stack& results) const {
  op.call_boxed(arguments);
  results = std::move(arguments);
  return true;
}

namespace detail {

/// The names of rules that programs added to the library's.
struct OwnRules {
  std::mutex mutex;
  std::set<std::string, std::less<>> names;
  static OwnRules& get() {
    static OwnRules rules;
    return rules;
  }
};
TENON_COLD_BODY bool add_rule(std::string_view name, BatchingRule rule) {
  {
    OwnRules& own = OwnRules::get();
    std::lock_guard lock(own.mutex);
    own.names.emplace(name);
  }
  return RuleTable<BatchingRule>::get().add(name, rule);
}
TENON_COLD_BODY RuleTable<BatchingRule>& batching_rules() {
  static const bool added = (add_families(), true);
  (void)added;
  return RuleTable<BatchingRule>::get();
}
TENON_COLD_BODY BatchingRule find_rule(const SchemaView& s) {
  if (BatchingRule rule = rule_of_out_form(s)) return rule;
  return batching_rules().find(s);
}

/// What every call within vmap asks about its operator.
struct BatchingFacts {
  const OperatorEntry* entry;
  std::uint32_t generation, version;  ///< of the operator's definition and of the rules
  BatchingRule rule;
  std::uint64_t dims;  ///< which arguments name dimensions, by bits
  bool random, pointwise, writes, reshapes, looks_at_values;
  bool direct;  ///< elementwise, of one result and without a rule of its own
};
inline std::uint64_t arguments_that_name_dims(const SchemaView& s) {
  std::uint64_t found = 0;
  for (std::size_t i = 0; i < std::min<std::size_t>(s.n_args(), 64); ++i)
    for (std::string_view name : {"dim", "dims", "dim0", "dim1", "dim2", "axis", "axis0", "axis1", "start_dim",
                                  "end_dim", "source", "destination", "dimension", "axes"})
      if (s.arg_name(i) == name) found |= std::uint64_t{1} << i;
  return found;
}
inline bool takes_indices(const SchemaView& s) {
  std::string_view name = s.base_name();
  return name == "index" || name == "index_put" || name == "index_put_";
}
/// Kept for all threads, so that calls lock nothing and compare no names: entries of the registry never go.
class KeptFacts {
 public:
  static const BatchingFacts& of(const OperatorHandle& op) {
    static KeptFacts kept;
    const OperatorEntry& entry = op.entry();
    std::uint32_t version = batching_rules().version(), generation = entry.generation();
    Atomic<const BatchingFacts*>& slot = kept.slots_[reinterpret_cast<std::uintptr_t>(&entry) / 64 % kSlots];
    const BatchingFacts* facts = slot.load(MemoryOrder::Acquire);
    if (!facts || facts->entry != &entry || facts->generation != generation || facts->version != version)
      slot.store(facts = &kept.look_up(op, generation, version), MemoryOrder::Release);
    return *facts;
  }

 private:
  static constexpr std::size_t kSlots = 256;
  const BatchingFacts& look_up(const OperatorHandle& op, std::uint32_t generation, std::uint32_t version) {
    const SchemaView& s = op.schema();
    const OperatorEntry& entry = op.entry();
    BatchingFacts facts{&entry,
                        generation,
                        version,
                        find_rule(s),
                        arguments_that_name_dims(s),
                        entry.has_tag(Tag::nondeterministic_seeded),
                        entry.has_tag(Tag::pointwise),
                        schema::is_mutable(s),
                        entry.has_tag(Tag::inplace_view),
                        takes_indices(s) || s.base_name() == "repeat_interleave" ||
                            entry.has_tag(Tag::dynamic_output_shape) || entry.has_tag(Tag::data_dependent_output),
                        false};
    facts.direct = facts.pointwise && !facts.rule && !facts.random && !facts.writes && !facts.reshapes &&
                   !facts.looks_at_values && s.n_returns() == 1 && s.type(s.ret(0)).kind == schema::Kind::Tensor;
    std::lock_guard lock(mutex_);
    return all_.try_emplace({&entry, generation, version}, facts).first->second;
  }

  Atomic<const BatchingFacts*> slots_[kSlots] = {};
  std::mutex mutex_;
  std::map<std::tuple<const OperatorEntry*, std::uint32_t, std::uint32_t>, BatchingFacts> all_;
};

/// A tensor that all examples share cannot be written for each of them.
inline void check_writes(const BatchedCall& c) {
  const SchemaView& s = c.schema();
  // Statistics are written in training alone.
  if (int training = s.find_argument("training"); training >= 0) {
    const Value& v = c.given[static_cast<std::size_t>(training)];
    if (v.kind() == ValueKind::Bool && !v.to_bool()) return;
  }
  for (std::size_t i = 0; i < s.n_args(); ++i) {
    if (!s.arg(i).write) continue;
    bool plain = false;
    each_tensor(c.given[i], [&](const Tensor& t) { plain = plain || !belongs(t, c.level); });
    if (plain)
      fail<BatchError>("vmap: ", s.operator_name(), "(): argument '", s.arg_name(i),
                       "' is written and is the same tensor for all examples, while another argument differs from "
                       "example to example; write into a tensor of the batch, or use the form that writes nothing");
  }
}

/// What depends on the values of one example cannot be answered for all.
inline void check_values(const BatchedCall& c) {
  const SchemaView& s = c.schema();
  const OperatorEntry& entry = c.op.entry();
  bool index = takes_indices(s);
  bool mask = false;
  if (index && c.given[1].is_list())
    each_tensor(c.given[1], [&](const Tensor& t) { mask = mask || (belongs(t, c.level) && t.dtype() == kBool); });
  if (s.base_name() == "repeat_interleave") {
    int repeats = s.find_argument("repeats"), size = s.find_argument("output_size");
    if (size >= 0 && c.given[static_cast<std::size_t>(size)].is_none() && c.batched(static_cast<std::size_t>(repeats)))
      fail<BatchError>("vmap: ", s.operator_name(),
                       "(): the size of the result is the sum of each example's `repeats`; name it by `output_size`");
    return;
  }
  // Of these the size may well be the same for all; the loop will tell.
  std::string_view name = s.base_name();
  bool masked = name == "masked_select", counted = index || name == "bincount" || name == "one_hot" ||
                                                   name == "argwhere" || name == "_unique" || name == "linalg_lstsq" ||
                                                   name == "_ctc_loss" || (masked && !c.batched(1));
  if (mask || (entry.has_tag(Tag::dynamic_output_shape) && !counted) ||
      (entry.has_tag(Tag::data_dependent_output) && s.n_returns() == 1 && !s.ret(0).write))
    fail<BatchError>("vmap: ", s.operator_name(),
                     "(): the result depends on the values of each example, so that examples need not agree in its "
                     "size or in Python's number (.item()); compute it outside of vmap, or use torch.where's form");
}

/// Along the columns of a Jacobian all examples of what a function sees are equal, so that the first decides for all:
/// in place of indices, masks and repeats, and of all that an operator without a gradient looks at. Whether no argument
/// belongs to the level any more.
inline bool decide_by_first(const BatchingFacts& facts, BatchedCall& c) {
  const SchemaView& s = c.schema();
  std::string_view name = s.base_name();
  bool selects = takes_indices(s) || name == "masked_select" || name == "repeat_interleave";
  if (!selects && (facts.writes || name == "linalg_lstsq" || name == "_ctc_loss")) return false;
  bool shared = true;
  OutsideGuard outside(c.level.outer);
  for (std::size_t i = 0; i < c.given.size(); ++i)
    c.given[i] = map_tensors(c.given[i], [&](const Tensor& t) {
      if (!t.defined() || !belongs(t, c.level)) return t;
      bool decides = !s.arg(i).write && (!selects || is_integral_type(t.dtype(), true));
      shared = shared && decides;
      return decides ? ops::select(level_impl(t).value, 0, 0) : t;
    });
  return shared;
}

/// Gives the results to the caller: tensors of the batch, and the very arguments that were written.
inline void give(const BatchedCall& c, Stack& results, Stack& stack) {
  const SchemaView& s = c.schema();
  for (std::size_t i = 0; i < s.n_args(); ++i)
    if (s.arg(i).write) each_tensor(c.given[i], [](const Tensor& t) { level_impl(t).follow_value(); });
  results.resize(s.n_returns());
  for (std::size_t r = 0; r < s.n_returns(); ++r)
    if (int i = schema::written_argument(s, r); i >= 0)
      results[r] = c.given[static_cast<std::size_t>(i)];
    else
      results[r] = map_tensors(results[r], [&](const Tensor& t) { return make_batched(t, c.level); });
  if (stack.empty())
    stack.swap(results);
  else
    stack.insert(stack.end(), std::make_move_iterator(results.begin()), std::make_move_iterator(results.end()));
}

/// Before an operator changes the form of a tensor in place: what vmap was given keeps its own.
inline void keep_form(LevelTensor& written, const Level& level) {
  OutsideGuard outside(level.outer);
  if (written.value.use_count() > 1) written.value = ops::alias(written.value);
}

inline bool is_by_rule(const BatchingFacts& facts, BatchedCall& c, Stack& results) {
  // Rules run once, so that each example draws its own numbers.
  if (facts.random && c.level.randomness == Randomness::Same) return false;
  if (facts.rule && facts.rule(c, results)) return true;
  results.clear();
  return facts.pointwise && pointwise_rule(c, results);
}

/// An elementwise operator whose tensors broadcast as those of an example do, once a batch stands before its own
/// dimensions: the arguments become the values and the result where they lie on the stack. False if they do not.
inline bool run_directly(const OperatorHandle& op, const Level& level, Stack& stack) {
  std::int64_t rank = -1, shared_rank = 0;
  ScalarType dtype = ScalarType::Undefined;
  bool mixed = false;
  for (const Value& v : stack) {
    if (v.is_list()) return false;
    if (!v.is_tensor() || !v.to_tensor().defined()) continue;
    const Tensor& t = v.to_tensor();
    mixed = mixed || (dtype != ScalarType::Undefined && dtype != t.dtype());
    dtype = t.dtype();
    if (!belongs(t, level))
      shared_rank = std::max(shared_rank, t.dim());
    else if (rank < 0)
      rank = t.dim();
    else if (rank != t.dim())
      return false;
  }
  // A batch of numbers takes another part in promotion than a number.
  if (shared_rank > rank || (rank == 0 && mixed)) return false;
  for (Value& v : stack)
    if (v.is_tensor() && v.to_tensor().defined() && belongs(v.to_tensor(), level)) {
      Tensor value = level_impl(v.to_tensor()).value;
      v.to_tensor() = std::move(value);
    }
  {
    OutsideGuard outside(level.outer);
    op.call_boxed(stack);
  }
  Tensor& result = stack[0].to_tensor();
  result = make_batched(std::move(result), level);
  return true;
}

TENON_COLD_BODY void run_batched(const OperatorHandle& op, const Level& level, Stack& stack) {
  const SchemaView& s = op.schema();
  const BatchingFacts& facts = KeptFacts::of(op);
  if (facts.direct && stack.size() == s.n_args() && run_directly(op, level, stack)) return;
  BatchedCall c{op, level, take_arguments(s, stack), {}, facts.dims};
  if (facts.writes) check_writes(c);
  if (facts.looks_at_values && level.directions && decide_by_first(facts, c)) {
    OutsideGuard outside(level.outer);
    op.call_boxed(c.given);
    for (Value& v : c.given) stack.push_back(std::move(v));
    return;
  }
  if (facts.looks_at_values) check_values(c);
  if (facts.random && (facts.rule || !is_composite(op))) check_randomness(op, level);
  if (facts.reshapes && c.batched(0)) keep_form(level_impl(c.given[0].to_tensor()), level);
  Stack results;
  {
    c.physical.reserve(c.given.size());
    for (const Value& v : c.given)
      c.physical.push_back(
          map_tensors(v, [&](const Tensor& t) { return belongs(t, level) ? level_impl(t).value : t; }));
    OutsideGuard outside(level.outer);
    if (is_by_rule(facts, c, results)) return give(c, results, stack);
  }
  if (is_composite(op)) {
    Stack parts = c.given;
    try {
      run_composite(op, parts);
      for (Value& v : parts) stack.push_back(std::move(v));
      return;
    } catch (const RandomnessError&) { throw; } catch (const SharedStatisticsError&) {
      throw;
    } catch (const Error&) {
      // Made of writes into fresh tensors, of which each example needs its own, or of a look at values. What is wrong
      // with the call itself is said once more by the loop.
      if (facts.writes) throw;
    }
    if (facts.random) check_randomness(op, level);  // its parts could not ask
  }
  if (facts.reshapes)
    fail<BatchError>("vmap: ", s.operator_name(),
                     "(): gives a tensor other memory or another shape, which one example of a batch cannot get; "
                     "use the form that makes a new tensor");
  OutsideGuard outside(level.outer);
  if (warns_of_loops && !facts.random) {
    std::string lost;
    for (const std::string& name : batching_rules_without_operator()) (lost += lost.empty() ? "" : ", ") += name;
    warn("vmap: there is no batching rule for ", s.operator_name(),
         ", which runs once for each example; add one with TENON_BATCHING_RULE, or call func::warn_of_loops(false)",
         lost.empty() ? "" : ". Rules that name no operator: ", lost);
  }
  results.clear();
  loop_rule(c, results);
  give(c, results, stack);
}

TENON_COLD_BODY void run_random_for_all(const OperatorHandle& op, Stack& stack) {
  const Level* batch = detail::innermost_level;
  while (batch && batch->kind != LevelKind::Batch) batch = batch->outer;
  OutsideGuard outside(batch ? batch->outer : nullptr);
  if (!batch) return op.call_boxed(stack);
  check_randomness(op, *batch);
  const SchemaView& s = op.schema();
  if (batch->randomness == Randomness::Same || schema::is_mutable(s)) {
    if (batch->randomness == Randomness::Different)
      fail<BatchError>("vmap: ", s.operator_name(),
                       "(): each example would write other random numbers into a tensor that all share");
    return op.call_boxed(stack);
  }
  BatchedCall c{op, *batch, take_arguments(s, stack), {}};
  Stack results;
  if (!drawn_rule(c, results)) loop_rule(c, results);
  give(c, results, stack);
}

}  // namespace detail

TENON_COLD_BODY void warn_of_loops(bool on) { detail::warns_of_loops = on; }

TENON_COLD_BODY std::vector<std::string> batching_rules_without_operator() {
  std::vector<std::string> names;
  {
    detail::OwnRules& own = detail::OwnRules::get();
    std::lock_guard lock(own.mutex);
    names.assign(own.names.begin(), own.names.end());
  }
  // Without the lock of the rules: a static block may add one while the registry tells listeners of its operators.
  std::erase_if(names, [](const std::string& name) {
    if (name.find('.') == std::string::npos) return detail::DefinedNames::get().has(name);
    const OperatorEntry* entry = Registry::get().find(name);
    return entry && entry->has_schema();
  });
  return names;
}
TENON_COLD_BODY std::vector<std::string> operators_without_batching_rule() {
  std::vector<std::string> names;
  for (const OperatorHandle& op : Registry::get().operators())
    if (op.has_schema() && !op.entry().has_tag(Tag::pointwise) && !detail::find_rule(op.schema()) &&
        !detail::is_composite(op) && detail::takes_tensors(op.schema()))
      names.emplace_back(op.name());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace tenon::func
