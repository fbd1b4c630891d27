// What logs hold of tensors: histograms, curves of precision and recall, and pictures side by side.
#pragma once
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <tenon/tensor/tensor.hpp>

namespace tenon::training {

/// How often values fall between limits, with what they sum up to. `buckets[i]` values are at most limits[i] and above
/// limits[i - 1].
struct Histogram {
  double min = 0, max = 0, num = 0, sum = 0, sum_squares = 0;
  std::vector<double> limits, buckets;
};
/// The histogram of all elements, with limits that grow by a tenth from 1e-12 to 1e20 on either side of 0, as
/// TensorBoard draws them; empty ones at the ends are left out.
/// Errors: ValueError for a tensor without elements, with ones that are not finite, and for other than real numbers.
Histogram histogram_of(const Tensor& values);

/// Where the bins of a histogram begin and end: `Bins()` as TensorBoard draws them, `Bins(n)` n of equal width between
/// the least and the greatest value, `Bins({0.0, 0.5, 1.0})` between edges, in their order.
class Bins {
 public:
  Bins() = default;
  /// Errors: ValueError for none.
  Bins(std::int64_t count);
  Bins(int count) : Bins(std::int64_t{count}) {}
  /// Errors: ValueError for fewer than two edges, and for edges that do not grow.
  Bins(std::vector<double> edges);
  std::int64_t count() const { return count_; }
  const std::vector<double>& edges() const { return edges_; }

 private:
  std::int64_t count_ = 0;
  std::vector<double> edges_;
};
/// The histogram of all elements in bins of one's own: of numbers x in them, edges[i] <= x < edges[i + 1], the last
/// edge belongs to the last bin. `max_bins`: more are joined, some at a time. `min`, `max`, `num` and the sums are
/// those of all elements. Errors: as histogram_of(values), and ValueError where no number lies in a bin. Source:
/// make_histogram() of PyTorch's torch.utils.tensorboard.summary.
Histogram histogram_of(const Tensor& values, const Bins& bins, std::optional<std::int64_t> max_bins = {});

/// For each of n thresholds in [0, 1], what a classifier that says yes at and above it gets right and wrong.
struct PrCurve {
  std::vector<double> tp, fp, tn, fn, precision, recall;
};
/// Labels are 0 or 1, predictions are in [0, 1], of one size; `weights` counts each, once if it is undefined. More than
/// 127 thresholds are 127. Errors: ValueError for other sizes, and for fewer than two thresholds.
/// Source: compute_curve() of PyTorch's torch.utils.tensorboard.summary.
PrCurve pr_curve_of(const Tensor& labels, const Tensor& predictions, std::int64_t num_thresholds = 127,
                    const Tensor& weights = {});

/// Pictures (N, 3, H, W), or grey ones (N, 1, H, W), in rows of `columns`: (3, H * rows, W * columns), or fewer columns
/// if there are fewer pictures. What is left of the last row is 0. Errors: ValueError for other shapes.
Tensor image_grid(const Tensor& images, std::int64_t columns = 8);

}  // namespace tenon::training
