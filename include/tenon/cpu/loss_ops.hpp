// Softmax and its logarithm on the CPU.
#pragma once
#include <tenon/cpu/detail/tensor_support.hpp>
#include <tenon/cpu/softmax_kernels.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/loss.hpp>
#include <tenon/structured/symbolic.hpp>

namespace tenon::cpu::detail {

struct softmax_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, std::int64_t dim, bool half_to_float) const {
    wrap_dim(dim, self.dim());
    TENON_CHECK(!half_to_float || !self.is_cpu(), ValueError,
                "softmax with half to float conversion is not supported on CPU");
    out.set_output_raw_strided(0, sizes_of<Int>(self), {}, half_to_float ? kFloat : self.dtype(), self.device());
  }
};
/// The blocks of a softmax over `dim`; a zero-dim tensor is one element.
inline Cut softmax_cut(const Tensor& t, std::int64_t dim) { return Cut(t.sizes(), wrap_dim(dim, t.dim())); }
template <bool Log>
void softmax_cpu(const Tensor& self, std::int64_t dim, bool, const Tensor& out) {
  if (!self.is_floating_point() || !has_arithmetic(self.dtype()))
    not_implemented_for(Log ? "log_softmax_lastdim_kernel_impl" : "softmax_lastdim_kernel_impl", self.dtype());
  if (self.numel() == 0) return;
  Cut cut = softmax_cut(self, dim);
  Tensor from = row_major(self), to = out.is_contiguous() ? out : make_tensor(out.sizes(), {}, out.dtype());
  active_tables().softmax->forward(Log, self.dtype(), to.data_ptr(), from.data_ptr(), cut.outer, cut.size, cut.inner);
  if (!to.is_same(out)) copy_elements(out, to);
}
struct softmax_backward_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& grad, const Tensor& output, std::int64_t dim,
                  ScalarType input_dtype) const {
    wrap_dim(dim, grad.dim());
    TENON_CHECK(grad.dtype() == input_dtype || (grad.dtype() == kFloat && input_dtype == kHalf), TypeError,
                "expected input and grad types to match, or input to be at::Half and grad to be at::Float");
    TENON_CHECK(sizes_of<Int>(grad) == sizes_of<Int>(output), ValueError,
                "expected grad and output of the same shape, got ", sizes_of<Int>(grad), " and ",
                sizes_of<Int>(output));
    out.set_output_raw_strided(0, sizes_of<Int>(grad), {}, input_dtype, grad.device());
  }
};
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

/// The operand of a softmax that was asked for in another dtype.
inline Tensor as_dtype(const Tensor& self, std::optional<ScalarType> dtype) {
  return dtype && *dtype != self.dtype() ? Tensor(ops::to(self, *dtype)) : self;
}
inline Tensor softmax_int(const Tensor& self, std::int64_t dim, std::optional<ScalarType> dtype) {
  return ops::_softmax(as_dtype(self, dtype), dim, false);
}
inline Tensor& softmax_int_out(const Tensor& self, std::int64_t dim, std::optional<ScalarType> dtype, Tensor& out) {
  return ops::_softmax(as_dtype(self, dtype), dim, false, "out"_a = out);
}
inline Tensor log_softmax_int(const Tensor& self, std::int64_t dim, std::optional<ScalarType> dtype) {
  return ops::_log_softmax(as_dtype(self, dtype), dim, false);
}
inline Tensor& log_softmax_int_out(const Tensor& self, std::int64_t dim, std::optional<ScalarType> dtype, Tensor& out) {
  return ops::_log_softmax(as_dtype(self, dtype), dim, false, "out"_a = out);
}

}  // namespace tenon::cpu::detail

namespace tenon::cpu {

TENON_LIBRARY_FRAGMENT(aten, m) {
  install_kernels<&KernelTables::copy>();
  install_kernels_for<&KernelTables::softmax, ops::_softmax_base, ops::_log_softmax_base,
                      ops::_softmax_backward_data_base, ops::_log_softmax_backward_data_base>();
  m.def<ops::softmax_int>().def<ops::softmax_int_out>().def<ops::log_softmax_int>().def<ops::log_softmax_int_out>();
  m.impl<ops::softmax_int, &detail::softmax_int>().impl<ops::softmax_int_out, &detail::softmax_int_out>(
      DispatchKey::CompositeExplicitAutograd);
  m.impl<ops::log_softmax_int, &detail::log_softmax_int>().impl<ops::log_softmax_int_out, &detail::log_softmax_int_out>(
      DispatchKey::CompositeExplicitAutograd);
}

}  // namespace tenon::cpu

namespace tenon::ops {

TENON_STRUCTURED_OF(_softmax_base, cpu::detail::softmax_meta);
TENON_STRUCTURED_KERNEL(_softmax_base, CPU, cpu::detail::softmax_cpu<false>);
TENON_STRUCTURED_OF(_log_softmax_base, cpu::detail::softmax_meta);
TENON_STRUCTURED_KERNEL(_log_softmax_base, CPU, cpu::detail::softmax_cpu<true>);
TENON_STRUCTURED_OF(_softmax_backward_data_base, cpu::detail::softmax_backward_meta);
TENON_STRUCTURED_KERNEL(_softmax_backward_data_base, CPU, cpu::detail::softmax_backward_cpu<false>);
TENON_STRUCTURED_OF(_log_softmax_backward_data_base, cpu::detail::softmax_backward_meta);
TENON_STRUCTURED_KERNEL(_log_softmax_backward_data_base, CPU, cpu::detail::softmax_backward_cpu<true>);

}  // namespace tenon::ops
