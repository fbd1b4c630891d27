// Shapes, dtypes and errors of softmax, its logarithm and their gradients.
#pragma once
#include <tenon/ops/loss.hpp>
#include <tenon/structured/structured.hpp>

namespace tenon::composite {

struct softmax_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, std::int64_t dim, bool half_to_float) const {
    wrap_dim(dim, self.dim());
    TENON_CHECK(!half_to_float || !self.is_cpu(), ValueError,
                "softmax with half to float conversion is not supported on CPU");
    out.set_output_raw_strided(0, sizes_of<Int>(self), {}, half_to_float ? kFloat : self.dtype(), self.device());
  }
};
struct softmax_backward_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& grad, const Tensor& output, std::int64_t dim,
                  ScalarType input_dtype) const {
    wrap_dim(dim, grad.dim());
    // As in PyTorch, whose CPU kernels do not look at what the input was.
    const bool widened = grad.dtype() == kFloat && input_dtype == kHalf;
    TENON_CHECK(!grad.is_cuda() || grad.dtype() == input_dtype || widened, TypeError,
                "expected input and grad types to match, or input to be at::Half and grad to be at::Float");
    TENON_CHECK(sizes_of<Int>(grad) == sizes_of<Int>(output), ValueError,
                "expected grad and output of the same shape, got ", sizes_of<Int>(grad), " and ",
                sizes_of<Int>(output));
    out.set_output_raw_strided(0, sizes_of<Int>(grad), {}, widened ? input_dtype : grad.dtype(), grad.device());
  }
};

}  // namespace tenon::composite

namespace tenon::ops {

TENON_STRUCTURED_OF(_softmax_base, composite::softmax_meta);
TENON_STRUCTURED_OF(_log_softmax_base, composite::softmax_meta);
TENON_STRUCTURED_OF(_softmax_backward_data_base, composite::softmax_backward_meta);
TENON_STRUCTURED_OF(_log_softmax_backward_data_base, composite::softmax_backward_meta);

}  // namespace tenon::ops
