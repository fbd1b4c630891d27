// Operators that write functional tensors: their functional forms, by name and arguments.
#pragma once
#include <string>
#include <utility>

#include <tenon/autograd/mode.hpp>
#include <tenon/boxing/match.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/schema/derive.hpp>
#include <tenon/tensor/overlap.hpp>
#include <tenon/transform/detail/views.hpp>

namespace tenon::functionalization::detail {

/// How a writing operator is called without its writes.
struct Functional {
  OperatorHandle op;
  bool is_view = false;  ///< the writing operator changes the geometry of its argument, not what it holds
};

inline bool is_tensor_or_list(const SchemaView& s, const schema::Argument& a) {
  return schema::detail::is_tensor(s, a) || schema::detail::is_tensor_list(s, a);
}
/// Whether `f` takes what the writing operator takes, out arguments left out, and returns what that returns and writes.
/// `exact`: with no further argument.
inline bool is_form_of(const SchemaView& s, const SchemaView& f, bool exact) {
  if (schema::is_mutable(f)) return false;
  for (std::size_t i = 0; i < s.n_args(); ++i) {
    int j = f.find_argument(s.arg_name(i));
    if (j < 0 ? !s.is_out(i) : !schema::same_type(s, s.arg(i), f, f.arg(static_cast<std::size_t>(j)))) return false;
  }
  for (std::size_t j = 0; j < f.n_args(); ++j)
    if (s.find_argument(f.arg_name(j)) < 0 && (exact || !f.arg(j).has_default())) return false;
  std::size_t written = 0, fresh = 0;
  for (std::size_t i = 0; i < s.n_args(); ++i) written += s.arg(i).write;
  for (std::size_t i = 0; i < s.n_returns(); ++i) fresh += annotation(s, s.ret(i)).names == 0;
  if (f.n_returns() != fresh + written) return false;
  for (std::size_t i = fresh; i < f.n_returns(); ++i)
    if (!is_tensor_or_list(f, f.ret(i))) return false;
  return true;
}

/// The functional form: of an operator that writes out arguments, one of its own name; else of its name without the
/// underscore (`__iadd__`: `__add__`), or with `_functional` behind. Of several overloads that take the same arguments
/// by name and type, the one of the same overload name, else the first; else one whose further arguments have defaults.
inline Functional functional_form(const OperatorHandle& op) {
  const SchemaView& s = op.schema();
  bool all_out = true;
  for (std::size_t i = 0; i < s.n_args(); ++i) all_out = all_out && (!s.arg(i).write || s.is_out(i));
  std::string name(s.name()), base(s.base_name());
  if (!all_out && base.ends_with("_")) {
    if (base.size() > 5 && base.starts_with("__i") && base.ends_with("__"))
      name.erase(name.size() - base.size() + 2, 1);
    else
      name.pop_back();
  }
  Registry& registry = Registry::get();
  auto fits = [&](const OperatorHandle& other, bool exact) {
    return other && other.has_schema() && is_form_of(s, other.schema(), exact);
  };
  auto found = [](const OperatorHandle& form) { return Functional{form, viewed_argument(form.schema()) >= 0}; };
  for (const std::string& named : {name, name + "_functional"}) {
    OperatorHandle same = registry.find_schema(concat(named, s.overload().empty() ? "" : ".", s.overload()));
    if (fits(same, true)) return found(same);
    std::vector<OperatorHandle> overloads;
    for (const OperatorHandle& other : registry.operators())
      if (other.has_schema() && other.schema().name() == named) overloads.push_back(other);
    for (bool exact : {true, false})
      for (const OperatorHandle& other : overloads)
        if (fits(other, exact)) return found(other);
  }
  fail<NotImplementedError>(s, ": functionalization calls the operator ", name,
                            " of the same arguments, which writes nothing and returns what this one writes, and there "
                            "is none; declare it");
}

/// Says which argument is written and cannot be.
[[noreturn]] TENON_COLD inline void report_plain_write(const SchemaView& s, std::size_t i, const Tensor& t) {
  fail<ValueError>(
      s, ": argument ", i + 1, " '", s.arg_name(i), "': expected a functional tensor, got a plain one of shape ",
      t.sym_sizes(),
      ": mutating a non-functional tensor with a functional tensor is not allowed; pass it to the functionalized function as an argument");
}

/// The result of a functional form as the written tensor holds it.
inline Tensor fit(Tensor result, IntArrayRef sizes, const Tensor& written) {
  if (result.sizes() != sizes) result = ops::expand(result, sizes);
  if (result.dtype() != written.dtype() || result.device() != written.device())
    result = ops::_to_copy(result, "dtype"_a = written.dtype(), "device"_a = written.device());
  return result;
}

/// The arguments of the functional form: those of the call by name, and where it takes them the options of its result.
inline Stack functional_arguments(const SchemaView& s, const SchemaView& f, const Stack& call) {
  std::vector<NamedValue> named;
  const Tensor* out = nullptr;
  for (std::size_t i = 0; i < call.size(); ++i) {
    if (f.find_argument(s.arg_name(i)) >= 0)
      named.push_back({std::string(s.arg_name(i)), call[i]});
    else if (!out && call[i].is_tensor() && call[i].to_tensor().defined())
      out = &call[i].to_tensor();
  }
  auto option = [&](const char* name, Value v) {
    if (f.find_argument(name) >= 0 && s.find_argument(name) < 0) named.push_back({name, std::move(v)});
  };
  if (out) {
    option("dtype", Value(out->dtype()));
    option("layout", Value(out->layout()));
    option("device", Value(out->device()));
  }
  return match_arguments(f, {}, std::move(named));
}

/// Some operators write tensors that repeat elements and others refuse them, which only a write can tell.
inline void check_overlap(const OperatorHandle& op, const Stack& call) {
  const SchemaView& s = op.schema();
  bool overlaps = false;
  for (std::size_t i = 0; i < call.size(); ++i)
    if (s.arg(i).write) each_tensor(call[i], [&](const Tensor& t) { overlaps = overlaps || has_internal_overlap(t); });
  if (!overlaps) return;
  Stack trial = call;
  for (std::size_t i = 0; i < call.size(); ++i)
    if (s.arg(i).write)
      replace_tensors(trial[i], [](Tensor& t) {
        t = ops::empty_strided(t.sizes(), t.strides(), "dtype"_a = t.dtype(), "device"_a = t.device());
      });
    else
      unwrap(trial[i]);
  NoGradGuard guard;
  op.call_boxed(trial);
}

/// Writes through a view of what is written: the tensor becomes the view.
inline void mutate_by_view(const Functional& form, const SchemaView& s, KeySet keys, const Stack& call) {
  const SchemaView& f = form.op.schema();
  Stack results = functional_arguments(s, f, call);
  auto viewed = static_cast<std::size_t>(viewed_argument(f));
  Tensor self = results[viewed].to_tensor();
  view(form.op, keys, results, viewed);
  if (!results[0].to_tensor().is_same(self)) functional_impl(self).become(functional_impl(results[0].to_tensor()));
}

/// Result `r` of the functional form as the new value of written argument `i`. `meta`: the arguments after the operator
/// ran on Meta, empty if it could not.
inline void write_argument(const OperatorHandle& op, const Functional& form, const Stack& call, const Stack& meta,
                           std::size_t i, Value& result, std::size_t r) {
  const SchemaView& s = op.schema();
  std::vector<Tensor> written, given, looks;
  each_tensor(call[i], [&](const Tensor& t) { written.push_back(t); });
  each_tensor(result, [&](const Tensor& t) { given.push_back(t); });
  if (!meta.empty()) each_tensor(meta[i], [&](const Tensor& t) { looks.push_back(t); });
  TENON_CHECK(written.size() == given.size(), ValueError, form.op.name(), ": result ", r, ": expected ", written.size(),
              " tensors, one for each that ", op.name(), " writes, got ", given.size());
  for (std::size_t k = 0; k < written.size(); ++k) {
    FunctionalTensorImpl& w = functional_impl(written[k]);
    if (const char* reason = w.why_not_written())
      fail<AutogradError>(s, ": argument ", i + 1, " '", s.arg_name(i), "': ", reason);
    if (!looks.empty() && looks[k].sizes() != w.sizes())
      w.resize(op.name(), fit(given[k], looks[k].sizes(), written[k]));
    else
      w.write(fit(given[k], w.sizes(), written[k]));
  }
}
/// Runs the functional form and writes its last results to what the operator writes; returns the others.
inline Stack mutate_by_values(const OperatorHandle& op, const Functional& form, const Stack& call) {
  const SchemaView& s = op.schema();
  BelowFunctionalize guard;
  // Checks what the operator checks, and tells of arguments that are resized.
  Stack meta = run_on_meta(op, call, false);
  check_overlap(op, call);
  Stack results = call;
  for (Value& v : results) unwrap(v);
  results = functional_arguments(s, form.op.schema(), results);
  form.op.call_boxed(results);
  std::size_t r = form.op.schema().n_returns();
  for (std::size_t i = call.size(); i-- > 0;)
    if (s.arg(i).write) --r, write_argument(op, form, call, meta, i, results[r], r);
  results.resize(r);
  return results;
}

inline void mutate(const OperatorHandle& op, KeySet keys, Stack& stack) {
  const SchemaView& s = op.schema();
  std::size_t n = s.n_args(), base = stack.size() - n;
  Stack call(stack.begin() + static_cast<std::ptrdiff_t>(base), stack.end());
  for (std::size_t i = 0; i < n; ++i)
    if (s.arg(i).write)
      each_tensor(call[i], [&](const Tensor& t) {
        if (!is_functional_tensor(t)) report_plain_write(s, i, t);
      });
  Functional form = functional_form(op);
  Stack results;
  if (form.is_view)
    mutate_by_view(form, s, keys, call);
  else
    results = mutate_by_values(op, form, call);
  // What is returned: the written arguments themselves, and fresh results.
  stack.resize(base);
  std::size_t fresh = 0;
  for (std::size_t k = 0; k < s.n_returns(); ++k) {
    AliasSet names = annotation(s, s.ret(k)).names;
    if (names == 0) {
      wrap(results[fresh]);
      stack.push_back(std::move(results[fresh++]));
      continue;
    }
    for (std::size_t i = 0; i < n; ++i)
      if (annotation(s, s.arg(i)).names & names) {
        stack.push_back(call[i]);
        break;
      }
  }
}

}  // namespace tenon::functionalization::detail
