// The way of an operator to the innermost level among its arguments.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/func/detail/randomness.hpp>
#include <tenon/func/detail/function.hpp>
#include <tenon/func/interpret.hpp>
#include <tenon/func/batching_forms.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::func::detail {

/// A tensor as one of a level that it did not come from: a constant of jvp, or the same for every column.
inline Tensor made_at(const Tensor& t, const Level& level) {
  if (level.kind == LevelKind::Tangent) return make_constant(t, level);
  ForwardModeGuard own_work(0);
  DimVector sizes{level.size};
  for (std::int64_t n : t.sizes()) sizes.push_back(n);
  return make_batched(ops::contiguous(ops::expand(t, IntArrayRef(sizes))), level);
}
/// Whether an operator makes new memory, of numbers that depend on no tensor's or are a copy.
inline bool makes_memory(const SchemaView& s) {
  std::string_view name = s.base_name();
  return !takes_tensors(s) || name.ends_with("_like") || name.starts_with("new_") || name == "clone" ||
         name == "lift_fresh";
}

/// What is made within jvp is of its level, as in PyTorch, so that it can be written with a tangent.
inline void make_constants(const SchemaView& s, Stack& stack, bool fresh = false) {
  if (forward_depth == 0 || schema::is_mutable(s)) return;
  // Within a pass backwards values differ from column to column of a Jacobian, and so may what is written.
  bool by_column = fresh && recorded_functions != 0;
  std::vector<const Level*> inner;
  for (const Level* l = innermost_level; l; l = l->outer)
    if ((l->kind == LevelKind::Tangent || (by_column && l->directions)) && l->depth <= forward_depth)
      inner.push_back(l);
  for (std::size_t i = stack.size() - s.n_returns(); i < stack.size(); ++i)
    stack[i] = map_tensors(stack[i], [&](const Tensor& t) {
      Tensor constant = t;
      if (!is_floating_type(t.dtype()) && !is_complex_type(t.dtype())) return constant;
      for (std::size_t k = inner.size(); k-- > 0;)
        if (inner[k]->depth > depth_of(t)) constant = made_at(constant, *inner[k]);
      return constant;
    });
}

/// The same for what a call of `level` computed outside of it, which is the value of a tensor of that level.
inline void make_constant_within(Tensor& value, const Level& level) {
  if (!value.defined() || !(is_floating_type(value.dtype()) || is_complex_type(value.dtype()))) return;
  if (is_level_tensor(value)) make_constant_within(level_impl(value).value, level_of(value));
  const Level* next = nullptr;  // the outermost that the value lacks
  for (const Level* l = level.outer; l && l->depth > depth_of(value); l = l->outer)
    if (l->kind == LevelKind::Tangent && l->depth <= forward_depth) next = l;
  if (!next) return;
  value = make_constant(value, *next);
  make_constant_within(value, level);
}
inline void make_values_constant(const SchemaView& s, const Level& level, Stack& stack) {
  if (forward_depth == 0 || schema::is_mutable(s) || is_view(s)) return;
  for (std::size_t i = stack.size() - s.n_returns(); i < stack.size(); ++i)
    each_tensor(stack[i], [&](const Tensor& t) {
      if (t.defined() && belongs(t, level)) make_constant_within(level_impl(t).value, level);
    });
}

/// A call without tensors of levels.
inline void run_plain(const OperatorHandle& op, KeySet keys, Stack& stack) {
  const SchemaView& s = op.schema();
  if (op.entry().has_tag(Tag::nondeterministic_seeded) && !(is_composite(op) && refuses_random_numbers())) {
    run_random_for_all(op, stack);
    return make_constants(s, stack, makes_memory(s));
  }
  KeySet below = keys & KeySet::full_after(DispatchKey::FuncTorchBatched);
  if (forward_depth == 0) return op.redispatch_boxed(below, stack);
  {
    // What the kernel makes for itself is its own, down to the memory.
    ForwardModeGuard own_work(0);
    op.redispatch_boxed(below, stack);
  }
  // A view shares memory that the function did not make, but for numbers that it wrote down.
  if (!is_view(s) || s.base_name() == "lift_fresh") make_constants(s, stack, makes_memory(s));
}

/// The kernel: the innermost level among the arguments goes first, and calls what is left for those outside.
inline void interpret(const OperatorHandle& op, KeySet keys, Stack& stack) {
  const SchemaView& s = op.schema();
  const Tensor* top = nullptr;
  int depth = 0;
  for (std::size_t i = stack.size() - s.n_args(); i < stack.size(); ++i)
    each_tensor(stack[i], [&](const Tensor& t) {
      if (!is_level_tensor(t) || level_impl(t).depth <= depth) return;
      top = &t;
      depth = level_impl(t).depth;
    });
  if (!top) return run_plain(op, keys, stack);
  const Level& level = level_of(*top);
  if (level.kind == LevelKind::Batch)
    run_batched(op, level, stack);
  else
    run_tangent(op, level, stack);
  make_values_constant(s, level, stack);
  if (&level != innermost_level) make_constants(s, stack);
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
