#include <cstdint>
#include <limits>

#include <tenon/base/scalar.hpp>

#include <catch.hpp>

using namespace tenon;

static_assert(std::is_trivially_copyable_v<Scalar>, "a default argument of every call, copied as bytes");

TEST_CASE("a scalar remembers the kind of number it was made from", "[base][scalar]") {
  CHECK(Scalar().type() == kLong);
  CHECK(Scalar(true).type() == kBool);
  CHECK(Scalar(std::int8_t{-3}).type() == kLong);
  CHECK(Scalar(7u).type() == kLong);
  CHECK(Scalar(1.5f).type() == kDouble);
  CHECK(Scalar(Half(1.5f)).type() == kDouble);
  CHECK(Scalar(BFloat16(1.5f)).type() == kDouble);
  CHECK(Scalar(Complex<float>(1, 2)).type() == kComplexDouble);
  CHECK(Scalar(true).is_boolean());
  CHECK_FALSE(Scalar(true).is_integral());
  CHECK(Scalar(true).is_integral(true));
  CHECK(Scalar(2).is_integral());
  CHECK(Scalar(2.0).is_floating_point());
  CHECK(Scalar(Complex<double>(1)).is_complex());
}

TEST_CASE("an unsigned number beyond int64 keeps its value", "[base][scalar]") {
  constexpr auto most = std::numeric_limits<std::uint64_t>::max();
  CHECK(Scalar(most).type() == kUInt64);
  CHECK(Scalar(most).to<std::uint64_t>() == most);
  CHECK(Scalar(most).to<double>() == 18446744073709551616.0);
  CHECK(Scalar(std::uint64_t{5}).type() == kLong);
}

TEST_CASE("a scalar converts as C++ converts numbers", "[base][scalar]") {
  CHECK(Scalar(2.75).to<std::int64_t>() == 2);
  CHECK(Scalar(-3).to<float>() == -3.0f);
  CHECK(Scalar(3).to<bool>());
  CHECK_FALSE(Scalar(0.0).to<bool>());
  CHECK(Scalar(Complex<double>(0, 1)).to<bool>());
  CHECK(Scalar(Complex<double>(2, 3)).to<double>() == 2);
  CHECK(Scalar(Complex<double>(2, 3)).to<Complex<float>>() == Complex<float>(2, 3));
  CHECK(Scalar(4).to<Complex<double>>() == Complex<double>(4, 0));
  CHECK(float(Scalar(1.5).to<Half>()) == 1.5f);
  CHECK(float(Scalar(3).to<BFloat16>()) == 3.0f);
  CHECK(Scalar(true).to_int() == 1);
  CHECK(Scalar(std::int64_t{1} << 60).to_int() == std::int64_t{1} << 60);
}

TEST_CASE("negation and conjugation keep the kind where it can hold the result", "[base][scalar]") {
  CHECK(-Scalar(3) == Scalar(-3));
  CHECK(-Scalar(2.5) == Scalar(-2.5));
  CHECK(-Scalar(Complex<double>(1, -2)) == Scalar(Complex<double>(-1, 2)));
  CHECK(-Scalar(true) == Scalar(-1));
  CHECK(Scalar(Complex<double>(1, 2)).conj() == Scalar(Complex<double>(1, -2)));
  CHECK(Scalar(2).conj() == Scalar(2));
}

TEST_CASE("scalars are equal when kind and value are", "[base][scalar]") {
  CHECK(Scalar(1) == Scalar(std::int8_t{1}));
  CHECK_FALSE(Scalar(1) == Scalar(1.0));
  CHECK_FALSE(Scalar(1) == Scalar(true));
  CHECK(Scalar(1).equal(1.0));
  CHECK(Scalar(Complex<double>(1, 0)).equal(1.0));
  CHECK_FALSE(Scalar(Complex<double>(1, 1)).equal(1.0));
}

TEST_CASE("a scalar prints as the schema language writes it", "[base][scalar]") {
  CHECK(to_string(Scalar(true)) == "True");
  CHECK(to_string(Scalar(-12)) == "-12");
  CHECK(to_string(Scalar(std::numeric_limits<std::uint64_t>::max())) == "18446744073709551615");
}
