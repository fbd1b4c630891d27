// Histograms: shapes, dtypes and errors.
#pragma once
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

#include <tenon/autograd/derivative.hpp>
#include <tenon/ops/histogram.hpp>
#include <tenon/structured/structured.hpp>

namespace tenon::composite {

inline void check_bins(std::int64_t bins) {
  TENON_CHECK(bins > 0, ValueError, "torch.histogram(): bins must be > 0, but got ", bins, " for dimension 0");
}
struct histc_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, std::int64_t bins, const Scalar& min, const Scalar& max) const {
    check_bins(bins);
    TENON_CHECK(!min.is_complex() && !max.is_complex() && min.to_double() <= max.to_double(), ValueError,
                "torch.histc: max must be larger than min");
    out.set_output_raw_strided(0, dims_t<Int>{Int(bins)}, {}, self.dtype(), self.device());
  }
};
template <class Int>
void check_histogram_weight(const Tensor& self, const std::optional<Tensor>& weight) {
  if (!weight || !weight->defined()) return;
  TENON_CHECK(
      weight->dtype() == self.dtype(), TypeError,
      "torch.histogramdd: if weight tensor is provided, input tensor and weight tensor should have the same dtype, but got input(",
      self.dtype(), "), and weight(", weight->dtype(), ")");
  TENON_CHECK(
      numel_of<Int>(*weight) == numel_of<Int>(self), ValueError,
      "torch.histogramdd: if weight tensor is provided it should have the same shape as the input tensor excluding its innermost dimension, but got input with shape [",
      numel_of<Int>(self), ", 1] and weight with shape [", numel_of<Int>(*weight), "]");
}
struct histogram_count_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, std::int64_t bins, std::optional<ArrayRef<double>> range,
                  const std::optional<Tensor>& weight, bool) const {
    check_bins(bins);
    TENON_CHECK(!range || range->size() == 2, ValueError,
                "torch.histogramdd: for a 1-dimensional histogram range should have 2 elements, but got ",
                range ? range->size() : 0);
    check_histogram_weight<Int>(self, weight);
    out.set_output_raw_strided(0, dims_t<Int>{Int(bins)}, {}, self.dtype(), self.device());
    out.set_output_raw_strided(1, dims_t<Int>{Int(bins + 1)}, {}, self.dtype(), self.device());
  }
};
struct histogram_edges_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, const Tensor& bins, const std::optional<Tensor>& weight,
                  bool) const {
    TENON_CHECK(
        bins.dtype() == self.dtype(), TypeError,
        "torch.histogramdd: input tensor and bins tensors should have the same dtype, but got input with dtype ",
        self.dtype(), " and bins for dimension 0 with dtype ", bins.dtype());
    TENON_CHECK(bins.dim() == 1, ValueError, "torch.histogramdd: bins tensor should have one dimension, but got ",
                bins.dim(), " dimensions in the bins tensor for dimension 0");
    Int edges = numel_of<Int>(bins);
    TENON_CHECK(
        edges > 0, ValueError,
        "torch.histogramdd: bins tensor should have at least 1 element, but got 0 elements in the bins tensor for dimension 0");
    TENON_CHECK(edges > 1, ValueError, "torch.histogram(): bins must be > 0, but got 0 for dimension 0");
    check_histogram_weight<Int>(self, weight);
    out.set_output_raw_strided(0, dims_t<Int>{edges - 1}, {}, self.dtype(), self.device());
    out.set_output_raw_strided(1, dims_t<Int>{edges}, {}, self.dtype(), self.device());
  }
};

inline void check_minlength(std::int64_t minlength) {
  TENON_CHECK(minlength >= 0, ValueError, "minlength should be >= 0");
}
inline void check_bincount_weights(const std::optional<Tensor>& weights, std::int64_t count) {
  TENON_CHECK(!weights || !weights->defined() || (weights->dim() == 1 && weights->numel() == count), ValueError,
              "weights should be 1-d and have the same length as input");
}
inline void check_bincount_value(std::int64_t value) {
  TENON_CHECK(value < std::numeric_limits<std::int64_t>::max(), ValueError,
              "maximum value of input overflowed, it should be < ", std::numeric_limits<std::int64_t>::max(),
              " but got ", value);
}
/// Of edges found among the elements; `words` name the operator.
inline void check_outer_edges(double low, double high, std::string_view words) {
  TENON_CHECK(std::isfinite(low) && std::isfinite(high), ValueError, words, " of [", low, ", ", high,
              "] is not finite");
}
/// Of edges that are asked for.
inline void check_edge_range(double low, double high, std::int64_t dim, std::string_view words) {
  TENON_CHECK(std::isfinite(low) && std::isfinite(high), ValueError, words, " [", low, ", ", high, "] is not finite");
  TENON_CHECK(low <= high, ValueError, "torch.histogramdd: min should not exceed max, but got min ", low, " max ", high,
              " for dimension ", dim);
}

}  // namespace tenon::composite

namespace tenon::ops {

TENON_STRUCTURED_OF(histc_base, composite::histc_meta);
TENON_NOT_DIFFERENTIABLE(histc_base);
TENON_STRUCTURED_OF(histogram_bin_ct, composite::histogram_count_meta);
TENON_STRUCTURED_OF(histogram_bins_tensor, composite::histogram_edges_meta);

}  // namespace tenon::ops
