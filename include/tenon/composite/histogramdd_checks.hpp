// What histograms of points refuse.
#pragma once
#include <optional>

#include <tenon/base/error.hpp>
#include <tenon/tensor/tensor.hpp>

namespace tenon::composite {

using MaybeRange = std::optional<ArrayRef<double>>;
using MaybeWeight = std::optional<Tensor>;

/// How many coordinates a point has.
inline std::int64_t check_points(const Tensor& self) {
  TENON_CHECK(self.dim() >= 2, ValueError, "torch.histogramdd: input tensor should have at least 2 dimensions");
  return self.sym_size(-1).guard_int(__FILE__, __LINE__);
}
inline void check_point_weight(const Tensor& self, const MaybeWeight& weight) {
  if (!weight || !weight->defined()) return;
  TENON_CHECK(
      weight->dtype() == self.dtype(), TypeError,
      "torch.histogramdd: if weight tensor is provided, input tensor and weight tensor should have the same dtype, but got input(",
      self.dtype(), "), and weight(", weight->dtype(), ")");
  const SymIntArrayRef points = self.sym_sizes().slice(0, static_cast<std::size_t>(self.dim() - 1));
  TENON_CHECK(
      weight->sym_sizes() == points, ValueError,
      "torch.histogramdd: if weight tensor is provided it should have the same shape as the input tensor excluding its innermost dimension, but got input with shape ",
      self.sym_sizes(), " and weight with shape ", weight->sym_sizes());
}
inline void check_point_bins(const Tensor& self, IntArrayRef bins, const MaybeRange& range, const MaybeWeight& weight) {
  const std::int64_t n = check_points(self);
  TENON_CHECK(static_cast<std::int64_t>(bins.size()) == n, ValueError,
              "histogramdd: The size of bins must be equal to the innermost dimension of the input.");
  for (std::size_t d = 0; d < bins.size(); ++d)
    TENON_CHECK(bins[d] > 0, ValueError, "torch.histogram(): bins must be > 0, but got ", bins[d], " for dimension ",
                d);
  check_point_weight(self, weight);
  TENON_CHECK(!range || static_cast<std::int64_t>(range->size()) == 2 * n, ValueError, "torch.histogramdd: for a ", n,
              "-dimensional histogram range should have ", 2 * n, " elements, but got ", range ? range->size() : 0);
}
inline void check_point_edges(const Tensor& self, TensorList bins, const MaybeWeight& weight) {
  const std::int64_t n = check_points(self);
  TENON_CHECK(static_cast<std::int64_t>(bins.size()) == n, ValueError, "torch.histogramdd: expected ", n,
              " sequences of bin edges for a ", n, "-dimensional histogram but got ", bins.size());
  check_point_weight(self, weight);
  for (std::size_t d = 0; d < bins.size(); ++d) {
    const Tensor& edges = bins[d];
    TENON_CHECK(
        edges.dtype() == self.dtype(), TypeError,
        "torch.histogramdd: input tensor and bins tensors should have the same dtype, but got input with dtype ",
        self.dtype(), " and bins for dimension ", d, " with dtype ", edges.dtype());
    TENON_CHECK(edges.dim() == 1, ValueError, "torch.histogramdd: bins tensor should have one dimension, but got ",
                edges.dim(), " dimensions in the bins tensor for dimension ", d);
    TENON_CHECK(
        edges.sym_numel() > 0, ValueError,
        "torch.histogramdd: bins tensor should have at least 1 element, but got 0 elements in the bins tensor for dimension ",
        d);
    TENON_CHECK(edges.sym_numel() > 1, ValueError, "torch.histogram(): bins must be > 0, but got 0 for dimension ", d);
  }
}

}  // namespace tenon::composite
