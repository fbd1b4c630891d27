// Operators that view functional tensors.
#pragma once
#include <utility>

#include <tenon/autograd/mode.hpp>
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

/// A view of a functional tensor on its way: the value that is viewed, what the result looks like, and the results.
class ViewCall {
 public:
  ViewCall(const OperatorHandle& op, const Tensor& self, Stack call, std::size_t viewed)
      : op_(op),
        stated_(op.schema()),
        self_(self),
        of_(functional_impl(self)),
        call_(std::move(call)),
        viewed_(viewed),
        value_(takes_strides(stated_) ? of_.aliased_value() : of_.laid_out_value()) {}

  Stack run(KeySet keys) {
    BelowFunctionalize guard;
    look();
    views_ = of_.views();
    if (copies_ && takes_strides(stated_) && (!views_.empty() || !of_.lies_as_stated()) && looks_[0].is_tensor())
      view_base();
    for (Value& v : call_) unwrap(v);
    call_[viewed_] = value_;
    const bool conjugated = !views_.empty() && views_.back().conjugates,
               negated = !views_.empty() && views_.back().negates;
    views_.push_back({op_,
                      call_,
                      viewed_,
                      0,
                      0,
                      copies_,
                      conjugated != toggles(DispatchKey::Conjugate),
                      negated != toggles(DispatchKey::Negative),
                      {}});
    views_.back().arguments[viewed_] = Value();
    run_view(op_, copies_, call_, [&] {
      if (may_redispatch(call_, keys))
        op_.redispatch_boxed(keys & key_sets::after_functionalize, call_);
      else
        op_.call_boxed(call_);
    });
    wrap_results();
    return std::move(call_);
  }

 private:
  /// Sizes, strides and offset of the results as Meta tensors give them.
  void look() {
    looks_ = call_;
    if (runs_on_meta(op_)) {
      References references;
      memory_ = references(self_);
      references.replace_in(looks_);
    } else {
      TENON_CHECK(of_.lies_as_stated(), NotImplementedError, stated_,
                  ": a view of a copy needs the operator's kernel for Meta, which is missing; register one");
      for (Value& v : looks_) unwrap(v);
      memory_ = looks_[viewed_].to_tensor();
    }
    op_.call_boxed(looks_);
  }
  /// Whether the view shows the elements with a mark more, or one less, as _conj does.
  bool toggles(DispatchKey mark) const {
    return looks_[0].is_tensor() && looks_[0].to_tensor().keys().has(mark) != memory_.keys().has(mark);
  }
  /// Strides speak of the base's memory, and a copy of a view has another: the base is viewed instead.
  void view_base() {
    TENON_CHECK(self_.dtype() == of_.aliases()->dtype(), NotImplementedError, stated_,
                ": a view by strides of a copy in another dtype cannot be followed; keep views (Remove::Mutations)");
    Tensor r = looks_[0].to_tensor();
    op_ = Registry::get().find_schema_or_throw("aten::as_strided", "");
    value_ = of_.aliases()->base();
    call_ = {value_, Value::list_of(r.sizes()), Value::list_of(r.strides()), Value(r.storage_offset())};
    viewed_ = 0;
    views_.clear();
  }
  /// A functional tensor over the same base for each result, of the geometry that was looked at.
  void wrap_results() {
    ViewMeta& meta = views_.back();
    for (std::size_t i = 0; i < call_.size(); ++i) {
      meta.result = i;
      meta.out_index = 0;
      const Value& look = looks_[i];
      if (annotation(stated_, stated_.ret(i)).names == 0)
        wrap(call_[i]);
      else if (look.is_tensor())
        wrap_view(call_[i].to_tensor(), look.to_tensor());
      else
        for (; meta.out_index < look.to_list().size(); ++meta.out_index)
          wrap_view(call_[i].to_list()[meta.out_index].to_tensor(), look.to_list()[meta.out_index].to_tensor());
    }
  }
  void wrap_view(Tensor& value, const Tensor& look) {
    if (look->storage() != memory_->storage()) {
      value = to_functional_tensor(value);  // such as contiguous(): it may have been a copy all along
    } else if (look.is_same(memory_)) {
      value = self_;
    } else {
      views_.back().reference = geometry_of(look);
      value = Tensor(make_intrusive<FunctionalTensorImpl>(of_, views_, value));
    }
  }

  OperatorHandle op_;
  const SchemaView& stated_;  ///< of the operator that was called
  Tensor self_;
  FunctionalTensorImpl& of_;
  Stack call_, looks_;
  std::size_t viewed_;
  Tensor value_, memory_;
  std::vector<ViewMeta> views_;
  const bool copies_ = removing == Remove::MutationsAndViews;
};

inline void view(const OperatorHandle& op, KeySet keys, Stack& stack, std::size_t viewed) {
  const SchemaView& s = op.schema();
  std::size_t base = stack.size() - s.n_args();
  Stack call(stack.begin() + static_cast<std::ptrdiff_t>(base), stack.end());
  TENON_CHECK(call[viewed].is_tensor(), NotImplementedError, s, ": argument ", viewed + 1, " '", s.arg_name(viewed),
              "': a view of a list of functional tensors cannot be followed; view its elements one by one");
  Tensor self = call[viewed].to_tensor();
  if (!is_functional_tensor(self)) return call_and_wrap(op, stack);
  Stack results = ViewCall(op, self, std::move(call), viewed).run(keys);
  stack.resize(base);
  for (Value& v : results) stack.push_back(std::move(v));
}

}  // namespace tenon::functionalization::detail
