// Sampling at the points of a grid on the CPU, images and volumes alike.
#pragma once
#include <algorithm>

#include <tenon/composite/grid_sampler.hpp>
#include <tenon/cpu/detail/grid_stepwise.hpp>
#include <tenon/cpu/detail/results.hpp>

namespace tenon::cpu::detail {

inline ScalarType grid_dtype(const Tensor& input, const char* name) {
  if (!input.is_floating_point() || !has_arithmetic(input.dtype())) not_implemented_for(name, input.dtype());
  return input.dtype() == kDouble ? kDouble : kFloat;
}
template <class F>
void with_grid_type(ScalarType t, F f) {
  t == kDouble ? f(type_tag<double>{}) : f(type_tag<float>{});
}
/// Calls f(type_tag<H>) for elements of 16 bits that PyTorch rounds at every step.
template <class F>
bool visit_stepwise_grid(ScalarType t, std::int64_t mode, F f) {
  if (mode == static_cast<std::int64_t>(math::GridMode::Bicubic)) return false;
  if (t == kHalf)
    f(type_tag<Half>{});
  else if (t == kBFloat16)
    f(type_tag<BFloat16>{});
  else
    return false;
  return true;
}
inline void grid_sampler_cpu(const Tensor& input, const Tensor& grid, std::int64_t mode, std::int64_t padding,
                             bool align_corners, const Tensor& out) {
  ScalarType compute = grid_dtype(input, "grid_sampler_cpu");
  if (out.numel() == 0) return;
  Tensor x = row_major(input, compute), g = row_major(grid, compute);
  Result y(out, compute);
  if (visit_stepwise_grid(input.dtype(), mode, [&]<class H>(type_tag<H>) {
        auto c = composite::grids::shape<float>(input, grid, mode, padding, align_corners);
        sample_stepwise<H>(c, static_cast<const float*>(x.data_ptr()), static_cast<const float*>(g.data_ptr()),
                           y.data<float>());
      }))
    return y.done();
  with_grid_type(compute, [&]<class C>(type_tag<C>) {
    auto c = composite::grids::shape<C>(input, grid, mode, padding, align_corners);
    auto from = static_cast<const C*>(x.data_ptr()), points = static_cast<const C*>(g.data_ptr());
    C* to = y.data<C>();
    parallel_for(0, c.batch * c.points, 256, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t i = first; i < last; ++i) {
        auto taps = c.taps_at(points + i * c.dims);
        std::int64_t n = i / c.points, p = i % c.points;
        for (std::int64_t ch = 0; ch < c.channels; ++ch) {
          const C* plane = from + (n * c.channels + ch) * c.plane;
          C sum = 0;
          c.each_tap(taps, [&](std::int64_t at, C w, const C(&)[3]) { sum += plane[at] * w; });
          to[(n * c.channels + ch) * c.points + p] = sum;
        }
      }
    });
  });
  y.done();
}
inline composite::grids::Two grid_sampler_backward_cpu(const Tensor& grad, const Tensor& input, const Tensor& grid,
                                                       std::int64_t mode, std::int64_t padding, bool align_corners,
                                                       ArrayRef<bool> mask) {
  composite::grids::check_backward(grad, input, grid, mode, padding);
  ScalarType compute = grid_dtype(input, "grid_sampler_backward_cpu");
  Tensor by_input = mask[0] ? make_tensor(input.sizes(), {}, input.dtype()) : Tensor(),
         by_grid = mask[1] ? make_tensor(grid.sizes(), {}, grid.dtype()) : Tensor();
  Tensor x = row_major(input, compute), g = row_major(grid, compute), d = row_major(grad, compute);
  Result to_input(mask[0] ? by_input : input, mask[0] ? compute : input.dtype()),
      to_grid(mask[1] ? by_grid : grid, mask[1] ? compute : grid.dtype());
  const bool done = visit_stepwise_grid(input.dtype(), mode, [&]<class H>(type_tag<H>) {
    auto c = composite::grids::shape<float>(input, grid, mode, padding, align_corners);
    auto from = static_cast<const float*>(x.data_ptr()), points = static_cast<const float*>(g.data_ptr()),
         by = static_cast<const float*>(d.data_ptr());
    if (mask[0]) {
      std::fill_n(to_input.data<float>(), input.numel(), 0.0f);
      spread_stepwise<H>(c, points, by, to_input.data<float>());
    }
    if (mask[1]) turn_stepwise<H>(c, from, points, by, to_grid.data<float>());
  });
  if (!done)
    with_grid_type(compute, [&]<class C>(type_tag<C>) {
      auto c = composite::grids::shape<C>(input, grid, mode, padding, align_corners);
      auto from = static_cast<const C*>(x.data_ptr()), points = static_cast<const C*>(g.data_ptr()),
           by = static_cast<const C*>(d.data_ptr());
      std::int64_t dims = c.dims;
      if (mask[0])
        parallel_for(0, c.batch * c.channels, 1, [&](std::int64_t first, std::int64_t last) {
          for (std::int64_t p = first; p < last; ++p) {
            C* plane = to_input.data<C>() + p * c.plane;
            std::fill_n(plane, c.plane, C(0));
            const C* at_points = points + p / c.channels * c.points * dims;
            for (std::int64_t i = 0; i < c.points; ++i)
              c.each_tap(c.taps_at(at_points + i * dims),
                         [&](std::int64_t at, C w, const C(&)[3]) { plane[at] += w * by[p * c.points + i]; });
          }
        });
      if (!mask[1]) return;
      parallel_for(0, c.batch * c.points, 256, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t i = first; i < last; ++i) {
          auto taps = c.taps_at(points + i * dims);
          std::int64_t n = i / c.points, p = i % c.points;
          C sums[3] = {};
          for (std::int64_t ch = 0; ch < c.channels; ++ch) {
            const C* plane = from + (n * c.channels + ch) * c.plane;
            C back = by[(n * c.channels + ch) * c.points + p];
            c.each_tap(taps, [&](std::int64_t at, C, const C(&slopes)[3]) {
              for (int k = 0; k < 3; ++k) sums[k] += plane[at] * slopes[k] * back;
            });
          }
          std::copy_n(sums, dims, to_grid.data<C>() + i * dims);
        }
      });
    });
  if (mask[0]) to_input.done();
  if (mask[1]) to_grid.done();
  return {by_input, by_grid};
}

}  // namespace tenon::cpu::detail

namespace tenon::cpu {

TENON_LIBRARY_FRAGMENT(aten, m) {
  (void)m;
  install_kernels<&KernelTables::copy>();
}
TENON_LIBRARY_IMPL(aten, CPU, m) {
  m.impl<ops::grid_sampler_2d_backward_base, &detail::grid_sampler_backward_cpu>()
      .impl<ops::grid_sampler_3d_backward_base, &detail::grid_sampler_backward_cpu>();
}

}  // namespace tenon::cpu

namespace tenon::ops {
TENON_STRUCTURED_KERNEL(grid_sampler_2d_base, CPU, cpu::detail::grid_sampler_cpu);
TENON_STRUCTURED_KERNEL(grid_sampler_3d_base, CPU, cpu::detail::grid_sampler_cpu);
}  // namespace tenon::ops
