// Registers softmax, its logarithm and layer norm on CUDA.
#include <tuple>

#include <tenon/composite/softmax_shapes.hpp>
#include <tenon/dispatch/device_guard.hpp>
#include <tenon/library/library.hpp>
#include <tenon/ops/normalization.hpp>

#include "support.hpp"

namespace tenon::cuda {
namespace {

/// A shape cut at one dimension: elements before, at and behind it.
void cut(SoftmaxCall& c, const Tensor& t, std::int64_t dim) {
  dim = wrap_dim(dim, t.dim());
  c.outer = c.size = c.inner = 1;
  for (std::int64_t d = 0; d < t.dim(); ++d) (d < dim ? c.outer : d == dim ? c.size : c.inner) *= t.sizes()[d];
}
template <bool Log>
void softmax_cuda(const Tensor& self, std::int64_t dim, bool half_to_float, const Tensor& out) {
  if (self.numel() == 0) return;
  // Half to float: computed in the wider type.
  Tensor from = row_major(self, half_to_float ? out.dtype() : self.dtype()),
         to = out.is_contiguous() ? out : make_tensor(out.sizes(), {}, out.dtype(), out.device());
  SoftmaxCall c{to.data_ptr(), from.data_ptr(), nullptr, from.dtype(), 0, 0, 0, Log};
  cut(c, from, dim);
  if (!softmax(c, runtime::current_stream())) not_implemented_for(Log ? "log_softmax" : "softmax", self.dtype());
  runtime::check_launch("softmax");
  if (!to.is_same(out)) copy_elements(out, to);
}
template <bool Log>
void softmax_backward_cuda(const Tensor& grad, const Tensor& output, std::int64_t dim, ScalarType, const Tensor& out) {
  if (grad.numel() == 0) return;
  ScalarType dtype = grad.dtype();
  Tensor g = row_major(grad), y = row_major(output, dtype),
         to = out.is_contiguous() && out.dtype() == dtype ? out : make_tensor(out.sizes(), {}, dtype, out.device());
  SoftmaxCall c{to.data_ptr(), y.data_ptr(), g.data_ptr(), dtype, 0, 0, 0, Log};
  cut(c, g, dim);
  if (!softmax_backward(c, runtime::current_stream())) not_implemented_for("softmax_backward", dtype);
  runtime::check_launch("softmax_backward");
  if (!to.is_same(out)) copy_elements(out, to);
}

/// A tensor without data: what Meta functions judge and shape.
std::optional<Tensor> without_data(const std::optional<Tensor>& t) {
  if (!t || !t->defined()) return std::nullopt;
  return make_tensor(t->sizes(), t->strides(), t->dtype(), kMeta);
}
std::tuple<Tensor, Tensor, Tensor> native_layer_norm(const Tensor& input, IntArrayRef shape,
                                                     const std::optional<Tensor>& weight,
                                                     const std::optional<Tensor>& bias, double eps) {
  DeviceGuard guard(input.device());
  AutoDispatchBelowADInplaceOrView below;
  auto fresh = [&](const Tensor& t) { return make_tensor(t.sizes(), t.strides(), t.dtype(), input.device()); };
  auto [out_like, mean_like, rstd_like] =
      ops::native_layer_norm(*without_data(input), shape, without_data(weight), without_data(bias), eps);
  Tensor out = fresh(out_like), mean = fresh(mean_like), rstd = fresh(rstd_like);
  if (mean.numel() == 0) return {out, mean, rstd};
  std::int64_t size = 1;
  for (std::int64_t s : shape) size *= s;
  ScalarType dtype = input.dtype(), sums = compute_type_of(dtype);
  auto given = [&](const std::optional<Tensor>& t) { return t && t->defined() ? row_major(*t, dtype) : Tensor(); };
  auto dense = [&](const Tensor& t, ScalarType type) {
    return t.is_contiguous() && t.dtype() == type ? t : make_tensor(t.sizes(), {}, type, t.device());
  };
  // Parameters of a wider type: everything is computed in theirs.
  if (weight && weight->defined() && weight->dtype() != dtype) dtype = weight->dtype(), sums = compute_type_of(dtype);
  Tensor x = row_major(input, dtype), w = given(weight), b = given(bias), y = dense(out, dtype), m = dense(mean, sums),
         r = dense(rstd, sums);
  LayerNormCall c{y.data_ptr(),
                  x.data_ptr(),
                  w.defined() ? w.data_ptr() : nullptr,
                  b.defined() ? b.data_ptr() : nullptr,
                  m.data_ptr(),
                  r.data_ptr(),
                  dtype,
                  mean.numel(),
                  size,
                  eps};
  if (!layer_norm(c, runtime::current_stream())) not_implemented_for("LayerNormKernelImpl", input.dtype());
  runtime::check_launch("layer_norm");
  if (!y.is_same(out)) copy_elements(out, y);
  if (!m.is_same(mean)) copy_elements(mean, m);
  if (!r.is_same(rstd)) copy_elements(rstd, r);
  return {out, mean, rstd};
}

}  // namespace
}  // namespace tenon::cuda

namespace tenon::ops {

TENON_STRUCTURED_KERNEL(_softmax_base, CUDA, cuda::softmax_cuda<false>);
TENON_STRUCTURED_KERNEL(_log_softmax_base, CUDA, cuda::softmax_cuda<true>);
TENON_STRUCTURED_KERNEL(_softmax_backward_data_base, CUDA, cuda::softmax_backward_cuda<false>);
TENON_STRUCTURED_KERNEL(_log_softmax_backward_data_base, CUDA, cuda::softmax_backward_cuda<true>);

}  // namespace tenon::ops

TENON_LIBRARY_IMPL(aten, CUDA, m) { m.impl<tenon::ops::native_layer_norm_base, &tenon::cuda::native_layer_norm>(); }
