// Places in memory as indices along dimensions.
#pragma once
#include <vector>

#include <tenon/tensor/tensor.hpp>

namespace tenon::ops {

/// For each dimension of a row-major tensor of `shape` the index along it of the elements that `indices` counts:
/// `x[i, j]` is element `k` for `{i, j} = unravel_index(k, x.sizes())`. Indices beyond the last element begin anew.
/// Shapes: indices of any shape; as many results as `shape` has sizes, each of the shape of `indices`.
/// Dtypes: integers; the results are int64. Aliasing: the results share fresh memory.
/// Errors: TypeError for indices that are no integers; ValueError for negative sizes, and for a size of 0 with indices.
/// Source: torch.unravel_index of PyTorch 2.15.
std::vector<Tensor> unravel_index(const Tensor& indices, IntArrayRef shape);

}  // namespace tenon::ops
