#include <cmath>
#include <complex>
#include <cstring>
#include <limits>

#include <tenon/base/complex.hpp>
#include <tenon/base/half.hpp>

#include <catch.hpp>

using namespace tenon;
using Z = Complex<double>;

static_assert(sizeof(Complex<float>) == sizeof(std::complex<float>), "the same layout as std::complex");
static_assert(sizeof(Complex<Half>) == 4 && alignof(Complex<double>) == alignof(double), "two numbers, nothing else");
static_assert(std::is_trivially_copyable_v<Z>, "moved as bytes");
static_assert(is_complex_v<Z> && !is_complex_v<double>, "the trait tells complex types from real ones");

TEST_CASE("complex arithmetic follows its definition", "[base][complex]") {
  STATIC_REQUIRE(Z(1, 2) + Z(3, 4) == Z(4, 6));
  STATIC_REQUIRE(Z(1, 2) - Z(3, 5) == Z(-2, -3));
  STATIC_REQUIRE(Z(1, 2) * Z(3, 4) == Z(-5, 10));
  STATIC_REQUIRE(Z(-5, 10) / Z(3, 4) == Z(1, 2));
  STATIC_REQUIRE(-Z(1, -2) == Z(-1, 2));
  STATIC_REQUIRE(+Z(1, -2) == Z(1, -2));
  Z z(1, 2);
  z += 1.0;
  CHECK(z == Z(2, 2));
  z -= Z(0, 1);
  CHECK(z == Z(2, 1));
  z *= Z(0, 1);
  CHECK(z == Z(-1, 2));
  z /= Z(0, 1);
  CHECK(z == Z(2, 1));
  CHECK(z.real() == 2);
  CHECK(z.imag() == 1);
}

TEST_CASE("complex numbers convert to and from std::complex", "[base][complex]") {
  std::complex<double> standard = Z(1.5, -2);
  CHECK(standard == std::complex<double>(1.5, -2));
  CHECK(Z(standard) == Z(1.5, -2));
  CHECK(Complex<float>(Z(0.5, 1)) == Complex<float>(0.5f, 1.0f));
  std::complex<double> bytes;
  Z z(3, 4);
  std::memcpy(static_cast<void*>(&bytes), &z, sizeof bytes);
  CHECK(bytes == std::complex<double>(3, 4));
}

TEST_CASE("division agrees with std::complex in all directions", "[base][complex]") {
  for (double br : {-3.0, -0.5, 0.0, 0.25, 2.0})
    for (double bi : {-4.0, -0.125, 0.0, 1.0, 3.0}) {
      if (br == 0 && bi == 0) continue;
      auto expected = std::complex<double>(1.25, -7) / std::complex<double>(br, bi);
      Z got = Z(1.25, -7) / Z(br, bi);
      CHECK(got.re == Approx(expected.real()));
      CHECK(got.im == Approx(expected.imag()));
    }
}

TEST_CASE("division of huge numbers does not overflow on the way", "[base][complex]") {
  Z got = Z(1e300, 1e300) / Z(1e300, 1e300);
  CHECK(got.re == Approx(1.0));
  CHECK(got.im == Approx(0.0));
}

TEST_CASE("division by zero gives infinities or NaN, never a trap", "[base][complex]") {
  Z got = Z(1, -1) / Z(0, 0);
  CHECK(std::isinf(got.re));
  CHECK(std::isinf(got.im));
  CHECK(std::isnan((Z(0, 0) / Z(0, 0)).re));
  // The sign of a zero below does not count, as in PyTorch.
  CHECK(Z(1, 1) / Z(-0.0, 0) == Z(INFINITY, INFINITY));
  CHECK(Z(-1, 1) / Z(-0.0, -0.0) == Z(-INFINITY, INFINITY));
}
