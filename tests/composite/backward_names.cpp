// Gradients by their own names: beside autograd's, and the answers of PyTorch 2.15.
#include <tenon/autograd.hpp>

#include "../ops/every.hpp"

using namespace test;

namespace {

double distance(const Tensor& a, const Tensor& b) { return ops::abs(a - b).max().item().to_double(); }
Tensor numbers(const DimVector& sizes, std::int64_t seed) { return every::scattered(sizes, kDouble, -1, 1, seed); }

}  // namespace

TEST_CASE("gradients of the cells of recurrent networks are autograd's", "[composite][backward_names]") {
  const std::nullopt_t none = std::nullopt;
  Tensor in = numbers({2, 12}, 1), hidden = numbers({2, 12}, 2), cx = numbers({2, 3}, 3), back_h = numbers({2, 3}, 4),
         back_c = numbers({2, 3}, 5), bias = numbers({12}, 6);
  {
    Tensor gates = (in + hidden).requires_grad_(), state = cx.clone().requires_grad_();
    std::vector<Tensor> g = ops::chunk(gates, 4, 1);
    Tensor cy = ops::sigmoid(g[1]) * state + ops::sigmoid(g[0]) * ops::tanh(g[2]),
           hy = ops::sigmoid(g[3]) * ops::tanh(cy);
    std::vector<Tensor> y{hy, cy}, by{back_h, back_c}, to{gates, state};
    auto expected = autograd::grad(y, to, by);
    auto [a, b, c, d, e] =
        ops::_thnn_differentiable_lstm_cell_backward(back_h, back_c, in, hidden, none, none, cx, cy.detach());
    CHECK(distance(a, expected[0]) < 1e-14);
    CHECK(distance(b, expected[0]) < 1e-14);
    CHECK(distance(c, expected[1]) < 1e-14);
    CHECK_FALSE(d.defined());
    CHECK_FALSE(e.defined());
    auto [p, q, r, s, t] =
        ops::_thnn_differentiable_lstm_cell_backward(back_h, back_c, in, hidden - bias, bias, none, cx, cy.detach());
    CHECK(distance(s, ops::sum(expected[0], {0})) < 1e-14);
    CHECK_FALSE(t.defined());
    CHECK_FALSE(std::get<0>(ops::_thnn_differentiable_lstm_cell_backward(none, none, in, hidden, none, none, cx, cx))
                    .defined());
  }
  in = in.narrow(1, 0, 9).clone().requires_grad_(), hidden = hidden.narrow(1, 0, 9).clone().requires_grad_();
  Tensor hx = cx.clone().requires_grad_();
  std::vector<Tensor> i = ops::chunk(in, 3, 1), h = ops::chunk(hidden, 3, 1);
  Tensor reset = ops::sigmoid(i[0] + h[0]), update = ops::sigmoid(i[1] + h[1]), fresh = ops::tanh(i[2] + reset * h[2]),
         y = (hx - fresh) * update + fresh;
  std::vector<Tensor> to{in, hidden, hx};
  auto expected = autograd::grad(TensorList(y), TensorList(to), TensorList(back_h));
  auto [a, b, c, d, e] = ops::_thnn_differentiable_gru_cell_backward(back_h, in.detach(), hidden.detach(), hx.detach(),
                                                                     std::nullopt, ops::zeros({9}, kDouble));
  CHECK(distance(a, expected[0]) < 1e-14);
  CHECK(distance(b, expected[1]) < 1e-14);
  CHECK(distance(c, expected[2]) < 1e-14);
  CHECK_FALSE(d.defined());
  CHECK(distance(e, ops::sum(expected[1], {0})) < 1e-14);
}

TEST_CASE("helpers of scans and products, and gradients of what they are part of", "[composite][backward_names]") {
  Tensor x = ops::view(tensor({1.f, 3.f, 2.f, 2.f, 1.f, 4.f}), {2, 3}), v = ops::empty({2, 3}),
         at = ops::empty({2, 3}, "dtype"_a = kLong);
  ops::_cummax_helper(x, v, at, 1);
  CHECK(values(v) == Numbers{1, 3, 3, 2, 2, 4});
  CHECK(values(at) == Numbers{0, 1, 1, 0, 0, 2});
  ops::_cummin_helper(x, v, at, 1);
  CHECK(values(v) == Numbers{1, 1, 1, 2, 1, 1});
  CHECK(values(at) == Numbers{0, 0, 0, 0, 1, 1});
  Tensor rows = ops::view(tensor({1.f, 0.f, 2.f, 0.f, 1.f, 1.f}), {2, 3});
  CHECK(values(ops::_compute_linear_combination(counted({3, 2}), rows)) == Numbers{8, 11, 6, 8});
  CHECK_ERROR(ops::_compute_linear_combination(counted({2, 2}), rows), ValueError,
              "_compute_linear_combination(): expected coefficients with a column for each of the first dimension of "
              "input, got shapes [2, 3] and [2, 2]");
  CHECK(values(ops::_cholesky_solve_helper(ops::ones({2, 1}), ops::eye(2) * 2, false)) == Numbers{0.25, 0.25});
  Tensor a = ops::view(tensor({0., 1., 0., 0.}), {2, 2}), back = ops::view(tensor({1., 2., 3., 4.}), {2, 2});
  CHECK(distance(ops::matrix_exp_backward(a, back), ops::view(tensor({2., 2., 35. / 6, 5.}), {2, 2})) < 1e-14);

  Tensor image = numbers({1, 2, 4, 4}, 7), filter = numbers({3, 2, 2, 2}, 8), grad = numbers({1, 3, 3, 3}, 9);
  const DimVector one_by{1, 1}, none_by{0, 0}, two_by{2, 2};
  const bool all[] = {true, true, true}, one[] = {false, true, false};
  auto [p, q, r] = ops::convolution_backward(grad, image, filter, IntArrayRef{3}, one_by, none_by, one_by, false,
                                             none_by, 1, ArrayRef<bool>(all, 3));
  auto [b, c, d] = ops::_slow_conv2d_backward(grad, image, filter, two_by, one_by, none_by, ArrayRef<bool>(one, 3));
  CHECK_FALSE(b.defined());
  CHECK(distance(c, q) == 0);
  Tensor x0 = ops::empty({0}, kDouble), x1 = ops::empty({0}, kDouble), x2 = ops::empty({0}, kDouble);
  ops::_slow_conv2d_backward_grad_input(grad, image, filter, two_by, one_by, none_by, x0, x1, x2);
  CHECK(distance(x0, p) == 0);
  CHECK(distance(x2, r) == 0);
  Tensor points = numbers({1, 3, 3, 2}, 10);
  CHECK(distance(ops::_grid_sampler_2d_cpu_fallback(image, points, 0, 0, false),
                 ops::grid_sampler_2d(image, points, 0, 0, false)) == 0);
}
