// Cauchy distributions, against PyTorch 2.15.
#include "support.hpp"

using namespace test;

TEST_CASE("Cauchy's figures are those of PyTorch", "[distributions][cauchy]") {
  Tensor loc = leaf({0.5, -1}), scale = leaf({2, 0.3});
  Cauchy d{.loc = loc, .scale = scale};
  close(d.entropy(), {3.224171427529236, 1.3270514426433546});
  slope(d.entropy(), scale, {0.5, 3.3333333333333335});
  close(d.mean(), {kNaN, kNaN});
  close(d.variance(), {kInf, kInf});
  close(d.mode(), {0.5, -1});
  close(d.stddev(), {kInf, kInf});
  Tensor value = f64({1.5, -0.75});
  close(d.log_prob(value), {-2.061020617723555, -0.4681120072406654});
  slope(d.log_prob(value), loc, {0.4, 3.2786885245901636});
  slope(d.log_prob(value), scale, {-0.3, -0.6010928961748636});
  close(d.cdf(value), {0.6475836176504333, 0.7211420616236955});
  slope(d.cdf(value), loc, {-0.12732395447351627, -0.6261833826566374});
  slope(d.cdf(value), scale, {-0.06366197723675814, -0.5218194855471979});
  close(d.icdf(f64({0.1, 0.9})), {-5.655367074350505, -0.07669493884742429});
  manual_seed(5);
  close(d.sample({2}), {1.4566390921936407, -1.282148418130118, -0.434784764506537, -1.1968843079868992});
  manual_seed(6);
  Tensor drawn = d.rsample();
  close(drawn, {0.9973423149708751, -0.12699843897623897});
  slope(drawn, loc, {1, 1});
  slope(drawn, scale, {0.24867115748543756, 2.910005203412537});
}

TEST_CASE("HalfCauchy's figures are those of PyTorch", "[distributions][halfcauchy]") {
  Tensor scale = leaf({2, 0.3});
  HalfCauchy d{.scale = scale};
  close(d.entropy(), {2.5310242469692907, 0.6339042620834093});
  slope(d.entropy(), scale, {0.5, 3.3333333333333335});
  close(d.mean(), {kInf, kInf});
  close(d.variance(), {kInf, kInf});
  close(d.mode(), {0, 0});
  close(d.stddev(), {kInf, kInf});
  Tensor value = f64({1.5, 0.75});
  close(d.log_prob(value), {-1.5910169884778194, -1.228611369830102});
  slope(d.log_prob(value), scale, {-0.14, 2.4137931034482762});
  close(d.cdf(value), {0.40966552939826695, 0.7577621168183133});
  slope(d.cdf(value), scale, {-0.15278874536821954, -0.7317468647903235});
  close(d.icdf(f64({0.1, 0.9})), {0.3167688806490729, 1.8941254544025092});
  manual_seed(5);
  close(d.sample({2}), {0.9566390921936408, 0.2821484181301178, 0.934784764506537, 0.19688430798689918});
  manual_seed(6);
  Tensor drawn = d.rsample();
  close(drawn, {0.4973423149708751, 0.873001561023761});
  slope(drawn, scale, {0.24867115748543756, 2.910005203412537});
}
