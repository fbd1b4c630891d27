// Questions about the memory of tensors.
#pragma once
#include <tenon/library/library.hpp>
#include <tenon/ops/sharing.hpp>
#include <tenon/tensor/tensor.hpp>

namespace tenon::composite {

inline bool is_set_to(const Tensor& self, const Tensor& tensor) {
  return self.storage() == tensor.storage() && self.storage_offset() == tensor.storage_offset() &&
         self.sizes() == tensor.sizes() && self.strides() == tensor.strides();
}
/// Whether their memory holds as many elements.
inline bool has_same_storage_numel(const Tensor& self, const Tensor& other) {
  auto elements = [](const Tensor& t) { return t.storage().nbytes() / item_size(t.dtype()); };
  return elements(self) == elements(other);
}

TENON_LIBRARY_FRAGMENT(aten, m) {
  m.def<ops::is_set_to_base>().def<ops::_has_same_storage_numel_base>();
  m.impl<ops::is_set_to_base, &is_set_to>(DispatchKey::CompositeExplicitAutograd);
  m.impl<ops::_has_same_storage_numel_base, &has_same_storage_numel>(DispatchKey::CompositeExplicitAutograd);
}

}  // namespace tenon::composite
