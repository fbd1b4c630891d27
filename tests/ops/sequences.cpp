#include <cmath>

#include "support.hpp"

using namespace test;

namespace {
double near(const Tensor& a, const Tensor& b) { return ops::amax(ops::abs(ops::sub(a, b))).item<double>(); }
}  // namespace

TEST_CASE("sequences are padded to the longest one", "[ops][sequences]") {
  Tensor a = counted({3}), b = counted({2});
  CHECK(values(ops::pad_sequence({a, b})) == Numbers{0, 0, 1, 1, 2, 0});
  CHECK(values(ops::pad_sequence({a, b}, true, -1)) == Numbers{0, 1, 2, 0, 1, -1});
  CHECK(values(ops::pad_sequence({b, a}, true, -1, "left")) == Numbers{-1, 0, 1, 0, 1, 2});
  CHECK(list(ops::pad_sequence({counted({3, 4}), counted({1, 4})}).sizes()) == Ints{3, 2, 4});
  CHECK(ops::pad_sequence({a, counted({2}, kLong)}).dtype() == kFloat);
  Tensor x = counted({2}).requires_grad_();
  (ops::pad_sequence({a, x}, true) * counted({2, 3})).sum().backward();
  CHECK(values(x.grad()) == Numbers{3, 4});
  CHECK_ERROR(ops::pad_sequence(std::vector<Tensor>{}), ValueError, "received an empty list of sequences");
  CHECK_ERROR(ops::pad_sequence({a}, true, 0, "up"), ValueError,
              "Expected padding_side to be one of left or right, but got up.");
  CHECK_THROWS_AS(ops::pad_sequence({tensor(1.0)}), ValueError);
}

// PyTorch's numbers: the last two states count as two classes.
TEST_CASE("a label of ctc_loss may be the blank", "[ops][sequences]") {
  Tensor p = tensor({{{-1.0, -2.0, -0.5}}, {{-0.3, -1.5, -0.2}}}).to(kDouble).detach().requires_grad_();
  ops::ctc_loss(p, tensor({{2}}), {2}, {1}, 2, 2).backward();
  Tensor expected = tensor({{{0.3679, 0.1353, -0.3935}}, {{0.7408, 0.2231, 0.1521}}}).to(kDouble);
  CHECK(ops::amax(ops::abs(p.grad() - expected)).item<double>() < 1e-4);
}

TEST_CASE("powers of a sequence are columns, falling or rising", "[ops][sequences]") {
  Tensor x = tensor({1, 2, 3});
  CHECK(values(ops::vander(x)) == Numbers{1, 1, 1, 4, 2, 1, 9, 3, 1});
  CHECK(values(ops::vander(x, 2)) == Numbers{1, 1, 2, 1, 3, 1});
  CHECK(values(ops::vander(x, "increasing"_a = true)) == Numbers{1, 1, 1, 1, 2, 4, 1, 3, 9});
  CHECK(ops::vander(x.to(kShort)).dtype() == kLong);
  CHECK(ops::vander(x.to(kHalf)).dtype() == kHalf);
  CHECK(list(ops::vander(x, 0).sizes()) == Ints{3, 0});
  CHECK_ERROR(ops::vander(x, -1), ValueError, "N must be non-negative.");
  CHECK_ERROR(ops::vander(counted({2, 2})), ValueError, "x must be a one-dimensional tensor.");
}

TEST_CASE("weights are given by the norms of their slices", "[ops][sequences]") {
  Tensor v = counted({2, 3}, kDouble);
  CHECK(near(ops::norm_except_dim(v), tensor({{std::sqrt(5.0)}, {std::sqrt(50.0)}}).to(kDouble)) < 1e-6);
  CHECK(near(ops::norm_except_dim(v, 2, 1), tensor({{3.0, std::sqrt(17.0), std::sqrt(29.0)}}).to(kDouble)) < 1e-6);
  CHECK(ops::norm_except_dim(v, 2, -1).item<double>() == Approx(std::sqrt(55.0)));
  CHECK(list(ops::norm_except_dim(counted({2, 3, 4}), 2, 1).sizes()) == Ints{1, 3, 1});
  CHECK(values(ops::norm_except_dim(counted({3}))) == Numbers{0, 1, 2});
  Tensor g = tensor({{2.0}, {3.0}}).to(kDouble), w = ops::_weight_norm(v, g);
  CHECK(near(ops::norm_except_dim(w), g) < 1e-12);
  autograd::gradcheck([](const std::vector<Tensor>& a) { return ops::_weight_norm(a[0], a[1]); },
                      {v.clone().requires_grad_(), g.requires_grad_()});
}
