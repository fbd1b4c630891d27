// What maps make of distributions, against PyTorch 2.15.
#include "support.hpp"

using namespace test;

TEST_CASE("a mapped distribution's figures are those of PyTorch", "[distributions][transformed_distribution]") {
  Tensor scale = leaf({0.5, -2}), value = f64({1.2, 0.3});
  TransformedDistribution d{Normal{tensor(0.0, kDouble), 1},
                            ComposeTransform{TanhTransform{}, AffineTransform{.loc = 1, .scale = scale}}};
  static_assert(distribution<decltype(d)> && reparameterized<decltype(d)>);
  CHECK(IntArrayRef(d.batch_shape()) == IntArrayRef({2}));
  close(d.log_prob(value), {-0.14117717352704118, -1.548181958890488});
  slope(d.log_prob(value), scale, {-2.3584295902918075, 0.5667206188062742});
  close(d.cdf(value), {0.6640890674081752, 0.35739009257821475});
  close(d.icdf(f64({0.1, 0.8})), {0.5715511221507812, 2.3733336399246685});
  manual_seed(4);
  Tensor drawn = d.sample({2});
  close(drawn, {0.5387705356377118, 0.54322852573225, 1.488790713763759, -0.3793061091517598});
  CHECK(!drawn.requires_grad());
  CHECK(d.rsample().requires_grad());
  CHECK(d.expand({3, 2}).sample().sizes() == IntArrayRef({3, 2}));
}

TEST_CASE("a map of vectors makes an event of a dimension", "[distributions][transformed_distribution]") {
  Tensor value = f64({0.2, 0.3, 0.5});
  TransformedDistribution d{Normal{f64({0.3, -0.2}), f64({1, 2})}, StickBreakingTransform{}};
  CHECK(d.batch_shape().empty());
  CHECK(IntArrayRef(d.event_shape()) == IntArrayRef({3}));
  close(d.log_prob(value), {0.4702864181749171});
  CHECK(d.expand({5}).sample({2}).sizes() == IntArrayRef({2, 5, 3}));
  TransformedDistribution many{Independent{Normal{f64({0.3, -0.2}).expand({4, 2}), f64({1, 2})}, 1},
                               ComposeTransform{AffineTransform{1, 2}, StickBreakingTransform{}}};
  CHECK(IntArrayRef(many.batch_shape()) == IntArrayRef({4}));
  close(many.log_prob(value), {-1.1066366336834252, -1.1066366336834252, -1.1066366336834252, -1.1066366336834252});
  CHECK_ERROR(d.log_prob(f64({0.5, 0.6, 0.7})), ValueError,
              "TransformedDistribution.log_prob(): expected a value that is nonnegative with sum 1, got a tensor of "
              "shape [3] that is not");
  CHECK_ERROR((TransformedDistribution{Normal{0, 1}, StickBreakingTransform{}}), ValueError,
              "TransformedDistribution: expected a base of at least 1 dimensions, got shape []");
}

TEST_CASE("the logistic distribution is a uniform one under a map", "[distributions][transformed_distribution]") {
  TransformedDistribution logistic{
      Uniform{tensor(0.0, kDouble), 1},
      ComposeTransform{InverseTransform{SigmoidTransform{}}, AffineTransform{.loc = 1, .scale = 2}}};
  Tensor value = f64({1.2, 0.3});
  close(logistic.log_prob(value), {-2.0819405007070872, -2.1099114913974995});
  close(logistic.cdf(value), {0.5249791874789399, 0.41338242108267});
}
