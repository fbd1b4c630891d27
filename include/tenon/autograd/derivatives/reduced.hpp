// What the derivatives of reductions share: reduced tensors with their dimensions again.
#pragma once
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::ops::derivatives {

/// A reduced tensor with its reduced dimensions of size 1 again. No dimensions stand for all.
inline Tensor restore_dims(const Tensor& reduced, IntArrayRef sizes, std::optional<IntArrayRef> dims, bool keepdim) {
  if (keepdim || sizes.empty()) return reduced;
  DimVector shape(sizes);
  if (!dims || dims->empty())
    for (auto& s : shape) s = 1;
  else
    for (std::int64_t d : *dims) shape[wrap_dim(d, static_cast<std::int64_t>(sizes.size()))] = 1;
  return reshape(reduced, IntArrayRef(shape));
}
inline Tensor spread(const Tensor& grad, IntArrayRef sizes, std::optional<IntArrayRef> dims, bool keepdim) {
  return expand(restore_dims(grad, sizes, dims, keepdim), sizes);
}
inline std::int64_t reduced_count(IntArrayRef sizes, std::optional<IntArrayRef> dims) {
  if (!dims || dims->empty()) return count_elements(sizes);
  std::int64_t n = 1;
  if (!sizes.empty())
    for (std::int64_t d : *dims) n *= sizes[wrap_dim(d, static_cast<std::int64_t>(sizes.size()))];
  return n;
}
/// Elements that share an extreme share its gradient evenly.
inline Tensor extreme_gradient(const Tensor& grad, const Tensor& self, const Tensor& result,
                               std::optional<IntArrayRef> dims, bool keepdim) {
  Tensor top = restore_dims(result, self.sizes(), dims, keepdim), mask = eq(top, self);
  return div(mul(restore_dims(grad, self.sizes(), dims, keepdim), mask), sum(mask, dims, true));
}

}  // namespace tenon::ops::derivatives
