// What copies and fills are refused of, for every back end.
#pragma once
#include <tenon/tensor/view_geometry.hpp>

namespace tenon::composite {

inline void check_copied(const Tensor& src) {
  TENON_CHECK(src.defined(), ValueError, "copy_(): expected a defined src, got an undefined tensor");
}
inline void check_has_data(const Tensor& src) {
  TENON_CHECK(!src.is_meta(), NotImplementedError, "Cannot copy out of meta tensor; no data!");
}
inline void check_shape_for_copy(const Tensor& self, const Tensor& src) {
  if (self.sizes() == src.sizes()) return;
  DimVector sizes = broadcast_shapes(self.sizes(), src.sizes());
  TENON_CHECK(IntArrayRef(sizes) == self.sizes(), ValueError, "output with shape ", self.sizes(),
              " doesn't match the broadcast shape ", sizes);
}

inline void check_fill_value(const Tensor& value) {
  TENON_CHECK(value.dim() == 0, ValueError, "fill_ only supports 0-dimension value tensor but got tensor with ",
              value.dim(), " dimensions.");
}

}  // namespace tenon::composite
