// Indices by division.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/base/dim_vector.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/operators.hpp>
#include <tenon/ops/tensor_of.hpp>
#include <tenon/ops/unravel_index.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::ops {

TENON_BODY std::vector<Tensor> unravel_index(const Tensor& indices, IntArrayRef shape) {
  TENON_CHECK(is_integral_type(indices.dtype(), false), TypeError,
              "unravel_index(): expected 'indices' to be integer dtype, but got ", indices.dtype());
  bool none = false;
  for (std::int64_t extent : shape) {
    TENON_CHECK(extent >= 0, ValueError, "unravel_index(): 'shape' cannot have negative values, but got ", shape);
    none |= extent == 0;
  }
  TENON_CHECK(!none || indices.numel() == 0, ValueError,
              "unravel_index(): 'shape' cannot have zero dimensions when 'indices' is non-empty, but got ", shape);
  if (shape.empty()) return {};
  DimVector steps(shape);
  std::int64_t step = 1;
  for (std::size_t i = shape.size(); i-- > 0;) {
    steps[i] = step;
    step *= shape[i];
  }
  auto along = [&](IntArrayRef numbers) { return tensor(numbers, "dtype"_a = kLong, "device"_a = indices.device()); };
  Tensor each = remainder(floor_divide(unsqueeze(indices, -1), along(steps)), along(shape));
  return unbind(each, -1);
}

}  // namespace tenon::ops
