// Waiting times, against PyTorch 2.15.
#include "support.hpp"

using namespace test;

TEST_CASE("Exponential's figures are those of PyTorch", "[distributions][exponential]") {
  Tensor rate = leaf({0.5, 3});
  Exponential d{.rate = rate};
  close(d.entropy(), {1.6931471805599454, -0.09861228866810978});
  slope(d.entropy(), rate, {-2, -0.3333333333333333});
  close(d.mean(), {2, 0.3333333333333333});
  close(d.variance(), {4, 0.1111111111111111});
  close(d.mode(), {0, 0});
  close(d.stddev(), {2, 0.3333333333333333});
  Tensor value = f64({1.5, 0.75});
  close(d.log_prob(value), {-1.4431471805599454, -1.1513877113318902});
  slope(d.log_prob(value), rate, {0.5, -0.4166666666666667});
  close(d.cdf(value), {0.5276334472589853, 0.8946007754381357});
  slope(d.cdf(value), rate, {0.708549829111522, 0.07904941842139825});
  close(d.icdf(f64({0.1, 0.9})), {0.21072103131565262, 0.7675283643313486});
  manual_seed(5);
  close(d.sample({2}), {2.0545284228311775, 0.10025933487648563, 0.8951621896605211, 0.12617668266645052});
  manual_seed(6);
  Tensor drawn = d.rsample();
  close(drawn, {1.723514677407343, 0.7501227826836323});
  slope(drawn, rate, {-3.447029354814686, -0.25004092756121077});
}

TEST_CASE("Weibull's figures are those of PyTorch", "[distributions][weibull]") {
  Tensor scale = leaf({0.5, 3}), concentration = leaf({2.5, 1.2});
  Weibull d{.scale = scale, .concentration = concentration};
  close(d.entropy(), {-0.26310851349318054, 2.0124933426910774});
  slope(d.entropy(), scale, {2, 0.33333333333333337});
  slope(d.entropy(), concentration, {-0.30764549361575483, -0.43248912159615793});
  close(d.mean(), {0.44363190875153763, 2.821967574770315});
  close(d.variance(), {0.03603667228252805, 5.577678401208953});
  close(d.mode(), {0.40759655480296136, 0.6740030772986387});
  close(d.stddev(), {0.18983327496128818, 2.361710905510866});
  Tensor value = f64({1.5, 0.75});
  close(d.log_prob(value), {-12.331100922683632, -1.3830141749119331});
  slope(d.log_prob(value), scale, {72.94228634059948, -0.32421417167447997});
  slope(d.log_prob(value), concentration, {-15.627058427466123, -0.2903073616353862});
  close(d.cdf(value), {0.9999998301681944, 0.1725979694412233});
  slope(d.cdf(value), scale, {-1.3237079226556097e-05, -0.06270534824411403});
  slope(d.cdf(value), concentration, {2.908483580873578e-06, -0.21732017670718576});
  close(d.icdf(f64({0.1, 0.9})), {0.20325496323643247, 6.011289751115064});
  manual_seed(5);
  close(d.sample({2}), {0.5054088793057254, 1.1023672852786315, 0.36250892052879796, 1.3351750900290327});
  manual_seed(6);
  Tensor drawn = d.rsample();
  close(drawn, {0.4711118198995909, 5.897472580149652});
  slope(drawn, scale, {0.9422236397991818, 1.9658241933832175});
  slope(drawn, concentration, {0.01121484005700639, -3.3218084112570088});
}

TEST_CASE("Pareto's figures are those of PyTorch", "[distributions][pareto]") {
  Tensor scale = leaf({0.5, 0.3}), alpha = leaf({2.5, 1.2});
  Pareto d{.scale = scale, .alpha = alpha};
  close(d.entropy(), {-0.20943791243410037, 0.4470389722134429});
  slope(d.entropy(), scale, {2, 3.3333333333333335});
  slope(d.entropy(), alpha, {-0.56, -1.527777777777778});
  close(d.mean(), {0.8333333333333334, 1.8000000000000003});
  close(d.variance(), {0.5555555555555556, kInf});
  close(d.mode(), {0.5, 0.3});
  close(d.stddev(), {0.7453559924999299, kInf});
  Tensor value = f64({1.5, 0.75});
  close(d.log_prob(value), {-2.235705097904284, -0.6295452490032506});
  slope(d.log_prob(value), scale, {5, 4.000000000000002});
  slope(d.log_prob(value), alpha, {-0.6986122886681098, -0.08295739854082174});
  close(d.cdf(value), {0.9358499700900416, 0.6669787170392507});
  slope(d.cdf(value), scale, {-0.320750149549792, -1.332085131842997});
  slope(d.cdf(value), alpha, {0.0704760111775071, 0.305144315093775});
  close(d.icdf(f64({0.1, 0.9})), {0.5215224407553163, 2.0438762071738843});
  manual_seed(5);
  close(d.sample({2}), {0.7540915524530825, 0.3854574504127534, 0.5980297706184116, 0.41125940919621645});
  manual_seed(6);
  Tensor drawn = d.rsample();
  close(drawn, {0.705785264929001, 1.9568463110228755});
  slope(drawn, scale, {1.411570529858002, 6.5228210367429185});
  slope(drawn, alpha, {-0.09731450105623705, -3.058072916893084});
  CHECK_ERROR((Pareto{2, 1}.log_prob(f64({1}))), ValueError,
              "Pareto.log_prob(): expected a value that is at least 2, got 1 in shape [1]");
}
