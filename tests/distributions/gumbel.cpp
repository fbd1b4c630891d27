// The Gumbel distribution, against PyTorch 2.15.
#include "support.hpp"

using namespace test;

TEST_CASE("Gumbel's figures are those of PyTorch", "[distributions][gumbel]") {
  Tensor loc = leaf({0.5, -1}), scale = leaf({2, 0.3});
  Gumbel d{.loc = loc, .scale = scale};
  close(d.entropy(), {2.270362845461478, 0.37324286057559664});
  slope(d.entropy(), scale, {0.5, 3.3333333333333335});
  close(d.mean(), {1.6544313298030657, -0.8268353005295401});
  close(d.variance(), {6.579736267392906, 0.14804406601634038});
  close(d.mode(), {0.5, -1});
  close(d.stddev(), {2.565099660323728, 0.38476494904855923});
  Tensor value = f64({1.5, -0.75});
  close(d.log_prob(value), {-1.7996778402725786, -0.06395873751447545});
  slope(d.log_prob(value), loc, {0.1967346701436833, 1.8846726383097394});
  slope(d.log_prob(value), scale, {-0.40163266492815836, -1.7627728014085504});
  close(d.cdf(value), {0.5452392118926052, 0.6475247847679737});
  slope(d.cdf(value), loc, {-0.16535214944520907, -0.9380437047469758});
  slope(d.cdf(value), scale, {-0.08267607472260453, -0.7817030872891466});
  close(d.icdf(f64({0.1, 0.9})), {-1.1680648904959121, -0.32488980180626703});
  manual_seed(5);
  close(d.sample({2}), {2.12772281252046, -1.0895877559364322, 0.461659962762514, -1.0431682138196596});
  manual_seed(6);
  Tensor drawn = d.rsample();
  close(drawn, {1.6996534002910189, -0.34143471978204465});
  slope(drawn, loc, {1, 1});
  slope(drawn, scale, {0.5998267001455094, 2.195217600726518});
}
