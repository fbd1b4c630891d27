// Softmax and its logarithm on the CPU.
#pragma once
#include <tenon/composite/softmax.hpp>
#include <tenon/cpu/detail/tensor_support.hpp>
#include <tenon/cpu/softmax_kernels.hpp>

namespace tenon::cpu::detail {

/// The blocks of a softmax over `dim`; a zero-dim tensor is one element.
inline Cut softmax_cut(const Tensor& t, std::int64_t dim) { return Cut(t.sizes(), wrap_dim(dim, t.dim())); }
template <bool Log>
void softmax_cpu(const Tensor& self, std::int64_t dim, bool, const Tensor& out) {
  if (self.numel() == 0) return;
  if (!self.is_floating_point() || !has_arithmetic(self.dtype()))
    not_implemented_for(Log ? "log_softmax_lastdim_kernel_impl" : "softmax_lastdim_kernel_impl", self.dtype());
  Cut cut = softmax_cut(self, dim);
  Tensor from = row_major(self), to = out.is_contiguous() ? out : make_tensor(out.sizes(), {}, out.dtype());
  active_tables().softmax->forward(Log, self.dtype(), to.data_ptr(), from.data_ptr(), cut.outer, cut.size, cut.inner,
                                   self.dim() == 0 || wrap_dim(dim, self.dim()) == self.dim() - 1);
  if (!to.is_same(out)) copy_elements(out, to);
}
template <bool Log>
void softmax_backward_cpu(const Tensor& grad, const Tensor& output, std::int64_t dim, ScalarType, const Tensor& out) {
  if (grad.numel() == 0) return;
  Cut cut = softmax_cut(grad, dim);
  ScalarType dtype = grad.dtype();
  Tensor g = row_major(grad), y = row_major(output, dtype),
         to = out.is_contiguous() && out.dtype() == dtype ? out : make_tensor(out.sizes(), {}, dtype);
  active_tables().softmax->backward(Log, dtype, to.data_ptr(), g.data_ptr(), y.data_ptr(), cut.outer, cut.size,
                                    cut.inner);
  if (!to.is_same(out)) copy_elements(out, to);
}

}  // namespace tenon::cpu::detail

namespace tenon::cpu {

TENON_LIBRARY_FRAGMENT(aten, m) {
  install_kernels<&KernelTables::copy>();
  install_kernels_for<&KernelTables::softmax, ops::_softmax_base, ops::_log_softmax_base,
                      ops::_softmax_backward_data_base, ops::_log_softmax_backward_data_base>();
}

}  // namespace tenon::cpu

namespace tenon::ops {

TENON_STRUCTURED_KERNEL(_softmax_base, CPU, cpu::detail::softmax_cpu<false>);
TENON_STRUCTURED_KERNEL(_log_softmax_base, CPU, cpu::detail::softmax_cpu<true>);
TENON_STRUCTURED_KERNEL(_softmax_backward_data_base, CPU, cpu::detail::softmax_backward_cpu<false>);
TENON_STRUCTURED_KERNEL(_log_softmax_backward_data_base, CPU, cpu::detail::softmax_backward_cpu<true>);

}  // namespace tenon::ops
