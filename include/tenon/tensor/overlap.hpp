// Whether tensors share memory: what an operator must know before it writes.
#pragma once
#include <cstdint>

#include <tenon/tensor/tensor.hpp>

namespace tenon {

/// Whether two elements of the tensor certainly lie in one place.
bool has_internal_overlap(const Tensor& t);

enum class Overlap : std::uint8_t { None, Full, Partial, Unknown };
/// How the memory of two tensors relates; decided only where both are dense, as in PyTorch.
Overlap memory_overlap(const Tensor& a, const Tensor& b);

/// Whether both are the same elements of the same memory, in the same order.
inline bool is_same_view(const Tensor& a, const Tensor& b) {
  return a.dtype() == b.dtype() && a->storage() == b->storage() && a->data() == b->data() && a.sizes() == b.sizes() &&
         a.strides() == b.strides();
}
/// Whether two indices may meet one element: sorted by stride, each must step over all smaller ones.
bool may_overlap(IntArrayRef sizes, IntArrayRef strides);
/// Whether an element of one tensor may be an element of the other; also where `memory_overlap` decides nothing.
/// Cost: a search through multiples of the strides, which answers yes after 1,000 steps.
bool may_overlap(const Tensor& a, const Tensor& b);

/// Throws ValueError in PyTorch's words if writing to `t` would write a place twice.
void check_no_internal_overlap(const Tensor& t);
/// Throws ValueError if `written` shares some, but not the same, elements with `read`.
void check_no_partial_overlap(const Tensor& written, const Tensor& read);
/// Throws ValueError if `written` shares any element with `read`.
void check_no_overlap(const Tensor& written, const Tensor& read);

}  // namespace tenon
