// Operators on tensors with tangents: linear ones and views on the tangents, composites by their parts, elementwise
// ones by their slope, all others by the gradient of their gradient.
#pragma once
#include <algorithm>
#include <optional>
#include <string>

#include <tenon/autograd/mode.hpp>
#include <tenon/base/body.hpp>
#include <tenon/func/detail/rule_table.hpp>
#include <tenon/func/detail/shared_tangents.hpp>
#include <tenon/func/detail/written_columns.hpp>
#include <tenon/func/reverse.hpp>
#include <tenon/func/tangents.hpp>
#include <tenon/func/tangents_products.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/operators.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::func {

TENON_COLD_BODY bool TangentCall::has_tangent(std::size_t i) const {
  bool found = false;
  detail::each_tensor(tangents[i], [&](const Tensor&) { found = true; });
  return found;
}

namespace detail {

void add_tangent_families();

TENON_COLD_BODY bool add_tangent_rule(std::string_view name, TangentRule rule) {
  return RuleTable<TangentRule>::get().add(name, rule);
}
TENON_COLD_BODY TangentRule find_tangent_rule(const SchemaView& s) {
  static const bool added = (add_tangent_families(), true);
  (void)added;
  return RuleTable<TangentRule>::get().find(s);
}

inline bool differentiable(const Tensor& t) { return is_floating_type(t.dtype()) || is_complex_type(t.dtype()); }

/// The same operator on the tangents: linear in all tensors of floating or complex numbers together.
inline bool linear_rule(TangentCall& c, Stack& results, Stack& tangents) {
  Stack call = c.primals;
  for (std::size_t i = 0; i < call.size(); ++i) {
    if (!c.has_tangent(i)) {
      if (call[i].is_tensor() && call[i].to_tensor().defined() && differentiable(call[i].to_tensor()))
        call[i] = ops::zeros_like(call[i].to_tensor());
      continue;
    }
    if (call[i].is_tensor()) {
      call[i] = c.tangents[i];
      continue;
    }
    // Of a list those without a tangent do not change.
    std::vector<Value> items = c.tangents[i].to_list();
    for (std::size_t k = 0; k < items.size(); ++k)
      if (!items[k].is_tensor() || !items[k].to_tensor().defined()) {
        const Value& primal = call[i].to_list()[k];
        items[k] =
            primal.is_tensor() && primal.to_tensor().defined() ? Value(ops::zeros_like(primal.to_tensor())) : primal;
      }
    call[i] = Value::list(std::move(items), ValueKind::Tensor);
  }
  results = c.primals;
  c.op.call_boxed(results);
  c.op.call_boxed(call);
  tangents = std::move(call);
  for (Value& v : tangents) v = map_tensors(v, [](const Tensor& t) { return differentiable(t) ? t : Tensor(); });
  return true;
}
/// Results of which no tangent is asked for.
inline bool constant_rule(TangentCall& c, Stack& results, Stack& tangents) {
  results = c.primals;
  c.op.call_boxed(results);
  for (const Value& v : results) tangents.push_back(map_tensors(v, [](const Tensor&) { return Tensor(); }));
  return true;
}

/// Linear in the first argument; others are no variables, whatever their tangents are.
inline bool linear_in_first_rule(TangentCall& c, Stack& results, Stack& tangents) {
  if (!c.has_tangent(0)) return constant_rule(c, results, tangents);
  results = c.primals;
  c.op.call_boxed(results);
  Stack call = c.primals;
  call[0] = c.tangents[0];
  c.op.call_boxed(call);
  tangents = {call[0]};
  tangents.resize(results.size());
  return true;
}

/// The level without the batches within it that no primal belongs to: where tangents alone differ from example to
/// example, as the columns of a Jacobian do, the operator runs once.
inline const Level* level_of_values(const std::vector<Tensor>& primals) {
  const Level* level = innermost_level;
  int depth = 0;
  for (const Tensor& t : primals) depth = std::max(depth, depth_of(t));
  while (level && level->kind == LevelKind::Batch && level->depth > depth) level = level->outer;
  return level;
}
/// A result for all examples of a batch at once where primals differ from example to example, and else the same for
/// all: a pass makes examples of all that it enters, for the tangents further out of a primal that does not differ.
inline Tensor as_primals_are(const Tensor& result, std::vector<Tensor> primals) {
  int depth = depth_of(result);
  if (depth == 0) return result;
  bool any = false;
  for (Tensor& p : primals)
    while (depth_of(p) >= depth) {
      any = any || depth_of(p) == depth;
      p = Tensor(level_impl(p).value);
    }
  const LevelTensor& of = level_impl(result);
  const Level& level = level_of(result);
  OutsideGuard outside(level.outer);
  if (of.kind == LevelKind::Batch && !any && level.size > 0)
    return as_primals_are(ops::select(of.value, 0, 0), primals);
  Tensor value = as_primals_are(of.value, primals), change = of.change();
  if (value.is_same(of.value)) return result;
  if (of.kind == LevelKind::Batch) return make_batched(value, level);
  return change.defined() ? make_dual(value, change, level) : make_constant(value, level);
}
/// By the gradients of the operator: with those of one element each where it is elementwise, else the gradient of the
/// gradient, which is linear in its weights.
inline bool general_rule_at(TangentCall& c, Stack& results, Stack& tangents, double weight) {
  bool random = c.op.entry().has_tag(Tag::nondeterministic_seeded);
  std::vector<Tensor> primals;
  for (const Value& v : c.primals) each_tensor(v, [&](const Tensor& t) { primals.push_back(t); });
  std::optional<OutsideGuard> of_values(std::in_place, random ? innermost_level : level_of_values(primals));
  ReversePass pass;
  EnableGradGuard grad;
  std::vector<Tensor> entered, directions;
  Stack call;
  for (std::size_t i = 0; i < c.primals.size(); ++i) {
    std::vector<Tensor> found;
    each_tensor(c.primals[i], [&](const Tensor& t) { found.push_back(t); });
    if (!c.has_tangent(i)) {
      call.push_back(c.primals[i]);
      continue;
    }
    auto one = [&](const Tensor& primal, const Value& tangent) {
      if (!tangent.is_tensor() || !tangent.to_tensor().defined()) return primal;
      entered.push_back(pass.enter(primal));
      directions.push_back(tangent.to_tensor());
      return entered.back();
    };
    if (c.primals[i].is_tensor()) {
      call.emplace_back(one(c.primals[i].to_tensor(), c.tangents[i]));
      continue;
    }
    std::vector<Value> items = c.primals[i].to_list();
    for (std::size_t k = 0; k < items.size(); ++k)
      if (items[k].is_tensor()) items[k] = one(items[k].to_tensor(), c.tangents[i].to_list()[k]);
    call.push_back(Value::list(std::move(items), ValueKind::Tensor));
  }
  results = call;
  c.op.call_boxed(results);
  std::vector<Tensor> outs, found;
  for (const Value& v : results)
    each_tensor(v, [&](const Tensor& t) {
      if (differentiable(t) && is_recorded(t)) outs.push_back(t);
    });
  bool by_slope = c.op.entry().has_tag(Tag::pointwise) && outs.size() == 1 && !outs[0].is_complex();
  for (const Tensor& x : entered) by_slope = by_slope && x.sizes() == outs[0].sizes() && x.dtype() == outs[0].dtype();
  if (by_slope) {
    of_values.reset();
    Tensor sum;
    for (std::size_t i = 0; i < entered.size(); ++i) {
      Tensor part = pass.gradients(outs, {directions[i]}, {entered[i]}, i + 1 < entered.size())[0];
      if (part.defined()) sum = sum.defined() ? sum + part : part;
    }
    found.push_back(sum);
  } else if (!outs.empty()) {
    std::vector<Tensor> weights, gradients, roots, along;
    for (const Tensor& y : outs) weights.push_back(pass.enter(ops::full_like(y, weight)));
    gradients = pass.gradients(outs, weights, entered, true, true);
    for (std::size_t i = 0; i < gradients.size(); ++i)
      if (gradients[i].defined() && is_recorded(gradients[i])) {
        roots.push_back(gradients[i]);
        along.push_back(directions[i]);
      }
    of_values.reset();
    found = roots.empty() ? std::vector<Tensor>(outs.size()) : pass.gradients(roots, along, weights, false);
  }
  of_values.reset();
  std::size_t k = 0;
  for (Value& v : results) {
    tangents.push_back(map_tensors(v, [&](const Tensor& t) {
      if (!differentiable(t) || !is_recorded(t)) return Tensor();
      Tensor tangent = found.at(k++);
      return tangent.defined() ? pass.leave(tangent) : ops::zeros_like(t);
    }));
    v = map_tensors(v, [&](const Tensor& t) {
      Tensor value = pass.leave(t);
      return random ? value : as_primals_are(value, primals);
    });
  }
  return true;
}

/// A linear function has one derivative; of those that are computed by logarithms, one at zero has none.
inline bool general_rule(TangentCall& c, Stack& results, Stack& tangents) {
  return general_rule_at(c, results, tangents, 1);
}

inline bool lies_otherwise(const TangentCall& c) {
  return c.has_tangent(0) && c.primals[0].to_tensor().strides() != c.tangents[0].to_tensor().strides();
}

/// The tangents of an operator that writes nothing.
inline void tangents_of(TangentCall& c, Stack& results, Stack& tangents) {
  bool any = false;
  for (std::size_t i = 0; i < c.tangents.size() && !any; ++i) any = c.has_tangent(i);
  if (!any) return (void)constant_rule(c, results, tangents);
  if (TangentRule rule = find_tangent_rule(c.schema()))
    if (rule(c, results, tangents)) return;
  results.clear();
  tangents.clear();
  // Views that speak of strides are the same for a tangent that lies in memory as its tensor does.
  bool by_strides = c.schema().find_argument("stride") >= 0 || c.schema().base_name() == "view";
  if (is_view(c.schema()) && !(by_strides && lies_otherwise(c)))
    linear_rule(c, results, tangents);
  else
    general_rule(c, results, tangents);
}

inline Value dual_of(const Value& primal, const Value& tangent, const Level& level) {
  if (primal.is_list()) {
    std::vector<Value> items = primal.to_list();
    for (std::size_t k = 0; k < items.size(); ++k) items[k] = dual_of(items[k], tangent.to_list()[k], level);
    return Value::list(std::move(items), primal.element_kind());
  }
  if (!primal.is_tensor() || !primal.to_tensor().defined()) return primal;
  const Tensor& value = primal.to_tensor();
  if (tangent.is_tensor() && tangent.to_tensor().defined()) return make_dual(value, tangent.to_tensor(), level);
  return differentiable(value) ? Value(make_constant(value, level)) : primal;
}

// ---- writes

/// The operator that gives what another writes.
inline OperatorHandle functional_form(const SchemaView& s) {
  std::string name(s.name());
  if (name.ends_with("_")) name.pop_back();
  for (const std::string& overload : {std::string(s.overload()), concat("Tensor_", s.overload())}) {
    OperatorHandle op = find_operator(concat(name, overload.empty() ? "" : ".", overload));
    if (!op || op.schema().n_args() != s.n_args() || schema::is_mutable(op.schema())) continue;
    bool same = true;
    for (std::size_t i = 0; i < s.n_args(); ++i)
      same = same && schema::same_type(s, s.arg(i), op.schema(), op.schema().arg(i));
    if (same) return op;
  }
  return {};
}

/// Writes: the tangent that the functional form gives is written beside the value.
inline void run_writing(TangentCall& c, const Stack& given, Stack& stack) {
  const SchemaView& s = c.schema();
  TENON_CHECK(s.n_args() > 0 && s.arg(0).write && given[0].is_tensor(), NotImplementedError, "jvp: ", s.operator_name(),
              "(): an operator that writes other than its first argument has no tangents here; use the form that "
              "writes nothing");
  bool changes = false;
  for (std::size_t i = 0; i < given.size() && !changes; ++i) changes = c.has_tangent(i);
  auto write = [&] {
    Stack call = c.primals;
    c.op.call_boxed(call);
    for (std::size_t r = 0; r < s.n_returns(); ++r)
      stack.push_back(schema::written_argument(s, r) >= 0 ? given[0] : call[r]);
  };
  if (!changes && !belongs(given[0].to_tensor(), c.level)) return write();
  TENON_CHECK(belongs(given[0].to_tensor(), c.level), ValueError, "jvp: ", s.operator_name(),
              "(): a tensor without a tangent cannot take the values of one that has one; use the form that writes "
              "nothing, or make it from an argument");
  LevelTensor& self = level_impl(given[0].to_tensor());
  take_columns(c, self);
  std::string_view name = s.base_name();
  if (c.op.entry().has_tag(Tag::inplace_view)) {
    if (self.tangent.defined()) {
      own_tangent(self);
      Stack view = c.primals;
      view[0] = self.tangent;
      c.op.call_boxed(view);
    }
  } else if (name == "copy_") {
    write_tangent(self, c.has_tangent(1) ? c.tangents[1].to_tensor() : Tensor());
  } else if (name == "zero_" || c.op.entry().has_tag(Tag::nondeterministic_seeded) ||
             (name == "fill_" && !c.has_tangent(1))) {
    write_tangent(self, Tensor());
  } else if (OperatorHandle form = functional_form(s)) {
    TangentCall functional{form, c.level, c.primals, c.tangents};
    bool recorded = false;
    for (const Stack* parts : {&c.primals, &c.tangents})
      for (const Value& v : *parts) each_tensor(v, [&](const Tensor& t) { recorded = recorded || is_recorded(t); });
    if (recorded) {
      // What is kept for gradients of this must not be written.
      functional.primals[0] = ops::clone(self.value);
      if (self.change().defined()) functional.tangents[0] = ops::clone(self.tangent);
    }
    Stack results, tangents;
    tangents_of(functional, results, tangents);
    write_tangent(self, tangents.at(0).to_tensor());
  } else {
    fail<NotImplementedError>("jvp: ", s.operator_name(),
                              "(): there is no operator of the same name that writes "
                              "nothing, whose tangents could be written");
  }
  write();
  self.follow_value();
}

TENON_COLD_BODY void run_tangent(const OperatorHandle& op, const Level& level, Stack& stack) {
  const SchemaView& s = op.schema();
  Stack given = take_arguments(s, stack);
  if (is_composite(op) && !find_tangent_rule(s)) {
    run_composite(op, given);
    for (Value& v : given) stack.push_back(std::move(v));
    return;
  }
  TangentCall c{op, level, {}, {}};
  for (const Value& v : given) {
    c.primals.push_back(map_tensors(v, [&](const Tensor& t) { return belongs(t, level) ? level_impl(t).value : t; }));
    c.tangents.push_back(
        map_tensors(v, [&](const Tensor& t) { return belongs(t, level) ? level_impl(t).change() : Tensor(); }));
  }
  OutsideGuard outside(level.outer);
  if (schema::is_mutable(s)) return run_writing(c, given, stack);
  bool view = is_view(s) && s.base_name() != "detach";
  std::shared_ptr<bool> unchanged;
  if (view)
    for (std::size_t i = 0; i < given.size(); ++i)
      if (given[i].is_tensor() && belongs(given[i].to_tensor(), level)) {
        LevelTensor& viewed = level_impl(given[i].to_tensor());
        share_tangent(viewed, level);
        c.tangents[i] = viewed.tangent;
        unchanged = viewed.unchanged;
      }
  Stack results, tangents;
  tangents_of(c, results, tangents);
  std::vector<const StorageImpl*> known;
  if (!view)
    for (const Value& v : c.tangents) each_tensor(v, [&](const Tensor& t) { known.push_back(memory_of(t)); });
  for (std::size_t r = 0; r < results.size(); ++r) {
    Value dual = dual_of(results[r], tangents[r], level);
    each_tensor(dual, [&](const Tensor& t) {
      if (!belongs(t, level)) return;
      LevelTensor& of = level_impl(t);
      of.in_views = view;
      of.unchanged = unchanged;
      if (!view && of.tangent.defined())
        of.shares_tangent = std::find(known.begin(), known.end(), memory_of(of.tangent)) != known.end();
    });
    stack.push_back(std::move(dual));
  }
}

/// Singular values and eigenvalues have no derivative without the vectors, for which calls on tensors of a level do not
/// ask. The gradient of complex vectors refuses weights that their phase would count for: here there are none.
inline bool spectrum_rule(TangentCall& c, Stack& results, Stack& tangents) {
  bool vectors = c.primals.size() < 3 || c.primals[2].to_bool();
  if (!vectors) c.primals[2] = Value(true);
  general_rule_at(c, results, tangents, 0);
  if (vectors) return true;
  for (std::size_t i : vectors_of_spectrum(results)) {
    results[i] = ops::new_empty(results[i].to_tensor(), {0});
    tangents[i] = Tensor();
  }
  return true;
}

/// Arguments behind the first are no variables, whatever their tangents are.
inline bool first_alone_rule(TangentCall& c, Stack& results, Stack& tangents) {
  if (!c.has_tangent(0)) return constant_rule(c, results, tangents);
  for (std::size_t i = 1; i < c.tangents.size(); ++i)
    c.tangents[i] = map_tensors(c.tangents[i], [](const Tensor&) { return Tensor(); });
  return general_rule(c, results, tangents);
}

TENON_COLD_BODY void add_tangent_families() {
  auto& rules = RuleTable<TangentRule>::get();
  rules.add_all(
      &linear_rule,
      "embedding neg sum sum.dim_IntList mean mean.dim clone _to_copy flip roll repeat tril triu trace cumsum cat "
      "stack _unsafe_view as_strided_scatter select_scatter slice_scatter diagonal_scatter "
      "max_unpool2d max_unpool3d gather index_select scatter.src scatter_add index_add index_copy put index_put "
      "_index_put_impl _unsafe_index_put");
  rules.add_all(&linear_in_first_rule, "nll_loss_forward nll_loss2d_forward");
  rules.add_all(&first_alone_rule, "linalg_pinv.atol_rtol_tensor");
  rules.add_all(&spectrum_rule, "_linalg_svd _linalg_eigh linalg_eig");
  rules.add_all(&constant_rule,
                "zeros_like ones_like empty_like full_like rand_like randn_like randint_like new_zeros new_ones "
                "new_empty new_full new_empty_strided detach");
  add_product_tangents();
}

}  // namespace detail
}  // namespace tenon::func
