// Normal vectors, against PyTorch 2.15.
#include "support.hpp"

using namespace test;

namespace {

struct Vectors {
  Tensor mu = f64({0.5, -1, 2});
  Tensor x = f64({1, 0, 1, 0, 0.5, 3}).view({2, 3});
};

}  // namespace

TEST_CASE("the three forms of a normal vector's matrix are one distribution", "[distributions][multivariate_normal]") {
  auto [triangle, covariance, precision] = Matrices();
  auto [mu, x] = Vectors();
  for (const MultivariateNormal& d : {MultivariateNormal{.loc = mu, .covariance_matrix = covariance},
                                      MultivariateNormal{.loc = mu, .precision_matrix = precision},
                                      MultivariateNormal{.loc = mu, .scale_tril = triangle}}) {
    close(d.log_prob(x), {-3.9537130052543965, -5.532850736735877});
    close(d.entropy(), {4.621458713201927});
    close(d.mean(), {0.5, -1, 2});
    close(d.variance(), {1.44, 0.8900000000000001, 2.38});
    CHECK(allclose(d.scale_tril, triangle));
    CHECK(allclose(d.covariance(), covariance));
    CHECK(allclose(d.precision(), precision));
    manual_seed(5);
    close(d.sample({2}), {-0.0841369008549121, -1.7264476456634166, 1.188125561401412, 1.3010291618413876,
                          -0.8241699238199597, 4.674434990267142});
  }
}

TEST_CASE("normal vectors have derivatives", "[distributions][multivariate_normal]") {
  auto [triangle, covariance, precision] = Matrices();
  auto [mu, x] = Vectors();
  Tensor at = mu.clone().requires_grad_(), c = covariance.clone().requires_grad_();
  Tensor y = MultivariateNormal{at, c}.log_prob(x);
  slope(y, at, {-1.7259837962962963, 3.9756944444444438, -0.27777777777777785});
  slope(y, c,
        {-0.00011223908005604753, -1.3573032722769671, -0.21528927594164374, -1.357303272276967, 2.7602469571169834,
         0.048497245799039676, -0.21528927594164374, 0.048497245799039676, -0.31093535665294914});
  Tensor l = triangle.clone().requires_grad_();
  manual_seed(6);
  Tensor drawn = MultivariateNormal{.loc = mu, .scale_tril = l}.rsample();
  close(drawn, {-1.749278310096297, -2.732129880157234, 3.4412877749799375});
  slope(drawn, l,
        {-1.8743985917469141, -0.9936632303547206, 0.7184672290178716, -1.8743985917469141, -0.9936632303547206,
         0.7184672290178716, -1.8743985917469141, -0.9936632303547206, 0.7184672290178716});
}

TEST_CASE("batches of normal vectors broadcast", "[distributions][multivariate_normal]") {
  auto [triangle, covariance, precision] = Matrices();
  auto [mu, x] = Vectors();
  Tensor at = f64({0.5, -1, 2, 1, 1, 1}).view({2, 3}),
         values = f64({0, 0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4, 1.6, 1.8, 2, 2.2}).view({2, 2, 3});
  MultivariateNormal each{.loc = at, .scale_tril = stack({triangle, 2 * triangle})},
      one{.loc = at, .scale_tril = triangle};
  CHECK(IntArrayRef(one.batch_shape()) == IntArrayRef({2}));
  CHECK(IntArrayRef(one.event_shape()) == IntArrayRef({3}));
  close(each.log_prob(values), {-5.716525505254396, -5.215472978647195, -6.890003514513656, -5.427767538832381});
  close(one.log_prob(values), {-5.716525505254396, -3.1797496082636556, -6.890003514513656, -4.028927849004396});
  close(each.log_prob(mu), {-3.1214587132019274, -5.94679658252451});
  CHECK(one.entropy().sizes() == IntArrayRef({2}));
  CHECK(each.expand({4, 2}).sample({5}).sizes() == IntArrayRef({5, 4, 2, 3}));
  CHECK(each.expand({4, 2}).log_prob(mu).sizes() == IntArrayRef({4, 2}));
  CHECK(each.expand({4, 2}).variance().sizes() == IntArrayRef({4, 2, 3}));
}

TEST_CASE("a normal vector's matrix is checked", "[distributions][multivariate_normal]") {
  auto [triangle, covariance, precision] = Matrices();
  auto [mu, x] = Vectors();
  CHECK_ERROR(
      MultivariateNormal{mu}, ValueError,
      "MultivariateNormal: expected exactly one of 'covariance_matrix', 'precision_matrix' and 'scale_tril', got 0");
  CHECK_ERROR((MultivariateNormal{mu, eye(2)}), ValueError,
              "MultivariateNormal: expected parameter 'covariance_matrix' of shape (.., 3, 3), got shape [2, 2]");
  CHECK_ERROR((MultivariateNormal{mu, -covariance}), ValueError,
              "MultivariateNormal: expected parameter 'covariance_matrix' to be positive definite, got a tensor of "
              "shape [3, 3] that is not");
  CHECK_ERROR((MultivariateNormal{.loc = mu, .scale_tril = covariance}), ValueError,
              "MultivariateNormal: expected parameter 'scale_tril' to be lower triangular with a positive diagonal, "
              "got a tensor of shape [3, 3] that is not");
  CHECK_ERROR((MultivariateNormal{tensor(1.0), eye(1)}), ValueError,
              "MultivariateNormal: expected parameter 'loc' to have at least 1 dimension");
  CHECK_ERROR((MultivariateNormal{mu, covariance}.log_prob(f64({1, 2}))), ValueError,
              "MultivariateNormal.log_prob(): expected a value that broadcasts with shape [] + [3], got shape [2]");
}
