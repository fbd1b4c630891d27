// Operators that view functional tensors.
#pragma once
#include <utility>

#include <tenon/transform/detail/calls.hpp>

namespace tenon::functionalization::detail {

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
  Tensor self_ = takes_strides(s) ? of.aliased_value() : of.laid_out_value();

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
  if (copies && takes_strides(s) && (!views.empty() || !of.lies_as_stated()) && reference[0].is_tensor()) {
    // Strides speak of the base's memory, and a copy of a view has another.
    TENON_CHECK(self.dtype() == of.aliases()->dtype(), NotImplementedError, s,
                ": a view by strides of a copy in another dtype cannot be followed; keep views (Remove::Mutations)");
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

}  // namespace tenon::functionalization::detail
