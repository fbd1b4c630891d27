// Normal vectors by a factor and a diagonal, against PyTorch 2.15.
#include "support.hpp"

using namespace test;

TEST_CASE("LowRankMultivariateNormal's figures are those of PyTorch", "[distributions][lowrank_multivariate_normal]") {
  Tensor loc = leaf({0.5, -1, 2}), factor = f64({1.2, 0.3, 0.5, -0.8, -0.3, 0.2}).view({3, 2}).requires_grad_();
  Tensor diag = leaf({0.7, 1.5, 0.4}), value = f64({1, 0, 1, 0, 0.5, 3}).view({2, 3}), weights = f64({1, 2, 3});
  LowRankMultivariateNormal d{.loc = loc, .cov_factor = factor, .cov_diag = diag};
  close(d.entropy(), {4.693216942912409});
  slope(d.entropy(), factor,
        {0.49055610563124297, 0.22998734129620108, 0.10594875522745972, -0.32845785236525576, -0.22639444186814045,
         0.31542314746345473});
  slope(d.entropy(), diag, {0.24452605060974858, 0.22808644683135515, 1.0862462974335836});
  close(d.mean(), {0.5, -1, 2});
  close(d.variance(), {2.23, 2.39, 0.53});
  close(d.mode(), {0.5, -1, 2});
  close(d.log_prob(value), {-4.178099609679342, -5.123507382875477});
  slope(d.log_prob(value), loc, {-0.10214696629776765, 1.1404322341567759, 0.6092262315080565});
  slope(d.log_prob(value), factor,
        {-0.9930220362361711, -0.4184660030206541, -0.39756860986816667, 0.27817054865986707, -1.342497154120335,
         -0.38240925164822037});
  slope(d.log_prob(value), diag, {-0.4864402978187179, 0.011980863732391267, 2.3595496644426976});
  manual_seed(5);
  close(d.sample({2}), {-0.4304526943635034, 1.6190810631141297, 1.1387557155082484, -0.6074592601914139,
                        -1.039992173503784, 1.7322707217404494});
  manual_seed(6);
  Tensor drawn = d.rsample();
  close(drawn, {-1.4462644683087569, -1.9976965058393579, 1.4328936655904947});
  slope(drawn * weights, loc, {1, 2, 3});
  slope(drawn * weights, factor,
        {-1.8743985917469141, -0.9936632303547206, -3.7487971834938283, -1.9873264607094412, -5.623195775240743,
         -2.9809896910641616});
  slope(drawn * weights, diag, {0.429366293495683, -0.5702851961664516, -3.4900997469848836});
  close(d.covariance(), {2.23, 0.36, -0.3, 0.36, 2.39, -0.31, -0.3, -0.31, 0.53});
  close(d.precision(),
        {0.48905210121949705, -0.040858786519107085, 0.2529234085753317, -0.040858786519107085, 0.4561728936627103,
         0.24369049260322267, 0.2529234085753317, 0.24369049260322267, 2.172492594867167});
  close(d.scale_tril(), {1.493318452306808, 0, 0, 0.241073830865673, 1.5270505584530423, 0, -0.20089485905472748,
                         -0.1712906657075171, 0.6784546878361567});
}

TEST_CASE("batches of tied normal vectors broadcast", "[distributions][lowrank_multivariate_normal]") {
  Tensor factor = f64({1.2, 0.3, 0.5, -0.8, -0.3, 0.2}).view({3, 2}), diag = f64({0.7, 1.5, 0.4});
  LowRankMultivariateNormal d{f64({0.5, -1, 2, 1, 1, 1}).view({2, 3}), stack({factor, 2 * factor}), diag};
  CHECK(IntArrayRef(d.batch_shape()) == IntArrayRef({2}));
  CHECK(IntArrayRef(d.event_shape()) == IntArrayRef({3}));
  close(d.log_prob(f64({1, 0, 1, 0, 0.5, 3}).view({2, 3})), {-4.178099609679342, -7.322451501732038});
  close(d.log_prob(f64({0.5, -1, 2})), {-3.193216942912408, -4.816813516632951});
  close(d.entropy(), {4.693216942912409, 5.6540322900226405});
  CHECK(d.expand({4, 2}).sample({5}).sizes() == IntArrayRef({5, 4, 2, 3}));
  CHECK(d.expand({4, 2}).precision().sizes() == IntArrayRef({4, 2, 3, 3}));
}

TEST_CASE("a factor and a diagonal are checked", "[distributions][lowrank_multivariate_normal]") {
  Tensor loc = zeros({3}), factor = ones({3, 2}), diag = ones({3});
  CHECK_ERROR((LowRankMultivariateNormal{tensor(0.0), factor, diag}), ValueError,
              "LowRankMultivariateNormal: expected parameter 'loc' to have at least 1 dimension");
  CHECK_ERROR((LowRankMultivariateNormal{loc, ones({2, 2}), diag}), ValueError,
              "LowRankMultivariateNormal: expected parameter 'cov_factor' of shape (.., 3, rank), got shape [2, 2]");
  CHECK_ERROR((LowRankMultivariateNormal{loc, factor, ones({2})}), ValueError,
              "LowRankMultivariateNormal: expected parameter 'cov_diag' of shape (.., 3), got shape [2]");
  CHECK_ERROR((LowRankMultivariateNormal{loc, factor, -diag}), ValueError,
              "LowRankMultivariateNormal: expected parameter 'cov_diag' to be positive, got a tensor of shape [3] that "
              "is not");
}
