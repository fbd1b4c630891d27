// Derivatives of user-defined elementwise operators: calling the one function.
#pragma once
#include <tenon/autograd/pointwise.hpp>
#include <tenon/base/body.hpp>

namespace tenon::autograd::detail {

TENON_BODY void apply_pointwise(DerivativeNode& node, const Tensor* grads, Tensor* out) {
  const auto& table = static_cast<const PointwiseTable&>(node.table());
  if (!grads[0].defined()) return;
  Tensor inputs[PointwiseTable::kMost], results[PointwiseTable::kMost];
  Scalar numbers[PointwiseTable::kMost];
  unsigned n = 0, args[PointwiseTable::kMost];
  for (unsigned i = 0; i < 32 && n < PointwiseTable::kMost; ++i)
    if (table.tensor_args >> i & 1) {
      args[n] = i;
      inputs[n++] = node.input(i);
    }
  unsigned n_numbers = table.numbers(node, numbers);
  // The one pass is over memory that holds the elements as they are.
  KeySet keys = grads[0].keys();
  for (unsigned k = 0; k < n; ++k) keys = keys | inputs[k].keys();
  bool by_operators = is_grad_enabled() ||
                      keys.has_any({DispatchKey::Conjugate, DispatchKey::Negative, DispatchKey::ZeroTensor}) ||
                      !(grads[0].is_cpu() || (table.serves && table.serves(table.data, grads[0], inputs, n)));
  (by_operators ? table.recorded : table.backward)(table.data, grads[0], inputs, n, numbers, n_numbers, results);
  for (unsigned k = 0; k < n; ++k)
    if (node.needs(args[k])) out[node.edge_of(args[k])] = std::move(results[k]);
}

}  // namespace tenon::autograd::detail
