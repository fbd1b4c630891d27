// Registers counting on CUDA: integers, and values and points in bins.
#include <cmath>
#include <limits>
#include <vector>

#include <tenon/composite/histogram.hpp>
#include <tenon/composite/histogramdd_checks.hpp>
#include <tenon/cuda/bins.hpp>
#include <tenon/dispatch/device_guard.hpp>
#include <tenon/library/library.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/view.hpp>

#include "spaced.hpp"

namespace tenon::cuda {
namespace {

using composite::MaybeRange;
using composite::MaybeWeight;

/// Counts, of int64, or sums of weights, of double.
Tensor fill_bins(const char* name, BinsCall c, const Tensor& weights, Device device) {
  Tensor sums = make_tensor({&c.bins, 1}, {}, weights.defined() ? kDouble : kLong, device);
  fill_elements(sums, operand_of(Scalar(0), sums.dtype()));
  if (c.count == 0 || c.bins == 0) return sums;
  if (weights.defined()) c.weights = weights.data_ptr(), c.weight_dtype = weights.dtype();
  c.sums = sums.data_ptr();
  if (!count_in_bins(c, runtime::current_stream())) not_implemented_for(name, c.dtype);
  runtime::check_launch(name);
  return sums;
}
Tensor given_weights(const MaybeWeight& weight) { return weight && weight->defined() ? row_major(*weight) : Tensor(); }

Tensor bincount(const Tensor& self, const std::optional<Tensor>& weights, std::int64_t minlength) {
  AutoDispatchBelowADInplaceOrView below;
  DeviceGuard guard(self.device());
  composite::check_minlength(minlength);
  if (!is_integral_type(self.dtype(), false)) not_implemented_for("bincount_cuda", self.dtype());
  const std::int64_t n = self.numel();
  BinsCall c{};
  c.by = BinsCall::By::Number, c.dtype = kLong, c.bins = minlength;
  if (self.dim() == 1 && n == 0) return fill_bins("bincount_cuda", c, Tensor(), self.device());
  Tensor list = row_major(self, kLong);
  TENON_CHECK(self.dim() == 1 && ops::min(list).item().to_int() >= 0, ValueError,
              "bincount only supports 1-d non-negative integral inputs.");
  const bool weighted = weights && weights->defined();
  composite::check_bincount_weights(weights, n);
  const std::int64_t most = ops::max(list).item().to_int();
  composite::check_bincount_value(most);
  c.bins = std::max(c.bins, most + 1);
  c.count = n, c.items = list.data_ptr();
  Tensor w = given_weights(weights), sums = fill_bins("bincount_cuda", c, w, self.device());
  return weighted && w.dtype() == kFloat ? row_major(sums, kFloat) : sums;
}

/// Where the outer edges lie: as asked, or around all elements. Waits for the device then.
std::pair<double, double> outer_edges(const Tensor& x, double low, double high, std::string_view words) {
  if (low == high && x.numel() > 0) low = ops::min(x).item().to_double(), high = ops::max(x).item().to_double();
  composite::check_outer_edges(low, high, words);
  return {low, high};
}
void histc(const Tensor& self, std::int64_t bins, const Scalar& min, const Scalar& max, const Tensor& out) {
  if (!is_floating_type(self.dtype()) || !has_arithmetic(self.dtype()))
    not_implemented_for("histogram_cuda", self.dtype());
  AutoDispatchBelowADInplaceOrView below;
  Tensor x = row_major(self);
  auto [low, high] = outer_edges(x, min.to_double(), max.to_double(), "torch.histc: range");
  if (low == high) low -= 1, high += 1;
  BinsCall c{};
  c.by = BinsCall::By::Width, c.dtype = x.dtype(), c.count = x.numel(), c.bins = bins, c.items = x.data_ptr();
  c.low = low, c.high = high;
  copy_elements(out, fill_bins("histogram_cuda", c, Tensor(), out.device()));
}

void check_points(const Tensor& self) {
  if (self.dtype() != kFloat && self.dtype() != kDouble) not_implemented_for("histogramdd", self.dtype());
}
/// The edges of one dimension of points: of the range that is asked for, else around all elements.
void edges_of_dimension(const Tensor& x, MaybeRange range, std::int64_t dim, const Tensor& edges) {
  double low = 0, high = 0;
  std::string words = concat("torch.histogramdd: dimension ", dim, "'s range");
  if (range) {
    low = (*range)[0], high = (*range)[1];
    composite::check_edge_range(low, high, dim, words);
  } else if (x.numel() == 0) {
    high = 1;
  } else {
    std::tie(low, high) = outer_edges(x, 0, 0, words);
  }
  if (low == high) low -= 0.5, high += 0.5;
  space_into(edges, low, high, std::nullopt);
}
/// What the points of each cell weigh; divided by all and by the cells' sizes where a density is asked for.
Tensor points_in_edges(const Tensor& self, const std::vector<Tensor>& edges, const MaybeWeight& weight, bool density) {
  const std::size_t dims = edges.size();
  TENON_CHECK(dims <= static_cast<std::size_t>(kMostDims), NotImplementedError,
              "a CUDA kernel takes points of at most ", kMostDims, " numbers, got ", dims);
  Tensor x = row_major(self);
  BinsCall c{};
  c.by = BinsCall::By::Edges, c.dtype = x.dtype(), c.bins = 1, c.items = x.data_ptr();
  c.dims = static_cast<int>(dims), c.count = dims ? x.numel() / static_cast<std::int64_t>(dims) : 0;
  DimVector sizes;
  std::int64_t total = 0, at = 0;
  for (std::size_t d = 0; d < dims; ++d) {
    c.edges_of[d] = edges[d].numel();
    total += edges[d].numel();
    sizes.push_back(edges[d].numel() - 1);
    c.bins *= sizes.back();
  }
  Tensor all = make_tensor({&total, 1}, {}, x.dtype(), x.device());
  for (const Tensor& e : edges) {
    copy_elements(ops::narrow(all, 0, at, e.numel()), e);
    at += e.numel();
  }
  c.edges = all.data_ptr();
  Tensor sums = ops::reshape(fill_bins("histogramdd", c, given_weights(weight), x.device()), sizes);
  if (!density) return sums;
  Tensor parts = row_major(sums, kDouble);
  parts = ops::div(parts, ops::sum(parts));
  for (std::size_t d = 0; d < dims; ++d) {
    DimVector along(dims, 1);
    along[d] = sizes[d];
    Tensor e = row_major(edges[d], kDouble);
    parts =
        ops::div(parts, ops::reshape(ops::sub(ops::narrow(e, 0, 1, sizes[d]), ops::narrow(e, 0, 0, sizes[d])), along));
  }
  return parts;
}
void histogram(const Tensor& self, const std::vector<Tensor>& edges, const MaybeWeight& weight, bool density,
               const Tensor& hist, const Tensor& bin_edges) {
  copy_elements(hist, points_in_edges(self, edges, weight, density));
  copy_elements(bin_edges, edges[0]);
}
void histogram_counts(const Tensor& self, std::int64_t bins, MaybeRange range, const MaybeWeight& weight, bool density,
                      const Tensor& hist, const Tensor& bin_edges) {
  check_points(self);
  AutoDispatchBelowADInplaceOrView below;
  std::int64_t n = bins + 1;
  Tensor edges = make_tensor({&n, 1}, {}, self.dtype(), self.device());
  edges_of_dimension(self, range, 0, edges);
  histogram(self, {edges}, weight, density, hist, bin_edges);
}
void histogram_edges(const Tensor& self, const Tensor& bins, const MaybeWeight& weight, bool density,
                     const Tensor& hist, const Tensor& bin_edges) {
  check_points(self);
  AutoDispatchBelowADInplaceOrView below;
  histogram(self, {row_major(bins)}, weight, density, hist, bin_edges);
}

std::vector<Tensor> point_edges(const Tensor& self, IntArrayRef bins, MaybeRange range, const MaybeWeight& weight,
                                bool) {
  composite::check_point_bins(self, bins, range, weight);
  check_points(self);
  AutoDispatchBelowADInplaceOrView below;
  DeviceGuard guard(self.device());
  std::vector<Tensor> edges;
  for (std::size_t d = 0; d < bins.size(); ++d) {
    std::int64_t n = bins[d] + 1;
    edges.push_back(make_tensor({&n, 1}, {}, self.dtype(), self.device()));
    MaybeRange own;
    if (range) own = range->slice(2 * d, 2);
    edges_of_dimension(ops::select(self, -1, static_cast<std::int64_t>(d)), own, static_cast<std::int64_t>(d),
                       edges.back());
  }
  return edges;
}
Tensor points_by_edges(const Tensor& self, const std::vector<Tensor>& edges, const MaybeWeight& weight, bool density) {
  check_points(self);
  AutoDispatchBelowADInplaceOrView below;
  DeviceGuard guard(self.device());
  return row_major(points_in_edges(self, edges, weight, density), self.dtype());
}
Tensor points_in_counts(const Tensor& self, IntArrayRef bins, MaybeRange range, const MaybeWeight& weight,
                        bool density) {
  return points_by_edges(self, point_edges(self, bins, range, weight, density), weight, density);
}
Tensor points_in_given(const Tensor& self, TensorList bins, const MaybeWeight& weight, bool density) {
  composite::check_point_edges(self, bins, weight);
  return points_by_edges(self, std::vector<Tensor>(bins.begin(), bins.end()), weight, density);
}

}  // namespace
}  // namespace tenon::cuda

namespace tenon::ops {

TENON_STRUCTURED_KERNEL(histc_base, CUDA, cuda::histc);
TENON_STRUCTURED_KERNEL(histogram_bin_ct, CUDA, cuda::histogram_counts);
TENON_STRUCTURED_KERNEL(histogram_bins_tensor, CUDA, cuda::histogram_edges);

}  // namespace tenon::ops

TENON_LIBRARY_IMPL(aten, CUDA, m) {
  using namespace tenon;
  m.impl<ops::bincount_base, &cuda::bincount>()
      .impl<ops::_histogramdd_bin_edges_base, &cuda::point_edges>()
      .impl<ops::_histogramdd_from_bin_cts_base, &cuda::points_in_counts>()
      .impl<ops::_histogramdd_from_bin_tensors_base, &cuda::points_in_given>();
}
