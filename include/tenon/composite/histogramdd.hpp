// Histograms of points: checks, shapes, and the operators that return counts and edges together.
#pragma once
#include <tuple>
#include <vector>

#include <tenon/base/sym_dim_vector.hpp>
#include <tenon/composite/out_by_copy.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/histogram.hpp>

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
inline Tensor histogram_of(const Tensor& self, SymIntArrayRef sizes) {
  return ops::empty(sizes, "dtype"_a = self.dtype(), "device"_a = self.device());
}

inline std::vector<Tensor> point_edges_meta(const Tensor& self, IntArrayRef bins, MaybeRange range,
                                            const MaybeWeight& weight, bool) {
  check_point_bins(self, bins, range, weight);
  std::vector<Tensor> edges;
  for (std::int64_t count : bins) edges.push_back(histogram_of(self, {count + 1}));
  return edges;
}
inline Tensor points_by_counts_meta(const Tensor& self, IntArrayRef bins, MaybeRange range, const MaybeWeight& weight,
                                    bool) {
  check_point_bins(self, bins, range, weight);
  return histogram_of(self, bins);
}
inline Tensor points_by_edges_meta(const Tensor& self, TensorList bins, const MaybeWeight& weight, bool) {
  check_point_edges(self, bins, weight);
  SymDimVector sizes;
  for (const Tensor& edges : bins) sizes.push_back(edges.sym_numel() - 1);
  return histogram_of(self, SymIntArrayRef(sizes));
}

using CountsAndEdges = std::tuple<Tensor, std::vector<Tensor>>;
inline CountsAndEdges histogramdd(const Tensor& self, IntArrayRef bins, MaybeRange range, const MaybeWeight& weight,
                                  bool density) {
  std::vector<Tensor> edges =
      ops::_histogramdd_bin_edges(self, bins, "range"_a = range, "weight"_a = weight, "density"_a = density);
  return {ops::_histogramdd_from_bin_cts(self, bins, "range"_a = range, "weight"_a = weight, "density"_a = density),
          std::move(edges)};
}
inline CountsAndEdges histogramdd_int_bins(const Tensor& self, std::int64_t bins, MaybeRange range,
                                           const MaybeWeight& weight, bool density) {
  const DimVector all(static_cast<std::size_t>(check_points(self)), bins);
  return histogramdd(self, all, range, weight, density);
}
inline CountsAndEdges histogramdd_edges(const Tensor& self, TensorList bins, MaybeRange, const MaybeWeight& weight,
                                        bool density) {
  // Copies: the schema names no alias, and PyTorch's edges are the given tensors all the same.
  std::vector<Tensor> edges;
  for (const Tensor& e : bins) edges.push_back(ops::clone(e));
  return {ops::_histogramdd_from_bin_tensors(self, bins, "weight"_a = weight, "density"_a = density), std::move(edges)};
}

TENON_LIBRARY_FRAGMENT(aten, m) {
  m.def<ops::histogramdd_base>().def<ops::histogramdd_int_bins>().def<ops::histogramdd_TensorList_bins>();
  m.impl<ops::histogramdd_base, &histogramdd>()
      .impl<ops::histogramdd_int_bins, &histogramdd_int_bins>()
      .impl<ops::histogramdd_TensorList_bins, &histogramdd_edges>();
  define_forms(m, ops::_histogramdd_bin_edges_base);
  define_forms(m, ops::_histogramdd_from_bin_cts_base);
  define_forms(m, ops::_histogramdd_from_bin_tensors_base);
  implement_out_by_copy<ops::_histogramdd_bin_edges_base_op>(m, Place{__FILE__, __LINE__});
  implement_out_by_copy<ops::_histogramdd_from_bin_cts_base_op>(m, Place{__FILE__, __LINE__});
  implement_out_by_copy<ops::_histogramdd_from_bin_tensors_base_op>(m, Place{__FILE__, __LINE__});
  m.impl<ops::_histogramdd_bin_edges_base, &point_edges_meta>(DispatchKey::Meta)
      .impl<ops::_histogramdd_from_bin_cts_base, &points_by_counts_meta>(DispatchKey::Meta)
      .impl<ops::_histogramdd_from_bin_tensors_base, &points_by_edges_meta>(DispatchKey::Meta);
}

}  // namespace tenon::composite
