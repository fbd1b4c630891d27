// Softmax and its logarithm in another dtype than that of the tensor.
#pragma once
#include <tenon/composite/softmax_shapes.hpp>
#include <tenon/ops/copy.hpp>

namespace tenon::composite {

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
