// The boxed kernel that every operator on tensors of a level comes to, and what rules share.
#pragma once
#include <utility>

#include <tenon/boxing/each_tensor.hpp>
#include <tenon/boxing/replace_tensors.hpp>
#include <tenon/dispatch/call.hpp>
#include <tenon/func/level.hpp>
#include <tenon/schema/annotation.hpp>

namespace tenon::func::detail {

using schema::SchemaView;
using tenon::detail::each_tensor;

void install_interpreter();
/// Runs an operator at a level of its arguments: the arguments are replaced by the results.
void run_batched(const OperatorHandle& op, const Level& level, Stack& stack);
void run_tangent(const OperatorHandle& op, const Level& level, Stack& stack);

/// The value with other tensors; lists are copied. `f` may return an undefined tensor.
template <class F>
Value map_tensors(Value v, F&& f) {
  tenon::detail::replace_tensors(v, [&](Tensor& t) { t = f(t); });
  return v;
}

/// Whether a result may share memory with an argument that is not written.
inline bool is_view(const SchemaView& s) { return !schema::is_mutable(s) && schema::has_alias_info(s); }

/// The composite kernel of an operator, of which others make the same.
inline bool is_composite(const OperatorHandle& op) {
  Registry::Lock lock(Registry::get());
  return op.entry().kernel_at(DispatchKey::CompositeImplicitAutograd) != nullptr;
}
inline void run_composite(const OperatorHandle& op, Stack& stack) {
  // A key at which nothing but composites have kernels.
  op.redispatch_boxed(DispatchKey::AutogradOther, stack);
}

/// Which results of _linalg_svd (U, S, V) or _linalg_eigh (values, vectors) are vectors.
inline std::vector<std::size_t> vectors_of_spectrum(const Stack& results) {
  if (results.size() == 3) return {0, 2};
  return {1};
}

/// The arguments of a call, taken from the stack.
inline Stack take_arguments(const SchemaView& s, Stack& stack) {
  if (stack.size() == s.n_args()) return std::exchange(stack, {});
  auto first = stack.end() - static_cast<std::ptrdiff_t>(s.n_args());
  Stack args(std::make_move_iterator(first), std::make_move_iterator(stack.end()));
  stack.erase(first, stack.end());
  return args;
}

/// The operator of another name, or none.
inline OperatorHandle find_operator(std::string_view name) { return Registry::get().find_schema(name); }
/// Calls an operator by name.
inline Stack call(std::string_view name, Stack stack) {
  OperatorHandle op = find_operator(name);
  TENON_CHECK(op, NotImplementedError, "no operator ", name, ", which a transform needs; include its kernels");
  op.call_boxed(stack);
  return stack;
}

}  // namespace tenon::func::detail
