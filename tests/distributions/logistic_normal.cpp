// Probabilities made of normal numbers, against PyTorch 2.15.
#include "support.hpp"

using namespace test;

TEST_CASE("LogisticNormal's figures are those of PyTorch", "[distributions][logistic_normal]") {
  Tensor loc = leaf({0.3, -0.2}), scale = leaf({1, 2}), value = f64({0.2, 0.3, 0.5}), weights = f64({1, 2, 3});
  LogisticNormal d{.loc = loc, .scale = scale};
  static_assert(distribution<LogisticNormal> && reparameterized<LogisticNormal>);
  CHECK(d.batch_shape().empty());
  CHECK(IntArrayRef(d.event_shape()) == IntArrayRef({3}));
  close(d.log_prob(value), {0.4702864181749171});
  slope(d.log_prob(value), loc, {-0.9931471805599452, -0.0777064059414977});
  slope(d.log_prob(value), scale, {-0.013658677745831516, -0.48792342895131036});
  manual_seed(5);
  close(d.sample({2}), {0.293192713540044, 0.1389625926375256, 0.5678446938224303, 0.2786348306676555,
                        0.5459070842650526, 0.17545808506729194});
  manual_seed(6);
  Tensor drawn = d.rsample();
  close(drawn, {0.09384671061289308, 0.09142576000312974, 0.8147275293839772});
  slope(drawn * weights, loc, {-0.16149900419848842, -0.08220141607584189});
  slope(drawn * weights, scale, {0.30271350603817565, 0.0816805246376535});
}

TEST_CASE("a stick of one break, batches and checks", "[distributions][logistic_normal]") {
  LogisticNormal one{.loc = 0, .scale = 1};
  CHECK(IntArrayRef(one.event_shape()) == IntArrayRef({2}));
  CHECK(one.sample({5}).sizes() == IntArrayRef({5, 2}));
  LogisticNormal many = LogisticNormal{f64({0.3, -0.2}), 1}.expand({4});
  CHECK(many.sample({2}).sizes() == IntArrayRef({2, 4, 3}));
  CHECK(many.log_prob(f64({0.2, 0.3, 0.5})).sizes() == IntArrayRef({4}));
  CHECK_ERROR(many.log_prob(f64({0.2, 0.3, 0.6})), ValueError,
              "LogisticNormal.log_prob(): expected a value that is nonnegative with sum 1, got a tensor of shape [3] "
              "that is not");
  CHECK_ERROR((LogisticNormal{0, -1}), ValueError,
              "LogisticNormal: expected parameter 'scale' to be positive, got -1 in shape []");
}
