// Kumaraswamy's distribution, against PyTorch 2.15.
#include "support.hpp"

using namespace test;

TEST_CASE("Kumaraswamy's figures are those of PyTorch", "[distributions][kumaraswamy]") {
  Tensor a = leaf({1.5, 3}), b = leaf({2, 1.2}), value = f64({0.4, 0.7}), weights = f64({1, 2});
  Kumaraswamy d{.concentration1 = a, .concentration0 = b};
  close(d.entropy(), {-0.09861228866810967, -0.366594444366946});
  slope(d.entropy(), a, {0, -0.20872121092859136});
  slope(d.entropy(), b, {-0.1183553110226847, 0.24306628522563722});
  close(d.mean(), {0.45, 0.722789986265224});
  close(d.variance(), {0.054642857142857215, 0.03800534866246563});
  close(d.log_prob(value), {0.3488006400929083, 0.4835697054850939});
  slope(d.log_prob(value), a, {0.06068348155527224, 0.01390024807678827});
  slope(d.log_prob(value), b, {0.20833371736187595, 0.4132620728358067});
  close(d.cdf(value), {0.4419644256269408, 0.39594227389767156});
  slope(d.cdf(value), a, {-0.3463253001801041, -0.1349773948283178});
  slope(d.cdf(value), b, {0.16276016155722056, 0.2537472904170748});
  close(d.icdf(f64({0.1, 0.9})), {0.13809326292096585, 0.9484629153744367});
  slope(d.icdf(f64({0.1, 0.9})), a, {0.18226708858879767, 0.016728542666440978});
  slope(d.icdf(f64({0.1, 0.9})), b, {-0.044829267858336415, -0.08696768285878306});
  manual_seed(5);
  close(d.sample({2}), {0.34055913699897117, 0.877121880266123, 0.542259673203701, 0.8517781980406399});
  manual_seed(6);
  Tensor drawn = d.rsample();
  close(drawn, {0.38620923133590157, 0.44581259357270375});
  slope(drawn * weights, a, {0.2449534640646442, 0.24010176674403455});
  slope(drawn * weights, b, {-0.11187741199479025, -0.2363618903724084});
}

TEST_CASE("Kumaraswamy's mode is where the density is greatest", "[distributions][kumaraswamy]") {
  Tensor grid = arange(1, 1000, "dtype"_a = kDouble) / 1000;
  Kumaraswamy d{2.5, tensor(3.0, kDouble)};
  Tensor best = grid.index_select(0, d.log_prob(grid).argmax().view({1}));
  close(d.mode(), {best.item<double>()}, 1e-3);
  close(Kumaraswamy{f64({0.5, 2}), f64({2, 1})}.mode(), {kNaN, 1});
}

TEST_CASE("Kumaraswamy's density has ends, and its parameters are checked", "[distributions][kumaraswamy]") {
  close(Kumaraswamy{f64({1, 2}), f64({2, 1})}.log_prob(f64({0, 1})), {std::log(2.0), std::log(2.0)});
  CHECK(Kumaraswamy{2, f64({1, 2, 3})}.expand({2, 3}).sample({5}).sizes() == IntArrayRef({5, 2, 3}));
  CHECK_ERROR((Kumaraswamy{f64({0}), 1}), ValueError,
              "Kumaraswamy: expected parameter 'concentration1' to be positive, got 0 in shape [1]");
  CHECK_ERROR((Kumaraswamy{1, 1}.cdf(tensor(2.0))), ValueError,
              "Kumaraswamy.cdf(): expected a value that is in [0, 1], got 2 in shape []");
}
