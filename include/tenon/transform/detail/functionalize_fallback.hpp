// The one kernel at Functionalize: every operator, by its schema alone.
#pragma once
#include <tenon/transform/detail/writes.hpp>

namespace tenon::functionalization::detail {

inline void functionalize_fallback(const OperatorHandle& op, KeySet keys, Stack& stack) {
  const SchemaView& s = op.schema();
  std::size_t base = stack.size() - s.n_args();
  bool functional = false, tensors = false;
  for (std::size_t i = base; i < stack.size(); ++i)
    each_tensor(stack[i], [&](const Tensor& t) {
      tensors = true;
      functional = functional || is_functional_tensor(t);
      TENON_CHECK(is_functional_tensor(t) || !t.keys().has(DispatchKey::Functionalize), InternalError, op.name(),
                  ": an alias of a functional tensor of shape ", t.sym_sizes(), " was made without an operator");
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

}  // namespace tenon::functionalization::detail
