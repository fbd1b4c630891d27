// Views of the same elements: without a history, and as another dtype.
#pragma once
#include <tenon/ops/view.hpp>
#include <tenon/ops/view_copy.hpp>
#include <tenon/structured/symbolic.hpp>
#include <tenon/view/geometries.hpp>
#include <tenon/view/row.hpp>

namespace tenon::geometries {

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

}  // namespace tenon::geometries

namespace tenon::detail {

inline Tensor detach(const Tensor& self) { return make_alias(self); }
inline Tensor& detach_(Tensor& self) { return self; }
inline Tensor view_dtype(const Tensor& self, ScalarType dtype) {
  TENON_CHECK(!self.is_conj(), ValueError,
              "torch.Tensor.view is not supported for conjugate view tensors when converting to a different dtype.");
  TENON_CHECK(!self.is_neg(), ValueError,
              "torch.Tensor.view is not supported for tensors with negative bit set when converting to a different "
              "dtype.");
  auto alias = [&]<class Int>(std::type_identity<Int>) {
    BasicGeometry<Int> g = geometries::retyped<Int>(self, self.dtype(), dtype);
    return make_view(self, g);
  };
  Tensor out = self.is_symbolic() ? alias(std::type_identity<SymInt>{}) : alias(std::type_identity<std::int64_t>{});
  out->set_dtype(dtype);
  return out;
}

}  // namespace tenon::detail

namespace tenon::ops {

namespace derivatives {
/// Leaves the tensor without history. Throws AutogradError for views, whose base would keep it.
inline Tensor& detach_in_place(KeySet, Tensor& self) {
  if (autograd::is_view(self))
    fail<AutogradError>(
        "Can't detach views in-place. Use detach() instead. If you are using DistributedDataParallel (DDP) for training, and gradient_as_bucket_view is set as True, gradients are views of DDP buckets, and hence detach_() cannot be called on these gradients. To fix this error, please refer to the Optimizer.zero_grad() function in torch/optim/optimizer.py as a solution.");
  if (AutogradMeta* meta = autograd::meta_of(self)) {
    meta->grad_fn = nullptr;
    meta->result_index = 0;
    meta->leaf_requires_grad = false;
  }
  return self;
}
}  // namespace derivatives

TENON_VIEW_OF(alias_base, geometries::alias, copy_as<alias_copy_base>(), TENON_WRT((self), (grad), grad));

TENON_LIBRARY_FRAGMENT(aten, m) {
  using namespace tenon::detail;
  m.def<detach_base>().def<detach_base_>().def<view_dtype>();
  define_by_view<view_copy_kernel>(m, detach_copy_base, detach_base, CallSite::now());
  define_by_view<view_copy_kernel>(m, lift_fresh_copy_base, lift_fresh_base, CallSite::now());
  define_by_view<view_copy_kernel>(m, view_copy_dtype, view_dtype, CallSite::now());
}
TENON_LIBRARY_IMPL(aten, CompositeExplicitAutograd, m) {
  m.impl<detach_base, &tenon::detail::detach>()
      .impl<detach_base_, &tenon::detail::detach_>()
      .impl<view_dtype, &tenon::detail::view_dtype>();
}
TENON_SYMBOLIC_LIBRARY_IMPL(aten, m) {
  m.impl<detach_base, &tenon::detail::view_kernels<geometries::alias, signature_t<detach_base>, false>::symbolic>();
}
TENON_LIBRARY_IMPL(aten, Autograd, m) {
  m.impl<detach_base>(fallthrough());
  m.impl<detach_base_, &derivatives::detach_in_place>();
}
TENON_NOT_DIFFERENTIABLE(view_dtype);
TENON_NOT_DIFFERENTIABLE(view_copy_dtype);
TENON_DERIVATIVE(lift_fresh_copy_base, TENON_WRT((self), (grad), grad));

}  // namespace tenon::ops
