// Rounding to decimal places, made of other operators.
#pragma once
#include <cmath>

#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/structured/pointwise.hpp>
#include <tenon/structured/structured.hpp>

namespace tenon::composite {

struct round_decimals_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, std::int64_t) const {
    if (!is_floating_type(self.dtype()) || !has_arithmetic(self.dtype()))
      not_implemented_for("round_cpu", self.dtype());
    const Tensor* operands[] = {&self};
    dims_t<Int> sizes(sizes_of<Int>(self)), strides;
    if (!self.is_contiguous()) strides = tenon::detail::result_strides(sizes, operands, 1);
    out.set_output_raw_strided(0, sizes, strides, self.dtype(), self.device());
  }
};
/// 16-bit floats are rounded as float.
inline void round_decimals(const Tensor& self, std::int64_t decimals, const Tensor& out) {
  AutoDispatchBelowADInplaceOrView guard;  // the caller counts the write
  if (decimals == 0) {
    Tensor written = out;
    ops::copy_(written, ops::round(self));
    return;
  }
  Tensor x = is_reduced_floating_type(self.dtype()) ? ops::to(self, kFloat) : self;
  double power = std::pow(10.0, std::abs(static_cast<double>(decimals)));
  Tensor rounded =
      decimals < 0 ? ops::mul(ops::round(ops::div(x, power)), power) : ops::div(ops::round(ops::mul(x, power)), power);
  Tensor written = out;
  ops::copy_(written, rounded);
}

}  // namespace tenon::composite

namespace tenon::ops {

TENON_STRUCTURED_OF(round_decimals, composite::round_decimals_meta);

}  // namespace tenon::ops
