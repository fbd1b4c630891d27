// Figures that tell how well a model does, collected batch by batch.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include <tenon/tensor/tensor.hpp>

namespace tenon::training {

/// A running mean. It is NaN before the first value.
class Mean {
 public:
  void update(double value, double weight = 1) {
    sum_ += value * weight;
    weight_ += weight;
  }
  void merge(const Mean& other) { update_by(other.sum_, other.weight_); }
  double compute() const { return sum_ / weight_; }
  void reset() { *this = {}; }

 private:
  void update_by(double sum, double weight) {
    sum_ += sum;
    weight_ += weight;
  }
  double sum_ = 0, weight_ = 0;
};

/// The share of samples whose class is among the `top_k` with the highest scores. NaN before the first sample.
class Accuracy {
 public:
  /// Errors: ValueError unless top_k is at least 1.
  explicit Accuracy(std::int64_t top_k = 1);
  /// Shapes: `target` (n) integers; `predicted` (n, classes) scores, or (n) classes if top_k is 1. Classes of one score
  /// rank by their number. Errors: ValueError for other shapes and dtypes.
  void update(const Tensor& predicted, const Tensor& target);
  void merge(const Accuracy& other) { right_ += other.right_, count_ += other.count_; }
  double compute() const { return static_cast<double>(right_) / static_cast<double>(count_); }
  std::int64_t right() const { return right_; }
  std::int64_t count() const { return count_; }
  void reset() { right_ = count_ = 0; }

 private:
  std::int64_t top_k_, right_ = 0, count_ = 0;
};

/// How scores of classes become one: all samples alike, all classes alike, or classes by how often they are true.
enum class Average : std::uint8_t { Micro, Macro, Weighted };

/// How often which class was taken for which.
class ConfusionMatrix {
 public:
  /// Errors: ValueError unless there is a class.
  explicit ConfusionMatrix(std::int64_t classes);
  /// Shapes and errors as of Accuracy; ValueError for a class outside [0, classes); then nothing was counted.
  void update(const Tensor& predicted, const Tensor& target);
  /// Errors: ValueError for another number of classes.
  void merge(const ConfusionMatrix& other);
  /// int64 (classes, classes): [i][j] samples of class i were taken for class j.
  Tensor compute() const;
  void reset();

  std::int64_t count() const;
  double accuracy() const;
  /// Of each class: the share of right ones among those taken for it, and among those that it is. 0 if there are none.
  std::vector<double> precision() const;
  std::vector<double> recall() const;
  /// Of each class: the harmonic mean of precision and recall, 0 if both are.
  std::vector<double> f1() const;
  /// One figure; classes that were neither true nor predicted are left out of Macro. NaN before the first sample.
  double f1(Average average) const;

 private:
  std::int64_t at(std::int64_t truth, std::int64_t taken) const {
    return counts_[static_cast<std::size_t>(truth * classes_ + taken)];
  }
  std::int64_t row(std::int64_t i) const;
  std::int64_t column(std::int64_t i) const;
  std::int64_t classes_;
  std::vector<std::int64_t> counts_;
};

/// The area under the curve of true against false positives: the chance that a positive sample scores above a negative
/// one, where equal scores count half. NaN without a sample of each kind. Cost: 16 bytes a sample.
class AUROC {
 public:
  /// Shapes: `scores` (n) floating, `target` (n) bools or integers 0 and 1.
  /// Errors: ValueError for other shapes and values, and for scores that are NaN; then nothing was counted.
  void update(const Tensor& scores, const Tensor& target);
  void merge(const AUROC& other) { samples_.insert(samples_.end(), other.samples_.begin(), other.samples_.end()); }
  double compute() const;
  void reset() { samples_.clear(); }

 private:
  std::vector<std::pair<double, bool>> samples_;
};

}  // namespace tenon::training
