// Tensors that take over the memory of another.
#pragma once
#include <cstdint>

#include <tenon/composite/options.hpp>
#include <tenon/composite/out_by_copy.hpp>
#include <tenon/composite/restride.hpp>
#include <tenon/ops/set.hpp>

namespace tenon::composite {

namespace setting {

inline void check_source(const Tensor& self, Device device) {
  TENON_CHECK(self.device() == device, ValueError, "Attempted to set the storage of a tensor on device \"",
              self.device(), "\" to a storage on different device \"", device,
              "\".  This is no longer allowed; the devices must match.");
}
/// Gives `self` memory with a geometry in it. Writes are counted with the memory: its count is brought to at least that
/// of the memory before, so that what was saved of `self` is known to have changed.
inline Tensor& take_over(Tensor& self, const Storage& source, const SymInt& offset, SymIntArrayRef size,
                         SymIntArrayRef stride) {
  check_source(self, source.device());
  const std::uint32_t writes = self->storage()->version();
  auto sizes = maybe_as_ints(size), strides = maybe_as_ints(stride);
  if (sizes && strides && !offset.is_symbolic()) {
    const std::int64_t at = offset.guard_int(__FILE__, __LINE__);
    const std::size_t bytes = storage_bytes(*sizes, *strides, self.element_size(), at);
    if (bytes > source.nbytes()) source.impl()->resize(bytes);
    self->set_storage(source.impl());
    if (self.is_symbolic())
      self->set_sym_geometry(size, stride, offset, self.is_contiguous());
    else
      self->set_geometry(*sizes, *strides, at);
  } else {
    self->set_storage(source.impl());
    self->set_sym_geometry(size, stride, offset, false);
  }
  while (self->storage()->version() < writes) self->storage()->bump_version();
  return self;
}

inline Tensor& to_part_of_storage(Tensor& self, const Storage& source, SymInt offset, SymIntArrayRef size,
                                  SymIntArrayRef stride) {
  TENON_CHECK(stride.empty() || stride.size() == size.size(), ValueError, "unequal size length (", size.size(),
              ") and stride length (", stride.size(), ")");
  TENON_CHECK(offset >= 0, ValueError, "Tensor: invalid storage offset ", offset);
  for (const SymInt& n : size) TENON_CHECK(n >= 0, ValueError, "numel: integer multiplication overflow");
  for (const SymInt& n : stride)
    TENON_CHECK(n >= 0, ValueError, "Storage size calculation overflowed with sizes=", size, " and strides=", stride);
  if (!stride.empty() || size.empty()) return take_over(self, source, offset, size, stride);
  return take_over(self, source, offset, size, strides_for(size, MemoryFormat::Contiguous));
}
inline Tensor& to_storage(Tensor& self, const Storage& source) {
  const SymInt size[] = {static_cast<std::int64_t>(source.nbytes() / self.element_size())}, stride[] = {1};
  return take_over(self, source, 0, SymIntArrayRef(size), SymIntArrayRef(stride));
}
inline Tensor& to_tensor(Tensor& self, const Tensor& source) {
  TENON_CHECK(source.dtype() == self.dtype(), TypeError, "Could not set tensor of type ", source.dtype(),
              " to a tensor of type ", self.dtype());
  check_source(self, source.device());
  if (self.is_same(source)) return self;
  return take_over(self, source.storage(), source.sym_storage_offset(), source.sym_sizes(), source.sym_strides());
}
inline Tensor& to_part_of_tensor(Tensor& self, const Tensor& source, SymInt offset, SymIntArrayRef size,
                                 SymIntArrayRef stride) {
  TENON_CHECK(source.is_contiguous(), ValueError, "passed in tensor to be used as storage must be contiguous");
  return to_part_of_storage(self, source.storage(), offset + source.sym_storage_offset(), size, stride);
}
inline Tensor& to_nothing(Tensor& self) {
  Tensor nothing = composite::empty(SymDimVector{0}, TensorOptions{}.or_like(self));
  return to_tensor(self, nothing);
}

/// The functional form: what `self` would show, in memory of its own, as its schema says.
template <class F>
Tensor shown(const Tensor& self, F set) {
  AutoDispatchBelowADInplaceOrView guard;
  Tensor result = composite::empty(SymDimVector{0}, TensorOptions{}.or_like(self));
  set(result);
  return ops::clone(result);
}
inline Tensor of_storage(const Tensor& self, const Storage& source) {
  return shown(self, [&](Tensor& t) { to_storage(t, source); });
}
inline Tensor of_part_of_storage(const Tensor& self, const Storage& source, SymInt offset, SymIntArrayRef size,
                                 SymIntArrayRef stride) {
  return shown(self, [&](Tensor& t) { to_part_of_storage(t, source, offset, size, stride); });
}
inline Tensor of_tensor(const Tensor& self, const Tensor& source) {
  return shown(self, [&](Tensor& t) { to_tensor(t, source); });
}
inline Tensor of_nothing(const Tensor& self) {
  return composite::empty(SymDimVector{0}, TensorOptions{}.or_like(self));
}

/// Gives `self` memory, shape and dtype of another tensor; its place in the graph stays, and no write is counted.
inline void set_data(Tensor& self, const Tensor& data) {
  constexpr KeySet dense = dense_keys(DeviceType::CPU) | dense_keys(DeviceType::Meta) | dense_keys(DeviceType::CUDA) |
                           KeySet{DispatchKey::Conjugate, DispatchKey::Negative, DispatchKey::ZeroTensor};
  TENON_CHECK(self.device() == data.device() && self.layout() == data.layout() &&
                  self.is_symbolic() == data.is_symbolic() && (dense.has_all(self.keys() | data.keys())),
              TypeError,
              "Attempted to call `variable.set_data(tensor)`, but `variable` and `tensor` have incompatible tensor "
              "type.");
  TENON_CHECK(!self.requires_grad() || data.is_floating_point() || data.is_complex(), TypeError,
              "data set to a tensor that requires gradients must be floating point or complex dtype");
  constexpr KeySet lazy{DispatchKey::Conjugate, DispatchKey::Negative, DispatchKey::ZeroTensor};
  self->set_keys(self.keys().without_functionalities(lazy) | (data.keys() & lazy));
  self->set_storage(data->storage());
  self->set_dtype(data.dtype());
  if (data.is_symbolic())
    self->set_sym_geometry(data.sym_sizes(), data.sym_strides(), data.sym_storage_offset(), data.is_contiguous());
  else
    self->set_geometry(data.sizes(), data.strides(), data.storage_offset());
}

}  // namespace setting

TENON_LIBRARY_FRAGMENT(aten, m) {
  namespace k = setting;
  constexpr DispatchKey all = DispatchKey::CompositeExplicitAutograd;
  m.def<ops::set_base_>().def<ops::set_source_Storage_>().def<ops::set_source_Storage_storage_offset_>();
  m.def<ops::set_source_Tensor_>().def<ops::set_source_Tensor_storage_offset_>().def<ops::set_data_base>();
  m.impl<ops::set_base_, &k::to_nothing>(all)
      .impl<ops::set_source_Storage_, &k::to_storage>(all)
      .impl<ops::set_source_Storage_storage_offset_, &k::to_part_of_storage>(all)
      .impl<ops::set_source_Tensor_, &k::to_tensor>(all)
      .impl<ops::set_source_Tensor_storage_offset_, &k::to_part_of_tensor>(all);
  define_with_copied_out(m, ops::set_base);
  define_with_copied_out(m, ops::set_source_Storage);
  define_with_copied_out(m, ops::set_source_Storage_storage_offset);
  define_with_copied_out(m, ops::set_source_Tensor);
  m.impl<ops::set_base, &k::of_nothing>(all)
      .impl<ops::set_source_Storage, &k::of_storage>(all)
      .impl<ops::set_source_Storage_storage_offset, &k::of_part_of_storage>(all)
      .impl<ops::set_source_Tensor, &k::of_tensor>(all);
  m.impl<ops::set_data_base, &k::set_data>();
}

}  // namespace tenon::composite
