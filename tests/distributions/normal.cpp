// Normal numbers, their exponentials and sizes, against PyTorch 2.15.
#include "support.hpp"

using namespace test;

TEST_CASE("Normal's figures are those of PyTorch", "[distributions][normal]") {
  Tensor loc = leaf({0.5, -1}), scale = leaf({2, 0.3});
  Normal d{.loc = loc, .scale = scale};
  close(d.entropy(), {2.112085713764618, 0.21496572887873655});
  slope(d.entropy(), scale, {0.5, 3.3333333333333335});
  close(d.mean(), {0.5, -1});
  close(d.variance(), {4, 0.09});
  close(d.mode(), {0.5, -1});
  close(d.stddev(), {2, 0.3});
  Tensor value = f64({1.5, -0.75});
  close(d.log_prob(value), {-1.737085713764618, -0.06218795110095876});
  slope(d.log_prob(value), loc, {0.25, 2.7777777777777777});
  slope(d.log_prob(value), scale, {-0.375, -1.018518518518519});
  close(d.cdf(value), {0.6914624612740131, 0.797671619036357});
  slope(d.cdf(value), loc, {-0.17603266338214973, -0.939706251367675});
  slope(d.cdf(value), scale, {-0.08801633169107487, -0.783088542806396});
  close(d.icdf(f64({0.1, 0.9})), {-2.0631031310892016, -0.6155345303366198});
  manual_seed(5);
  close(d.sample({2}), {-0.47356150142485354, -1.181146476365201, -0.6161924616473538, -0.7997427095396531});
  manual_seed(6);
  Tensor drawn = d.rsample();
  close(drawn, {-3.2487971834938283, -1.2980989691064162});
  slope(drawn, loc, {1, 1});
  slope(drawn, scale, {-1.8743985917469141, -0.9936632303547206});
}

TEST_CASE("LogNormal's figures are those of PyTorch", "[distributions][lognormal]") {
  Tensor loc = leaf({0.5, -1}), scale = leaf({0.7, 0.3});
  LogNormal d{.loc = loc, .scale = scale};
  close(d.entropy(), {1.5622635892659402, -0.7850342711212634});
  slope(d.entropy(), loc, {1, 1});
  slope(d.entropy(), scale, {1.4285714285714286, 3.3333333333333335});
  close(d.mean(), {2.1064414349807272, 0.3848121445529786});
  close(d.variance(), {2.805647466157347, 0.01394536433841831});
  close(d.mode(), {1.0100501670841682, 0.33621649370673334});
  close(d.stddev(), {1.6750067063022007, 0.11809049215926874});
  Tensor value = f64({1.5, 0.25});
  close(d.log_prob(value), {-0.9768479277669628, 0.842310113168796});
  slope(d.log_prob(value), loc, {-0.19292835079966456, -4.292159567998784});
  slope(d.log_prob(value), scale, {-1.4025164845918336, 2.1934567938157206});
  close(d.cdf(value), {0.4462862321141549, 0.09893428377794417});
  slope(d.cdf(value), loc, {-0.5647439594523137, -0.5804310580471449});
  slope(d.cdf(value), scale, {0.07626858450484524, 0.7473908158082133});
  close(d.icdf(f64({0.1, 0.9})), {0.6722761429340126, 0.5403519835724795});
  manual_seed(5);
  close(d.sample({2}), {1.1726351421212509, 0.3069266526574681, 1.1155333578897917, 0.44944458704694706});
  manual_seed(6);
  Tensor drawn = d.rsample();
  close(drawn, {0.4439341607152472, 0.2730503771580977});
  slope(drawn, loc, {0.4439341607152472, 0.2730503771580977});
  slope(drawn, scale, {-0.8321095656730076, -0.2713201198164902});
}

TEST_CASE("HalfNormal's figures are those of PyTorch", "[distributions][halfnormal]") {
  Tensor scale = leaf({2, 0.3});
  HalfNormal d{.scale = scale};
  close(d.entropy(), {1.4189385332046727, -0.47818145168120874});
  slope(d.entropy(), scale, {0.5, 3.3333333333333335});
  close(d.mean(), {1.5957691216057308, 0.2393653682408596});
  close(d.variance(), {1.4535209105296745, 0.03270422048691767});
  close(d.mode(), {0, 0});
  close(d.stddev(), {1.2056205499781738, 0.18084308249672607});
  Tensor value = f64({1.5, 0.25});
  close(d.log_prob(value), {-1.2001885332046727, 0.6309592294589865});
  slope(d.log_prob(value), scale, {-0.21875, -1.018518518518519});
  close(d.cdf(value), {0.5467452952462635, 0.5953432380727139});
  slope(d.cdf(value), scale, {-0.22585307411610328, -1.566177085612792});
  close(d.icdf(f64({0.1, 0.9})), {0.2513226937101483, 0.4934560880854417});
  manual_seed(5);
  close(d.sample({2}), {0.9735615014248535, 0.18114647636520115, 1.1161924616473538, 0.20025729046034688});
  manual_seed(6);
  Tensor drawn = d.rsample();
  close(drawn, {3.7487971834938283, 0.29809896910641615});
  slope(drawn, scale, {1.8743985917469141, 0.9936632303547206});
}

TEST_CASE("numbers and tensors are parameters, and broadcast", "[distributions][normal]") {
  Normal standard{0, 1};
  CHECK(standard.loc.dtype() == kFloat);
  CHECK(standard.batch_shape().empty());
  CHECK(standard.sample({3, 2}).sizes() == IntArrayRef({3, 2}));
  Normal d{.loc = f64({1, 2, 3}), .scale = 0.5};
  CHECK(d.scale.dtype() == kDouble);
  CHECK(IntArrayRef(d.batch_shape()) == IntArrayRef({3}));
  close(d.scale, {0.5, 0.5, 0.5});
  Normal grid = d.expand({2, 3});
  CHECK(IntArrayRef(grid.batch_shape()) == IntArrayRef({2, 3}));
  CHECK(grid.rsample({4}).sizes() == IntArrayRef({4, 2, 3}));
  CHECK(grid.log_prob(tensor(1.0, kDouble)).sizes() == IntArrayRef({2, 3}));
  static_assert(distribution<Normal> && reparameterized<Normal>);
}

TEST_CASE("one seed, one sample, and a generator of its own", "[distributions][normal]") {
  manual_seed(0);  // torch.manual_seed(0); Normal(0.0, 1.0).sample((3,))
  close(Normal{0.0, 1.0}.sample({3}), {1.5409960746765137, -0.293428897857666, -2.1787893772125244}, 1e-6);
  Normal d{0, 1};
  CHECK(equal(d.sample({20}, Generator(5)), d.sample({20}, Generator(5))));
  CHECK(equal(d.rsample({20}, Generator(5)), d.rsample({20}, Generator(5))));
  CHECK(!Normal{leaf({1}), 1}.sample().requires_grad());
  Tensor many = Normal{2, 3}.sample({20000}, Generator(1));
  CHECK(many.mean().item<double>() == Approx(2).margin(0.1));
  CHECK(many.std().item<double>() == Approx(3).margin(0.1));
}

TEST_CASE("parameters and values are checked, unless that is switched off", "[distributions][normal]") {
  CHECK_ERROR((Normal{0, f64({1, -2})}), ValueError,
              "Normal: expected parameter 'scale' to be positive, got -2 in shape [2]");
  CHECK_ERROR((Normal{kNaN, 1}), ValueError, "Normal: expected parameter 'loc' to be real, got nan in shape []");
  CHECK_ERROR((Normal{.loc = 0, .scale = {}}), ValueError, "Normal: parameter 'scale' is missing");
  Normal d{f64({1, 2, 3}), 1};
  CHECK_ERROR(d.log_prob(f64({1, 2})), ValueError,
              "Normal.log_prob(): expected a value that broadcasts with shape [3] + [], got shape [2]");
  CHECK_ERROR(d.cdf(f64({1, kNaN, 2})), ValueError,
              "Normal.cdf(): expected a value that is real, got nan in shape [3]");
  CHECK_ERROR((LogNormal{0, 1}.log_prob(f64({-1}))), ValueError,
              "LogNormal.log_prob(): expected a value that is positive, got -1 in shape [1]");
  Normal unchecked{.loc = 0, .scale = -1, .validate_args = false};
  close(unchecked.log_prob(tensor(kNaN)), {kNaN});
  CHECK(get_default_validate_args());
  set_default_validate_args(false);
  CHECK_NOTHROW(HalfNormal{-1});
  set_default_validate_args(true);
  CHECK_THROWS_AS(HalfNormal{-1}, ValueError);
}
