// Complex elements made of real ones, and their angle.
#include <cmath>
#include <limits>

#include <tenon/autograd/engine.hpp>

#include "../ops/support.hpp"

using namespace test;

namespace {
constexpr double kPi = 3.14159265358979323846;
bool near(const Tensor& t, const Numbers& expected) {
  Numbers got = values(t);
  for (std::size_t i = 0; i < expected.size(); ++i)
    if (!(std::abs(got[i] - expected[i]) < 1e-6)) return false;
  return got.size() == expected.size();
}
}  // namespace

TEST_CASE("parts, or size and angle, make complex elements", "[pointwise][complex]") {
  Tensor z = ops::complex(tensor({1.0, 2.0}), tensor({3.0}));
  CHECK(z.dtype() == kComplexFloat);
  CHECK(values(ops::view_as_real(z)) == Numbers{1, 3, 2, 3});
  CHECK(ops::complex(tensor({1.0}).to(kHalf), tensor({1.0}).to(kHalf)).dtype() == kComplexHalf);
  CHECK(near(ops::view_as_real(ops::polar(tensor({2.0}), tensor({kPi / 2}))), {0, 2}));
  CHECK_ERROR(ops::complex(tensor({1.0}), tensor({1.0}).to(kDouble)), TypeError,
              "Expected object of scalar type Float but got scalar type Double for second argument");
  CHECK_ERROR(ops::complex(tensor({1}), tensor({1})), NotImplementedError,
              "Expected both inputs to be Half, Float or Double tensors but got Long and Long");
}

TEST_CASE("angles of numbers are 0 or pi, those of complex elements lie between", "[pointwise][complex]") {
  CHECK(near(ops::angle(tensor({1.0, -1.0, 0.0})), {0, kPi, 0}));
  CHECK(std::isnan(values(ops::angle(tensor({std::numeric_limits<double>::quiet_NaN()})))[0]));
  CHECK(ops::angle(tensor({-1, 2})).dtype() == kFloat);
  Tensor z = ops::complex(tensor({1.0, 0.0, 0.0}), tensor({1.0, -2.0, 0.0}));
  CHECK(ops::angle(z).dtype() == kFloat);
  CHECK(near(ops::angle(z), {kPi / 4, -kPi / 2, 0}));
  z.requires_grad_();
  ops::angle(z).sum().backward();
  CHECK(near(ops::view_as_real(z.grad()), {-0.5, 0.5, 0.5, 0, 0, 0}));
}

TEST_CASE("mantissa and exponent make the number again", "[pointwise][complex]") {
  Tensor x = tensor({0.0, 3.0, -8.0, std::numeric_limits<double>::infinity()}).requires_grad_();
  auto [mantissa, exponent] = ops::frexp(x);
  CHECK(values(mantissa.detach()) == Numbers{0, 0.75, -0.5, std::numeric_limits<double>::infinity()});
  CHECK(values(exponent) == Numbers{0, 2, 4, 0});
  CHECK(exponent.dtype() == kInt);
  mantissa.sum().backward();
  CHECK(values(x.grad()) == Numbers{1, 0.25, 0.0625, 1});
  CHECK_ERROR(ops::frexp(tensor({1})), TypeError, "torch.frexp() only supports floating-point dtypes");
  // In the dtype of the scaled number, whatever a power of float32 would be.
  CHECK(values(ops::ldexp(tensor({1.0, 3.0}), tensor({200, 2}))) ==
        Numbers{std::numeric_limits<double>::infinity(), 12});
  Tensor wide = tensor({1.0, 0x1p600}, "dtype"_a = kDouble);
  CHECK(values(ops::ldexp(wide, tensor({200, -1200}))) == Numbers{0x1p200, 0x1p-600});
  Tensor half = ops::ldexp(tensor({0x1p-10, 1.5}).to(kHalf), tensor({20, 20}));
  CHECK(half.dtype() == kHalf);
  CHECK(values(half.to(kDouble)) == Numbers{1024, std::numeric_limits<double>::infinity()});
  Tensor scaled = tensor({3.0, 5.0}), out = ops::empty({0}, "dtype"_a = kDouble);
  ops::ldexp_(scaled, tensor({1, -1}));
  CHECK(values(scaled) == Numbers{6, 2.5});
  CHECK(values(ops::ldexp(scaled, tensor({1, 1}), "out"_a = out)) == Numbers{12, 5});
}
