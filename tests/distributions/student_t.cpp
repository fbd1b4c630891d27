// Student's distribution, against PyTorch 2.15.
#include "support.hpp"

using namespace test;

TEST_CASE("StudentT's figures are those of PyTorch", "[distributions][studentt]") {
  Tensor df = leaf({1.5, 4}), loc = leaf({0.5, -1}), scale = leaf({2, 0.3});
  StudentT d{.df = df, .loc = loc, .scale = scale};
  close(d.entropy(), {2.8428066484045944, 0.4777872125527306});
  slope(d.entropy(), df, {-0.5070107252161877, -0.06822038856046164});
  slope(d.entropy(), scale, {0.5, 3.3333333333333335});
  close(d.mean(), {0.5, -1});
  close(d.variance(), {kInf, 0.18});
  close(d.mode(), {0.5, -1});
  close(d.stddev(), {kInf, 0.4242640687119285});
  Tensor value = f64({1.5, -0.75});
  close(d.log_prob(value), {-1.962485815175909, -0.17706998705347227});
  slope(d.log_prob(value), df, {0.13784261900575973, 0.027599066401626737});
  slope(d.log_prob(value), loc, {0.35714285714285715, 2.9585798816568047});
  slope(d.log_prob(value), scale, {-0.3214285714285714, -0.8678500986193294});
  manual_seed(5);
  close(d.sample({2}), {-0.1466720239983591, -1.32017487450948, -1.0667507729049917, -0.8284971001934691}, 1e-7);
  manual_seed(6);
  Tensor drawn = d.rsample();
  close(drawn, {-16.605322757458215, -1.2542200247337092}, 1e-7);
  slope(drawn, df, {15.15282608225947, -0.0024551072818648698}, 5e-3);
  slope(drawn, loc, {1, 1}, 5e-3);
  slope(drawn, scale, {-8.552661378729107, -0.8474000824456973}, 5e-3);
}

TEST_CASE("Student's moments exist for enough degrees of freedom", "[distributions][student_t]") {
  StudentT d{f64({0.5, 1.5, 4})};
  close(d.mean(), {kNaN, 0, 0});
  close(d.variance(), {kNaN, kInf, 2});
}
