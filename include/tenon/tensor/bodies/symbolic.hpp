// Symbolic Meta tensors: their extents, their errors, and the shape functions for SymInt.
#pragma once
#include <memory>
#include <new>

#include <tenon/base/body.hpp>
#include <tenon/tensor/detail/shapes.hpp>
#include <tenon/tensor/create.hpp>
#include <tenon/tensor/symbolic.hpp>

namespace tenon {

TENON_COLD_BODY void detail::symbolic_geometry(const TensorImpl& t, const char* call, const char* instead) {
  throw SymbolicShapeError(
      concat(call, ": expected a tensor of plain sizes, strides and offset, got one of sizes ", t.sym_sizes(),
             ", strides ", t.sym_strides(), instead ? "; use " : "", instead ? instead : ", which has no data"),
      &t);
}
TENON_COLD_BODY void detail::release_symbols(std::int64_t* first, std::size_t count) noexcept {
  auto* symbols = reinterpret_cast<SymInt*>(first);
  for (std::size_t i = 0; i < count; ++i) symbols[i].~SymInt();
}

TENON_COLD_BODY SymInt TensorImpl::sym_storage_offset() const {
  return symbolic_ ? reinterpret_cast<const SymInt*>(extents_)[2 * dim_] : SymInt(offset_);
}
TENON_COLD_BODY SymInt TensorImpl::sym_numel() const {
  return symbolic_ ? reinterpret_cast<const SymInt*>(extents_)[2 * dim_ + 1] : SymInt(numel_);
}
TENON_COLD_BODY void TensorImpl::set_sym_geometry(SymIntArrayRef sizes, SymIntArrayRef strides, const SymInt& offset,
                                                  bool known_contiguous) {
  std::size_t n = sizes.size();
  auto as_sizes = maybe_as_ints(sizes), as_strides = maybe_as_ints(strides);
  bool symbolic = offset.is_symbolic() || !as_sizes || !as_strides;
  std::unique_ptr<std::int64_t[]> block;
  DimVector plain_sizes, plain_strides;
  if (symbolic) {
    block.reset(new std::int64_t[2 * n + 2]);
    auto* to = reinterpret_cast<SymInt*>(block.get());
    SymInt count = detail::Shapes<SymInt>::count_elements(sizes);
    for (std::size_t d = 0; d < n; ++d) {
      new (to + d) SymInt(sizes[d]);
      new (to + n + d) SymInt(strides[d]);
    }
    new (to + 2 * n) SymInt(offset);
    new (to + 2 * n + 1) SymInt(std::move(count));
  } else {
    plain_sizes = *as_sizes;
    plain_strides = *as_strides;
  }
  std::int64_t plain_offset = symbolic ? 0 : offset.as_int_unchecked();
  // The lists may have been this tensor's own: they end here.
  if (extents_ != in_place_) drop_extents();
  extents_ = in_place_;
  dim_ = 0;
  symbolic_ = symbolic;
  keys_ = symbolic                  ? KeySet(DispatchKey::Meta).add(kSymbolicKey)
          : keys_.has(kSymbolicKey) ? new_tensor_keys(device_.type)
                                    : keys_;
  if (!symbolic) return set_geometry(plain_sizes, plain_strides, plain_offset);
  extents_ = block.release();
  dim_ = static_cast<std::uint32_t>(n);
  numel_ = offset_ = 0;
  contiguous_ = known_contiguous;
  channels_last_ = channels_last_3d_ = false;
}

namespace detail {
inline bool known_row_major(SymIntArrayRef sizes, SymIntArrayRef strides) {
  SymInt step = 1;
  for (std::size_t d = sizes.size(); d-- > 0; step = step * sizes[d])
    if (!known_equal(sizes[d], SymInt(1)) && !known_equal(strides[d], step)) return false;
  return true;
}
}  // namespace detail

TENON_COLD_BODY Tensor make_tensor_symbolic(SymIntArrayRef sizes, SymIntArrayRef strides, ScalarType dtype,
                                            Device device) {
  auto plain_sizes = maybe_as_ints(sizes), plain_strides = maybe_as_ints(strides);
  if (plain_sizes && plain_strides) return make_tensor(*plain_sizes, *plain_strides, dtype, device);
  TENON_CHECK(device.is_meta(), ValueError, "expected plain sizes for a tensor on device ", device, ", got ", sizes,
              "; only tensors on device meta may be symbolic");
  for (const SymInt& s : sizes)
    if (!(s > 0) && s < 0) fail<ValueError>("Trying to create tensor with negative dimension ", s, ": ", sizes);
  SymDimVector row_major;
  if (strides.size() != sizes.size()) row_major = detail::Shapes<SymInt>::contiguous_strides(sizes);
  SymIntArrayRef used = strides.size() != sizes.size() ? SymIntArrayRef(row_major) : strides;
  Tensor t(intrusive_ptr<TensorImpl>::adopt(
      new TensorImpl(StorageImpl::create(0, device), new_tensor_keys(device.type), dtype, device)));
  t->set_sym_geometry(sizes, used, 0, detail::known_row_major(sizes, used));
  if (is_inference_mode()) t->set_inference(true);
  return t;
}
TENON_COLD_BODY Tensor make_alias_symbolic(const Tensor& base, SymIntArrayRef sizes, SymIntArrayRef strides,
                                           const SymInt& offset) {
  TensorImpl& from = base.impl();
  Tensor t(intrusive_ptr<TensorImpl>::adopt(new TensorImpl(from.storage(), from.keys(), from.dtype(), from.device())));
  t->set_sym_geometry(sizes, strides, offset, detail::known_row_major(sizes, strides));
  if (from.is_inference()) t->set_inference(true);
  return t;
}

namespace detail {
TENON_COLD_BODY SymDimVector sym_contiguous_strides(SymIntArrayRef sizes) {
  return Shapes<SymInt>::contiguous_strides(sizes);
}
TENON_COLD_BODY SymDimVector sym_strides_for(SymIntArrayRef sizes, MemoryFormat format) {
  return Shapes<SymInt>::strides_for(sizes, format);
}
TENON_COLD_BODY SymDimVector sym_broadcast_shapes(SymIntArrayRef a, SymIntArrayRef b) {
  return Shapes<SymInt>::broadcast_shapes(a, b);
}
TENON_COLD_BODY SymDimVector sym_infer_size(SymIntArrayRef shape, const SymInt& numel) {
  return Shapes<SymInt>::infer_size(shape, numel);
}
TENON_COLD_BODY std::optional<SymDimVector> sym_view_strides(SymIntArrayRef sizes, SymIntArrayRef strides,
                                                             SymIntArrayRef shape) {
  return Shapes<SymInt>::view_strides(sizes, strides, shape);
}
TENON_COLD_BODY SymInt sym_count_elements(SymIntArrayRef sizes) { return Shapes<SymInt>::count_elements(sizes); }
TENON_COLD_BODY MemoryFormat sym_suggest_memory_format(const Tensor& t) {
  for (MemoryFormat format : {MemoryFormat::ChannelsLast, MemoryFormat::ChannelsLast3d})
    if (Shapes<SymInt>::is_channels_last_strides(t.sym_sizes(), t.sym_strides(), format)) return format;
  return MemoryFormat::Contiguous;
}
}  // namespace detail

}  // namespace tenon
