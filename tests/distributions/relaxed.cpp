// Choices that have derivatives, against PyTorch 2.15.
#include "support.hpp"

using namespace test;

TEST_CASE("RelaxedBernoulli's figures are those of PyTorch", "[distributions][relaxed]") {
  Tensor t = tensor(0.5, kDouble).requires_grad_(), p = leaf({0.2, 0.7}), value = f64({0.3, 0.9});
  RelaxedBernoulli d{.temperature = t, .probs = p};
  close(d.log_prob(value), {-0.7420365379585454, 0.3127557100038971});
  slope(d.log_prob(value), p, {2.795639396395316, 0.5952380952380962});
  slope(d.log_prob(value), t, {4.10434521246976});
  manual_seed(5);
  Tensor drawn = d.rsample({2});
  close(drawn, {0.16737486841615934, 0.4013463073856438, 0.01952892549987726, 0.5354733808043995});
  slope(drawn, p, {1.9813508550941272, 4.657229411312935});
  manual_seed(5);
  CHECK(equal(d.sample({2}), drawn));
  CHECK(!d.sample().requires_grad());
  CHECK(d.expand({3, 2}).rsample().sizes() == IntArrayRef({3, 2}));
  CHECK_ERROR((RelaxedBernoulli{0, 0.5}), ValueError,
              "RelaxedBernoulli: expected parameter 'temperature' to be positive, got 0 in shape []");
  static_assert(reparameterized<RelaxedBernoulli> && reparameterized<RelaxedOneHotCategorical>);
}

TEST_CASE("RelaxedOneHotCategorical's figures are those of PyTorch", "[distributions][relaxed]") {
  Tensor t = tensor(0.5, kDouble).requires_grad_(), p = leaf({0.2, 0.3, 0.5}),
         value = f64({0.1, 0.3, 0.6, 0.8, 0.1, 0.1}).view({2, 3});
  RelaxedOneHotCategorical d{.temperature = t, .probs = p};
  close(d.log_prob(value), {0.020520342931701574, 0.004224476754301598});
  slope(d.log_prob(value), p, {3.58550363445885, 0.2210959557833689, -1.5668590272535616});
  slope(d.log_prob(value), t, {6.4261072095930185});
  manual_seed(5);
  Tensor drawn = d.rsample({2});
  close(drawn, {0.4124828173486371, 0.10029845062569578, 0.4872187320256673, 0.003078081393953676, 0.005269754433155113,
                0.9916521641728913});
  slope(drawn.select(-1, 0), p, {2.4540934954965388, -0.2759173881524103, -0.8160869653071694});
  CHECK(d.expand({4}).sample({2}).sizes() == IntArrayRef({2, 4, 3}));
  CHECK_ERROR((RelaxedOneHotCategorical{f64({1, 2}), p}), ValueError,
              "RelaxedOneHotCategorical: expected parameter 'temperature' to be one number");
  CHECK_ERROR((RelaxedOneHotCategorical{-1, p}), ValueError,
              "RelaxedOneHotCategorical: expected parameter 'temperature' to be positive, got -1 in shape []");
}
