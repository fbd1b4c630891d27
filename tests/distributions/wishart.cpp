// Scatter matrices, against PyTorch 2.15.
#include "support.hpp"

using namespace test;

namespace {

Tensor drawn(const Tensor& covariance) { return 3 * covariance + 0.4 * eye(3, "dtype"_a = kDouble); }

}  // namespace

TEST_CASE("Wishart's figures are those of PyTorch, by each of its matrices", "[distributions][wishart]") {
  auto [triangle, covariance, precision] = Matrices();
  Tensor value = drawn(covariance);
  Tensor df = tensor(4.5, kDouble);
  for (const Wishart& d :
       {Wishart{.df = df, .covariance_matrix = covariance}, Wishart{.df = df, .precision_matrix = precision},
        Wishart{.df = 4.5, .scale_tril = triangle}}) {
    close(d.entropy(), {13.878607777236923});
    close(d.mean(), {6.48, 2.7, -1.62, 2.7, 4.005, 0.045, -1.62, 0.045, 10.71});
    close(d.mode(), {0.72, 0.3, -0.18, 0.3, 0.445, 0.005, -0.18, 0.005, 1.19});
    close(d.variance(), {18.6624, 7.3872, 16.0056, 7.3872, 7.1289, 9.53235, 16.0056, 9.53235, 50.9796});
    close(d.log_prob(value), {-11.991165824808007});
    CHECK(allclose(d.scale_tril, triangle));
    CHECK(allclose(d.covariance(), covariance));
    CHECK(allclose(d.precision(), precision));
    manual_seed(5);
    close(d.sample({2}),
          {5.750782169838528, 3.220169473357756, -9.376709177960363, 3.220169473357756, 2.3410133690591914,
           -5.337954549930614, -9.376709177960363, -5.337954549930614, 24.658285798837127, 6.407273561473865,
           4.8318207848968955, 0.171302566070202, 4.8318207848968955, 5.84602132758027, 0.527592046675331,
           0.171302566070202, 0.527592046675331, 6.575386441341187},
          1e-6);
  }
}

TEST_CASE("Wishart matrices have derivatives", "[distributions][wishart]") {
  auto [triangle, covariance, precision] = Matrices();
  Tensor value = drawn(covariance);
  Tensor df = tensor(4.5, kDouble).requires_grad_(), l = triangle.clone().requires_grad_();
  Wishart d{.df = df, .scale_tril = l};
  slope(d.entropy(), df, {1.1851549775016528});
  slope(d.entropy(), l, {3.3333333333333335, 0, 0, 0, 5, 0, 0, 0, 2.6666666666666665});
  slope(d.log_prob(value), df, {0.4973568986849912});
  Tensor of_density = autograd::grad({d.log_prob(value).sum()}, {l})[0];
  close(of_density.tril(), {-0.909513245884773, 0, 0, -0.2301311728395068, -0.9360291280864192, 0, 0.05246913580246926,
                            -0.08834876543209874, -0.8592078189300416});
  manual_seed(6);
  Tensor drawn = d.rsample(), weights = arange(1, 10, "dtype"_a = kDouble).view({3, 3});
  close(drawn,
        {7.234898447460824, 3.277904944836397, 3.667856553000688, 3.277904944836397, 1.8263743215168642,
         2.798347036678085, 3.667856553000688, 2.798347036678085, 9.670537538031372},
        1e-6);
  slope(drawn * weights, df, {36.99147319217681}, 5e-3);
  Tensor by_l = autograd::grad({(drawn * weights).sum()}, {l})[0];
  close(by_l.tril(),
        {59.01316007828909, 0, 0, 106.28202656261544, 29.9587726454656, 0, 153.5508930469418, 39.928862607918354,
         192.00306341370907},
        1e-6);
}

TEST_CASE("batches of Wishart matrices broadcast", "[distributions][wishart]") {
  auto [triangle, covariance, precision] = Matrices();
  Tensor value = drawn(covariance);
  Wishart d{f64({3.5, 6}), covariance};
  CHECK(IntArrayRef(d.batch_shape()) == IntArrayRef({2}));
  CHECK(IntArrayRef(d.event_shape()) == IntArrayRef({3, 3}));
  close(d.log_prob(value), {-12.863214653429065, -11.836337730267541});
  close(d.entropy(), {12.338697870570435, 15.263655106676097});
  manual_seed(7);
  close(d.sample(),
        {17.852132256595038, 4.113254167805359, -13.212430632526347, 4.113254167805359, 2.01294873774677,
         -3.069400290538997, -13.212430632526347, -3.069400290538997, 19.57296743708476, 3.889363398772169,
         2.0665685543866528, -0.47469162406309967, 2.0665685543866528, 8.162073251369334, 2.830426638221766,
         -0.47469162406309967, 2.830426638221766, 26.633487313469203},
        1e-6);
  CHECK(d.expand({4, 2}).sample({5}).sizes() == IntArrayRef({5, 4, 2, 3, 3}));
  CHECK(d.expand({4, 2}).log_prob(value).sizes() == IntArrayRef({4, 2}));
  CHECK(d.mode().select(0, 0).isnan().all().item<bool>());
}

TEST_CASE("singular matrices are drawn again", "[distributions][wishart]") {
  Wishart d{.df = tensor(1.001f), .covariance_matrix = eye(2)};
  auto bad = [&](const Tensor& drawn) { return d.support().check(drawn).logical_not().sum().item<std::int64_t>(); };
  manual_seed(1);
  std::int64_t once = bad(d.rsample({500}, {}, 0));
  manual_seed(1);
  std::int64_t corrected = bad(d.rsample({500}));
  CHECK(once > 350);
  CHECK(corrected < once);
}

TEST_CASE("Wishart's parameters are checked", "[distributions][wishart]") {
  CHECK_ERROR((Wishart{3}), ValueError,
              "Wishart: expected exactly one of 'covariance_matrix', 'precision_matrix' and 'scale_tril', got 0");
  CHECK_ERROR((Wishart{1, eye(2)}), ValueError,
              "Wishart: expected parameter 'df' to be greater than 1, got 1 in shape []");
  CHECK_ERROR((Wishart{4, ones({2, 3})}), ValueError,
              "Wishart: expected parameter 'covariance_matrix' of shape (.., n, n), got shape [2, 3]");
  CHECK_ERROR((Wishart{{}, eye(2)}), ValueError, "Wishart: parameter 'df' is missing");
}
