// Histograms of points on the CPU.
#pragma once
#include <algorithm>
#include <vector>

#include <tenon/composite/histogramdd.hpp>
#include <tenon/cpu/histogram.hpp>

namespace tenon::cpu::detail {

/// Calls `f(type)` for the dtypes that points may have.
template <class F>
void visit_points(const Tensor& self, F f) {
  if (self.dtype() == kFloat) return f(type_tag<float>{});
  if (self.dtype() == kDouble) return f(type_tag<double>{});
  not_implemented_for("histogramdd", self.dtype());
}

inline std::vector<Tensor> point_edges_cpu(const Tensor& self, IntArrayRef bins, composite::MaybeRange range,
                                           const composite::MaybeWeight& weight, bool) {
  composite::check_point_bins(self, bins, range, weight);
  std::vector<Tensor> edges;
  visit_points(self, [&]<class T>(type_tag<T>) {
    const auto dims = static_cast<std::int64_t>(bins.size());
    const std::int64_t points = dims == 0 ? 0 : self.numel() / dims;
    const Tensor from = row_major(self);
    auto x = static_cast<const T*>(from.data_ptr());
    std::vector<T> line(static_cast<std::size_t>(points));
    for (std::int64_t d = 0; d < dims; ++d) {
      for (std::int64_t i = 0; i < points; ++i) line[static_cast<std::size_t>(i)] = x[i * dims + d];
      const auto at = static_cast<std::size_t>(d);
      Tensor e = make_tensor(IntArrayRef(bins[at] + 1), {}, self.dtype());
      composite::MaybeRange own;
      if (range) own = range->slice(2 * at, 2);
      edges_of_dimension(line.data(), points, bins[at], own, d, static_cast<T*>(e.data_ptr()));
      edges.push_back(std::move(e));
    }
  });
  return edges;
}

/// Adds each point's weight to its bin; points outside an edge count nowhere, the last edge belongs to the last bin.
template <class T>
void count_points(const Tensor& self, const std::vector<Tensor>& edges, const T* weights, bool density, T* out) {
  const auto dims = static_cast<std::int64_t>(edges.size());
  std::int64_t cells = 1, points = 1;
  for (std::int64_t d = 0; d + 1 < self.dim(); ++d) points *= self.sizes()[static_cast<std::size_t>(d)];
  for (const Tensor& e : edges) cells *= e.numel() - 1;
  const Tensor from = row_major(self);
  auto x = static_cast<const T*>(from.data_ptr());
  std::vector<double> sums(static_cast<std::size_t>(cells), 0);
  for (std::int64_t i = 0; i < points && dims > 0; ++i) {
    std::int64_t cell = 0;
    for (std::int64_t d = 0; d < dims && cell >= 0; ++d) {
      const Tensor& of = edges[static_cast<std::size_t>(d)];
      auto e = static_cast<const T*>(of.data_ptr());
      const std::int64_t bins = of.numel() - 1;
      const T value = x[i * dims + d];
      if (!(value >= e[0] && value <= e[bins])) {
        cell = -1;
        break;
      }
      // Edges that are not sorted are the caller's mistake, but no reason to write elsewhere.
      const std::int64_t bin = std::upper_bound(e, e + bins + 1, value) - e - 1;
      cell = cell * bins + std::clamp<std::int64_t>(bin, 0, bins - 1);
    }
    if (cell >= 0) sums[static_cast<std::size_t>(cell)] += weights ? static_cast<double>(weights[i]) : 1;
  }
  double total = 0;
  for (double s : sums) total += s;
  for (std::int64_t c = 0; c < cells; ++c) {
    double value = sums[static_cast<std::size_t>(c)];
    if (density) {
      value /= total;
      for (std::int64_t d = dims - 1, rest = c; d >= 0; --d) {
        const Tensor& of = edges[static_cast<std::size_t>(d)];
        auto e = static_cast<const T*>(of.data_ptr());
        const std::int64_t bin = rest % (of.numel() - 1);
        rest /= of.numel() - 1;
        value /= static_cast<double>(e[bin + 1]) - static_cast<double>(e[bin]);
      }
    }
    out[c] = static_cast<T>(value);
  }
}
inline Tensor points_in_edges(const Tensor& self, const std::vector<Tensor>& edges,
                              const composite::MaybeWeight& weight, bool density) {
  DimVector sizes;
  for (const Tensor& e : edges) sizes.push_back(e.numel() - 1);
  Tensor hist = make_tensor(sizes, {}, self.dtype());
  visit_points(self, [&]<class T>(type_tag<T>) {
    const Tensor w = weight && weight->defined() ? row_major(*weight) : Tensor();
    count_points<T>(self, edges, w.defined() ? static_cast<const T*>(w.data_ptr()) : nullptr, density,
                    static_cast<T*>(hist.data_ptr()));
  });
  return hist;
}
inline Tensor points_by_counts_cpu(const Tensor& self, IntArrayRef bins, composite::MaybeRange range,
                                   const composite::MaybeWeight& weight, bool density) {
  return points_in_edges(self, point_edges_cpu(self, bins, range, weight, density), weight, density);
}
inline Tensor points_by_edges_cpu(const Tensor& self, TensorList bins, const composite::MaybeWeight& weight,
                                  bool density) {
  composite::check_point_edges(self, bins, weight);
  std::vector<Tensor> edges;
  for (const Tensor& e : bins) edges.push_back(row_major(e));
  return points_in_edges(self, edges, weight, density);
}

}  // namespace tenon::cpu::detail

TENON_LIBRARY_IMPL(aten, CPU, m) {
  using namespace tenon;
  m.impl<ops::_histogramdd_bin_edges_base, &cpu::detail::point_edges_cpu>();
  m.impl<ops::_histogramdd_from_bin_cts_base, &cpu::detail::points_by_counts_cpu>();
  m.impl<ops::_histogramdd_from_bin_tensors_base, &cpu::detail::points_by_edges_cpu>();
}
