// Rows of norms.
#pragma once
#include <tenon/autograd/derivatives/reduced.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/reduction/row.hpp>

namespace tenon::reduction {

struct vector_norm : same_dtype {
  static void check_dtype(const Tensor& self, ScalarType dtype) {
    TENON_CHECK(is_floating_type(dtype) || is_complex_type(dtype), TypeError,
                "linalg.vector_norm: dtype should be floating point or complex. Got ", dtype);
    TENON_CHECK(is_complex_type(dtype) == self.is_complex(), TypeError, "linalg.vector_norm: dtype should be ",
                self.is_complex() ? "complex for complex" : "real for real", " inputs, but got ", dtype);
    TENON_CHECK(promote_types(self.dtype(), dtype) == dtype, TypeError, "linalg.vector_norm: the dtype of the input (",
                self.dtype(), ") should be convertible without narrowing to the specified dtype (", dtype, ")");
  }
  static ScalarType result(std::string_view, const Outputs&, const Arguments& a) {
    TENON_CHECK(a.self.is_floating_point() || a.self.is_complex(), TypeError,
                "linalg.vector_norm: Expected a floating point or complex tensor as input. Got ", a.self.dtype());
    if (a.dtype) check_dtype(a.self, *a.dtype);
    return to_real_type(a.dtype.value_or(a.self.dtype()));
  }
  template <class Int>
  static void check(const Call<Int>& call, const Scalar& ord) {
    double p = ord.to_double();
    if ((p < 0 || std::isinf(p)) && numel_of<Int>(call.self()) == 0)
      for (std::int64_t d = 0; d < call.self().dim(); ++d)
        TENON_CHECK(!(call.mask >> d & 1) || call.sizes()[d] != 0, ValueError, "linalg.vector_norm cannot compute the ",
                    p, " norm on an empty tensor because the operation does not have an identity");
  }
  static ScalarType elements(const Arguments& a, ScalarType) { return a.dtype.value_or(a.self.dtype()); }
  static constexpr bool magnitudes = true;
};
struct order_is_infinite {
  static bool holds(const Arguments&, ScalarType, const Scalar& ord) {
    return std::isinf(ord.to_double()) && ord.to_double() > 0;
  }
};
struct order_is_minus_infinite {
  static bool holds(const Arguments&, ScalarType, const Scalar& ord) {
    return std::isinf(ord.to_double()) && ord.to_double() < 0;
  }
};

}  // namespace tenon::reduction

namespace tenon::ops {

namespace derivatives {

inline Tensor norm_gradient(const Tensor& grad, const Tensor& self, const Scalar& ord, std::optional<IntArrayRef> dims,
                            bool keepdim, const Tensor& result) {
  double p = ord.to_double();
  Tensor g = restore_dims(grad, self.sizes(), dims, keepdim), n = restore_dims(result, self.sizes(), dims, keepdim);
  auto unless_zero = [](const Tensor& t, const Tensor& of) { return masked_fill(t, eq(of, Scalar(0)), Scalar(0)); };
  if (p == 0) return {};  // a count passes no gradient
  // The derivative of this by g divides by the norm, too.
  if (p == 2) return mul(self, unless_zero(div(g, masked_fill(n, eq(n, Scalar(0)), Scalar(1))), n));
  Tensor size = abs(self);
  Tensor direction = self.is_complex() ? where(eq(self, Scalar(0)), Scalar(0.0), div(self, size)) : sign(self);
  if (p == 1) return mul(direction, g);
  if (p - p != 0) {  // infinite
    Tensor mask = eq(size, n);
    return mul(mul(direction, mask), div(g, sum(mask, dims, true)));
  }
  // At 0 the power has no slope that is a number, or the slope none.
  Tensor slope = p < 2 ? unless_zero(pow(masked_fill(size, eq(self, Scalar(0)), Scalar(1)), Scalar(p - 1)), self)
                       : pow(size, Scalar(p - 1));
  if (p < 1) return mul(mul(direction, slope), mul(g, pow(n, Scalar(1 - p))));
  Tensor divisor = masked_fill(pow(n, Scalar(p - 1)), eq(n, Scalar(0)), Scalar(1));
  return mul(mul(direction, slope), unless_zero(div(g, divisor), n));
}

}  // namespace derivatives

TENON_REDUCTION(linalg_vector_norm_base, reduction::norm, reduction::vector_norm,
                reduction::when<reduction::order_is_infinite, reduction::max_abs>{},
                reduction::when<reduction::order_is_minus_infinite, reduction::min_abs>{},
                TENON_WRT((self), (grad, self, ord, dim, keepdim, result),
                          (derivatives::norm_gradient(grad, self, ord, dim, keepdim, result))));

}  // namespace tenon::ops
