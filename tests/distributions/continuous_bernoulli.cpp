// Shades between no and yes, against PyTorch 2.15.
#include "support.hpp"

using namespace test;

TEST_CASE("ContinuousBernoulli's figures are those of PyTorch", "[distributions][continuous_bernoulli]") {
  Tensor p = leaf({0.2, 0.4995}), value = f64({0.4, 0.7}), weights = f64({1, 2});
  ContinuousBernoulli d{.probs = p};
  close(d.entropy(), {-0.07641445280335896, -1.666667611699424e-07});
  slope(d.entropy(), p, {0.6576043330005357, 0.0006666674222213231});
  close(d.mean(), {0.3880141871111483, 0.4998333332888889});
  close(d.variance(), {0.0758978008069574, 0.08333331666667512});
  close(d.log_prob(value), {0.0597985879821058, -0.0004001668001055725});
  slope(d.log_prob(value), p, {0.07491133055532329, 0.8006674675119132});
  close(d.cdf(value), {0.5675344300019766, 0.7});
  slope(d.cdf(value), p, {-0.7321338624909407, 0});
  close(d.icdf(f64({0.1, 0.9})), {0.056237364629206275, 0.9});
  slope(d.icdf(f64({0.1, 0.9})), p, {0.13169252875423876, 0});
  manual_seed(5);
  close(d.sample({2}), {0.4738077112341542, 0.2597579151763153, 0.22762943378181597, 0.31513260814905053});
  manual_seed(6);
  Tensor drawn = d.rsample();
  close(drawn, {0.4095259411808241, 0.8946395918876484});
  slope(drawn * weights, p, {0.6978010065476078, 0});
}

TEST_CASE("ContinuousBernoulli's figures by logits are those of PyTorch", "[distributions][continuous_bernoulli]") {
  Tensor p = leaf({-1.3, 2}), value = f64({0.4, 0.7}), weights = f64({1, 2});
  ContinuousBernoulli d{.logits = p};
  close(d.entropy(), {-0.06756892379380916, -0.15159592392813526});
  slope(d.entropy(), p, {0.09975865758880526, -0.13796916951684485});
  close(d.mean(), {0.39460024871545163, 0.6565176427496656});
  close(d.variance(), {0.07673742891446556, 0.06898458475842242});
  close(d.log_prob(value), {0.06054924712389631, 0.23856063842880393});
  slope(d.log_prob(value), p, {0.005399751284548421, 0.043482357250334475});
  close(d.cdf(value), {0.5573844302019975, 0.47819269693938515});
  slope(d.cdf(value), p, {-0.11808521691162001, -0.10874105286210739});
  close(d.icdf(f64({0.1, 0.9})), {0.058098949133651025, 0.9547823996540754});
  slope(d.icdf(f64({0.1, 0.9})), p, {0.02208280459144847, 0.015201557907593335});
  manual_seed(5);
  close(d.sample({2}), {0.48409171926216155, 0.4890893514907527, 0.23421267231252169, 0.5515344901021312});
  manual_seed(6);
  Tensor drawn = d.rsample();
  close(drawn, {0.4192487156802411, 0.9522391138145757});
  slope(drawn * weights, p, {0.11367171268855387, 0.032072688289342795});
}

TEST_CASE("limits say where the middle of shades begins", "[distributions][continuous_bernoulli]") {
  Tensor half = f64({0.5});
  ContinuousBernoulli d{.probs = half, .lims = {0.4, 0.6}};
  close(d.log_prob(f64({0.3})), {0});
  close(d.cdf(f64({0.3})), {0.3});
  // The expansion and the exact formula agree to the order that is left out.
  Tensor p = f64({0.55});
  close(ContinuousBernoulli{.probs = p, .lims = {0.4, 0.6}}.mean(), {ContinuousBernoulli{p}.mean().item<double>()},
        1e-6);
  close(d.cdf(f64({0})), {0});
  close(ContinuousBernoulli{f64({0.2})}.cdf(f64({1})), {1});
  CHECK(ContinuousBernoulli{f64({0.2, 0.3})}.expand({4, 2}).sample({3}).sizes() == IntArrayRef({3, 4, 2}));
  CHECK_ERROR((ContinuousBernoulli{}), ValueError,
              "ContinuousBernoulli: expected either 'probs' or 'logits', got neither");
  CHECK_ERROR((ContinuousBernoulli{f64({1.5})}), ValueError,
              "ContinuousBernoulli: expected parameter 'probs' to be in [0, 1], got 1.5 in shape [1]");
}
