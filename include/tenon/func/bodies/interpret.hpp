// The way of an operator to the innermost level among its arguments.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/func/detail/randomness.hpp>
#include <tenon/func/detail/function.hpp>
#include <tenon/func/interpret.hpp>

namespace tenon::func::detail {

/// The kernel: the innermost level among the arguments goes first, and calls what is left for those outside.
inline void interpret(const OperatorHandle& op, KeySet keys, Stack& stack) {
  const SchemaView& s = op.schema();
  Tensor top;
  for (std::size_t i = stack.size() - s.n_args(); i < stack.size(); ++i)
    each_tensor(stack[i], [&](const Tensor& t) {
      if (depth_of(t) > depth_of(top)) top = t;
    });
  if (depth_of(top) == 0) {
    if (op.entry().has_tag(Tag::nondeterministic_seeded)) return run_random_for_all(op, stack);
    return op.redispatch_boxed(keys & KeySet::full_after(DispatchKey::FuncTorchBatched), stack);
  }
  const Level& level = level_of(top);
  if (level.kind == LevelKind::Batch)
    run_batched(op, level, stack);
  else
    run_tangent(op, level, stack);
}

TENON_COLD_BODY void install_interpreter() {
  static const bool installed = [] {
    static std::vector<Registration> registrations;
    autograd::detail::run_transformed() = &run_function;
    for (DispatchKey key :
         {DispatchKey::FuncTorchBatched, DispatchKey::FuncTorchGradWrapper, DispatchKey::FuncTorchVmapMode})
      // Another shared object may have been first.
      if (!Registry::get().tables().fallback_at(key))
        registrations.push_back(Registry::get().add_fallback(key, Kernel(&interpret), Place(__FILE__, __LINE__)));
    return true;
  }();
  (void)installed;
}

}  // namespace tenon::func::detail
