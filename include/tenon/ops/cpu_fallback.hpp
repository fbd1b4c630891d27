// For back ends: an operator without a kernel there runs on the CPU.
#pragma once
#include <tenon/boxing/stack.hpp>
#include <tenon/dispatch/operator_entry.hpp>

namespace tenon {

/// The fallback of a back end, `TENON_LIBRARY_IMPL(_, PrivateUse1, m) { m.fallback(&cpu_fallback); }`.
/// Tensors, also in lists and optional ones, are copied to the CPU, a Device argument becomes the CPU, results are
/// copied to the device. What the operator writes, `Tensor(a!)`, is copied back, and is what it returns.
/// The back end has kernels of its own for aten::empty.memory_format and aten::copy_, and for aten::resize_ where
/// results are written into tensors of another size.
/// Errors: NotImplementedError for those without a kernel, and for views, whose memory no copy can share.
void cpu_fallback(const OperatorHandle& op, Stack& stack);

}  // namespace tenon
