// Clipped gradients, by hand.
#include <limits>

#include <tenon/cpu/kernel_tables.hpp>
#include <tenon/tenon.hpp>

#include "catch.hpp"

using namespace tenon;

namespace {

Tensor with_gradient(double value, std::int64_t n) {
  Tensor p = ops::zeros({n}, "dtype"_a = kDouble);
  p.set_requires_grad(true);
  p.grad() = ops::full({n}, value, "dtype"_a = kDouble);
  return p;
}
double first(const Tensor& t) { return t.select(0, 0).item<double>(); }

}  // namespace

TEST_CASE("gradients are scaled to a norm that they have together", "[nn][clip_grad]") {
  Tensor a = with_gradient(3, 1), b = with_gradient(-2, 4), none = ops::zeros({2});
  CHECK(nn::utils::clip_grad_norm_({a, b, none}, 1).item<double>() == 5);
  CHECK(first(a.grad()) == Approx(0.6));
  CHECK(first(b.grad()) == Approx(-0.4));
  CHECK(nn::utils::clip_grad_norm_({a, b}, 10).item<double>() == Approx(1));
  CHECK(first(a.grad()) == Approx(0.6));
  const double inf = std::numeric_limits<double>::infinity();
  CHECK(nn::utils::clip_grad_norm_({a, b}, 0.3, inf).item<double>() == Approx(0.6));
  CHECK(first(a.grad()) == Approx(0.3));
  a.grad().fill_(inf);
  CHECK_ERROR_CONTAINS(nn::utils::clip_grad_norm_({a}, 1, 2, true), ValueError, "non-finite");
  CHECK(nn::utils::clip_grad_norm_({}, 1).item<double>() == 0);
}

TEST_CASE("elements of gradients are cut at a value", "[nn][clip_grad]") {
  Tensor a = with_gradient(3, 2);
  nn::utils::clip_grad_value_({a}, 0.5);
  CHECK(first(a.grad()) == 0.5);
}
