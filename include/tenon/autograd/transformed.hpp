// Tensors within transforms of functions, as what runs above the operators sees them.
#pragma once
#include <tenon/autograd/mode.hpp>
#include <tenon/tensor/tensor.hpp>

namespace tenon::autograd {

/// Whether a tensor stands for others within vmap or jvp. It has no memory, and whether gradients are recorded for what
/// it stands for it does not tell.
inline bool is_transformed(const Tensor& t) {
  return t.defined() && t.keys().has_any({DispatchKey::FuncTorchBatched, DispatchKey::FuncTorchGradWrapper});
}
/// Whether a gradient of what is computed from the tensor may be asked for.
inline bool may_need_gradient(const Tensor& t) { return (is_grad_enabled() && t.requires_grad()) || is_transformed(t); }

}  // namespace tenon::autograd
