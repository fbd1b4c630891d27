// Maps of more dimensions and by distributions, against PyTorch 2.15.
#include "support.hpp"

using namespace test;

TEST_CASE("a map of numbers becomes one of vectors", "[distributions][independent_transform]") {
  IndependentTransform t{ExpTransform{}, 1};
  Tensor x = f64({-1.3, 0.2, 2.1});
  close(t(x), {0.2725317930340126, 1.2214027581601699, 8.166169912567652});
  close(t.log_abs_det_jacobian(x, t(x)), {1.0});
  CHECK(t.domain_dim == 1);
  CHECK(t.codomain().event_dim() == 1);
  TransformedDistribution d{Normal{zeros({2, 3}), 1}, t};
  CHECK(IntArrayRef(d.batch_shape()) == IntArrayRef({2}));
  CHECK(d.log_prob(ones({2, 3})).sizes() == IntArrayRef({2}));
  CHECK(allclose(d.log_prob(ones({2, 3})), LogNormal{zeros({2, 3}), 1}.log_prob(ones({2, 3})).sum(-1)));
}

TEST_CASE("a map changes the shape of an element, and back", "[distributions][independent_transform]") {
  ReshapeTransform t({2, 3}, {6});
  Tensor x = arange(24, "dtype"_a = kDouble).view({4, 2, 3}), y = t(x);
  CHECK(y.sizes() == IntArrayRef({4, 6}));
  CHECK(equal(t.inverse(y), x));
  CHECK(equal(t.log_abs_det_jacobian(x, y), zeros({4}, "dtype"_a = kDouble)));
  CHECK(t.codomain().event_dim() == 1);
  CHECK(t == ReshapeTransform({2, 3}, {6}));
  TransformedDistribution d{Independent{Normal{zeros({4, 6}), 1}, 1}, ReshapeTransform({6}, {3, 2})};
  CHECK(IntArrayRef(d.event_shape()) == IntArrayRef({3, 2}));
  CHECK(d.log_prob(d.sample({5})).sizes() == IntArrayRef({5, 4}));
  CHECK_ERROR(ReshapeTransform({2, 3}, {5}), ValueError,
              "ReshapeTransform: expected shapes of as many elements, got [2, 3] and [5]");
  CHECK_ERROR(t(zeros({3, 2})), ValueError, "ReshapeTransform: expected a shape that ends in [2, 3], got [3, 2]");
}

TEST_CASE("a distribution function is a map, and makes a copula", "[distributions][independent_transform]") {
  CumulativeDistributionTransform t{Normal{tensor(0.5, kDouble), 2}};
  Tensor x = f64({-1.3, 0.2, 2.1});
  close(t(x), {0.18406012534675953, 0.4403823076297575, 0.7881446014166034});
  close(t.inverse(t(x)), {-1.3, 0.2, 2.1});
  close(t.log_abs_det_jacobian(x, t(x)), {-2.017085713764618, -1.623335713764618, -1.932085713764618});
  TransformedDistribution copula{
      MultivariateNormal{.loc = f64({0, 0}), .scale_tril = f64({1, 0, 0.6, 0.8}).view({2, 2})},
      CumulativeDistributionTransform{Normal{tensor(0.0, kDouble), 1}}};
  close(copula.log_prob(f64({0.3, 0.8})), {-0.467178260514276});
}
