// Whether tensors are nearly equal: made of other operators.
#pragma once
#include <cstring>

#include <tenon/library/library.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/bits.hpp>
#include <tenon/ops/closeness.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/tensor/default_dtype.hpp>

namespace tenon::composite {

inline Tensor isclose(const Tensor& self, const Tensor& other, double rtol, double atol, bool equal_nan) {
  TENON_CHECK(self.dtype() == other.dtype(), TypeError, enumerator_name(self.dtype()), " did not match ",
              enumerator_name(other.dtype()));
  TENON_CHECK(rtol >= 0, ValueError, "rtol must be greater than or equal to zero, but got ", rtol);
  TENON_CHECK(atol >= 0, ValueError, "atol must be greater than or equal to zero, but got ", atol);
  Tensor close = ops::eq(self, other);
  if (equal_nan && (self.is_floating_point() || self.is_complex()))
    close = ops::logical_or(close, ops::logical_and(ops::ne(self, self), ops::ne(other, other)));
  if (rtol == 0 && atol == 0) return close;
  // Integers are compared as floats, lest a difference or a product wraps.
  bool integral = is_integral_type(self.dtype(), true);
  Tensor a = self.dtype() == kBool ? self.to(get_default_dtype()) : self,
         b = integral ? other.to(get_default_dtype()) : other;
  Tensor allowed = ops::add(ops::abs(ops::mul(b, Scalar(rtol))), Scalar(atol)), actual = ops::abs(ops::sub(a, b));
  return ops::logical_or(close, ops::logical_and(ops::isfinite(actual), ops::le(actual, allowed)));
}

/// What is returned depends on data.
inline void check_has_data(const char* name, const Tensor& self, const Tensor& other) {
  TENON_CHECK(!self.is_meta() && !other.is_meta(), NotImplementedError, name,
              "(): the answer depends on data, which Meta tensors have not");
}
inline bool allclose(const Tensor& self, const Tensor& other, double rtol, double atol, bool equal_nan) {
  check_has_data("allclose", self, other);
  return ops::all(ops::isclose(self, other, rtol, atol, equal_nan)).item<bool>();
}
/// Whether shapes and elements are the same, in the dtype that both become; not-a-number equals nothing.
inline bool equal(const Tensor& self, const Tensor& other) {
  TENON_CHECK(self.device() == other.device(), ValueError,
              "Cannot compare two tensors on different devices. Got: ", self.device(), " and ", other.device());
  check_has_data("equal", self, other);
  return self.sizes() == other.sizes() && ops::all(ops::eq(self, other)).item<bool>();
}
/// The same; integers that are equal have equal bytes.
inline bool equal_cpu(const Tensor& self, const Tensor& other) {
  if (self.is_cpu() && other.is_cpu() && self.dtype() == other.dtype() && is_integral_type(self.dtype(), true) &&
      self.sizes() == other.sizes() && self.is_contiguous() && other.is_contiguous())
    return self.numel() == 0 || std::memcmp(self.data_ptr(), other.data_ptr(), self.nbytes()) == 0;
  return equal(self, other);
}

TENON_LIBRARY_FRAGMENT(aten, m) {
  m.def<ops::isclose_base>();
  m.impl<ops::isclose_base, &isclose>();
}
TENON_LIBRARY_FRAGMENT(aten, m) {
  m.def<ops::allclose_base>().def<ops::equal_base>();
  m.impl<ops::allclose_base, &allclose>(DispatchKey::CompositeExplicitAutograd);
  m.impl<ops::equal_base, &equal>(DispatchKey::CompositeExplicitAutograd);
  m.impl<ops::equal_base, &equal_cpu>(DispatchKey::CPU);
}

}  // namespace tenon::composite
