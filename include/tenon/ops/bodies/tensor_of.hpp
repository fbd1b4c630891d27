// Tensors from numbers: reading the data and writing it to memory.
#pragma once
#include <cstring>

#include <tenon/base/body.hpp>
#include <tenon/base/checked_element.hpp>
#include <tenon/base/promote_types.hpp>
#include <tenon/library/default_device.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/tensor_of.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/tensor/default_dtype.hpp>

namespace tenon {

namespace detail {
inline void put_element(const Scalar& value, ScalarType type, char*& to) {
  TENON_CHECK(!value.is_complex() || is_complex_type(type), TypeError, "tensor(): expected real numbers for dtype ",
              type, ", got a complex one");
  visit_element_type(type, [&]<class T>(type_tag<T>) {
    // As PyTorch: what a floating dtype cannot hold becomes an infinity, integers must fit.
    T element;
    if constexpr (std::is_integral_v<T>)
      element = checked_element<T>(value);
    else
      element = value.to<T>();
    std::memcpy(to, &element, sizeof element);
    to += sizeof element;
  });
}
}  // namespace detail

TENON_BODY DimVector TensorData::sizes() const {
  DimVector out;
  for (const TensorData* d = this; d->kind_ != Kind::Number; d = d->children()) {
    out.push_back(static_cast<std::int64_t>(d->count_));
    if (d->kind_ == Kind::Elements || d->count_ == 0) break;
  }
  return out;
}
TENON_BODY ScalarType TensorData::joined() const {
  if (kind_ != Kind::List) return type_;
  ScalarType out = ScalarType::Undefined;
  for (std::size_t i = 0; i < count_; ++i) {
    ScalarType t = children()[i].joined();
    if (t != ScalarType::Undefined) out = out == ScalarType::Undefined ? t : promote_types(out, t);
  }
  return out;
}
TENON_BODY ScalarType TensorData::dtype() const {
  ScalarType found = joined();
  if (found == ScalarType::Undefined) return get_default_dtype();
  if (found == kDouble || found == kFloat) return get_default_dtype();
  if (found == kComplexDouble || found == kComplexFloat) return to_complex_type(get_default_dtype());
  return found;
}
TENON_BODY void TensorData::store(IntArrayRef sizes, std::size_t dim, ScalarType type, char*& to) const {
  if (kind_ == Kind::Number) {
    TENON_CHECK(dim == sizes.size(), TypeError, "tensor(): not a sequence: a number stands where dim ", dim,
                " has a list");
    detail::put_element(number_, type, to);
    return;
  }
  TENON_CHECK(dim < sizes.size(), TypeError, "tensor(): a list stands where dim ", dim, " has a number");
  TENON_CHECK(static_cast<std::int64_t>(count_) == sizes[dim], ValueError, "expected sequence of length ", sizes[dim],
              " at dim ", dim, " (got ", count_, ")");
  if (kind_ == Kind::List) {
    for (std::size_t i = 0; i < count_; ++i) children()[i].store(sizes, dim + 1, type, to);
    return;
  }
  TENON_CHECK(dim + 1 == sizes.size(), TypeError, "tensor(): not a sequence: a number stands where dim ", dim + 1,
              " has a list");
  if (stored_ == type) {
    std::size_t bytes = count_ * item_size(type);
    if (bytes) std::memcpy(to, items_, bytes);
    to += bytes;
    return;
  }
  visit_element_type(stored_, [&]<class T>(type_tag<T>) {
    for (std::size_t i = 0; i < count_; ++i) detail::put_element(Scalar(static_cast<const T*>(items_)[i]), type, to);
  });
}

TENON_BODY Tensor detail::tensor_from(const TensorData& data, const TensorKeywords& k) {
  DimVector sizes = data.sizes();
  ScalarType dtype = k.dtype ? *k.dtype : data.dtype();
  Device device = k.device.value_or(get_default_device());
  Tensor out;
  {
    // Making a tensor is no step of a computation: nothing of it is recorded.
    AutoDispatchBelowADInplaceOrView guard;
    if (device.is_meta()) {
      out = ops::empty(sizes, "dtype"_a = dtype, "device"_a = device);
    } else {
      {
        // Whose memory is written here: lift_fresh hands it over to transforms and to what records calls.
        ExcludeDispatchKeyGuard plain(
            KeySet{DispatchKey::Functionalize, DispatchKey::FuncTorchVmapMode, DispatchKey::Tracer});
        out = ops::empty(sizes, "dtype"_a = dtype, "device"_a = kCPU, "pin_memory"_a = k.pin_memory);
        char* to = static_cast<char*>(out.data_ptr());
        data.store(sizes, 0, dtype, to);
        out = ops::to_device(out, device, dtype);
      }
      out = ops::lift_fresh(out);
    }
  }
  ops::detach_(out);
  return out;
}

}  // namespace tenon
