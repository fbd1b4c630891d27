// The one kernel at Functionalize: every operator, by its schema alone.
#pragma once
#include <algorithm>
#include <string>
#include <utility>

#include <tenon/base/body.hpp>
#include <tenon/boxing/match.hpp>
#include <tenon/dispatch/registry.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/schema/alias.hpp>
#include <tenon/schema/derive.hpp>
#include <tenon/transform/bodies/functional_tensor.hpp>

namespace tenon::functionalization::detail {

using schema::AliasSet;
using schema::SchemaView;

/// Calls `f` with every tensor of a value; `f` may replace it, which the caller's own list does not see.
template <class F>
void replace_tensors(Value& v, F&& f) {
  if (v.is_tensor()) {
    if (v.to_tensor().defined()) f(v.to_tensor());
  } else if (v.is_list()) {
    bool any = false;
    for (const Value& item : v.to_list()) any = any || item.is_tensor() || item.is_list();
    if (!any) return;
    std::vector<Value> items = v.to_list();
    for (Value& item : items) replace_tensors(item, f);
    v = Value::list(std::move(items), v.element_kind());
  }
}
template <class F>
void each_tensor(const Value& v, F&& f) {
  if (v.is_tensor()) {
    if (v.to_tensor().defined()) f(v.to_tensor());
  } else if (v.is_list()) {
    for (const Value& item : v.to_list()) each_tensor(item, f);
  }
}

inline void unwrap(Value& v) {
  replace_tensors(v, [](Tensor& t) {
    if (is_functional_tensor(t)) t = functional_impl(t).value();
  });
}
inline void wrap(Value& v) {
  replace_tensors(v, [](Tensor& t) { t = to_functional_tensor(t); });
}

/// The annotation of an argument or a return, also of the elements of an optional or a list.
struct Annotation {
  AliasSet names = 0;
  bool write = false;
};
inline Annotation annotation(const SchemaView& s, const schema::Argument& a) {
  const schema::TypeNode* node = &s.type(a);
  while (!node->has_alias && node->child >= 0) node = &s.node(node->child);
  return node->has_alias ? Annotation{node->before & ~schema::wildcard_alias, node->write || a.write}
                         : Annotation{0, a.write};
}
/// The argument whose memory a result shares without its being written, or -1.
inline int viewed_argument(const SchemaView& s) {
  AliasSet results = 0;
  for (std::size_t i = 0; i < s.n_returns(); ++i)
    if (auto a = annotation(s, s.ret(i)); !a.write) results |= a.names;
  for (std::size_t i = 0; i < s.n_args(); ++i)
    if (auto a = annotation(s, s.arg(i)); !a.write && (a.names & results) != 0) return static_cast<int>(i);
  return -1;
}

/// Tensors on Meta in the places of a call's tensors: of the same geometry, and sharing memory where those do.
class References {
 public:
  Tensor operator()(const Tensor& t) {
    for (const auto& [of, reference] : made_)
      if (of.is_same(t)) return reference;
    Tensor reference;
    for (const auto& [of, other] : made_)
      if (of->storage() == t->storage() && of.dtype() == t.dtype()) reference = make_alias(other);
    if (!reference.defined())
      reference = ops::empty_strided(t.sizes(), t.strides(), "dtype"_a = t.dtype(), "layout"_a = t.layout(),
                                     "device"_a = kMeta);
    reference->set_geometry(t.sizes(), t.strides(), t.storage_offset());
    reference->set_wrapped_number(t->is_wrapped_number());
    made_.emplace_back(t, reference);
    return reference;
  }
  void replace_in(Stack& stack) {
    for (Value& v : stack) replace_tensors(v, [&](Tensor& t) { t = (*this)(t); });
  }

 private:
  std::vector<std::pair<Tensor, Tensor>> made_;
};

inline bool runs_on_meta(const OperatorHandle& op) {
  Registry::Lock lock(Registry::get());
  return Registry::get().compute(op.entry(), DispatchKey::Meta).provenance != Provenance::Missing;
}
/// The kernel of an operator that is composed of others, which are functionalized one by one.
inline OperatorEntry::KernelState composite_kernel(const OperatorHandle& op, KeySet keys) {
  Registry::Lock lock(Registry::get());
  auto* kernel = op.entry().kernel_at(DispatchKey::CompositeImplicitAutograd);
  if (!kernel) return {};
  BackendComponent b = keys.highest_backend();
  DispatchKey dense = runtime_key(DispatchKey::Dense, b == BackendComponent::Invalid ? BackendComponent::CPU : b);
  return Registry::get().compute(op.entry(), dense).provenance == Provenance::Math ? *kernel
                                                                                   : OperatorEntry::KernelState();
}

// --- operators that neither write nor view ---

inline void call_and_wrap(const OperatorHandle& op, Stack& stack) {
  std::size_t n = op.schema().n_args(), base = stack.size() - n;
  {
    BelowFunctionalize guard;
    for (std::size_t i = 0; i < n; ++i) unwrap(stack[base + i]);
    op.call_boxed(stack);
  }
  for (std::size_t i = base; i < stack.size(); ++i) wrap(stack[i]);
}

// --- views ---

/// Whether values may skip autograd: the keys of the call say all that theirs do, and no gradient is recorded.
inline bool may_redispatch(const Stack& stack, KeySet keys) {
  bool plain = true;
  for (const Value& v : stack)
    each_tensor(v, [&](const Tensor& t) {
      KeySet own = t.keys().without_functionalities(key_sets::autograd_and_inplace_or_view | key_sets::autocast);
      plain = plain && keys.has_all(own) && !(is_grad_enabled() && t.requires_grad());
    });
  return plain;
}
inline bool takes_strides(const SchemaView& s) { return s.find_argument("stride") >= 0; }

inline void view(OperatorHandle op, KeySet keys, Stack& stack, std::size_t viewed) {
  const SchemaView& s = op.schema();
  std::size_t n = s.n_args(), base = stack.size() - n;
  Stack call(stack.begin() + static_cast<std::ptrdiff_t>(base), stack.end());
  TENON_CHECK(call[viewed].is_tensor(), NotImplementedError, s, ": argument ", viewed + 1, " '", s.arg_name(viewed),
              "': a view of a list of functional tensors cannot be followed; view its elements one by one");
  Tensor self = call[viewed].to_tensor();
  if (!is_functional_tensor(self)) return call_and_wrap(op, stack);
  FunctionalTensorImpl& of = functional_impl(self);
  bool copies = removing == Remove::MutationsAndViews;

  // 1: the value that is viewed.
  Tensor self_ = of.laid_out_value();

  // 2: sizes, strides and offset of the result as Meta tensors give them, then the result.
  BelowFunctionalize guard;
  Stack reference = call;
  Tensor memory;
  if (runs_on_meta(op)) {
    References references;
    memory = references(self);
    references.replace_in(reference);
    op.call_boxed(reference);
  } else {
    TENON_CHECK(of.lies_as_stated(), NotImplementedError, s,
                ": a view of a copy needs the operator's kernel for Meta, which is missing; register one");
    for (Value& v : reference) unwrap(v);
    memory = reference[viewed].to_tensor();
    op.call_boxed(reference);
  }
  std::vector<ViewMeta> views = of.views();
  if (copies && !of.lies_as_stated() && takes_strides(s) && reference[0].is_tensor()) {
    // Strides speak of the base's memory, and a copy of a view has another.
    Tensor r = reference[0].to_tensor();
    op = Registry::get().find_schema_or_throw("aten::as_strided", "");
    self_ = of.aliases()->base();
    call = {self_, Value::list_of(r.sizes()), Value::list_of(r.strides()), Value(r.storage_offset())};
    viewed = 0;
    views.clear();
  }
  for (Value& v : call) unwrap(v);
  call[viewed] = self_;
  views.push_back({op, call, viewed, 0, 0, copies, {}});
  ViewMeta& meta = views.back();
  meta.arguments[viewed] = Value();
  run_view(op, copies, call, [&] {
    if (may_redispatch(call, keys))
      op.redispatch_boxed(keys & key_sets::after_functionalize, call);
    else
      op.call_boxed(call);
  });

  // 3 to 5: a functional tensor over the same base for each result, of the reference's geometry.
  auto make = [&](Tensor& value, const Tensor& r) {
    if (r->storage() != memory->storage()) {
      value = to_functional_tensor(value);  // such as contiguous(): it may have been a copy all along
    } else if (r.is_same(memory)) {
      value = self;
    } else {
      meta.reference = geometry_of(r);
      value = Tensor(make_intrusive<FunctionalTensorImpl>(of, views, value));
    }
  };
  for (std::size_t i = 0; i < call.size(); ++i) {
    meta.result = i;
    meta.out_index = 0;
    const Value& r = reference[i];
    if (annotation(s, s.ret(i)).names == 0)
      wrap(call[i]);
    else if (r.is_tensor())
      make(call[i].to_tensor(), r.to_tensor());
    else
      for (; meta.out_index < r.to_list().size(); ++meta.out_index)
        make(call[i].to_list()[meta.out_index].to_tensor(), r.to_list()[meta.out_index].to_tensor());
  }
  stack.resize(base);
  for (Value& v : call) stack.push_back(std::move(v));
}

// --- operators that write ---

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
  fail<NotImplementedError>(s, ": functionalization calls an operator of the same arguments that writes none of them, and there is none; declare ",
                            name, "(...) -> ", all_out ? "what it returns" : "what it writes",
                            ", or wrap the values it reads with from_functional_tensor()");
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

/// What the arguments would look like after the call, as Meta tensors tell it; checks what the operator checks.
inline void run_on_meta(const OperatorHandle& op, Stack& call) {
  References references;
  references.replace_in(call);
  Stack stack = call;
  try {
    op.call_boxed(stack);
  } catch (const NotImplementedError&) {
    call.clear();  // depends on values that Meta tensors lack
  }
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
  const SchemaView& f = form.op.schema();
  Stack results;
  if (form.is_view) {
    results = functional_arguments(s, f, call);
    auto viewed = static_cast<std::size_t>(viewed_argument(f));
    Tensor self = results[viewed].to_tensor();
    view(form.op, keys, results, viewed);
    if (!results[0].to_tensor().is_same(self)) functional_impl(self).become(functional_impl(results[0].to_tensor()));
    results.clear();
  } else {
    BelowFunctionalize guard;
    Stack meta;
    if (runs_on_meta(op)) run_on_meta(op, meta = call);
    results = call;
    for (Value& v : results) unwrap(v);
    results = functional_arguments(s, f, results);
    form.op.call_boxed(results);
    std::size_t r = f.n_returns();
    for (std::size_t i = n; i-- > 0;) {
      if (!s.arg(i).write) continue;
      --r;
      std::vector<Tensor> written, given, looks;
      each_tensor(call[i], [&](const Tensor& t) { written.push_back(t); });
      each_tensor(results[r], [&](const Tensor& t) { given.push_back(t); });
      if (!meta.empty()) each_tensor(meta[i], [&](const Tensor& t) { looks.push_back(t); });
      TENON_CHECK(written.size() == given.size(), ValueError, form.op.name(), ": result ", r, ": expected ",
                  written.size(), " tensors, one for each that ", op.name(), " writes, got ", given.size());
      for (std::size_t k = 0; k < written.size(); ++k) {
        FunctionalTensorImpl& w = functional_impl(written[k]);
        if (!looks.empty() && looks[k].sizes() != w.sizes())
          w.resize(op.name(), fit(given[k], looks[k].sizes(), written[k]));
        else
          w.write(fit(given[k], w.sizes(), written[k]));
      }
    }
    results.resize(r);
  }
  // What is returned: the written arguments themselves, and fresh results.
  Stack returned;
  std::size_t fresh = 0;
  for (std::size_t k = 0; k < s.n_returns(); ++k) {
    AliasSet names = annotation(s, s.ret(k)).names;
    if (names == 0) {
      wrap(results[fresh]);
      returned.push_back(results[fresh++]);
      continue;
    }
    for (std::size_t i = 0; i < n; ++i)
      if (annotation(s, s.arg(i)).names & names) {
        returned.push_back(call[i]);
        break;
      }
  }
  stack.resize(base);
  for (Value& v : returned) stack.push_back(std::move(v));
}

inline void functionalize_fallback(const OperatorHandle& op, KeySet keys, Stack& stack) {
  const SchemaView& s = op.schema();
  std::size_t base = stack.size() - s.n_args();
  bool functional = false, tensors = false;
  for (std::size_t i = base; i < stack.size(); ++i)
    each_tensor(stack[i], [&](const Tensor& t) {
      tensors = true;
      functional = functional || is_functional_tensor(t);
    });
  // What makes tensors from none makes functional ones within functionalize().
  if (!functional && tensors) {
    AutoDispatchSkipFunctionalize guard;
    return op.redispatch_boxed(keys & key_sets::after_functionalize, stack);
  }
  if (auto composite = composite_kernel(op, keys))
    return composite->record.boxed(composite->record.boxed_data, op, keys, stack);
  if (schema::is_mutable(s)) return mutate(op, keys, stack);
  if (int viewed = viewed_argument(s); viewed >= 0) return view(op, keys, stack, static_cast<std::size_t>(viewed));
  call_and_wrap(op, stack);
}

/// A constant of the program: nobody else has it, so that it may be written.
inline void lift_fresh(const OperatorHandle&, Stack& stack) { wrap(stack.back()); }

TENON_COLD_BODY void install_fallback() {
  constexpr DispatchKey key = DispatchKey::Functionalize;
  static Registration fallback, constants;
  Registry& registry = Registry::get();
  if (registry.fallback_at(key)) return;
  fallback = registry.add_fallback(key, Kernel(&functionalize_fallback), Place(__FILE__, __LINE__));
  constants = registry.implement("aten::lift_fresh", key, Kernel(&lift_fresh), Place(__FILE__, __LINE__));
}

}  // namespace tenon::functionalization::detail
