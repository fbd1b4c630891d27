// Angles, against PyTorch 2.15.
#include "support.hpp"

using namespace test;

TEST_CASE("VonMises's figures are those of PyTorch", "[distributions][vonmises]") {
  Tensor loc = leaf({0.5, -1}), concentration = leaf({2, 6.3});
  VonMises d{.loc = loc, .concentration = concentration};
  close(d.mean(), {0.5, -1}, 1e-6);
  close(d.mode(), {0.5, -1}, 1e-6);
  close(d.variance(), {0.3022253424022666, 0.08321749589510796}, 1e-6);
  Tensor value = f64({1.5, -0.75});
  close(d.log_prob(value), {-1.5812659983318382, -0.21629683042265402}, 1e-6);
  slope(d.log_prob(value), loc, {1.682941969615793, 1.5586449433034946}, 1e-6);
  slope(d.log_prob(value), concentration, {-0.1574723357827985, 0.052129957889430756}, 1e-6);
  manual_seed(5);
  close(d.sample({2}), {1.5160380071238935, -1.1716692857719608, 0.0605979838924986, -1.2140869504785363}, 1e-6);
}

TEST_CASE("angles turn around their middle", "[distributions][von_mises]") {
  Tensor many = VonMises{3, 4}.sample({20000}, Generator(2));
  CHECK(((many >= -3.14160) & (many < 3.14160)).all().item<bool>());
  CHECK((many - 3).cos().mean().item<double>() == Approx(1 - VonMises{3, 4}.variance().item<double>()).margin(0.01));
}
