// Metrics against figures counted by hand.
#include <cmath>

#include <tenon/tenon.hpp>
#include <tenon/training.hpp>

#include "../catch.hpp"

using namespace tenon;
using namespace tenon::training;

TEST_CASE("a running mean weighs its values", "[training][metrics]") {
  Mean mean, other;
  CHECK(std::isnan(mean.compute()));
  mean.update(1);
  mean.update(4, 3);
  CHECK(mean.compute() == 13.0 / 4);
  other.update(8.25, 4);
  mean.merge(other);
  CHECK(mean.compute() == 46.0 / 8);
  mean.reset();
  CHECK(std::isnan(mean.compute()));
}

TEST_CASE("accuracy counts the class with the highest score, or one of the highest", "[training][metrics]") {
  Tensor scores = tensor({{0.1, 0.7, 0.2}, {0.5, 0.5, 0.0}, {0.2, 0.3, 0.5}, {0.6, 0.1, 0.3}}),
         target = tensor({1, 1, 0, 2});
  Accuracy first, second(2);
  CHECK(std::isnan(first.compute()));
  first.update(scores, target);
  second.update(scores.to(kHalf), target);
  CHECK(first.compute() == 0.25);  // of equal scores the lower class is taken
  CHECK(second.compute() == 0.75);
  first.update(tensor({1, 1}), tensor({1, 1}));
  CHECK(first.right() == 3);
  CHECK(first.count() == 6);
  second.merge(first);
  CHECK(second.compute() == 6.0 / 10);
  CHECK_THROWS_AS(first.update(scores, tensor({1, 1})), ValueError);
  CHECK_THROWS_AS(first.update(scores, tensor({1.0, 1.0, 0.0, 2.0})), ValueError);
  CHECK_THROWS_AS(second.update(tensor({1}), tensor({1})), ValueError);
  CHECK_ERROR(Accuracy(0), ValueError, "Accuracy: expected a top_k of at least 1, got 0");
}

TEST_CASE("a confusion matrix gives precision, recall and F1 of each class and of all", "[training][metrics]") {
  ConfusionMatrix m(4);
  m.update(tensor({0, 0, 1, 1, 2, 0}), tensor({0, 1, 1, 1, 2, 2}));
  CHECK(ops::equal(m.compute(), tensor({{1, 0, 0, 0}, {1, 2, 0, 0}, {1, 0, 1, 0}, {0, 0, 0, 0}})));
  CHECK(m.count() == 6);
  CHECK(m.accuracy() == 4.0 / 6);
  CHECK(m.precision() == std::vector<double>{1.0 / 3, 1, 1, 0});
  CHECK(m.recall() == std::vector<double>{1, 2.0 / 3, 0.5, 0});
  CHECK(m.f1() == std::vector<double>{0.5, 0.8, 2.0 / 3, 0});
  CHECK(m.f1(Average::Micro) == 4.0 / 6);
  CHECK(m.f1(Average::Macro) == Approx((0.5 + 0.8 + 2.0 / 3) / 3));
  CHECK(m.f1(Average::Weighted) == Approx((0.5 * 1 + 0.8 * 3 + 2.0 / 3 * 2) / 6));
  ConfusionMatrix twice = m;
  twice.merge(m);
  CHECK(ops::equal(twice.compute(), 2 * m.compute()));
  CHECK_ERROR(m.update(tensor({0, 4}), tensor({0, 0})), ValueError, "ConfusionMatrix: class 4 is none of 4");
  CHECK(m.count() == 6);
  CHECK_THROWS_AS(m.merge(ConfusionMatrix(3)), ValueError);
  CHECK(std::isnan(ConfusionMatrix(2).f1(Average::Macro)));
}

TEST_CASE("the area under the curve counts pairs, and equal scores half", "[training][metrics]") {
  // By pairs (0.9 and 0.4 against 0.5, 0.4, 0.1): 3 + 1.5 of 6.
  AUROC auc, other;
  CHECK(std::isnan(auc.compute()));
  auc.update(tensor({0.9, 0.5, 0.4}), tensor({1, 0, 1}));
  CHECK(auc.compute() == 0.5);
  other.update(tensor({0.4, 0.1}), tensor({false, false}));
  auc.merge(other);
  CHECK(auc.compute() == 0.75);
  CHECK_THROWS_AS(auc.update(tensor({0.5}), tensor({2})), ValueError);
  CHECK_THROWS_AS(auc.update(tensor({std::nan("")}), tensor({1})), ValueError);
  CHECK_THROWS_AS(auc.update(tensor({0.5, 0.5}), tensor({1})), ValueError);
  CHECK(auc.compute() == 0.75);
}
