// Sampling at the points of a grid without kernels, and grids of affine maps.
#pragma once
#include <tenon/composite/grid_shapes.hpp>
#include <tenon/composite/out_by_copy.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/grid_sampler.hpp>
#include <tenon/ops/join.hpp>
#include <tenon/ops/linalg.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/structured/structured.hpp>
#include <tenon/structured/symbolic.hpp>

namespace tenon::composite {

namespace grids {

inline Two backward_meta(const Tensor&, const Tensor& input, const Tensor& grid, std::int64_t, std::int64_t, bool,
                         ArrayRef<bool> mask) {
  auto like = [](const Tensor& t) {
    return make_tensor_symbolic(t.sym_sizes(), SymDimVector(), t.dtype(), t.device());
  };
  return {mask[0] ? like(input) : Tensor(), mask[1] ? like(grid) : Tensor()};
}
inline Tensor grid_sampler(const Tensor& input, const Tensor& grid, std::int64_t mode, std::int64_t padding,
                           bool align_corners) {
  check<SymInt>(input, grid, mode, padding);
  return input.dim() == 4 ? Tensor(ops::grid_sampler_2d(input, grid, mode, padding, align_corners))
                          : Tensor(ops::grid_sampler_3d(input, grid, mode, padding, align_corners));
}

/// The points of a regular grid in [-1, 1], as (x, y, 1) or (x, y, z, 1): [positions, dims + 1].
inline Tensor regular_points(const Tensor& like, SymIntArrayRef size, bool align_corners) {
  std::int64_t dims = static_cast<std::int64_t>(size.size()) - 2;
  std::vector<Tensor> columns;
  for (std::int64_t d = dims - 1; d >= 0; --d) {
    const SymInt& n = size[static_cast<std::size_t>(d) + 2];
    Tensor steps = ops::arange(n.guard_int(__FILE__, __LINE__), "dtype"_a = like.dtype(), "device"_a = like.device());
    auto count = static_cast<double>(n.guard_int(__FILE__, __LINE__));
    // From the first to the last centre, or edge, of an element.
    Tensor at = align_corners
                    ? (count > 1 ? Tensor(ops::sub(ops::mul(steps, Scalar(2 / (count - 1))), Scalar(1.0)))
                                 : Tensor(ops::zeros_like(steps)))
                    : Tensor(ops::sub(ops::div(ops::add(ops::mul(steps, Scalar(2.0)), Scalar(1.0)), Scalar(count)),
                                      Scalar(1.0)));
    SymDimVector shape(static_cast<std::size_t>(dims), SymInt(1));
    shape[static_cast<std::size_t>(d)] = n;
    columns.push_back(ops::reshape(
        ops::expand(ops::view(at, SymIntArrayRef(shape)), size.slice(2, static_cast<std::size_t>(dims))), {-1}));
  }
  columns.push_back(ops::ones_like(columns[0]));
  return ops::stack(columns, -1);
}
inline SymInt positions_of(SymIntArrayRef size) {
  SymInt n = 1;
  for (std::size_t d = 2; d < size.size(); ++d) n = n * size[d];
  return n;
}
inline void check_affine(SymIntArrayRef size) {
  TENON_CHECK(size.size() == 4 || size.size() == 5, ValueError,
              "AffineGridGenerator needs 4d (spatial) or 5d (volumetric) inputs.");
  for (const SymInt& s : size)
    TENON_CHECK(s > SymInt(0), ValueError, "Expected non-zero, positive output size. Got ", size);
}
inline Tensor affine_grid(const Tensor& theta, SymIntArrayRef size, bool align_corners) {
  check_affine(size);
  SymInt dims = static_cast<std::int64_t>(size.size()) - 2;
  TENON_CHECK(theta.dim() == 3 && theta.sym_size(1) == dims && theta.sym_size(2) == dims + SymInt(1) &&
                  theta.sym_size(0) == size[0],
              ValueError, "Expected a batch of affine matrices of shape ", size[0], " x ", dims, " x ",
              dims + SymInt(1), ", but got ", theta.sym_sizes());
  TENON_CHECK(theta.is_floating_point(), TypeError, "Expected theta to have floating point type, but got ",
              theta.dtype());
  Tensor points = ops::unsqueeze(regular_points(theta, size, align_corners), 0);
  SymInt batch[] = {size[0], positions_of(size), dims + SymInt(1)};
  Tensor grid = ops::bmm(ops::expand(points, SymIntArrayRef(batch, 3)), ops::transpose(theta, 1, 2));
  SymDimVector shape(size);
  shape.erase(1);
  shape.push_back(dims);
  return ops::view(grid, SymIntArrayRef(shape));
}
inline Tensor affine_grid_backward(const Tensor& grad, SymIntArrayRef size, bool align_corners) {
  check_affine(size);
  SymInt dims = static_cast<std::int64_t>(size.size()) - 2;
  Tensor points = ops::unsqueeze(regular_points(grad, size, align_corners), 0);
  SymInt batch[] = {size[0], positions_of(size), dims + SymInt(1)}, flat[] = {size[0], positions_of(size), dims};
  Tensor by_theta = ops::bmm(ops::transpose(ops::expand(points, SymIntArrayRef(batch, 3)), 1, 2),
                             ops::reshape(grad, SymIntArrayRef(flat, 3)));
  return ops::transpose(by_theta, 1, 2);
}

}  // namespace grids

TENON_LIBRARY_FRAGMENT(aten, m) {
  namespace k = grids;
  m.def<ops::grid_sampler_base>().def<ops::affine_grid_generator_base>().def<ops::affine_grid_generator_base_out>();
  m.def<ops::affine_grid_generator_backward_base>();
  m.def<ops::grid_sampler_2d_backward_base>().def<ops::grid_sampler_2d_backward_base_out>();
  m.def<ops::grid_sampler_3d_backward_base>().def<ops::grid_sampler_3d_backward_base_out>();
  m.impl<ops::grid_sampler_base, &k::grid_sampler>()
      .impl<ops::affine_grid_generator_backward_base, &k::affine_grid_backward>();
  m.impl<ops::affine_grid_generator_base, &k::affine_grid>();
  implement_out_by_copy<ops::affine_grid_generator_base_op>(m, Place{__FILE__, __LINE__});
  implement_out_by_copy<ops::grid_sampler_2d_backward_base_op>(m, Place{__FILE__, __LINE__});
  implement_out_by_copy<ops::grid_sampler_3d_backward_base_op>(m, Place{__FILE__, __LINE__});
}
TENON_LIBRARY_IMPL(aten, Meta, m) {
  m.impl<ops::grid_sampler_2d_backward_base, &grids::backward_meta>()
      .impl<ops::grid_sampler_3d_backward_base, &grids::backward_meta>();
}

}  // namespace tenon::composite
