// The tensors that a caller gives for results: checked, resized, replaced.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/base/warning.hpp>
#include <tenon/structured/outputs.hpp>
#include <tenon/tensor/overlap.hpp>

namespace tenon {

namespace detail {
TENON_COLD_BODY void warn_resized(const Tensor& out, IntArrayRef size) {
  if (out.numel() != 0)
    warn("An output with one or more elements was resized since it had shape ", out.sizes(),
         ", which does not match the required output shape ", size,
         ". Reuse an out tensor t by resizing it to zero elements first.");
}
inline void resize_output(const Tensor& t, IntArrayRef sizes, IntArrayRef strides) {
  warn_resized(t, sizes);
  DimVector row_major = contiguous_strides(sizes);
  IntArrayRef used = strides.empty() ? IntArrayRef(row_major) : strides;
  std::size_t bytes = storage_bytes(sizes, used, t.element_size(), t.storage_offset());
  if (bytes > t->storage()->nbytes()) t->storage()->resize(bytes);
  t->set_geometry(sizes, used, t.storage_offset());
}
}  // namespace detail

inline void Outputs::check_given(unsigned i, ScalarType dtype, Device device, OutputCast cast) const {
  const Tensor& t = *given_[i];
  TENON_CHECK(t.defined(), ValueError, "Expected a defined out tensor, but got an undefined one");
  if (t.dtype() != dtype) {
    if (cast == OutputCast::Exact)
      fail<TypeError>("Expected out tensor to have dtype ", dtype, ", but got ", t.dtype(), " instead");
    check_can_cast(dtype, t.dtype());
  }
  TENON_CHECK(t.device().type == device.type, ValueError, "Expected out tensor to have device ", device, ", but got ",
              t.device(), " instead");
}
TENON_BODY void Outputs::set_given(unsigned i, IntArrayRef sizes, IntArrayRef strides, ScalarType dtype, Device device,
                                   OutputCast cast) {
  check_given(i, dtype, device, cast);
  const Tensor& t = *given_[i];
  if (t->is_symbolic()) [[unlikely]] {
    set_symbolic(i, as_sym_ints(sizes), as_sym_ints(strides), dtype, device, cast);
    return;
  }
  if (t->sizes() != sizes) {
    if (keeps_shape(i)) fail<ValueError>("output with shape ", t.sizes(), " doesn't match the broadcast shape ", sizes);
    if ((read_ >> i & 1) != 0 && !meta_only_) {
      proxies_.set(i, make_tensor(sizes, strides, t.dtype(), device));
      return;
    }
    detail::resize_output(t, sizes, strides);
  }
  // A meta function that asks for the very strides of an expanded tensor writes one value to what shares a place.
  if (!meta_only_ && t->strides() != strides) check_no_internal_overlap(t);
}
TENON_COLD_BODY bool Outputs::set_symbolic(unsigned i, SymIntArrayRef sizes, SymIntArrayRef strides, ScalarType dtype,
                                           Device device, OutputCast cast) {
  set_ |= static_cast<std::uint8_t>(1u << i);
  if (!(given_[i] && given_[i]->is_symbolic()) && maybe_as_ints(sizes) && maybe_as_ints(strides)) return false;
  if (!given_[i]) {
    own_.set(i, make_tensor_symbolic(sizes, strides, dtype, device));
    return true;
  }
  check_given(i, dtype, device, cast);
  const Tensor& t = *given_[i];
  if (t.sym_sizes() == sizes) return true;
  if (keeps_shape(i))
    fail<ValueError>("output with shape ", t.sym_sizes(), " doesn't match the broadcast shape ", sizes);
  Tensor fresh = make_tensor_symbolic(sizes, strides, dtype, device);
  t->set_sym_geometry(fresh.sym_sizes(), fresh.sym_strides(), t.sym_storage_offset(), fresh.is_contiguous());
  return true;
}
TENON_BODY void Outputs::replace_unless_strided(unsigned i, IntArrayRef sizes, IntArrayRef strides, Device device) {
  const Tensor& given = *given_[i];
  DimVector row_major = contiguous_strides(sizes);
  IntArrayRef wanted = strides.empty() ? IntArrayRef(row_major) : strides;
  bool same = true;
  for (std::size_t d = 0; d < sizes.size(); ++d) same = same && (sizes[d] <= 1 || given.strides()[d] == wanted[d]);
  if (!same) proxies_.set(i, make_tensor(sizes, wanted, given.dtype(), device));
}

}  // namespace tenon
