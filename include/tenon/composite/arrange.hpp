// Turning and rolling tensors: shapes and errors.
#pragma once
#include <tenon/ops/arrange.hpp>
#include <tenon/structured/pointwise.hpp>
#include <tenon/structured/structured.hpp>

namespace tenon::composite {

inline std::uint64_t flipped_dims(const Tensor& self, IntArrayRef dims) {
  std::uint64_t mask = 0;
  for (std::int64_t d : dims) {
    std::int64_t at = wrap_dim(d, self.dim());
    TENON_CHECK(!(mask >> at & 1), ValueError, "dim ", at, " appears multiple times in the list of dims");
    mask |= std::uint64_t{1} << at;
  }
  return mask;
}
struct flip_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, IntArrayRef dims) const {
    flipped_dims(self, dims);
    dims_t<Int> strides;  // the out form copies into what it resizes row-major
    if (out.form() != StructuredForm::Out) strides = preserved_strides<Int>(self);
    out.set_output_raw_strided(0, sizes_of<Int>(self), strides, self.dtype(), self.device());
  }
};
struct roll_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, SymIntArrayRef shifts, IntArrayRef dims) const {
    TENON_CHECK(!shifts.empty(), ValueError, "`shifts` required");
    TENON_CHECK(shifts.size() == dims.size() || (dims.empty() && shifts.size() == 1), ValueError,
                "shifts and dimensions must align. shifts: ", shifts.size(), ", dims:", dims.size());
    for (std::int64_t d : dims) wrap_dim(d, self.dim(), false);
    out.set_output_raw_strided(0, sizes_of<Int>(self), {}, self.dtype(), self.device());
  }
};

}  // namespace tenon::composite

namespace tenon::ops {

TENON_STRUCTURED_OF(flip_base, composite::flip_meta);
TENON_STRUCTURED_OF(roll_base, composite::roll_meta);

}  // namespace tenon::ops
