// Tensors as operands of iterations.
#pragma once
#include <tenon/cpu/detail/plan.hpp>
#include <tenon/tensor/tensor.hpp>

namespace tenon::cpu {

/// A tensor as an operand of an iteration over `sizes`, which it broadcasts to.
inline Operand operand_of(const Tensor& t, IntArrayRef sizes) {
  const TensorImpl& i = *t.unsafe_impl();
  if (i.is_contiguous() && i.sizes() == sizes) return Operand::dense(i.data(), i.dtype());
  if (i.numel() == 1) return Operand::splat(i.data(), i.dtype());
  return Operand::strided(i.data(), i.dtype(), i.sizes().data(), i.strides().data(), static_cast<int>(i.dim()));
}

}  // namespace tenon::cpu
