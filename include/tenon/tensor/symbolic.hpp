// Meta tensors whose sizes, strides or offset are symbolic: making them, and the shape functions that they share with
// plain ones.
#pragma once
#include <optional>

#include <tenon/base/sym_dim_vector.hpp>
#include <tenon/tensor/tensor.hpp>
#include <tenon/tensor/view_geometry.hpp>

namespace tenon {

/// Something asked a symbolic tensor for plain numbers.
class SymbolicShapeError : public TypeError {
 public:
  SymbolicShapeError(std::string message, const TensorImpl* tensor) : TypeError(std::move(message)), tensor_(tensor) {}
  /// Only to be compared: the tensor may be gone.
  const TensorImpl* tensor() const { return tensor_; }

 private:
  const TensorImpl* tensor_;
};

/// The key that every symbolic tensor carries beside Meta's. It lies above autograd, so that operators that are made of
/// others meet it too; gradients of symbolic tensors are not recorded.
inline constexpr DispatchKey kSymbolicKey = DispatchKey::PreDispatch;

/// A Meta tensor of any sizes and strides, row-major if there are none; symbolic if one of them is. Every symbolic size
/// is compared with 0, so that a guard says which are not empty. Its storage has no size: nbytes() of it is 0.
/// Errors: ValueError for a negative size, or a symbolic one on another device.
Tensor make_tensor_symbolic(SymIntArrayRef sizes, SymIntArrayRef strides, ScalarType dtype, Device device);
/// A tensor over the same storage with another geometry.
Tensor make_alias_symbolic(const Tensor& base, SymIntArrayRef sizes, SymIntArrayRef strides, const SymInt& offset);

/// The sizes and strides of a tensor as integers of one kind: `sizes_of<SymInt>(t)` serves both kinds of tensors.
template <class Int>
ArrayRef<Int> sizes_of(const Tensor& t) {
  if constexpr (std::is_same_v<Int, SymInt>)
    return t.sym_sizes();
  else
    return t.sizes();
}
template <class Int>
ArrayRef<Int> strides_of(const Tensor& t) {
  if constexpr (std::is_same_v<Int, SymInt>)
    return t.sym_strides();
  else
    return t.strides();
}
template <class Int>
Int numel_of(const Tensor& t) {
  if constexpr (std::is_same_v<Int, SymInt>)
    return t.sym_numel();
  else
    return t.numel();
}

/// Lists of SymInt, for which shape functions have a form of the same name.
template <class T>
concept sym_list = std::is_same_v<T, SymIntArrayRef> || std::is_same_v<T, SymDimVector>;

namespace detail {
SymDimVector sym_contiguous_strides(SymIntArrayRef sizes);
SymDimVector sym_strides_for(SymIntArrayRef sizes, MemoryFormat format);
SymDimVector sym_broadcast_shapes(SymIntArrayRef a, SymIntArrayRef b);
SymDimVector sym_infer_size(SymIntArrayRef shape, const SymInt& numel);
std::optional<SymDimVector> sym_view_strides(SymIntArrayRef sizes, SymIntArrayRef strides, SymIntArrayRef shape);
SymInt sym_count_elements(SymIntArrayRef sizes);
SymDimVector sym_dense_strides_like(SymIntArrayRef sizes, SymIntArrayRef strides);
/// The format that the strides suggest, decided by guards.
MemoryFormat sym_suggest_memory_format(const Tensor& t);
}  // namespace detail

template <sym_list A>
SymDimVector contiguous_strides(const A& sizes) {
  return detail::sym_contiguous_strides(sizes);
}
template <sym_list A>
SymDimVector strides_for(const A& sizes, MemoryFormat format) {
  return detail::sym_strides_for(sizes, format);
}
template <class A, class B>
  requires(sym_list<A> || sym_list<B>)
SymDimVector broadcast_shapes(const A& a, const B& b) { return detail::sym_broadcast_shapes(a, b); }
template <sym_list A>
SymDimVector infer_size(const A& shape, const SymInt& numel) {
  return detail::sym_infer_size(shape, numel);
}
template <sym_list A>
std::optional<SymDimVector> view_strides(const A& sizes, SymIntArrayRef strides, SymIntArrayRef shape) {
  return detail::sym_view_strides(sizes, strides, shape);
}
template <sym_list A>
SymDimVector dense_strides_like(const A& sizes, SymIntArrayRef strides) {
  return detail::sym_dense_strides_like(sizes, strides);
}
template <sym_list A>
SymInt count_elements(const A& sizes) {
  return detail::sym_count_elements(sizes);
}
/// The strides of new memory in a tensor's order: its own where it has no gaps, also in dimensions of size 1.
template <class Int>
dims_t<Int> preserved_strides(const Tensor& t) {
  if constexpr (std::is_same_v<Int, std::int64_t>) {
    if (t.is_non_overlapping_and_dense()) return DimVector(t.strides());
  } else {
    if (t.is_contiguous()) return contiguous_strides(sizes_of<Int>(t));  // known, where an order would ask for guards
  }
  return dense_strides_like(sizes_of<Int>(t), strides_of<Int>(t));
}

}  // namespace tenon
