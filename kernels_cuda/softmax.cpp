// Registers softmax and its logarithm on CUDA.
#include <tenon/composite/softmax_shapes.hpp>

#include "support.hpp"

namespace tenon::cuda {
namespace {

/// A shape cut at one dimension: elements before, at and behind it.
void cut(SoftmaxCall& c, const Tensor& t, std::int64_t dim) {
  dim = wrap_dim(dim, t.dim());
  c.outer = c.size = c.inner = 1;
  for (std::int64_t d = 0; d < t.dim(); ++d) (d < dim ? c.outer : d == dim ? c.size : c.inner) *= t.sizes()[d];
}
template <bool Log>
void softmax_cuda(const Tensor& self, std::int64_t dim, bool half_to_float, const Tensor& out) {
  if (self.numel() == 0) return;
  // Half to float: computed in the wider type.
  Tensor from = row_major(self, half_to_float ? out.dtype() : self.dtype());
  Result to(out, out.dtype());
  SoftmaxCall c{to.data(), from.data_ptr(), nullptr, from.dtype(), 0, 0, 0, Log};
  cut(c, from, dim);
  if (!softmax(c, runtime::current_stream())) not_implemented_for(Log ? "log_softmax" : "softmax", self.dtype());
  runtime::check_launch("softmax");
  to.done();
}
template <bool Log>
void softmax_backward_cuda(const Tensor& grad, const Tensor& output, std::int64_t dim, ScalarType, const Tensor& out) {
  if (grad.numel() == 0) return;
  ScalarType dtype = grad.dtype();
  Tensor g = row_major(grad), y = row_major(output, dtype);
  Result to(out, dtype);
  SoftmaxCall c{to.data(), y.data_ptr(), g.data_ptr(), dtype, 0, 0, 0, Log};
  cut(c, g, dim);
  if (!softmax_backward(c, runtime::current_stream())) not_implemented_for("softmax_backward", dtype);
  runtime::check_launch("softmax_backward");
  to.done();
}

}  // namespace
}  // namespace tenon::cuda

namespace tenon::ops {

TENON_STRUCTURED_KERNEL(_softmax_base, CUDA, cuda::softmax_cuda<false>);
TENON_STRUCTURED_KERNEL(_log_softmax_base, CUDA, cuda::softmax_cuda<true>);
TENON_STRUCTURED_KERNEL(_softmax_backward_data_base, CUDA, cuda::softmax_backward_cuda<false>);
TENON_STRUCTURED_KERNEL(_log_softmax_backward_data_base, CUDA, cuda::softmax_backward_cuda<true>);

}  // namespace tenon::ops
