// Boxed kernels for operators without a derivative: what the fallback at Autograd does, and what such an operator may
// register.
#pragma once
#include <tenon/dispatch/call.hpp>

namespace tenon::autograd {

/// The Autograd kernel of operators that declare no derivative, and the fallback there: calls below, counts writes and
/// marks views by the schema's annotations unless the operator has a kernel at ADInplaceOrView, and gives results a
/// node that refuses if some argument requires grad. Errors: as in-place changes of declared operators;
/// NotImplementedError in the backward pass; NotImplementedError for more than one argument or result with an
/// annotation such as `Tensor(a)`.
void not_implemented(const OperatorHandle& op, KeySet keys, Stack& stack);

/// The ADInplaceOrView kernel of an operator without one of its own: counts writes and marks views by the schema's
/// annotations, where calls pass below Autograd or in inference mode too:
/// `m.impl("f", DispatchKey::ADInplaceOrView, &autograd::inplace_or_view)`.
void inplace_or_view(const OperatorHandle& op, KeySet keys, Stack& stack);

}  // namespace tenon::autograd
