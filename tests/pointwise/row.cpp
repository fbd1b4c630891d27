// Rows outside of the library have the powers of its own.
#include <cmath>
#include <limits>

#include <tenon/cpu/pointwise_engine.hpp>
#include <tenon/pointwise/row.hpp>

#include "../ops/support.hpp"

namespace mine {

// An integer operator.
TENON_OPERATORS(collatz, "mine_rows::collatz(Tensor self) -> Tensor");
TENON_COMPUTES(collatz_base, tenon::over::integer, (self), (), (self % 2 == 0 ? self / 2 : 3 * self + 1),
               not_differentiable);
// A complex one with a derivative.
TENON_OPERATORS(turned, "mine_rows::turned(Tensor self) -> Tensor");
TENON_COMPUTES(turned_base, tenon::over::complex, (self), (), (self * decltype(self)(0, 1)),
               TENON_WRT((self), (grad), (grad * tenon::Scalar(tenon::Complex<double>(0.0, -1.0)))));
// Cases by value, a number that promotes and one that does not.
TENON_OPERATORS(blend, "mine_rows::blend(Tensor self, Scalar other, *, Scalar weight=0.5) -> Tensor");
TENON_FORMULA(first, tenon::over::real, (self), (), (self));
TENON_FORMULA(blend, tenon::over::floating, (self, other), (weight), (self + weight * (other - self)));
TENON_COMPUTES_BY(blend_base, TENON_WHEN((weight), (weight.equal(0)), first_formula, (self), ()),
                  TENON_ELSE(blend_formula, (self, other), (weight)), promote<IntToFloat>,
                  TENON_WRT((self), (grad, weight), (grad * (1 - weight.to_double()))));

}  // namespace mine

using namespace test;

TEST_CASE("a user's integer row has all forms, and refuses what it has no formula for", "[pointwise][row]") {
  Tensor x = tensor({6, 7, 1});
  CHECK(values(mine::collatz(x)) == Numbers{3, 22, 4});
  CHECK(mine::collatz(x).dtype() == kLong);
  CHECK(values(mine::collatz(x.to(kShort))) == Numbers{3, 22, 4});
  CHECK(mine::collatz(x.to(kShort)).dtype() == kShort);
  Tensor out = zeros({3}, "dtype"_a = kLong);
  mine::collatz(x, "out"_a = out);
  CHECK(values(out) == Numbers{3, 22, 4});
  mine::collatz_(x);
  CHECK(values(x) == Numbers{3, 22, 4});
  CHECK(list(mine::collatz(ops::empty({2, 5}, "dtype"_a = kLong, "device"_a = kMeta)).sizes()) == Ints{2, 5});
  CHECK_THROWS_AS(mine::collatz(ones({2})), NotImplementedError);
  CHECK_FALSE(mine::collatz(x).requires_grad());
}

TEST_CASE("a user's complex row has its derivative", "[pointwise][row]") {
  Tensor z = ones({2}, "dtype"_a = kComplexDouble).requires_grad_();
  Tensor y = mine::turned(z);
  CHECK(y.dtype() == kComplexDouble);
  CHECK(y.detach().data_ptr<Complex<double>>()[0] == Complex<double>(0.0, 1.0));
  y.backward(ones({2}, "dtype"_a = kComplexDouble));
  CHECK(z.grad().data_ptr<Complex<double>>()[1] == Complex<double>(0.0, -1.0));
}

TEST_CASE("the first case of a row that applies is computed, and its numbers promote by their part",
          "[pointwise][row]") {
  Tensor x = tensor({1, 3});
  CHECK(values(mine::blend(x, 5)) == Numbers{3, 4});
  CHECK(mine::blend(x, 5).dtype() == kFloat);
  CHECK(values(mine::blend(x, 5, "weight"_a = 0)) == Numbers{1, 3});
  CHECK(values(mine::blend(x, 5, "weight"_a = 1)) == Numbers{5, 5});
}

TEST_CASE("erfinv inverts erf to the last digits, and ends at 1", "[pointwise][special]") {
  for (double x : {-0.999999, -0.7, -0.3, -1e-9, 0.0, 1e-300, 0.2, 0.5, 0.9, 0.99999}) {
    double y = ops::erfinv(scalar_tensor(x, kDouble)).item<double>();
    CHECK(std::abs(std::erf(y) - x) <= 2e-16 + 2e-16 * std::abs(x));
  }
  CHECK(std::abs(ops::erfinv(scalar_tensor(0.5, kDouble)).item<double>() - 0.47693627620446987) < 1e-16);
  CHECK(ops::erfinv(scalar_tensor(1.0, kDouble)).item<double>() == std::numeric_limits<double>::infinity());
  CHECK(ops::erfinv(scalar_tensor(-1.0, kFloat)).item<float>() == -std::numeric_limits<float>::infinity());
  CHECK(std::isnan(ops::erfinv(scalar_tensor(1.5, kDouble)).item<double>()));
  CHECK(std::isnan(ops::erfinv(scalar_tensor(std::nan(""), kDouble)).item<double>()));
}
