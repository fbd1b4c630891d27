// A transform of one's own: tensors with a hidden first dimension, and one boxed kernel that runs any operator once for
// each example of the batch and stacks the results.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include <tenon/tenon.hpp>

namespace batching {

using namespace tenon;

/// Looks like one example of `value`; its key sends every operator to the kernel below.
struct BatchedImpl final : TensorImpl {
  explicit BatchedImpl(Tensor whole)
      : TensorImpl(whole.impl().storage(), KeySet(DispatchKey::Batched), whole.dtype(), whole.device()),
        value(std::move(whole)) {
    std::size_t rest = value.sizes().size() - 1;
    set_geometry(value.sizes().slice(1, rest), value.strides().slice(1, rest), value.storage_offset());
  }
  void release_resources() noexcept override {
    value = Tensor();
    TensorImpl::release_resources();
  }
  Tensor value;
};

inline bool is_batched(const Tensor& t) { return t.defined() && t.keys().has(DispatchKey::Batched); }
inline bool is_batched(const Value& v) { return v.is_tensor() && is_batched(v.to_tensor()); }

/// Hides the first dimension. Throws ValueError for a tensor without one, or with one that is hidden already.
inline Tensor batch(const Tensor& value) {
  if (value.dim() == 0 || is_batched(value))
    fail<ValueError>("batch(): expected a plain tensor of at least one dimension, got one of sizes ", value.sizes());
  return Tensor(make_intrusive<BatchedImpl>(value));
}
/// The tensor with all its dimensions; one that is not batched is returned as it is.
inline Tensor unbatch(const Tensor& t) { return is_batched(t) ? static_cast<BatchedImpl&>(t.impl()).value : t; }

/// The kernel: whatever the operator, its arguments and results are values on a stack.
inline void for_each_example(const OperatorHandle& op, Stack& stack) {
  std::size_t n = op.schema().n_args(), returns = op.schema().n_returns();
  std::vector<Value> arguments(stack.end() - static_cast<std::ptrdiff_t>(n), stack.end());
  std::optional<std::int64_t> examples;
  for (const Value& v : arguments)
    if (is_batched(v)) {
      std::int64_t here = unbatch(v.to_tensor()).size(0);
      if (here != examples.value_or(here))
        fail<ValueError>(op.name(), ": expected batches of one size, got ", *examples, " and ", here);
      examples = here;
    }
  if (examples.value_or(0) == 0)
    fail<ValueError>(op.name(), ": expected a batched tensor with at least one example among the arguments");
  ExcludeDispatchKeyGuard below(DispatchKey::Batched);
  std::vector<std::vector<Tensor>> results(returns);
  for (std::int64_t i = 0; i < *examples; ++i) {
    Stack call;
    for (const Value& v : arguments) call.push_back(is_batched(v) ? Value(unbatch(v.to_tensor()).select(0, i)) : v);
    op.call_boxed(call);
    for (std::size_t r = 0; r < returns; ++r) {
      if (!call[r].is_tensor())
        fail<NotImplementedError>(op.name(), ": result ", r, " is no tensor, and only tensors can be batched");
      results[r].push_back(call[r].to_tensor());
    }
  }
  stack.resize(stack.size() - n);
  for (const auto& result : results) stack.emplace_back(batch(ops::stack(result)));
}

/// `f` over the examples of `inputs`: what a loop over them and a stack of the results give.
template <class F, class... T>
Tensor vmap(F f, const T&... inputs) {
  return unbatch(f(batch(inputs)...));
}

}  // namespace batching

TENON_LIBRARY_IMPL(_, Batched, m) { m.fallback(&batching::for_each_example); }
