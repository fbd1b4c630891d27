// Registers sampling at the points of a grid, and its gradients, on CUDA.
#include <optional>

#include <tenon/composite/grid_shapes.hpp>
#include <tenon/cuda/grid_sampler.hpp>
#include <tenon/dispatch/device_guard.hpp>
#include <tenon/library/library.hpp>
#include <tenon/ops/grid_sampler.hpp>

#include "support.hpp"

namespace tenon::cuda {
namespace {

/// Calls f(type_tag<C>) for the type that a dtype is computed in.
template <class F>
void with_compute_type(const char* name, ScalarType dtype, F f) {
  if (!is_floating_type(dtype) || !has_arithmetic(dtype)) not_implemented_for(name, dtype);
  dtype == kDouble ? f(type_tag<double>{}) : f(type_tag<float>{});
}
template <class C>
const C* data_of(const Tensor& t) {
  return static_cast<const C*>(t.data_ptr());
}

void sample(const Tensor& input, const Tensor& grid, std::int64_t mode, std::int64_t padding, bool align_corners,
            const Tensor& out) {
  with_compute_type("grid_sampler_cuda", input.dtype(), [&]<class C>(type_tag<C>) {
    if (out.numel() == 0) return;
    ScalarType compute = scalar_type_v<C>;
    Tensor x = row_major(input, compute), g = row_major(grid, compute);
    Result y(out, compute);
    GridCall<C> c{composite::grids::shape<C>(input, grid, mode, padding, align_corners),
                  data_of<C>(x),
                  data_of<C>(g),
                  nullptr,
                  static_cast<C*>(y.data()),
                  nullptr,
                  nullptr};
    sample_grid(c, runtime::current_stream());
    runtime::check_launch("grid_sampler");
    y.done();
  });
}
composite::grids::Two sample_back(const Tensor& grad, const Tensor& input, const Tensor& grid, std::int64_t mode,
                                  std::int64_t padding, bool align_corners, ArrayRef<bool> mask) {
  DeviceGuard guard(input.device());
  composite::grids::check_backward(grad, input, grid, mode, padding);
  auto like = [](const Tensor& t) { return make_tensor(t.sizes(), {}, t.dtype(), t.device()); };
  Tensor by_input = mask[0] ? like(input) : Tensor(), by_grid = mask[1] ? like(grid) : Tensor();
  with_compute_type("grid_sampler_backward_cuda", input.dtype(), [&]<class C>(type_tag<C>) {
    ScalarType compute = scalar_type_v<C>;
    Tensor x = row_major(input, compute), g = row_major(grid, compute), d = row_major(grad, compute);
    GridCall<C> c{composite::grids::shape<C>(input, grid, mode, padding, align_corners),
                  data_of<C>(x),
                  data_of<C>(g),
                  data_of<C>(d),
                  nullptr,
                  nullptr,
                  nullptr};
    std::optional<Result> to_input, to_grid;
    if (mask[0]) {
      to_input.emplace(by_input, compute);
      fill_elements(to_input->tensor(), operand_of(Scalar(0), compute));
      c.by_input = static_cast<C*>(to_input->data());
    }
    if (mask[1]) {
      to_grid.emplace(by_grid, compute);
      c.by_grid = static_cast<C*>(to_grid->data());
    }
    if (c.shape.batch * c.shape.points != 0) sample_grid_back(c, runtime::current_stream());
    runtime::check_launch("grid_sampler_backward");
    if (to_input) to_input->done();
    if (to_grid) to_grid->done();
  });
  return {by_input, by_grid};
}

}  // namespace
}  // namespace tenon::cuda

TENON_LIBRARY_IMPL(aten, CUDA, m) {
  m.impl<tenon::ops::grid_sampler_2d_backward_base, &tenon::cuda::sample_back>()
      .impl<tenon::ops::grid_sampler_3d_backward_base, &tenon::cuda::sample_back>();
}

namespace tenon::ops {

TENON_STRUCTURED_KERNEL(grid_sampler_2d_base, CUDA, cuda::sample);
TENON_STRUCTURED_KERNEL(grid_sampler_3d_base, CUDA, cuda::sample);

}  // namespace tenon::ops
