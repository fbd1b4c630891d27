// The gated linear unit, of views and rows.
#pragma once
#include <tenon/ops/activation.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/structured/pointwise.hpp>
#include <tenon/structured/structured.hpp>
#include <tenon/structured/symbolic.hpp>
#include <tenon/tensor/geometry.hpp>

namespace tenon::composite {

/// The dimension that a gated unit halves.
template <class Int>
std::int64_t halved_dim(ArrayRef<Int> sizes, std::int64_t dim) {
  TENON_CHECK(!sizes.empty(), ValueError, "glu does not support scalars because halving size must be even");
  dim = wrap_dim(dim, static_cast<std::int64_t>(sizes.size()));
  const Int& size = sizes[static_cast<std::size_t>(dim)];
  TENON_CHECK(size % 2 == 0, ValueError, "Halving dimension must be even, but dimension ", dim, " is size ", size);
  return dim;
}
struct glu_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, std::int64_t dim) const {
    dims_t<Int> sizes(sizes_of<Int>(self));
    dim = halved_dim<Int>(sizes, dim);
    if (!is_floating_type(self.dtype()) || !has_arithmetic(self.dtype())) not_implemented_for("glu_cpu", self.dtype());
    sizes[static_cast<std::size_t>(dim)] = sizes[static_cast<std::size_t>(dim)] / 2;
    dims_t<Int> strides;  // in the order of the halves
    const Tensor* operands[] = {&self};
    if (!self.is_contiguous()) strides = tenon::detail::result_strides(sizes, operands, 1);
    out.set_output_raw_strided(0, sizes, strides, self.dtype(), self.device(), OutputCast::Allowed);
  }
};
/// 16-bit floats are gated as float.
inline void glu(const Tensor& self, std::int64_t dim, const Tensor& out) {
  AutoDispatchBelowADInplaceOrView guard;  // the caller counts the write
  std::int64_t half = out.sizes()[static_cast<std::size_t>(wrap_dim(dim, self.dim()))];
  Tensor x = is_reduced_floating_type(self.dtype()) ? ops::to(self, kFloat) : self, written = out;
  Tensor gate = ops::sigmoid(ops::narrow(x, dim, half, half));
  if (self.dtype() == out.dtype() && x.dtype() == out.dtype())
    ops::mul(ops::narrow(x, dim, 0, half), gate, "out"_a = written);
  else
    ops::copy_(written, ops::to(ops::mul(ops::narrow(x, dim, 0, half), gate), self.dtype()));
}

}  // namespace tenon::composite

namespace tenon::ops {

TENON_STRUCTURED_OF(glu_base, composite::glu_meta);

}  // namespace tenon::ops
