// Shapes of sampling at the points of a grid.
#pragma once
#include <cstdint>
#include <tuple>

#include <tenon/base/error.hpp>
#include <tenon/math/grid_taps.hpp>
#include <tenon/ops/grid_sampler.hpp>
#include <tenon/structured/structured.hpp>
#include <tenon/structured/symbolic.hpp>
#include <tenon/tensor/tensor.hpp>

namespace tenon::composite::grids {

using Two = std::tuple<Tensor, Tensor>;

template <class Int>
void check(const Tensor& input, const Tensor& grid, std::int64_t mode, std::int64_t padding) {
  TENON_CHECK(
      input.dim() == 4 || input.dim() == 5, ValueError,
      "grid_sampler(): expected 4D or 5D input and grid with same number of dimensions, but got input with sizes ",
      input.sym_sizes(), " and grid with sizes ", grid.sym_sizes());
  TENON_CHECK(
      input.dim() == grid.dim(), ValueError,
      "grid_sampler(): expected grid and input to have the same number of dimensions, but got input with sizes ",
      input.sym_sizes(), " and grid with sizes ", grid.sym_sizes());
  TENON_CHECK(sizes_of<Int>(input)[0] == sizes_of<Int>(grid)[0], ValueError,
              "grid_sampler(): expected grid and input to have same batch size, but got input with sizes ",
              input.sym_sizes(), " and grid with sizes ", grid.sym_sizes());
  TENON_CHECK(sizes_of<Int>(grid).back() == Int(input.dim() - 2), ValueError,
              "grid_sampler(): expected grid to have size ", input.dim() - 2,
              " in last dimension, but got grid with sizes ", grid.sym_sizes());
  TENON_CHECK(input.dtype() == grid.dtype(), TypeError,
              "grid_sampler(): expected input and grid to have same dtype, but input has ", input.dtype(),
              " and grid has ", grid.dtype());
  for (std::int64_t d = 2; d < input.dim(); ++d)
    TENON_CHECK(sizes_of<Int>(input)[static_cast<std::size_t>(d)] > Int(0), ValueError,
                "grid_sampler(): expected input to have non-empty spatial dimensions, but input has sizes ",
                input.sym_sizes(), " with dimension ", d, " being empty");
  TENON_CHECK(mode >= 0 && mode <= 2, ValueError, "grid_sampler(): unknown interpolation mode ", mode);
  TENON_CHECK(padding >= 0 && padding <= 2, ValueError, "grid_sampler(): unknown padding mode ", padding);
}
template <class Int>
dims_t<Int> result_sizes(const Tensor& input, const Tensor& grid) {
  dims_t<Int> sizes{sizes_of<Int>(input)[0], sizes_of<Int>(input)[1]};
  for (std::int64_t d = 1; d + 1 < grid.dim(); ++d) sizes.push_back(sizes_of<Int>(grid)[static_cast<std::size_t>(d)]);
  return sizes;
}
inline void check_backward(const Tensor& grad, const Tensor& input, const Tensor& grid, std::int64_t mode,
                           std::int64_t padding) {
  check<std::int64_t>(input, grid, mode, padding);
  DimVector expected = result_sizes<std::int64_t>(input, grid);
  TENON_CHECK(grad.sizes() == IntArrayRef(expected), ValueError, "Expected grad_output of shape ", expected,
              ", but got ", grad.sizes());
}
/// The same for kernels that compute in C.
template <class C>
math::GridShape<C> shape(const Tensor& input, const Tensor& grid, std::int64_t mode, std::int64_t padding,
                         bool align_corners) {
  std::size_t dims = input.sizes().size() - 2;
  math::GridShape<C> s{input.sizes()[0], input.sizes()[1], 1, 1, static_cast<int>(dims), math::GridMode(mode), {}};
  for (auto& axis : s.axis) axis = {1, math::GridPadding(padding), align_corners};
  for (std::size_t d = 0; d < dims; ++d) {
    s.axis[3 - dims + d].size = input.sizes()[d + 2];
    s.plane *= input.sizes()[d + 2];
    s.points *= grid.sizes()[d + 1];
  }
  return s;
}
template <std::int64_t Dims>
struct meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& input, const Tensor& grid, std::int64_t mode, std::int64_t padding,
                  bool) const {
    TENON_CHECK(input.dim() == Dims + 2, ValueError, "grid_sampler_", Dims, "d(): expected ", Dims + 2,
                "D input, but got input with sizes ", input.sym_sizes());
    check<Int>(input, grid, mode, padding);
    dims_t<Int> sizes = result_sizes<Int>(input, grid);
    out.set_output_raw_strided(0, ArrayRef<Int>(sizes), {}, input.dtype(), input.device());
  }
};

}  // namespace tenon::composite::grids

namespace tenon::ops {
TENON_STRUCTURED_OF(grid_sampler_2d_base, composite::grids::meta<2>);
TENON_STRUCTURED_OF(grid_sampler_3d_base, composite::grids::meta<3>);
}  // namespace tenon::ops
