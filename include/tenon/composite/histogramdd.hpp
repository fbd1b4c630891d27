// Histograms of points: shapes, and the operators that return counts and edges together.
#pragma once
#include <tuple>
#include <vector>

#include <tenon/base/sym_dim_vector.hpp>
#include <tenon/composite/histogramdd_checks.hpp>
#include <tenon/composite/out_by_copy.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/histogram.hpp>

namespace tenon::composite {

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
