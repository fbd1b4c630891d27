// What the keys Conjugate, Negative and ZeroTensor do for operators that know nothing of them: one boxed kernel each.
#pragma once
#include <vector>

#include <tenon/boxing/each_tensor.hpp>
#include <tenon/boxing/replace_tensors.hpp>
#include <tenon/dispatch/call.hpp>
#include <tenon/library/library.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/complex.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/schema/annotation.hpp>

namespace tenon::composite {

/// Whether an operator's results share the memory and carry on the keys of what it is given.
inline bool carries_keys_on(const OperatorHandle& op) {
  return schema::viewed_argument(op.schema()) >= 0 || op.entry().has_tag(Tag::inplace_view);
}

/// Runs an operator on elements as they are read: each argument that is a view of other elements is copied, and of
/// those that the operator writes the copy is written back. Where several arguments share memory, each is read as it
/// was before the call.
template <DispatchKey Mark>
void resolve_and_call(const OperatorHandle& op, KeySet keys, Stack& stack) {
  const schema::SchemaView& s = op.schema();
  const KeySet below = keys & KeySet::full_after(Mark);
  if (carries_keys_on(op)) return op.redispatch_boxed(below, stack);
  struct Written {
    Tensor view, copy;
  };
  std::vector<Written> written;
  std::size_t n = s.n_args(), base = stack.size() - n;
  for (std::size_t i = 0; i < n; ++i)
    tenon::detail::replace_tensors(stack[base + i], [&](Tensor& t) {
      if (!t.keys().has(Mark)) return;
      const bool writes = schema::annotation(s, s.arg(i)).write;
      for (const Written& w : written)
        if (writes && w.view.is_same(t)) {
          t = w.copy;
          return;
        }
      AutoDispatchBelowADInplaceOrView guard;
      Tensor copy = ops::clone(t);
      if (writes) written.push_back({t, copy});
      t = copy;
    });
  op.redispatch_boxed(below, stack);
  if (written.empty()) return;
  for (const Written& w : written) {
    AutoDispatchBelowADInplaceOrView guard;
    Tensor view = w.view;
    if (view.sym_sizes() != w.copy.sym_sizes()) ops::resize_(view, w.copy.sym_sizes());
    ops::copy_(view, w.copy);
  }
  for (std::size_t i = stack.size() - s.n_returns(); i < stack.size(); ++i)
    tenon::detail::replace_tensors(stack[i], [&](Tensor& t) {
      for (const Written& w : written)
        if (t.is_same(w.copy)) {
          t = w.view;
          return;
        }
    });
}

/// Runs an operator on zeros in memory. Tensors without memory are not written.
inline void make_zeros_and_call(const OperatorHandle& op, KeySet keys, Stack& stack) {
  const schema::SchemaView& s = op.schema();
  const KeySet below = keys & KeySet::full_after(DispatchKey::ZeroTensor);
  const bool moves = s.base_name() == "resize_" || s.base_name() == "resize_as_" || s.base_name() == "set_";
  if (!moves && carries_keys_on(op)) return op.redispatch_boxed(below, stack);
  std::size_t n = s.n_args(), base = stack.size() - n;
  for (std::size_t i = 0; i < n; ++i)
    tenon::detail::replace_tensors(stack[base + i], [&](Tensor& t) {
      if (!t.keys().has(DispatchKey::ZeroTensor)) return;
      TENON_CHECK(!schema::annotation(s, s.arg(i)).write, ValueError,
                  "ZeroTensors are immutable. Please use the materialized zero tensor obtained using .clone() if you "
                  "want a mutable tensor.");
      AutoDispatchBelowADInplaceOrView guard;
      // Each with a place of its own: what reads memory by strides of its own must not leave it.
      t = ops::zeros(t.sym_sizes(), "dtype"_a = t.dtype(), "device"_a = t.device());
    });
  op.redispatch_boxed(below, stack);
}

/// Kernels below read the keys themselves, or read no elements at all.
template <auto... Op>
TENON_COLD void pass_by(Library& m) {
  (m.impl<Op>(fallthrough()), ...);
}
TENON_COLD inline void pass_by_keys_of_elements(Library& m) {
  using namespace ops;
  pass_by<clone_base, _to_copy_base, _unsafe_view_base>(m);
  pass_by<empty_like_base, zeros_like_base, ones_like_base, full_like_base>(m);
  pass_by<new_empty_base, new_zeros_base, new_ones_base, new_full_base>(m);
}

inline Tensor conj_physical_of_view(const Tensor& self) {
  AutoDispatchBelowADInplaceOrView guard;
  return ops::clone(ops::_conj(self));
}

}  // namespace tenon::composite

TENON_LIBRARY_IMPL(_, Conjugate, m) { m.fallback(&tenon::composite::resolve_and_call<tenon::DispatchKey::Conjugate>); }
TENON_LIBRARY_IMPL(_, Negative, m) { m.fallback(&tenon::composite::resolve_and_call<tenon::DispatchKey::Negative>); }
TENON_LIBRARY_IMPL(_, ZeroTensor, m) { m.fallback(&tenon::composite::make_zeros_and_call); }
TENON_LIBRARY_IMPL(aten, Conjugate, m) {
  tenon::composite::pass_by_keys_of_elements(m);
  tenon::composite::pass_by<tenon::ops::copy_base_>(m);
  m.impl<tenon::ops::_conj_physical_base, &tenon::composite::conj_physical_of_view>();
}
TENON_LIBRARY_IMPL(aten, Negative, m) {
  tenon::composite::pass_by_keys_of_elements(m);
  tenon::composite::pass_by<tenon::ops::copy_base_>(m);
}
TENON_LIBRARY_IMPL(aten, ZeroTensor, m) { tenon::composite::pass_by_keys_of_elements(m); }
