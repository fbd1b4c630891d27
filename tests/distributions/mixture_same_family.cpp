// Mixtures, against PyTorch 2.15.
#include "support.hpp"

using namespace test;

TEST_CASE("a mixture's figures are those of PyTorch", "[distributions][mixture_same_family]") {
  Tensor probs = leaf({0.3, 0.7}), loc = leaf({0, 3}), value = f64({0.5, 2, 4});
  MixtureSameFamily d{Categorical{probs}, Normal{loc, f64({1, 0.5})}};
  static_assert(distribution<decltype(d)> && !reparameterized<decltype(d)>);
  CHECK(d.batch_shape().empty());
  close(d.mean(), {2.0999999999999996});
  close(d.variance(), {2.3649999999999998});
  close(d.stddev(), {1.5378556499229699});
  close(d.log_prob(value), {-2.2478916310854893, -2.3883102821425024, -2.5819352764189127});
  slope(d.log_prob(value), probs, {0.9232725372754589, -0.39568823026091093});
  slope(d.log_prob(value), loc, {0.8550548401382835, 0.7035617736385165});
  close(d.cdf(value), {0.20743893903830424, 0.3091000527792717, 0.9840654062637246});
  manual_seed(5);
  close(d.sample({4}), {3.9713917664580967, -1.4017020125953694, 2.5504324185567624, 3.3453593942129203});
  CHECK(d.expand({6}).sample({2}).sizes() == IntArrayRef({2, 6}));
}

TEST_CASE("a mixture of vectors has PyTorch's moments, densities and draws", "[distributions][mixture_same_family]") {
  Tensor loc = arange(12, "dtype"_a = kDouble).view({2, 2, 3}), value = arange(6, "dtype"_a = kDouble).view({2, 3}) / 2;
  MixtureSameFamily d{Categorical{f64({0.3, 0.7, 0.5, 0.5}).view({2, 2})}, Independent{Normal{loc, 1}, 1}};
  CHECK(IntArrayRef(d.batch_shape()) == IntArrayRef({2}));
  CHECK(IntArrayRef(d.event_shape()) == IntArrayRef({3}));
  close(d.mean(), {2.0999999999999996, 3.0999999999999996, 4.1, 7.5, 8.5, 9.5});
  close(d.variance(), {2.8899999999999997, 2.8899999999999997, 2.8899999999999997, 3.25, 3.25, 3.25});
  close(d.log_prob(value), {-4.585788368403335, -41.19996278017396});
  manual_seed(6);
  close(d.sample(), {-1.4715552615532814, 1.1777002152351173, 3.455673876431823, 8.555224139757422, 8.92982272789668,
                     8.428863031312321});
  CHECK_ERROR((MixtureSameFamily{Categorical{ones({3})}, Normal{loc.narrow(-1, 0, 2), 1}}), ValueError,
              "MixtureSameFamily: expected 3 components along the last dimension of the batch, one for each class, "
              "got a batch of shape [2, 2, 2]");
}
