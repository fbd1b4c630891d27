// Counting right answers and ranks.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>

#include <tenon/autograd/mode.hpp>
#include <tenon/base/body.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/tensor/create.hpp>
#include <tenon/tensor/methods.hpp>
#include <tenon/training/metrics.hpp>

namespace tenon::training {

namespace detail {

inline Tensor plain(const Tensor& t, ScalarType dtype) {
  NoGradGuard no_grad;
  return t.to(kCPU, dtype).contiguous();
}
inline std::vector<std::int64_t> classes_of(const char* metric, const Tensor& t) {
  TENON_CHECK(t.dim() == 1 && is_integral_type(t.dtype(), true), ValueError, metric,
              ": expected classes as integers of one dimension, got ", t.dtype(), " of shape ", t.sizes());
  Tensor p = plain(t, kLong);
  const auto* data = p.data_ptr<std::int64_t>();
  return {data, data + p.numel()};
}
/// Whether the target is among the top_k of each row of scores, or of the classes given: `f(sample, taken, target)`,
/// where `taken` is the first of the highest.
template <class F>
void for_each_sample(const char* metric, const Tensor& predicted, const Tensor& target, std::int64_t top_k, F f) {
  std::vector<std::int64_t> truth = classes_of(metric, target);
  auto n = static_cast<std::int64_t>(truth.size());
  TENON_CHECK(predicted.dim() >= 1 && predicted.size(0) == n, ValueError, metric,
              ": expected predictions of as many samples as the target has, ", n, ", got shape ", predicted.sizes());
  if (predicted.dim() == 1) {
    TENON_CHECK(top_k == 1, ValueError, metric, ": expected scores (n, classes) for a top_k of ", top_k, ", got shape ",
                predicted.sizes());
    std::vector<std::int64_t> taken = classes_of(metric, predicted);
    for (std::size_t i = 0; i < truth.size(); ++i) f(taken[i], truth[i], taken[i] == truth[i]);
    return;
  }
  TENON_CHECK(predicted.dim() == 2 && predicted.size(1) > 0, ValueError, metric,
              ": expected scores (n, classes), got shape ", predicted.sizes());
  Tensor p = plain(predicted, kDouble);
  std::int64_t classes = p.size(1);
  const double* row = p.data_ptr<double>();
  for (std::int64_t own : truth) {
    std::int64_t taken = std::max_element(row, row + classes) - row, above = 0;
    bool known = own >= 0 && own < classes;
    for (std::int64_t c = 0; known && c < classes; ++c) above += row[c] > row[own] || (row[c] == row[own] && c < own);
    f(taken, own, known && above < top_k);
    row += classes;
  }
}
inline double share(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace detail

TENON_BODY Accuracy::Accuracy(std::int64_t top_k) : top_k_(top_k) {
  TENON_CHECK(top_k >= 1, ValueError, "Accuracy: expected a top_k of at least 1, got ", top_k);
}
TENON_BODY void Accuracy::update(const Tensor& predicted, const Tensor& target) {
  detail::for_each_sample("Accuracy", predicted, target, top_k_, [&](std::int64_t, std::int64_t, bool is_right) {
    right_ += is_right;
    ++count_;
  });
}

TENON_BODY ConfusionMatrix::ConfusionMatrix(std::int64_t classes) : classes_(classes) {
  TENON_CHECK(classes >= 1, ValueError, "ConfusionMatrix: expected at least 1 class, got ", classes);
  reset();
}
TENON_BODY void ConfusionMatrix::reset() {
  counts_.assign(static_cast<std::size_t>(classes_) * static_cast<std::size_t>(classes_), 0);
}
TENON_BODY void ConfusionMatrix::update(const Tensor& predicted, const Tensor& target) {
  std::vector<std::int64_t> next = counts_;
  detail::for_each_sample("ConfusionMatrix", predicted, target, 1, [&](std::int64_t taken, std::int64_t truth, bool) {
    for (std::int64_t c : {taken, truth})
      TENON_CHECK(c >= 0 && c < classes_, ValueError, "ConfusionMatrix: class ", c, " is none of ", classes_);
    ++next[static_cast<std::size_t>(truth * classes_ + taken)];
  });
  counts_ = std::move(next);
}
TENON_BODY void ConfusionMatrix::merge(const ConfusionMatrix& other) {
  TENON_CHECK(other.classes_ == classes_, ValueError, "ConfusionMatrix: expected ", classes_, " classes, got ",
              other.classes_);
  for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
}
TENON_BODY Tensor ConfusionMatrix::compute() const {
  Tensor t = make_tensor({classes_, classes_}, {}, kLong);
  std::copy(counts_.begin(), counts_.end(), t.data_ptr<std::int64_t>());
  return t;
}
TENON_BODY std::int64_t ConfusionMatrix::row(std::int64_t i) const {
  std::int64_t sum = 0;
  for (std::int64_t j = 0; j < classes_; ++j) sum += at(i, j);
  return sum;
}
TENON_BODY std::int64_t ConfusionMatrix::column(std::int64_t i) const {
  std::int64_t sum = 0;
  for (std::int64_t j = 0; j < classes_; ++j) sum += at(j, i);
  return sum;
}
TENON_BODY std::int64_t ConfusionMatrix::count() const {
  std::int64_t sum = 0;
  for (std::int64_t i = 0; i < classes_; ++i) sum += row(i);
  return sum;
}
TENON_BODY double ConfusionMatrix::accuracy() const {
  std::int64_t right = 0;
  for (std::int64_t i = 0; i < classes_; ++i) right += at(i, i);
  return static_cast<double>(right) / static_cast<double>(count());
}
TENON_BODY std::vector<double> ConfusionMatrix::precision() const {
  std::vector<double> found;
  for (std::int64_t i = 0; i < classes_; ++i) found.push_back(detail::share(at(i, i), column(i)));
  return found;
}
TENON_BODY std::vector<double> ConfusionMatrix::recall() const {
  std::vector<double> found;
  for (std::int64_t i = 0; i < classes_; ++i) found.push_back(detail::share(at(i, i), row(i)));
  return found;
}
TENON_BODY std::vector<double> ConfusionMatrix::f1() const {
  std::vector<double> found;
  for (std::int64_t i = 0; i < classes_; ++i) found.push_back(detail::share(2 * at(i, i), row(i) + column(i)));
  return found;
}
TENON_BODY double ConfusionMatrix::f1(Average average) const {
  // Each sample has one class and is taken for one: then precision and recall of all together are the accuracy.
  if (average == Average::Micro) return accuracy();
  std::vector<double> of_class = f1();
  double sum = 0, weights = 0;
  for (std::int64_t i = 0; i < classes_; ++i) {
    double weight = average == Average::Macro ? row(i) + column(i) > 0 : static_cast<double>(row(i));
    sum += weight * of_class[static_cast<std::size_t>(i)];
    weights += weight;
  }
  return sum / weights;
}

TENON_BODY void AUROC::update(const Tensor& scores, const Tensor& target) {
  TENON_CHECK(scores.dim() == 1 && scores.is_floating_point(), ValueError,
              "AUROC: expected floating scores of one dimension, got ", scores.dtype(), " of shape ", scores.sizes());
  std::vector<std::int64_t> truth = detail::classes_of("AUROC", target);
  TENON_CHECK(scores.numel() == static_cast<std::int64_t>(truth.size()), ValueError, "AUROC: expected ", scores.numel(),
              " targets, got ", truth.size());
  Tensor p = detail::plain(scores, kDouble);
  const double* score = p.data_ptr<double>();
  std::vector<std::pair<double, bool>> more;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    TENON_CHECK(truth[i] == 0 || truth[i] == 1, ValueError, "AUROC: expected targets 0 and 1, got ", truth[i]);
    TENON_CHECK(!std::isnan(score[i]), ValueError, "AUROC: score ", i, " is NaN");
    more.emplace_back(score[i], truth[i] == 1);
  }
  samples_.insert(samples_.end(), more.begin(), more.end());
}
TENON_BODY double AUROC::compute() const {
  std::vector<std::pair<double, bool>> sorted = samples_;
  std::sort(sorted.begin(), sorted.end());
  double positives = 0, ranks = 0;
  for (std::size_t i = 0; i < sorted.size();) {
    std::size_t end = i;
    double here = 0;
    for (; end < sorted.size() && sorted[end].first == sorted[i].first; ++end) here += sorted[end].second;
    ranks += here * static_cast<double>(i + 1 + end) / 2;  // the mean rank of equal scores, counted from 1
    positives += here;
    i = end;
  }
  double negatives = static_cast<double>(sorted.size()) - positives;
  if (positives == 0 || negatives == 0) return std::numeric_limits<double>::quiet_NaN();
  return (ranks - positives * (positives + 1) / 2) / (positives * negatives);
}

}  // namespace tenon::training
