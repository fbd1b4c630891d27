// Gamma distributions, against PyTorch 2.15.
#include "support.hpp"

using namespace test;

TEST_CASE("Gamma's figures are those of PyTorch", "[distributions][gamma]") {
  Tensor concentration = leaf({0.5, 3}), rate = leaf({2.5, 1.2});
  Gamma d{.concentration = concentration, .rate = rate};
  close(d.entropy(), {-0.8256808019601665, 1.665256953569057});
  slope(d.entropy(), concentration, {3.467401101036839, 0.21013186613610846});
  slope(d.entropy(), rate, {-0.4, -0.8333333333333334});
  close(d.mean(), {0.2, 2.5});
  close(d.variance(), {0.08, 2.0833333333333335});
  close(d.mode(), {0, 1.6666666666666667});
  close(d.stddev(), {0.282842712474619, 1.4433756729740645});
  Tensor value = f64({1.5, 0.75});
  close(d.log_prob(value), {-4.066952131041705, -1.621546655081643});
  slope(d.log_prob(value), concentration, {3.2852658660037424, -1.0281448507562934});
  slope(d.log_prob(value), rate, {-1.3, 1.75});
  close(d.cdf(value), {0.9938301006794559, 0.06285693429791904});
  slope(Gamma{concentration.detach(), rate}.cdf(value), rate, {0.010277710530418444, 0.12349553414620698});
  manual_seed(5);
  close(d.sample({2}), {0.05665212920348942, 3.770963131652736, 0.0018819274417569622, 1.3376584877675273}, 1e-7);
  manual_seed(6);
  Tensor drawn = d.rsample();
  close(drawn, {0.2802379305632681, 0.9115032129238948}, 1e-7);
  slope(drawn, concentration, {0.63497382800599, 0.5085372520972833}, 5e-3);
  slope(drawn, rate, {-0.11209517222530725, -0.7595860107699124}, 5e-3);
}

TEST_CASE("Chi2's figures are those of PyTorch", "[distributions][chi2]") {
  Tensor df = leaf({1.5, 6});
  Chi2 d{.df = df};
  close(d.entropy(), {1.374962912044623, 2.5407256909229567});
  slope(d.entropy(), df, {0.8177349560955198, 0.10506593306805423});
  close(d.mean(), {1.5, 6});
  close(d.variance(), {3, 12});
  close(d.mode(), {0, 4});
  close(d.stddev(), {1.7320508075688772, 3.4641016151377544});
  Tensor value = f64({1.5, 0.75});
  close(d.log_prob(value), {-1.5745076138782954, -3.722952867143343});
  slope(d.log_prob(value), df, {0.3990894036673455, -0.9518067940550967});
  close(d.cdf(value), {0.6515925194996888, 0.0066522142474229945});
  manual_seed(5);
  close(d.sample({2}), {0.6856846953624174, 9.050311515966566, 0.04997256165979444, 3.2103803706420653}, 1e-7);
  manual_seed(6);
  Tensor drawn = d.rsample();
  close(drawn, {2.7516290492801025, 2.1876077110173475}, 1e-7);
  slope(drawn, df, {1.6501148113457733, 0.6102447025167399}, 5e-3);
}

TEST_CASE("InverseGamma's figures are those of PyTorch", "[distributions][inversegamma]") {
  Tensor concentration = leaf({1.5, 3}), rate = leaf({2.5, 1.2});
  InverseGamma d{.concentration = concentration, .rate = rate};
  close(d.entropy(), {2.204283559292469, 0.18433139696003176});
  slope(d.entropy(), concentration, {-1.3370055024291796, -0.5797362677277829});
  slope(d.entropy(), rate, {0.4, 0.8333333333333334});
  close(d.mean(), {5, 0.6});
  close(d.variance(), {kInf, 0.36});
  close(d.mode(), {1, 0.3});
  close(d.stddev(), {kInf, 0.6});
  Tensor value = f64({1.5, 0.75});
  close(d.log_prob(value), {-1.1851111014905997, -0.5954542203709579});
  slope(d.log_prob(value), concentration, {0.4743356497874145, -0.45278070585273167});
  slope(d.log_prob(value), rate, {-0.06666666666666665, 1.1666666666666667});
  close(d.cdf(value), {0.34303014613824456, 0.783358489819263});
  slope(InverseGamma{concentration.detach(), rate}.cdf(value), rate, {-0.18342732751760982, -0.34457005737754526});
  manual_seed(5);
  close(d.sample({2}), {3.4920426147033155, 0.6677162975771778, 2.5875602581053796, 0.1652058019838003}, 1e-7);
  manual_seed(6);
  Tensor drawn = d.rsample();
  close(drawn, {28.60566305416734, 0.8883022277440092}, 1e-7);
  slope(drawn, concentration, {-62.315500897565144, -0.45338308483886613}, 5e-3);
  slope(drawn, rate, {11.442265221666936, 0.7402518564533411}, 5e-3);
}

// Numbers drawn agree with PyTorch's to 1e-7; of their derivatives PyTorch's own are good to a few thousandths.
TEST_CASE("gamma numbers have the moments of their distribution", "[distributions][gamma]") {
  Tensor many = Gamma{0.1, 2}.sample({50000}, Generator(1));
  CHECK((many > 0).all().item<bool>());
  CHECK(many.mean().item<double>() == Approx(0.05).margin(0.003));
  CHECK(many.var().item<double>() == Approx(0.025).margin(0.003));
  CHECK_ERROR((Gamma{-1, 1}), ValueError,
              "Gamma: expected parameter 'concentration' to be positive, got -1 in shape []");
}
