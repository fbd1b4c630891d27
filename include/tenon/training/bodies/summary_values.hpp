// Counting of values.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>

#include <tenon/autograd/mode.hpp>
#include <tenon/base/body.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/tensor/create.hpp>
#include <tenon/tensor/methods.hpp>
#include <tenon/training/summary_values.hpp>

namespace tenon::training {

namespace detail {
/// Elements as numbers, and what they sum up to.
inline Tensor numbers_of(const Tensor& values, Histogram& h) {
  TENON_CHECK(values.defined() && !values.is_complex(), ValueError, "add_histogram(): expected real numbers");
  NoGradGuard no_grad;
  Tensor plain = values.to(kCPU, kDouble).contiguous();
  const double* x = plain.data_ptr<double>();
  std::int64_t n = plain.numel();
  TENON_CHECK(n > 0, ValueError, "add_histogram(): The input has no element.");
  h = {x[0], x[0], static_cast<double>(n), 0, 0, {}, {}};
  for (std::int64_t i = 0; i < n; ++i) {
    TENON_CHECK(std::isfinite(x[i]), ValueError, "add_histogram(): expected finite numbers, got ", x[i]);
    h.min = std::min(h.min, x[i]);
    h.max = std::max(h.max, x[i]);
    h.sum += x[i];
    h.sum_squares += x[i] * x[i];
  }
  return plain;
}
}  // namespace detail

TENON_COLD_BODY Histogram histogram_of(const Tensor& values) {
  Histogram h;
  Tensor plain = detail::numbers_of(values, h);
  const double* x = plain.data_ptr<double>();
  static const std::vector<double> limits = [] {
    std::vector<double> positive, all;
    for (double v = 1e-12; v < 1e20; v *= 1.1) positive.push_back(v);
    for (auto v = positive.rbegin(); v != positive.rend(); ++v) all.push_back(-*v);
    all.push_back(0);
    all.insert(all.end(), positive.begin(), positive.end());
    all.push_back(std::numeric_limits<double>::max());
    return all;
  }();
  std::vector<double> counts(limits.size());
  for (std::int64_t i = 0; i < plain.numel(); ++i)
    ++counts[static_cast<std::size_t>(std::lower_bound(limits.begin(), limits.end(), x[i]) - limits.begin())];
  std::size_t first = 0, last = counts.size() - 1;
  while (counts[first] == 0) ++first;
  while (counts[last] == 0) --last;
  // The limit below the first bucket is that of an empty one.
  if (first > 0) --first;
  auto at = [](auto& list, std::size_t i) { return list.begin() + static_cast<std::ptrdiff_t>(i); };
  h.limits.assign(at(limits, first), at(limits, last + 1));
  h.buckets.assign(at(counts, first), at(counts, last + 1));
  return h;
}

TENON_COLD_BODY Bins::Bins(std::int64_t count) : count_(count) {
  TENON_CHECK(count >= 1, ValueError, "Bins: expected at least one bin, got ", count);
}
TENON_COLD_BODY Bins::Bins(std::vector<double> edges)
    : count_(static_cast<std::int64_t>(edges.size()) - 1), edges_(std::move(edges)) {
  TENON_CHECK(edges_.size() >= 2 && std::is_sorted(edges_.begin(), edges_.end()), ValueError,
              "Bins: expected two or more edges that grow, got ", edges_);
}

TENON_COLD_BODY Histogram histogram_of(const Tensor& values, const Bins& bins, std::optional<std::int64_t> max_bins) {
  TENON_CHECK(!max_bins || *max_bins >= 1, ValueError, "add_histogram(): expected max_bins of at least 1, got ",
              max_bins.value_or(0));
  Histogram h;
  if (bins.count() == 0) {
    TENON_CHECK(!max_bins, ValueError, "add_histogram(): expected bins beside max_bins, got none");
    return histogram_of(values);
  }
  Tensor plain = detail::numbers_of(values, h);
  const double* x = plain.data_ptr<double>();
  auto count = static_cast<std::size_t>(bins.count());
  std::vector<double> edges = bins.edges(), counts(count);
  if (edges.empty()) {
    double low = h.min, high = h.max;
    if (low == high) {
      low -= 0.5;
      high += 0.5;
    }
    for (std::size_t i = 0; i < count; ++i)
      edges.push_back(low + static_cast<double>(i) * ((high - low) / static_cast<double>(count)));
    edges.push_back(high);
  }
  for (std::int64_t i = 0; i < plain.numel(); ++i) {
    if (x[i] < edges.front() || x[i] > edges.back()) continue;
    auto above = std::upper_bound(edges.begin(), edges.end(), x[i]) - edges.begin();
    ++counts[std::min(static_cast<std::size_t>(above), count) - 1];
  }
  if (max_bins && count > static_cast<std::size_t>(*max_bins)) {
    std::size_t each = count / static_cast<std::size_t>(*max_bins);
    std::vector<double> joined((count + each - 1) / each), wide;
    for (std::size_t i = 0; i < count; ++i) joined[i / each] += counts[i];
    for (std::size_t i = 0; i < count; i += each) wide.push_back(edges[i]);
    wide.push_back(edges.back());
    counts = std::move(joined);
    edges = std::move(wide);
  }
  std::size_t first = 0, last = counts.size();
  while (first < counts.size() && counts[first] == 0) ++first;
  TENON_CHECK(first < counts.size(), ValueError, "add_histogram(): no number lies in the bins from ", edges.front(),
              " to ", edges.back());
  while (counts[last - 1] == 0) --last;
  // Readers know the right limits alone: the left one of the first is that of an empty bucket.
  h.buckets.push_back(first > 0 ? counts[first - 1] : 0);
  for (std::size_t i = first; i < last; ++i) h.buckets.push_back(counts[i]);
  for (std::size_t i = first; i <= last; ++i) h.limits.push_back(edges[i]);
  return h;
}

TENON_COLD_BODY PrCurve pr_curve_of(const Tensor& labels, const Tensor& predictions, std::int64_t num_thresholds,
                                    const Tensor& weights) {
  TENON_CHECK(labels.defined() && predictions.defined() && labels.numel() == predictions.numel() &&
                  (!weights.defined() || weights.numel() == labels.numel()),
              ValueError, "add_pr_curve(): expected as many labels as predictions and weights");
  TENON_CHECK(num_thresholds >= 2, ValueError, "add_pr_curve(): expected at least two thresholds, got ",
              num_thresholds);
  NoGradGuard no_grad;
  num_thresholds = std::min<std::int64_t>(num_thresholds, 127);
  auto n = static_cast<std::size_t>(num_thresholds);
  auto plain = [](const Tensor& t) { return t.to(kCPU, kDouble).contiguous(); };
  // Of float32 the products below round to float32, as PyTorch's do.
  bool is_float = predictions.dtype() != kDouble;
  Tensor label = plain(labels), prediction = plain(predictions), weight;
  if (weights.defined()) weight = plain(weights);
  PrCurve c;
  c.tp.resize(n);
  c.fp.resize(n);
  for (std::int64_t i = 0; i < label.numel(); ++i) {
    double yes = label.data_ptr<double>()[i], w = weight.defined() ? weight.data_ptr<double>()[i] : 1;
    double place = prediction.data_ptr<double>()[i] * static_cast<double>(num_thresholds - 1);
    if (is_float) place = static_cast<float>(place);
    place = std::floor(place);
    if (!(place >= 0 && place < static_cast<double>(num_thresholds))) continue;
    c.tp[static_cast<std::size_t>(place)] += yes * w;
    c.fp[static_cast<std::size_t>(place)] += (1 - yes) * w;
  }
  for (std::size_t i = n - 1; i-- > 0;) {
    c.tp[i] += c.tp[i + 1];
    c.fp[i] += c.fp[i + 1];
  }
  constexpr double kLeast = 1e-7;
  for (std::size_t i = 0; i < n; ++i) {
    c.tn.push_back(c.fp[0] - c.fp[i]);
    c.fn.push_back(c.tp[0] - c.tp[i]);
    c.precision.push_back(c.tp[i] / std::max(kLeast, c.tp[i] + c.fp[i]));
    c.recall.push_back(c.tp[i] / std::max(kLeast, c.tp[i] + c.fn[i]));
  }
  return c;
}

TENON_COLD_BODY Tensor image_grid(const Tensor& images, std::int64_t columns) {
  TENON_CHECK(images.defined() && images.dim() == 4 && (images.size(1) == 1 || images.size(1) == 3) &&
                  images.numel() > 0 && columns >= 1,
              ValueError, "add_images(): expected pictures of shape (N, 1 or 3, H, W), got ",
              images.defined() ? images.sizes() : IntArrayRef());
  NoGradGuard no_grad;
  std::int64_t n = images.size(0), height = images.size(2), width = images.size(3);
  columns = std::min(n, columns);
  Tensor grid = images.new_zeros({3, height * ((n + columns - 1) / columns), width * columns});
  for (std::int64_t i = 0; i < n; ++i)
    grid.narrow(1, i / columns * height, height).narrow(2, i % columns * width, width).copy_(images.select(0, i));
  return grid;
}

}  // namespace tenon::training
