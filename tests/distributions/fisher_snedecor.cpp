// The F distribution, against PyTorch 2.15.
#include "support.hpp"

using namespace test;

TEST_CASE("FisherSnedecor's figures are those of PyTorch", "[distributions][fisher_snedecor]") {
  Tensor a = leaf({1.5, 5}), b = leaf({3, 6}), value = f64({0.4, 1.7}), weights = f64({1, 2});
  FisherSnedecor d{.df1 = a, .df2 = b};
  close(d.mean(), {3, 1.5});
  close(d.variance(), {kNaN, 4.05});
  close(d.mode(), {kNaN, 0.44999999999999996});
  close(d.log_prob(value), {-0.6586382041414717, -1.5330180898973853});
  slope(d.log_prob(value), a, {0.18332393859107565, 0.04209942479622855});
  slope(d.log_prob(value), b, {0.051867467925601735, 0.02364947181481883});
  manual_seed(5);
  close(d.sample({2}), {1.035869570725955, 1.1739657601694078, 0.02410158609307878, 0.39596977786195464}, 1e-7);
  manual_seed(6);
  Tensor drawn = d.rsample();
  close(drawn, {2.81276203658281, 0.4362074022973236}, 1e-7);
  slope(drawn * weights, a, {-0.1883992521308715, 0.13790023990936578}, 5e-3);
  slope(drawn * weights, b, {-0.344702523850574, -0.03413024361945172}, 5e-3);
}

TEST_CASE("degrees of freedom are checked, and give ratios of squares", "[distributions][fisher_snedecor]") {
  FisherSnedecor d{.df1 = 2, .df2 = f64({1, 5, 9})};
  close(d.mean(), {kNaN, 5.0 / 3, 9.0 / 7});
  CHECK(d.expand({4, 3}).sample({2}).sizes() == IntArrayRef({2, 4, 3}));
  CHECK(d.sample({100}).gt(0).all().item<bool>());
  CHECK_ERROR((FisherSnedecor{f64({1}), f64({0})}), ValueError,
              "FisherSnedecor: expected parameter 'df2' to be positive, got 0 in shape [1]");
  CHECK_ERROR(d.log_prob(f64({-1, 1, 1})), ValueError,
              "FisherSnedecor.log_prob(): expected a value that is positive, got -1 in shape [3]");
}
