// The one element of a tensor as a number or a truth, and assertions that it holds: read on any device.
#pragma once
#include <string_view>

#include <tenon/library/library.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/truth.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::composite {

/// The first element where there are several, as in PyTorch; `Tensor::item()` refuses these.
inline Scalar local_scalar_dense(const Tensor& self) {
  TENON_CHECK(self.numel() > 0, ValueError, "_local_scalar_dense: Empty tensor not supported");
  if (self.numel() == 1) return self.item();
  DimVector ones(static_cast<std::size_t>(self.dim()), 1);
  return Tensor(ops::as_strided(self, ones, self.strides())).item();
}
inline Scalar item(const Tensor& self) { return self.item(); }
inline bool is_nonzero(const Tensor& self) {
  TENON_CHECK(self.numel() != 0, ValueError, "Boolean value of Tensor with no values is ambiguous");
  TENON_CHECK(self.numel() == 1, ValueError, "Boolean value of Tensor with more than one value is ambiguous");
  return !self.item().equal(0);
}
inline Tensor all_true(const Tensor& self) {
  TENON_CHECK(self.dtype() == kBool, TypeError, "_is_all_true(): argument 1 'self': expected bool, got ", self.dtype());
  return ops::all(self);
}
inline Tensor any_true(const Tensor& self) {
  TENON_CHECK(self.dtype() == kBool, TypeError, "_is_any_true(): argument 1 'self': expected bool, got ", self.dtype());
  return ops::any(self);
}
inline void assert_holds(const Tensor& self, std::string_view message) {
  if (self.is_meta()) return;  // there is nothing to look at
  TENON_CHECK(is_nonzero(self), ValueError, message.empty() ? "Assertion is failed" : message);
}
inline void assert_async(const Tensor& self) {
  assert_holds(self, "Expected Tensor with single nonzero value, but got zero");
}
inline void assert_scalar(const Scalar& self, std::string_view message) {
  TENON_CHECK(!self.equal(0), ValueError, message.empty() ? "Assertion is failed" : message);
}
/// The token orders assertions where nothing else would.
inline Tensor assert_and_pass(const Tensor& self, std::string_view message, const Tensor& token) {
  assert_holds(self, message);
  return ops::clone(token);
}

TENON_LIBRARY_FRAGMENT(aten, m) {
  m.def<ops::_local_scalar_dense_base>().def<ops::is_nonzero_base>();
  m.def<ops::_assert_async_base>().def<ops::_assert_async_msg>().def<ops::_assert_scalar_base>();
  m.def<ops::_functional_assert_async_msg>();
  m.def<ops::item_base>().def<ops::_is_all_true_base>().def<ops::_is_any_true_base>();
  m.impl<ops::_is_all_true_base, &all_true>().impl<ops::_is_any_true_base, &any_true>();
  m.impl<ops::is_nonzero_base, &is_nonzero>().impl<ops::item_base, &item>();
  constexpr DispatchKey all = DispatchKey::CompositeExplicitAutograd;
  m.impl<ops::_local_scalar_dense_base, &local_scalar_dense>(all);
  m.impl<ops::_assert_async_base, &assert_async>(all).impl<ops::_assert_async_msg, &assert_holds>(all);
  m.impl<ops::_assert_scalar_base, &assert_scalar>(all).impl<ops::_functional_assert_async_msg, &assert_and_pass>(all);
}

}  // namespace tenon::composite
