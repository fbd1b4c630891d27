// Floating-point numbers taken apart: shapes, dtypes, errors and the derivative, for every back end.
#pragma once
#include <tenon/autograd/derivative.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/math.hpp>
#include <tenon/structured/pointwise.hpp>
#include <tenon/structured/structured.hpp>

namespace tenon::composite {

namespace parts {

struct frexp_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self) const {
    TENON_CHECK(is_floating_type(self.dtype()) && has_arithmetic(self.dtype()), TypeError,
                "torch.frexp() only supports floating-point dtypes");
    dims_t<Int> sizes(sizes_of<Int>(self)), strides = preserved_strides<Int>(self);
    out.set_output_raw_strided(0, sizes, strides, self.dtype(), self.device());
    out.set_output_raw_strided(1, sizes, strides, kInt, self.device());
  }
};

}  // namespace parts

}  // namespace tenon::composite

namespace tenon::ops {

TENON_STRUCTURED_OF(frexp_Tensor, composite::parts::frexp_meta);
TENON_DERIVATIVE(frexp_Tensor, TENON_WRT((self), (grad, exponent), (div(grad, exp2(exponent)))));

}  // namespace tenon::ops
