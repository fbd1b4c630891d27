// Maps onto matrices, against PyTorch 2.15.
#include "support.hpp"

using namespace test;

TEST_CASE("vectors become Cholesky factors of correlations", "[distributions][matrix_transforms]") {
  CorrCholeskyTransform t;
  Tensor x = f64({0.3, -1.2, 0.7, 0.1, -0.4, 1.5}), y = t(x);
  close(y, {1, 0, 0, 0, 0.2913126124515909, 0.9566279119002483, 0, 0, -0.8336546070121552, 0.3337839553937055,
            0.4400093945919131, 0, 0.09966799462495582, -0.378057100987195, 0.8330999077553, 0.39125907393785564});
  close(t.inverse(y), {0.3, -1.2, 0.7, 0.1, -0.4, 1.5});
  close(t.log_abs_det_jacobian(x, y), {-4.288996466828582});
  CHECK(t.codomain().check(y).item<bool>());
  CHECK(t(zeros({5, 3})).sizes() == IntArrayRef({5, 3, 3}));
  CHECK(IntArrayRef(t.forward_shape({5, 3})) == IntArrayRef({5, 3, 3}));
  CHECK(IntArrayRef(t.inverse_shape({5, 4, 4})) == IntArrayRef({5, 6}));
  CHECK_ERROR(t(zeros({4})), ValueError, "CorrCholeskyTransform: expected n (n - 1) / 2 numbers for some n, got 4");
  CHECK_ERROR(t.inverse_shape({3, 4}), ValueError, "CorrCholeskyTransform: expected square matrices, got shape [3, 4]");
}

TEST_CASE("the map onto Cholesky factors has the derivative that it says", "[distributions][matrix_transforms]") {
  Tensor x = f64({0.3, -1.2, 0.7}).requires_grad_();
  Tensor y = CorrCholeskyTransform{}(x).flatten().index_select(0, tensor({3, 6, 7}));
  std::vector<Tensor> rows;
  for (std::int64_t i = 0; i < 3; ++i) rows.push_back(autograd::grad({y.select(0, i)}, {x}, {}, true)[0]);
  Tensor size = stack(rows).det().abs().log();
  close(CorrCholeskyTransform{}.log_abs_det_jacobian(x, CorrCholeskyTransform{}(x)), {size.item<double>()});
}

TEST_CASE("square matrices become Cholesky factors and positive definite ones", "[distributions][matrix_transforms]") {
  Tensor x = f64({0.3, -1.2, 0.7, 0.1, -0.4, 1.5, 0.2, 0.9, -0.8}).view({3, 3});
  Tensor l = LowerCholeskyTransform{}(x), m = PositiveDefiniteTransform{}(x);
  close(l, {1.3498588075760032, 0, 0, 0.1, 0.6703200460356393, 0, 0.2, 0.9, 0.44932896411722156});
  close(m, {1.822118800390509, 0.13498588075760032, 0.26997176151520064, 0.13498588075760032, 0.4593289641172216,
            0.6232880414320754, 0.26997176151520064, 0.6232880414320754, 1.0518965179946556});
  close(LowerCholeskyTransform{}.inverse(l), {0.3, 0, 0, 0.1, -0.4, 0, 0.2, 0.9, -0.8});
  close(PositiveDefiniteTransform{}.inverse(m), {0.3, 0, 0, 0.1, -0.4, 0, 0.2, 0.9, -0.8});
  CHECK(LowerCholeskyTransform{}.codomain().check(l).item<bool>());
  CHECK(PositiveDefiniteTransform{}.codomain().check(m).item<bool>());
}
