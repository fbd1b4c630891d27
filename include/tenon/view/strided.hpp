// Rows of views by strides of the memory, and their inverse.
#pragma once
#include <algorithm>

#include <tenon/ops/view_copy.hpp>
#include <tenon/ops/view_scatter.hpp>
#include <tenon/view/geometries.hpp>
#include <tenon/view/row.hpp>

namespace tenon::ops {

TENON_VIEW_OF(as_strided_base, geometries::as_strided, within_memory(), for_each_back_end(),
              in_place_as<as_strided_base_>(), copy_as<as_strided_copy_base>(),
              TENON_WRT((self), (grad, self_geometry, size, stride, storage_offset),
                        autograd::as_strided_backward(grad, self_geometry, size, stride,
                                                      storage_offset.value_or(self_geometry.offset))));

namespace derivatives {

/// A gradient laid out in memory as the tensor was, so that the view is the same view of it.
struct LaidOut {
  Tensor memory;
  DimVector strides;
  std::int64_t self, view;  // offsets, in elements
};
inline LaidOut lay_out(const Tensor& grad, const autograd::Geometry& self, IntArrayRef size, IntArrayRef stride,
                       std::optional<std::int64_t> storage_offset) {
  DimVector strides(self.strides);
  std::int64_t offset = self.offset;
  for (std::size_t d = 0; d < strides.size(); ++d)
    if (strides[d] == 0 && self.sizes[d] > 1) {  // repeated elements: a copy of these alone was written to
      strides = dense_strides_like(self.sizes, self.strides);
      offset = 0;
      break;
    }
  std::int64_t view = storage_offset.value_or(offset), start = std::min(offset, view);
  auto end = static_cast<std::int64_t>(
      std::max(storage_bytes(self.sizes, strides, 1, offset), storage_bytes(size, stride, 1, view)));
  autograd::Geometry memory(self);
  memory.sizes = DimVector{std::max(end - start, std::int64_t{0})};
  memory.strides = DimVector{1};
  memory.offset = 0;
  return {autograd::as_strided_backward(grad, memory, self.sizes, strides, offset - start), std::move(strides),
          offset - start, view - start};
}
/// PyTorch's answer, whose recorded cases decide: the gradient where the view wrote, not where `self` was kept.
inline Tensor as_strided_scatter_self(const Tensor& grad, const autograd::Geometry& self, IntArrayRef size,
                                      IntArrayRef stride, std::optional<std::int64_t> storage_offset) {
  TENON_CHECK(is_contiguous_geometry(self.sizes, self.strides), NotImplementedError,
              "as_strided_scatter is currently only supported for contiguous inputs");
  LaidOut g = lay_out(grad, self, size, stride, storage_offset);
  Tensor covered =
      as_strided_scatter(zeros_like(g.memory), as_strided(g.memory, size, stride, g.view), size, stride, g.view);
  return as_strided(covered, IntArrayRef(self.sizes), IntArrayRef(g.strides), g.self);
}
inline Tensor as_strided_scatter_src(const Tensor& grad, const autograd::Geometry& self, IntArrayRef size,
                                     IntArrayRef stride, std::optional<std::int64_t> storage_offset) {
  LaidOut g = lay_out(grad, self, size, stride, storage_offset);
  return as_strided(g.memory, size, stride, g.view);
}

}  // namespace derivatives

TENON_LIBRARY_FRAGMENT(aten, m) {
  tenon::detail::define_by_view<tenon::detail::view_scatter_kernel>(m, as_strided_scatter_base, as_strided_base,
                                                                    CallSite::now());
}
TENON_DERIVATIVE(as_strided_scatter_base,
                 TENON_WRT((self), (grad, self_geometry, size, stride, storage_offset),
                           derivatives::as_strided_scatter_self(grad, self_geometry, size, stride, storage_offset)),
                 TENON_WRT((src), (grad, self_geometry, size, stride, storage_offset),
                           derivatives::as_strided_scatter_src(grad, self_geometry, size, stride, storage_offset)));

}  // namespace tenon::ops
