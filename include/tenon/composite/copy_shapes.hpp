// Copies and fills of tensors without data, for every back end.
#pragma once
#include <tenon/composite/copy_checks.hpp>
#include <tenon/library/library.hpp>
#include <tenon/ops/copy.hpp>

namespace tenon::composite {

inline Tensor& fill_Scalar_meta(Tensor& self, const Scalar&) { return self; }
inline Tensor& fill_Tensor_meta(Tensor& self, const Tensor& value) {
  check_fill_value(value);
  return self;
}
inline Tensor& zero_meta(Tensor& self) { return self; }

TENON_LIBRARY_FRAGMENT(aten, m) {
  m.def<ops::copy_base_>().def<ops::fill_Scalar_>().def<ops::fill_Tensor_>().def<ops::zero_base_>();
}
TENON_LIBRARY_IMPL(aten, Meta, m) {
  m.impl<ops::fill_Scalar_, &fill_Scalar_meta>()
      .impl<ops::fill_Tensor_, &fill_Tensor_meta>()
      .impl<ops::zero_base_, &zero_meta>();
}

}  // namespace tenon::composite
