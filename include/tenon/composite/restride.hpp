// Tensors laid out anew in their own memory, as out forms do whose kernels say how their result lies.
#pragma once
#include <tenon/structured/structured.hpp>
#include <tenon/tensor/symbolic.hpp>

namespace tenon::composite {

/// Gives a tensor this geometry, and its memory room for it.
inline void lay_out(const Tensor& t, IntArrayRef sizes, IntArrayRef strides) {
  const std::size_t bytes = storage_bytes(sizes, strides, t.element_size(), t.storage_offset());
  if (bytes > t->storage()->nbytes()) t->storage()->resize(bytes);
  t->set_geometry(sizes, strides, t.storage_offset());
}
/// Lays a given result out by these strides, in row-major order if there are none, as `resize_` with a memory format
/// does.
template <class Int>
void restride(Outputs& out, unsigned i, const dims_t<Int>& strides) {
  if constexpr (std::is_same_v<Int, std::int64_t>) {
    if (out.form() != StructuredForm::Out) return;
    const Tensor& t = out[i];
    const DimVector wanted = strides.empty() ? contiguous_strides(t.sizes()) : strides;
    if (t.strides() == IntArrayRef(wanted)) return;
    lay_out(t, DimVector(t.sizes()), wanted);
  }
}

}  // namespace tenon::composite
