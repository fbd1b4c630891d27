// Operators that neither write nor view, and what all calls on functional tensors share.
#pragma once
#include <utility>

#include <tenon/base/body.hpp>
#include <tenon/boxing/each_tensor.hpp>
#include <tenon/boxing/replace_tensors.hpp>
#include <tenon/dispatch/registry.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/schema/annotation.hpp>
#include <tenon/transform/detail/below.hpp>
#include <tenon/transform/detail/places.hpp>

namespace tenon::functionalization::detail {

using schema::AliasSet;
using schema::annotation;
using schema::SchemaView;
using schema::viewed_argument;
using tenon::detail::each_tensor;
using tenon::detail::replace_tensors;

inline void unwrap(Value& v) {
  replace_tensors(v, [](Tensor& t) {
    if (is_functional_tensor(t)) t = functional_impl(t).value();
  });
}
inline void wrap(Value& v) {
  replace_tensors(v, [](Tensor& t) { t = to_functional_tensor(t); });
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
  return Registry::get().tables().compute(op.entry(), DispatchKey::Meta).provenance != Provenance::Missing;
}
/// The kernel of an operator that is composed of others, which are functionalized one by one.
inline OperatorEntry::KernelState composite_kernel(const OperatorHandle& op, KeySet keys) {
  Registry::Lock lock(Registry::get());
  auto* kernel = op.entry().kernel_at(DispatchKey::CompositeImplicitAutograd);
  if (!kernel) return {};
  BackendComponent b = keys.highest_backend();
  DispatchKey dense = runtime_key(DispatchKey::Dense, b == BackendComponent::Invalid ? BackendComponent::CPU : b);
  return Registry::get().tables().compute(op.entry(), dense).provenance == Provenance::Math
             ? *kernel
             : OperatorEntry::KernelState();
}

/// The arguments or results of a call as Meta tensors tell of them, or nothing where they depend on what Meta lacks.
inline Stack run_on_meta(const OperatorHandle& op, const Stack& call, bool results) {
  if (!runs_on_meta(op)) return {};
  for (const Value& v : call)
    if (v.kind() == ValueKind::Storage) return {};
  References references;
  Stack arguments = call;
  references.replace_in(arguments);
  Stack stack = arguments;
  try {
    op.call_boxed(stack);
  } catch (const NotImplementedError&) { return {}; }
  return results ? stack : arguments;
}

inline void call_and_wrap(const OperatorHandle& op, Stack& stack) {
  std::size_t n = op.schema().n_args(), base = stack.size() - n;
  Stack looks;
  {
    BelowFunctionalize guard;
    bool ordered = true;
    for (std::size_t i = 0; i < n; ++i)
      each_tensor(stack[base + i], [&](const Tensor& t) {
        if (!is_functional_tensor(t)) return;
        functional_impl(t).ordered_value();
        ordered = ordered && functional_impl(t).is_ordered_as_stated();
      });
    if (!ordered) looks = run_on_meta(op, Stack(stack.begin() + static_cast<std::ptrdiff_t>(base), stack.end()), true);
    for (std::size_t i = 0; i < n; ++i) unwrap(stack[base + i]);
    op.call_boxed(stack);
  }
  for (std::size_t i = base; i < stack.size(); ++i) {
    if (looks.empty()) {
      wrap(stack[i]);
      continue;
    }
    std::vector<Tensor> references;
    each_tensor(looks[i - base], [&](const Tensor& t) { references.push_back(t); });
    std::size_t k = 0;
    replace_tensors(stack[i], [&](Tensor& t) {
      const Tensor& look = references[k++];
      if (!is_functional_tensor(t) && look.sizes() == t.sizes())
        t = Tensor(make_intrusive<FunctionalTensorImpl>(t, geometry_of(look)));
    });
  }
}

}  // namespace tenon::functionalization::detail
