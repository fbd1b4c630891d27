// Tails, against PyTorch 2.15.
#include "support.hpp"

using namespace test;

TEST_CASE("GeneralizedPareto's figures are those of PyTorch", "[distributions][generalized_pareto]") {
  Tensor loc = leaf({0.5, -1, 1}), scale = leaf({2, 0.3, 1.5}), c = leaf({0.4, -0.5, 0});
  Tensor value = f64({1.5, -0.8, 2}), weights = f64({1, 2, 3});
  GeneralizedPareto d{.loc = loc, .scale = scale, .concentration = c};
  close(d.entropy(), {2.0931471805599453, -0.7039728043259361, 1.4054651081081644});
  slope(d.entropy(), scale, {0.5, 3.3333333333333335, 0.6666666666666666});
  slope(d.entropy(), c, {1, 1, 1});
  close(d.mean(), {3.8333333333333335, -0.8, 2.5});
  close(d.variance(), {55.55555555555557, 0.02, 2.25});
  close(d.mode(), {0.5, -1, 1});
  close(d.log_prob(value), {-1.3312726293387867, 0.7985076962177718, -1.0721317747748311});
  slope(d.log_prob(value), loc, {0.5833333333333334, 2.4999999999999996, 0.6666666666666666});
  slope(d.log_prob(value), scale, {-0.20833333333333331, -1.6666666666666674, -0.2222222222222222});
  slope(d.log_prob(value), c, {-0.3188236033711169, -0.6218604324326574, 0});
  close(d.cdf(value), {0.3660618547393911, 0.5555555555555555, 0.486582880967408});
  slope(d.cdf(value), loc, {-0.264140893858587, -2.2222222222222228, -0.3422780793550613});
  slope(d.cdf(value), scale, {-0.1320704469292935, -1.4814814814814814, -0.22818538623670756});
  slope(d.cdf(value), c, {-0.0620264500721972, -0.16806203002993003, 0});
  manual_seed(5);
  close(d.sample({2}), {3.0409155245308246, -0.9162239344863105, 1.6713716422453908, 1.317379668813976,
                        -0.9140017801916468, 3.8600354311051874});
  manual_seed(6);
  Tensor drawn = d.rsample();
  close(drawn, {2.5578526492900098, -0.5947556081874064, 4.146381885834871});
  slope(drawn * weights, loc, {1, 2, 3});
  slope(drawn * weights, scale, {1.0289263246450049, 2.701629278750624, 6.292763771669742});
  slope(drawn * weights, c, {0.9375246927897916, 0.7444338547096915, 0});
  close(d.icdf(f64({0.1, 0.9, 0.5})), {0.7152244075531634, -0.5897366596101028, 2.039720770839918});
  close(d.log_survival_function(value), {-0.4558038919848866, -0.8109302162163285, -0.6666666666666666});
  close(d.log_cdf(value).exp(), {0.3660618547393911, 0.5555555555555555, 0.486582880967408});
}

TEST_CASE("a tail of no power is even, and a heavy one has no moments", "[distributions][generalized_pareto]") {
  close(GeneralizedPareto{0, 2, f64({-1})}.log_prob(f64({2})), {-std::log(2.0)});
  close(GeneralizedPareto{0, 2, f64({0.5, 1})}.mean(), {4, kNaN});
  close(GeneralizedPareto{0, 2, f64({0.25, 0.5})}.variance(), {4 / (0.5625 * 0.5), kNaN});
  CHECK(GeneralizedPareto{0, 2, f64({0.5, 1})}.expand({3, 2}).sample().sizes() == IntArrayRef({3, 2}));
  CHECK_ERROR((GeneralizedPareto{0, 0, 1}), ValueError,
              "GeneralizedPareto: expected parameter 'scale' to be positive, got 0 in shape []");
  CHECK_ERROR((GeneralizedPareto{0, 2, f64({-0.5})}.log_prob(f64({4.5}))), ValueError,
              "GeneralizedPareto.log_prob(): expected a value that is in [0, 4], got 4.5 in shape [1]");
}
