// Further views: sliding windows, and the same bytes as another dtype.
#pragma once
#include <tenon/cpu/detail/composed.hpp>
#include <tenon/cpu/view.hpp>
#include <tenon/ops/pointwise.hpp>
#include <tenon/ops/view_more.hpp>

namespace tenon::cpu {
namespace detail {

/// The windows of `size` elements along a dimension, `step` apart, become the last dimension.
template <class Int>
BasicGeometry<Int> unfold(const BasicGeometryRef<Int>& self, std::int64_t dim, std::int64_t size, std::int64_t step) {
  BasicGeometry<Int> g = self.copy();
  dim = wrap_dim(dim, self.dim());
  Int length = self.dim() == 0 ? Int(1) : self.sizes[dim];
  TENON_CHECK(size >= 0, ValueError, "size is ", size, " but must be >= 0");
  TENON_CHECK(size <= length, ValueError, "maximum size for tensor at dimension ", dim, " is ", length, " but size is ",
              size);
  TENON_CHECK(step > 0, ValueError, "step is ", step, " but must be > 0");
  g.sizes.push_back(size);
  g.strides.push_back(self.dim() == 0 ? Int(1) : self.strides[dim]);
  if (self.dim() == 0) return g;
  g.sizes[dim] = (length - size) / step + 1;
  g.strides[dim] = g.strides[dim] * step;
  return g;
}
/// Adds what every place of the windows got: one pass per place, over all windows.
inline Tensor unfold_backward(const Tensor& grad, SymIntArrayRef sizes, std::int64_t dim, std::int64_t size,
                              std::int64_t step) {
  TENON_CHECK(grad.dim() == static_cast<std::int64_t>(sizes.size()) + 1, ValueError,
              "unfold_backward(): argument 1 'grad_in': expected ", sizes.size() + 1, " dimensions, got shape ",
              grad.sym_sizes());
  AutoDispatchBelowADInplaceOrView guard;
  Tensor out = zeros_for(grad, sizes);
  dim = wrap_dim(dim, out.dim());
  for (std::int64_t i = 0; i < size; ++i) {
    Tensor part = ops::select(grad, -1, i), at = out;
    if (out.dim() > 0) at = ops::slice(out, dim, SymInt(i), out.sym_sizes()[dim] - size + i + 1, SymInt(step));
    TENON_CHECK(at.sym_sizes() == part.sym_sizes(), ValueError, "unfold_backward(): argument 1 'grad_in': got shape ",
                grad.sym_sizes(), ", which windows of ", size, " elements do not have");
    ops::add_(at, part);
  }
  return out;
}

/// The last dimension is counted in elements of the new size.
template <class Int>
BasicGeometry<Int> retyped(const BasicGeometryRef<Int>& self, ScalarType from, ScalarType to) {
  BasicGeometry<Int> g = self.copy();
  auto old_size = static_cast<std::int64_t>(item_size(from)), new_size = static_cast<std::int64_t>(item_size(to));
  if (old_size == new_size) return g;
  auto refuse = [&](const auto&... why) {
    fail<ValueError>(why..., " to view ", from, " as ", to, " (different element sizes)");
  };
  auto last = static_cast<std::size_t>(self.dim() - 1);
  if (self.dim() == 0) refuse("self.dim() cannot be 0");
  if (!(g.strides[last] == 1)) refuse("self.stride(-1) must be 1, got ", g.strides[last]);
  if (old_size > new_size) {
    std::int64_t ratio = old_size / new_size;
    for (std::size_t d = 0; d < last; ++d) g.strides[d] = g.strides[d] * ratio;
    g.sizes[last] = g.sizes[last] * ratio;
    g.offset = g.offset * ratio;
    return g;
  }
  std::int64_t ratio = new_size / old_size;
  auto divide = [&](Int& x, const auto&... name) {
    if (!(x % ratio == 0)) refuse(name..., " must be divisible by ", ratio, ", got ", x);
    x = x / ratio;
  };
  divide(g.sizes[last], "self.size(-1)");
  divide(g.offset, "self.storage_offset()");
  for (std::size_t d = 0; d < last; ++d) divide(g.strides[d], "self.stride(", d, ")");
  return g;
}
inline Tensor view_dtype(const Tensor& self, ScalarType dtype) {
  auto alias = [&]<class Int>(std::type_identity<Int>) {
    BasicGeometry<Int> g = retyped<Int>(self, self.dtype(), dtype);
    return alias_of<Int>(self, g.sizes, g.strides, g.offset);
  };
  Tensor out = self.is_symbolic() ? alias(std::type_identity<SymInt>{}) : alias(std::type_identity<std::int64_t>{});
  out->set_dtype(dtype);
  return out;
}

}  // namespace detail
}  // namespace tenon::cpu

TENON_LIBRARY_FRAGMENT(aten, m) {
  using namespace tenon;
  m.def<ops::unfold_base>().def<ops::view_dtype>();
  define_forms(m, ops::unfold_backward_base);
  cpu::detail::implement_out_by_copy<ops::unfold_backward_base_op>(m, {__FILE__, __LINE__});
}
TENON_LIBRARY_IMPL(aten, CompositeExplicitAutograd, m) {
  using namespace tenon;
  namespace k = tenon::cpu::detail;
  m.impl<ops::unfold_base, &k::view_kernel<&k::unfold<std::int64_t>>::call>()
      .impl<ops::unfold_backward_base, &k::unfold_backward>()
      .impl<ops::view_dtype, &k::view_dtype>();
}
TENON_LIBRARY_IMPL(aten, PreDispatch, m) {
  namespace k = tenon::cpu::detail;
  m.impl<tenon::ops::unfold_base, &k::meta_view_kernel<&k::unfold<std::int64_t>, &k::unfold<tenon::SymInt>>::call>();
}
