// The Laplace distribution, against PyTorch 2.15.
#include "support.hpp"

using namespace test;

TEST_CASE("Laplace's figures are those of PyTorch", "[distributions][laplace]") {
  Tensor loc = leaf({0.5, -1}), scale = leaf({2, 0.3});
  Laplace d{.loc = loc, .scale = scale};
  close(d.entropy(), {2.386294361119891, 0.4891743762340093});
  slope(d.entropy(), scale, {0.5, 3.3333333333333335});
  close(d.mean(), {0.5, -1});
  close(d.variance(), {8, 0.18});
  close(d.mode(), {0.5, -1});
  close(d.stddev(), {2.8284271247461903, 0.4242640687119285});
  Tensor value = f64({1.5, -0.75});
  close(d.log_prob(value), {-1.8862943611198906, -0.32250770956734265});
  slope(d.log_prob(value), loc, {0.5, 3.3333333333333335});
  slope(d.log_prob(value), scale, {-0.25, -0.5555555555555554});
  close(d.cdf(value), {0.6967346701436833, 0.782700895746461});
  slope(d.cdf(value), loc, {-0.15163266492815836, -0.724330347511797});
  slope(d.cdf(value), scale, {-0.07581633246407918, -0.6036086229264975});
  close(d.icdf(f64({0.1, 0.9})), {-2.718875824868201, -0.5171686262697699});
  manual_seed(5);
  close(d.sample({2}), {1.1682340617112872, -1.1964573989863068, -0.15241552528968838, -1.1384843709796262});
  manual_seed(6);
  Tensor drawn = d.rsample();
  close(drawn, {0.8372203162874526, -0.5328336497527146});
  slope(drawn, loc, {1, 1});
  slope(drawn, scale, {0.16861015814372632, 1.5572211674909515});
}
