// Correlations, against PyTorch 2.15.
#include "support.hpp"

using namespace test;

TEST_CASE("LKJCholesky's figures are those of PyTorch", "[distributions][lkj_cholesky]") {
  Tensor c = leaf({0.5, 2}), value = f64({1, 0, 0, 0.6, 0.8, 0, -0.48, 0.6, 0.64}).view({3, 3});
  LKJCholesky d{.dim = 3, .concentration = c};
  static_assert(distribution<LKJCholesky> && !reparameterized<LKJCholesky>);
  close(d.log_prob(value), {-2.0847371443408713, -2.177488197326597});
  slope(d.log_prob(value), c, {1.2748443309948496, -0.6192336134320344});
  manual_seed(5);
  close(d.sample({2}), {1,
                        0,
                        0,
                        -0.14542606974538339,
                        0.9893691213285418,
                        0,
                        0.31617725003423175,
                        -0.4922697825732369,
                        0.8109885373580128,
                        1,
                        0,
                        0,
                        0.21096990879531358,
                        0.977492556280045,
                        0,
                        0.5478110365276759,
                        0.1028258512014932,
                        0.8302589430913476,
                        1,
                        0,
                        0,
                        0.7867108300901354,
                        0.6173216907082482,
                        0,
                        0.563925527253093,
                        0.814446423056225,
                        0.13661999737681713,
                        1,
                        0,
                        0,
                        0.41812828989723655,
                        0.9083879860431954,
                        0,
                        -0.627106668414057,
                        0.6420922795781808,
                        0.44097021547573617},
        1e-7);
}

TEST_CASE("triangles drawn are of correlations", "[distributions][lkj_cholesky]") {
  LKJCholesky d{2, f64({0.5, 1, 3})};
  CHECK(IntArrayRef(d.batch_shape()) == IntArrayRef({3}));
  CHECK(IntArrayRef(d.event_shape()) == IntArrayRef({2, 2}));
  Tensor drawn = d.expand({4, 3}).sample({50});
  CHECK(drawn.sizes() == IntArrayRef({50, 4, 3, 2, 2}));
  CHECK(d.support().check(drawn).all().item<bool>());
  CHECK_ERROR((LKJCholesky{1}), ValueError, "LKJCholesky: expected 'dim' of at least 2, got 1");
  CHECK_ERROR((LKJCholesky{2, 0}), ValueError,
              "LKJCholesky: expected parameter 'concentration' to be positive, got 0 in shape []");
  CHECK_ERROR(d.log_prob(f64({1, 0, 1, 1}).view({2, 2})), ValueError,
              "LKJCholesky.log_prob(): expected a value that is lower triangular with a positive diagonal and rows of "
              "length 1, got a tensor of shape [2, 2] that is not");
}
