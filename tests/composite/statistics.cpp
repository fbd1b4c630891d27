// Integrals by trapezoids and means without not-a-number: values, errors, gradients.
#include <cmath>
#include <limits>

#include "../ops/support.hpp"

#include <tenon/autograd/gradcheck.hpp>

using namespace test;

TEST_CASE("a mean without not-a-number divides by what it added", "[composite]") {
  Tensor x = tensor({{1.0, std::numeric_limits<double>::quiet_NaN()}, {3.0, 5.0}});
  CHECK(values(ops::nanmean(x)) == Numbers{3});
  CHECK(values(ops::nanmean(x, 0)) == Numbers{2, 5});
  Tensor out = ops::empty({0});
  CHECK(list(ops::nanmean(x, 1, true, "out"_a = out).sizes()) == Ints{2, 1});
  CHECK_ERROR(ops::nanmean(counted({2}, kLong)), TypeError,
              "nanmean(): expected input to have floating point or complex dtype but got Long");
}

TEST_CASE("integrals by trapezoids, as a whole and running", "[composite]") {
  Tensor y = tensor({1.0, 5.0, 10.0});
  CHECK(values(ops::trapezoid(y)) == Numbers{10.5});
  CHECK(values(ops::trapezoid(y, "dx"_a = 2)) == Numbers{21});
  CHECK(values(ops::trapezoid(y, tensor({1.0, 3.0, 6.0}))) == Numbers{28.5});
  // Points of more dimensions than the samples: PyTorch counts the dimension from the front in both.
  Tensor stacked = tensor({{{0.0}}, {{2.0}}}), three = tensor({1.0, 2.0, 4.0});
  CHECK(ops::trapezoid(three, stacked).sizes() == IntArrayRef({1, 2}));
  CHECK(values(ops::trapezoid(three, stacked)) == Numbers{3, 6});
  CHECK(ops::cumulative_trapezoid(three, stacked).sizes() == IntArrayRef({1, 1, 2}));
  CHECK(values(ops::trapz(y, "dx"_a = 2.0)) == Numbers{21});
  CHECK(values(ops::cumulative_trapezoid(y)) == Numbers{3, 10.5});
  CHECK(values(ops::trapezoid(counted({2, 3}), "dim"_a = 0)) == Numbers{1.5, 2.5, 3.5});
  CHECK(values(ops::trapezoid(ops::empty({2, 0}))) == Numbers{0, 0});
  CHECK_ERROR(ops::trapezoid(y, tensor({1.0, 2.0})), ValueError,
              "trapezoid: There must be one `x` value for each sample point");
  using List = std::vector<Tensor>;
  autograd::gradcheck([](const List& a) { return ops::trapezoid(a[0], a[1]); },
                      {counted({4}, kDouble).sin().requires_grad_(), counted({4}, kDouble).mul(1.5).requires_grad_()});
}

TEST_CASE("an integral needs a dimension, a pseudo-inverse a matrix of floats", "[composite]") {
  const char* none = "Dimension specified as -1 but tensor has no dimensions";
  CHECK_ERROR(ops::trapezoid(tensor(1.0)), IndexError, none);
  CHECK_ERROR(ops::trapz(tensor(1.0)), IndexError, none);
  CHECK_ERROR(ops::trapezoid(tensor(1.0), tensor(1.0)), IndexError, none);
  CHECK_ERROR(ops::pinverse(ops::zeros({0, 2}, "dtype"_a = kLong)), ValueError,
              "linalg.pinv(Long{[0, 2]}): expected a tensor with 2 or more dimensions of float, double, cfloat or "
              "cdouble types");
  CHECK_ERROR_CONTAINS(ops::pinverse(ops::zeros({2, 2}, "dtype"_a = kBFloat16)), ValueError,
                       "linalg.pinv(BFloat16{[2, 2]})");
}
