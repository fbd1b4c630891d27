// Joining tensors along a new dimension.
#pragma once
#include <vector>

#include <tenon/composite/join_shapes.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::composite {

/// Comparisons of symbolic sizes are guards, so plain ones are compared as what they are.
inline bool same_sizes(const Tensor& a, const Tensor& b) {
  return a.is_symbolic() || b.is_symbolic() ? a.sym_sizes() == b.sym_sizes() : a.sizes() == b.sizes();
}
inline Tensor& join_stacked(TensorList tensors, std::int64_t dim, Tensor* out, Tensor& fresh) {
  TENON_CHECK(!tensors.empty(), ValueError, "stack expects a non-empty TensorList");
  AutoDispatchBelowADInplaceOrView guard;  // the result is no view
  dim = wrap_dim(dim, tensors[0].dim() + 1);
  for (std::size_t i = 1; i < tensors.size(); ++i)
    TENON_CHECK(same_sizes(tensors[i], tensors[0]), ValueError, "stack expects each tensor to be equal size, but got ",
                tensors[0].sym_sizes(), " at entry 0 and ", tensors[i].sym_sizes(), " at entry ", i);
  if (out || dim == tensors[0].dim()) {
    std::vector<Tensor> wider;
    wider.reserve(tensors.size());
    for (const Tensor& t : tensors) wider.push_back(ops::unsqueeze(t, dim));
    if (out) return ops::cat(wider, dim, "out"_a = *out);
    fresh = ops::cat(wider, dim);
    return fresh;
  }
  // Joined along an existing dimension the result keeps the operands' memory format; the new one is split off it.
  auto split_off = [&]<class Int>(ArrayRef<Int> sizes) {
    dims_t<Int> split(sizes);
    split.insert(static_cast<std::size_t>(dim), static_cast<std::int64_t>(tensors.size()));
    fresh = ops::view(ops::cat(tensors, dim), split);
  };
  if (tensors[0].is_symbolic())
    split_off(tensors[0].sym_sizes());
  else
    split_off(tensors[0].sizes());
  return fresh;
}
inline Tensor stack(TensorList tensors, std::int64_t dim) {
  Tensor fresh;
  return join_stacked(tensors, dim, nullptr, fresh);
}
inline Tensor& stack_out(TensorList tensors, std::int64_t dim, Tensor& out) {
  Tensor fresh;
  return join_stacked(tensors, dim, &out, fresh);
}

TENON_LIBRARY_FRAGMENT(aten, m) {
  m.def<ops::stack_base>().def<ops::stack_base_out>();
  m.impl<ops::stack_base, &stack>(DispatchKey::CompositeExplicitAutograd);
  m.impl<ops::stack_base_out, &stack_out>(DispatchKey::CompositeExplicitAutograd);
}

}  // namespace tenon::composite
