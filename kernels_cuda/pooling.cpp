// Registers pooling and its gradients on CUDA.
#include <tenon/composite/pooling_shapes.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/cuda/fractional_pooling.hpp>
#include <tenon/math/fractional_pooling.hpp>
#include <tenon/ops/index.hpp>

#include "support.hpp"

namespace tenon::cuda {
namespace {

using composite::pooling::PoolingLists;

/// Planes of the last `dims` dimensions of an input and a result.
PoolCall call_for(std::size_t dims, const Tensor& in, const Tensor& out) {
  PoolCall c;
  c.planes = 1;
  std::size_t outer = in.sizes().size() - dims;
  for (std::size_t d = 0; d < outer; ++d) c.planes *= in.sizes()[d];
  for (std::size_t i = 0; i < dims; ++i) {
    c.in[3 - dims + i] = in.sizes()[outer + i];
    c.out[3 - dims + i] = out.sizes()[outer + i];
  }
  return c;
}
PoolCall call_for(const PoolingLists& p, const Tensor& in, const Tensor& out) {
  std::size_t dims = p.kernel.size();
  PoolCall c = call_for(dims, in, out);
  for (std::size_t i = 0; i < dims; ++i) {
    c.kernel[3 - dims + i] = p.kernel[i], c.stride[3 - dims + i] = p.stride[i];
    c.padding[3 - dims + i] = p.padding[i], c.dilation[3 - dims + i] = p.dilation[i];
  }
  return c;
}
PoolCall adaptive_call(std::size_t dims, const Tensor& in, const Tensor& out) {
  PoolCall c = call_for(dims, in, out);
  c.adaptive = true;
  return c;
}
/// From `from` to `to`, of one dtype, by start(call); `places` where maxima are looked for.
template <class F>
void run_by(const char* name, PoolCall c, bool back, const Tensor& from, const Tensor& to, const Tensor& places,
            F start) {
  if (to.numel() == 0) return;
  c.dtype = from.dtype();
  Tensor read = row_major(from);
  Result written(to, c.dtype), found(places.defined() ? places : to, places.defined() ? kLong : c.dtype);
  c.x = back ? written.data() : read.data_ptr();
  c.y = back ? read.data_ptr() : written.data();
  if (places.defined()) c.places = static_cast<std::int64_t*>(found.data());
  if (!start(c)) not_implemented_for(name, c.dtype);
  runtime::check_launch(name);
  written.done();
  if (places.defined()) found.done();
}
void run(const char* name, const PoolCall& c, Pool what, const Tensor& from, const Tensor& to, const Tensor& places) {
  run_by(name, c, what == Pool::MeanBack, from, to, places,
         [&](const PoolCall& call) { return pool(call, what, runtime::current_stream()); });
}
template <std::size_t Dims>
void avg_pool(const Tensor& self, IntArrayRef kernel, IntArrayRef stride, IntArrayRef padding, bool,
              bool include_padding, std::optional<std::int64_t> divisor, const Tensor& out) {
  PoolCall c = call_for(PoolingLists("avg_pool", Dims, kernel, stride, padding, {}), self, out);
  c.include_padding = include_padding, c.divisor = divisor.value_or(0);
  run("avg_pool_out_cuda_frame", c, Pool::Mean, self, out, Tensor());
}
template <std::size_t Dims>
void avg_pool_backward(const Tensor& grad, const Tensor&, IntArrayRef kernel, IntArrayRef stride, IntArrayRef padding,
                       bool, bool include_padding, std::optional<std::int64_t> divisor, const Tensor& out) {
  PoolCall c = call_for(PoolingLists("avg_pool", Dims, kernel, stride, padding, {}), out, grad);
  c.include_padding = include_padding, c.divisor = divisor.value_or(0);
  run("avg_pool_backward_out_cuda_frame", c, Pool::MeanBack, grad, out, Tensor());
}
template <std::size_t Dims>
void adaptive_avg_pool(const Tensor& self, IntArrayRef, const Tensor& out) {
  if (!self.is_floating_point()) not_implemented_for("adaptive_avg_pool_cuda", self.dtype());
  run("adaptive_avg_pool_cuda", adaptive_call(Dims, self, out), Pool::Mean, self, out, Tensor());
}
template <std::size_t Dims>
void adaptive_avg_pool_backward(const Tensor& grad, const Tensor&, const Tensor& out) {
  run("adaptive_avg_pool_backward_cuda", adaptive_call(Dims, out, grad), Pool::MeanBack, grad, out, Tensor());
}
template <std::size_t Dims>
void max_pool(const Tensor& self, IntArrayRef kernel, IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation,
              bool, const Tensor& out, const Tensor& indices) {
  run("max_pool_with_indices_out_cuda_frame",
      call_for(PoolingLists("max_pool", Dims, kernel, stride, padding, dilation), self, out), Pool::Max, self, out,
      indices);
}
template <std::size_t Dims>
void adaptive_max_pool(const Tensor& self, IntArrayRef, const Tensor& out, const Tensor& indices) {
  if (!self.is_floating_point()) not_implemented_for("adaptive_max_pool_cuda", self.dtype());
  run("adaptive_max_pool_cuda", adaptive_call(Dims, self, out), Pool::Max, self, out, indices);
}
template <std::size_t Dims>
void fractional_max_pool(const Tensor& self, IntArrayRef kernel, IntArrayRef, const Tensor& samples, const Tensor& out,
                         const Tensor& indices) {
  const char* name = "fractional_max_pool_out_cuda_frame";
  if (!self.is_floating_point() || !has_arithmetic(self.dtype())) not_implemented_for(name, self.dtype());
  PoolCall c = call_for(Dims, self, out);
  // As the computation rounds them, in the order of dimensions.
  ScalarType rounded = self.dtype() == kDouble ? kDouble : kFloat;
  Tensor given = row_major(row_major(samples, rounded), kDouble);
  std::int64_t sizes[] = {c.planes, 3};
  Tensor each = make_tensor(IntArrayRef(sizes, 2), {}, kDouble, self.device());
  fill_elements(each, operand_of(Scalar(0), kDouble));
  for (std::size_t d = 0; d < Dims; ++d) {
    c.kernel[3 - Dims + d] = kernel[d];
    std::int64_t count[] = {c.planes}, to[] = {3}, from[] = {static_cast<std::int64_t>(Dims)};
    copy_elements(make_alias(each, count, to, static_cast<std::int64_t>(3 - Dims + d)),
                  make_alias(given, count, from, given.storage_offset() + math::fractional_sample(Dims, d)));
  }
  run_by(name, c, false, self, out, indices, [&](const PoolCall& call) {
    return fractional_pool({call, static_cast<const double*>(each.data_ptr())}, runtime::current_stream());
  });
}

/// A tensor's planes as the rows of a matrix.
Tensor as_rows(const Tensor& t, std::size_t dims) {
  std::int64_t planes = 1, plane = 1;
  for (std::size_t d = 0; d < t.sizes().size(); ++d) (d + dims < t.sizes().size() ? planes : plane) *= t.sizes()[d];
  std::int64_t sizes[] = {planes, plane}, strides[] = {plane, 1};
  return make_alias(t, sizes, strides, t.storage_offset());
}
/// Elements of `from` brought, or added, to their places in the planes of `out`, which are zero elsewhere.
void bring_to_places(std::size_t dims, const Tensor& from, const Tensor& indices, const Tensor& out, bool adds) {
  if (out.numel() == 0) return;
  AutoDispatchBelowADInplaceOrView below;
  Result to(out, out.dtype());
  fill_elements(to.tensor(), operand_of(Scalar(0), out.dtype()));
  Tensor rows = as_rows(to.tensor(), dims), places = as_rows(row_major(indices, kLong), dims),
         elements = as_rows(row_major(from, out.dtype()), dims);
  adds ? ops::scatter_add_(rows, 1, places, elements) : ops::scatter_(rows, 1, places, elements);
  to.done();
}
template <std::size_t Dims>
void max_pool_backward(const Tensor& grad, const Tensor&, IntArrayRef, IntArrayRef, IntArrayRef, IntArrayRef, bool,
                       const Tensor& indices, const Tensor& out) {
  bring_to_places(Dims, grad, indices, out, true);
}
template <std::size_t Dims>
void adaptive_max_pool_backward(const Tensor& grad, const Tensor&, const Tensor& indices, const Tensor& out) {
  bring_to_places(Dims, grad, indices, out, true);
}
template <std::size_t Dims>
void fractional_max_pool_backward(const Tensor& grad, const Tensor&, IntArrayRef, IntArrayRef, const Tensor& indices,
                                  const Tensor& out) {
  bring_to_places(Dims, grad, indices, out, true);
}
void unpool2d(const Tensor& self, const Tensor& indices, IntArrayRef, const Tensor& out) {
  bring_to_places(2, self, indices, out, false);
}
void unpool3d(const Tensor& self, const Tensor& indices, IntArrayRef, IntArrayRef, IntArrayRef, const Tensor& out) {
  bring_to_places(3, self, indices, out, false);
}

}  // namespace
}  // namespace tenon::cuda

namespace tenon::ops {

TENON_STRUCTURED_KERNEL(avg_pool2d_base, CUDA, cuda::avg_pool<2>);
TENON_STRUCTURED_KERNEL(avg_pool3d_base, CUDA, cuda::avg_pool<3>);
TENON_STRUCTURED_KERNEL(avg_pool2d_backward_base, CUDA, cuda::avg_pool_backward<2>);
TENON_STRUCTURED_KERNEL(avg_pool3d_backward_base, CUDA, cuda::avg_pool_backward<3>);
TENON_STRUCTURED_KERNEL(_adaptive_avg_pool2d_base, CUDA, cuda::adaptive_avg_pool<2>);
TENON_STRUCTURED_KERNEL(_adaptive_avg_pool3d_base, CUDA, cuda::adaptive_avg_pool<3>);
TENON_STRUCTURED_KERNEL(_adaptive_avg_pool2d_backward_base, CUDA, cuda::adaptive_avg_pool_backward<2>);
TENON_STRUCTURED_KERNEL(_adaptive_avg_pool3d_backward_base, CUDA, cuda::adaptive_avg_pool_backward<3>);
TENON_STRUCTURED_KERNEL(max_pool2d_with_indices_base, CUDA, cuda::max_pool<2>);
TENON_STRUCTURED_KERNEL(max_pool3d_with_indices_base, CUDA, cuda::max_pool<3>);
TENON_STRUCTURED_KERNEL(max_pool2d_with_indices_backward_base, CUDA, cuda::max_pool_backward<2>);
TENON_STRUCTURED_KERNEL(max_pool3d_with_indices_backward_base, CUDA, cuda::max_pool_backward<3>);
TENON_STRUCTURED_KERNEL(adaptive_max_pool2d_base, CUDA, cuda::adaptive_max_pool<2>);
TENON_STRUCTURED_KERNEL(adaptive_max_pool3d_base, CUDA, cuda::adaptive_max_pool<3>);
TENON_STRUCTURED_KERNEL(adaptive_max_pool2d_backward_base, CUDA, cuda::adaptive_max_pool_backward<2>);
TENON_STRUCTURED_KERNEL(adaptive_max_pool3d_backward_base, CUDA, cuda::adaptive_max_pool_backward<3>);
TENON_STRUCTURED_KERNEL(fractional_max_pool2d_base, CUDA, cuda::fractional_max_pool<2>);
TENON_STRUCTURED_KERNEL(fractional_max_pool3d_base, CUDA, cuda::fractional_max_pool<3>);
TENON_STRUCTURED_KERNEL(fractional_max_pool2d_backward_base, CUDA, cuda::fractional_max_pool_backward<2>);
TENON_STRUCTURED_KERNEL(fractional_max_pool3d_backward_base, CUDA, cuda::fractional_max_pool_backward<3>);
TENON_STRUCTURED_KERNEL(max_unpool2d_base, CUDA, cuda::unpool2d);
TENON_STRUCTURED_KERNEL(max_unpool3d_base, CUDA, cuda::unpool3d);

}  // namespace tenon::ops
