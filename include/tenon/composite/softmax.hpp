// Softmax and its logarithm in another dtype than that of the tensor, and the shapes of both.
#pragma once
#include <tenon/ops/copy.hpp>
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
    TENON_CHECK(grad.dtype() == input_dtype || (grad.dtype() == kFloat && input_dtype == kHalf), TypeError,
                "expected input and grad types to match, or input to be at::Half and grad to be at::Float");
    TENON_CHECK(sizes_of<Int>(grad) == sizes_of<Int>(output), ValueError,
                "expected grad and output of the same shape, got ", sizes_of<Int>(grad), " and ",
                sizes_of<Int>(output));
    out.set_output_raw_strided(0, sizes_of<Int>(grad), {}, input_dtype, grad.device());
  }
};
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

TENON_LIBRARY_FRAGMENT(aten, m) {
  m.def<ops::softmax_int>().def<ops::softmax_int_out>().def<ops::log_softmax_int>().def<ops::log_softmax_int_out>();
  m.impl<ops::softmax_int, &softmax_int>().impl<ops::log_softmax_int, &log_softmax_int>();
  m.impl<ops::softmax_int_out, &softmax_int_out>(DispatchKey::CompositeExplicitAutograd)
      .impl<ops::log_softmax_int_out, &log_softmax_int_out>(DispatchKey::CompositeExplicitAutograd);
}

}  // namespace tenon::composite

namespace tenon::ops {

TENON_STRUCTURED_OF(_softmax_base, composite::softmax_meta);
TENON_STRUCTURED_OF(_log_softmax_base, composite::softmax_meta);
TENON_STRUCTURED_OF(_softmax_backward_data_base, composite::softmax_backward_meta);
TENON_STRUCTURED_OF(_log_softmax_backward_data_base, composite::softmax_backward_meta);

}  // namespace tenon::ops
