// What logs hold of tensors. Bins and curves are those of PyTorch 2.15's make_histogram() and compute_curve().
#include <cmath>
#include <vector>

#include <tenon/tenon.hpp>
#include <tenon/training/summary_values.hpp>

#include "../catch.hpp"

using namespace tenon;
using namespace tenon::training;

namespace {
using Numbers = std::vector<double>;
void check_close(const Numbers& a, const Numbers& b) {
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) CHECK(std::abs(a[i] - b[i]) <= 1e-15);
}
}  // namespace

TEST_CASE("a histogram's buckets hold what its limits say", "[training][summary_values]") {
  Tensor values = tensor({-2.0, -1e-13, 0.0, 1e-13, 0.3, 0.3, 1e30});
  Histogram h = histogram_of(values);
  double total = 0;
  for (std::size_t i = 0; i < h.limits.size(); ++i) {
    double count = 0;
    for (std::int64_t k = 0; k < values.numel(); ++k) {
      double v = values.to(kDouble).data_ptr<double>()[k];
      count += v <= h.limits[i] && (i == 0 || v > h.limits[i - 1]);
    }
    REQUIRE(h.buckets[i] == count);
    total += h.buckets[i];
  }
  CHECK(total == 7);
  CHECK(h.buckets.front() == 0);
  CHECK(h.buckets.back() == 1);
  CHECK_THROWS_AS(histogram_of(ops::empty({0})), ValueError);
  CHECK_THROWS_AS(histogram_of(tensor({std::nan("")})), ValueError);
}

TEST_CASE("a histogram has bins of one's own", "[training][summary_values]") {
  Tensor values = tensor({-1.0, 0.0, 0.5, 0.5, 2.0, 3.0});
  Histogram four = histogram_of(values, 4);
  CHECK(four.limits == Numbers{-1, 0, 1, 2, 3});
  CHECK(four.buckets == Numbers{0, 1, 3, 0, 2});
  CHECK(four.min == -1);
  CHECK(four.max == 3);
  CHECK(four.num == 6);
  CHECK(four.sum == 5);
  CHECK(four.sum_squares == 14.5);
  Histogram edges = histogram_of(values, Numbers{0, 0.5, 1, 2});
  CHECK(edges.limits == Numbers{0, 0.5, 1, 2});
  CHECK(edges.buckets == Numbers{0, 1, 2, 1});
  CHECK(edges.num == 6);
  Histogram inner = histogram_of(values, Numbers{-5, -4, -3, -1, 0, 1, 9, 10});
  CHECK(inner.limits == Numbers{-1, 0, 1, 9});
  CHECK(inner.buckets == Numbers{0, 1, 3, 2});
  Histogram same = histogram_of(tensor({2.0, 2.0}), 3);
  check_close(same.limits, {1.8333333333333333, 2.1666666666666665});
  CHECK(same.buckets == Numbers{0, 2});
  Histogram joined = histogram_of(values, 8, 3);
  CHECK(joined.limits == Numbers{-1, 0, 1, 2, 3});
  CHECK(joined.buckets == Numbers{0, 1, 3, 0, 2});
  Histogram plain = histogram_of(values, Bins());
  CHECK(plain.buckets == histogram_of(values).buckets);
  CHECK_ERROR(histogram_of(values, Numbers{10, 11}), ValueError,
              "add_histogram(): no number lies in the bins from 10 to 11");
  CHECK_ERROR(Bins(0), ValueError, "Bins: expected at least one bin, got 0");
  CHECK_ERROR(Bins(Numbers{1, 0}), ValueError, "Bins: expected two or more edges that grow, got [1, 0]");
  CHECK_ERROR(histogram_of(values, 2, 0), ValueError, "add_histogram(): expected max_bins of at least 1, got 0");
}

TEST_CASE("a curve has precision and recall at each threshold", "[training][summary_values]") {
  Tensor labels = tensor({0, 1, 1, 0, 1}), predictions = tensor({0.1, 0.4, 0.35, 0.8, 1.0});
  PrCurve c = pr_curve_of(labels, predictions, 5);
  CHECK(c.tp == Numbers{3, 3, 1, 1, 1});
  CHECK(c.fp == Numbers{2, 1, 1, 1, 0});
  CHECK(c.tn == Numbers{0, 1, 1, 1, 2});
  CHECK(c.fn == Numbers{0, 0, 2, 2, 2});
  check_close(c.precision, {0.6, 0.75, 0.5, 0.5, 1});
  check_close(c.recall, {1, 1, 1.0 / 3, 1.0 / 3, 1.0 / 3});
  PrCurve weighted = pr_curve_of(labels, predictions, 5, tensor({1.0, 2.0, 1.0, 0.5, 1.0}));
  CHECK(weighted.tp == Numbers{4, 4, 1, 1, 1});
  CHECK(weighted.fp == Numbers{1.5, 0.5, 0.5, 0.5, 0});
  CHECK(weighted.fn == Numbers{0, 0, 3, 3, 3});
  CHECK(pr_curve_of(labels, predictions, 1000).tp.size() == 127);
  CHECK_ERROR(pr_curve_of(labels, tensor({0.5})), ValueError,
              "add_pr_curve(): expected as many labels as predictions and weights");
  CHECK_ERROR(pr_curve_of(labels, predictions, 1), ValueError,
              "add_pr_curve(): expected at least two thresholds, got 1");
}

TEST_CASE("pictures stand in rows", "[training][summary_values]") {
  Tensor images = ops::arange(1.0, 3.0 * 3 * 4 + 1).view({3, 3, 2, 2});
  Tensor grid = image_grid(images, 2);
  CHECK(grid.sizes() == IntArrayRef({3, 4, 4}));
  CHECK(ops::equal(grid.narrow(1, 0, 2).narrow(2, 2, 2), images.select(0, 1)));
  CHECK(ops::equal(grid.narrow(1, 2, 2).narrow(2, 0, 2), images.select(0, 2)));
  CHECK(grid.narrow(1, 2, 2).narrow(2, 2, 2).sum().item<double>() == 0);
  CHECK(image_grid(ops::ones({9, 1, 2, 5})).sizes() == IntArrayRef({3, 4, 40}));
  CHECK(image_grid(ops::ones({2, 1, 2, 5})).sizes() == IntArrayRef({3, 2, 10}));
  CHECK_ERROR(image_grid(ops::ones({3, 2, 2})), ValueError,
              "add_images(): expected pictures of shape (N, 1 or 3, H, W), got [3, 2, 2]");
}
