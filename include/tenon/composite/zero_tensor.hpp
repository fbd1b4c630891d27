// Zeros without memory: how they are made, and operators that answer with more of them.
#pragma once
#include <tenon/composite/new_tensor.hpp>
#include <tenon/composite/options.hpp>
#include <tenon/composite/out_by_copy.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/linalg.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/ops/zero_tensor.hpp>
#include <tenon/structured/symbolic.hpp>

namespace tenon::composite {

inline bool is_zero_tensor(const Tensor& self) { return self._is_zerotensor(); }

inline Tensor zero_tensor(SymIntArrayRef size, ScalarType dtype, Device device) {
  Tensor t = empty(size, TensorOptions{dtype, std::nullopt, kMeta, std::nullopt});
  if (device.is_meta()) {
    t->set_keys(t.keys().add(DispatchKey::ZeroTensor));
    return t;
  }
  if (device.is_cpu()) device = kCPU;
  Tensor out(intrusive_ptr<TensorImpl>::adopt(
      new TensorImpl(StorageImpl::adopt(DataPtr(nullptr, device), t->storage()->nbytes(), nullptr),
                     new_tensor_keys(device.type).add(DispatchKey::ZeroTensor), dtype, device)));
  out->set_geometry(t.sizes(), t.strides(), 0);
  if (is_inference_mode()) out->set_inference(true);
  return out;
}
inline Tensor efficient_zero_tensor(SymIntArrayRef size, std::optional<ScalarType> dtype, std::optional<Layout> layout,
                                    std::optional<Device> device, std::optional<bool> pin_memory) {
  check_strided(layout);
  TENON_CHECK(!pin_memory.value_or(false), ValueError, "_efficientzerotensor(): there is no memory to pin");
  return zero_tensor(size, dtype.value_or(get_default_dtype()), device.value_or(kCPU));
}

/// What is written has memory.
inline Tensor& efficient_zero_tensor_out(SymIntArrayRef size, Tensor& out) {
  AutoDispatchBelowADInplaceOrView guard;
  resize_out(out, size);
  return ops::zero_(out);
}

/// Only what an operator asks of shapes and dtypes.
inline Tensor shape_alone(const Tensor& t) {
  Tensor like = empty_strided(t.sym_sizes(), t.sym_strides(), {t.dtype(), std::nullopt, kMeta, std::nullopt});
  like->set_wrapped_number(t->is_wrapped_number());
  return like;
}
/// Zeros without memory as a result of the shape and dtype of `like` has them.
inline Tensor zeros_as(const Tensor& like, const Tensor& self, const Tensor& other) {
  return zero_tensor(like.sym_sizes(), like.dtype(), self.dim() == 0 ? other.device() : self.device());
}

inline Tensor mul_zero(const Tensor& self, const Tensor& other) {
  AutoDispatchBelowADInplaceOrView guard;
  return zeros_as(ops::mul(shape_alone(self), shape_alone(other)), self, other);
}
inline Tensor mul_zero_by_number(const Tensor& self, const Scalar& other) {
  AutoDispatchBelowADInplaceOrView guard;
  return zeros_as(ops::mul(shape_alone(self), other), self, self);
}
/// A divisor that is zero divides as zeros in memory do.
inline Tensor div_zero(const Tensor& self, const Tensor& other) {
  AutoDispatchBelowADInplaceOrView guard;
  if (is_zero_tensor(other)) {
    Tensor zeros = ops::clone(other);
    zeros->set_wrapped_number(other->is_wrapped_number());
    return ops::div(is_zero_tensor(self) ? Tensor(ops::clone(self)) : self, zeros);
  }
  return zeros_as(ops::div(shape_alone(self), shape_alone(other)), self, other);
}
inline Tensor div_zero_by_number(const Tensor& self, const Scalar& other) {
  AutoDispatchBelowADInplaceOrView guard;
  return zeros_as(ops::div(shape_alone(self), other), self, self);
}
/// A sum with zeros is a copy of the other term.
inline Tensor sum_with_zero(const Tensor& like, const Tensor& self, const Tensor& other, const Scalar& alpha) {
  if (is_zero_tensor(self) && is_zero_tensor(other)) return zeros_as(like, self, other);
  const Tensor& term = is_zero_tensor(self) ? other : self;
  Tensor copy = ops::_to_copy(ops::expand(term, like.sym_sizes()), "dtype"_a = like.dtype(),
                              "memory_format"_a = MemoryFormat::Contiguous);
  return is_zero_tensor(self) && !alpha.equal(1) ? Tensor(ops::mul_(copy, alpha)) : copy;
}
inline Tensor add_zero(const Tensor& self, const Tensor& other, const Scalar& alpha) {
  AutoDispatchBelowADInplaceOrView guard;
  return sum_with_zero(ops::add(shape_alone(self), shape_alone(other), "alpha"_a = alpha), self, other, alpha);
}
inline Tensor sub_zero(const Tensor& self, const Tensor& other, const Scalar& alpha) {
  AutoDispatchBelowADInplaceOrView guard;
  return sum_with_zero(ops::sub(shape_alone(self), shape_alone(other), "alpha"_a = alpha), self, other, -alpha);
}
inline Tensor dot_zero(const Tensor& self, const Tensor& other) {
  AutoDispatchBelowADInplaceOrView guard;
  return zeros_as(ops::dot(shape_alone(self), shape_alone(other)), self, other);
}
inline Tensor& copy_zero_(Tensor& self, const Tensor& src, bool) {
  TENON_CHECK(!is_zero_tensor(self), ValueError,
              "ZeroTensors are immutable. Please materialize the tensor using `.clone()`, if you want a mutable zero "
              "tensor.");
  AutoDispatchBelowADInplaceOrView guard;
  (void)ops::expand(src, self.sym_sizes());  // checks the shapes
  return ops::zero_(self);
}

}  // namespace tenon::composite

TENON_LIBRARY_FRAGMENT(aten, m) {
  using namespace tenon;
  m.def<ops::_efficientzerotensor_base>().def<ops::_efficientzerotensor_base_out>().def<ops::_is_zerotensor_base>();
  m.impl<ops::_is_zerotensor_base, &composite::is_zero_tensor>();
}
TENON_LIBRARY_IMPL(aten, BackendSelect, m) {
  tenon::composite::select_back_end<tenon::ops::_efficientzerotensor_base>(m);
}
TENON_LIBRARY_IMPL(aten, CompositeExplicitAutograd, m) {
  using namespace tenon;
  m.impl<ops::_efficientzerotensor_base, &composite::efficient_zero_tensor>()
      .impl<ops::_efficientzerotensor_base_out, &composite::efficient_zero_tensor_out>();
}
TENON_LIBRARY_IMPL(aten, ZeroTensor, m) {
  using namespace tenon;
  namespace c = tenon::composite;
  m.impl<ops::mul_Tensor, &c::mul_zero>().impl<ops::mul_Scalar, &c::mul_zero_by_number>();
  m.impl<ops::div_Tensor, &c::div_zero>().impl<ops::div_Scalar, &c::div_zero_by_number>();
  m.impl<ops::add_Tensor, &c::add_zero>().impl<ops::sub_Tensor, &c::sub_zero>();
  m.impl<ops::dot_base, &c::dot_zero>().impl<ops::vdot_base, &c::dot_zero>();
  m.impl<ops::copy_base_, &c::copy_zero_>();
}
