#include <cmath>
#include <limits>

#include <tenon/tensor/type_info.hpp>

#include "../catch.hpp"

using namespace tenon;

static_assert(finfo(kFloat).eps == std::numeric_limits<float>::epsilon() && iinfo(kByte).max == 255);

TEST_CASE("the limits of floating dtypes are the machine's and PyTorch's", "[tensor][type_info]") {
  using F = std::numeric_limits<float>;
  using D = std::numeric_limits<double>;
  finfo f(kFloat), d(kDouble), h(kHalf), b(kBFloat16), e5(kFloat8_e5m2), e4(kFloat8_e4m3fn);
  CHECK((f.bits == 32 && f.max == F::max() && f.min == F::lowest() && f.tiny == F::min() && f.resolution == 1e-6));
  CHECK((d.bits == 64 && d.eps == D::epsilon() && d.max == D::max() && d.min == D::lowest()));
  CHECK((d.tiny == D::min() && d.smallest_normal == D::min() && d.resolution == 1e-15));
  CHECK((h.bits == 16 && h.eps == 0x1p-10 && h.max == 65504 && h.min == -65504 && h.tiny == 0x1p-14));
  CHECK((b.bits == 16 && b.eps == 0x1p-7 && b.max == 0x1.fep+127 && b.tiny == 0x1p-126 && b.resolution == 1e-2));
  CHECK((e5.bits == 8 && e5.eps == 0.25 && e5.max == 57344 && e5.tiny == 0x1p-14 && e5.resolution == 1));
  CHECK((e4.bits == 8 && e4.eps == 0.125 && e4.max == 448 && e4.min == -448 && e4.smallest_normal == 0x1p-6));
  CHECK(finfo(kComplexFloat).dtype == kFloat);
  CHECK(finfo(kComplexHalf).max == 65504);
  CHECK(finfo().dtype == get_default_dtype());
  CHECK(to_string(f) ==
        "finfo(resolution=1e-06, min=-3.40282e+38, max=3.40282e+38, eps=1.19209e-07, smallest_normal=1.17549e-38, "
        "tiny=1.17549e-38, dtype=float32)");
}

TEST_CASE("the limits of floating dtypes are those of their elements", "[tensor][type_info]") {
  for (ScalarType t : {kHalf, kBFloat16, kFloat, kDouble, kFloat8_e5m2, kFloat8_e4m3fn})
    visit_element_type(t, [&]<class T>(type_tag<T>) {
      if constexpr (is_floating_type(scalar_type_v<T>)) {
        auto stored = [](double x) { return static_cast<double>(T(static_cast<float>(x))); };
        finfo f(t);
        INFO(to_string(t));
        if (t != kDouble) {
          CHECK(stored(f.max) == f.max);
          CHECK(stored(f.min) == f.min);
          CHECK(stored(1 + f.eps) == 1 + f.eps);
          CHECK(stored(f.tiny * (1 + f.eps)) == f.tiny * (1 + f.eps));
          CHECK_FALSE(stored(1 + f.eps / 2) == 1 + f.eps / 2);
        }
      }
    });
}

TEST_CASE("the limits of integer dtypes are exact", "[tensor][type_info]") {
  iinfo l(kLong), u(kUInt64), c(kChar), i(kInt);
  CHECK((l.bits == 64 && l.min == INT64_MIN && l.max == INT64_MAX));
  CHECK((u.bits == 64 && u.min == 0 && u.max == UINT64_MAX));
  CHECK((c.bits == 8 && c.min == -128 && c.max == 127));
  CHECK((i.bits == 32 && i.min == INT32_MIN && i.max == INT32_MAX && i.dtype == kInt));
  CHECK(iinfo(kUInt16).max == 65535);
  CHECK(to_string(c) == "iinfo(min=-128, max=127, dtype=int8)");
  CHECK(to_string(l) == "iinfo(min=-9.22337e+18, max=9.22337e+18, dtype=int64)");
}

TEST_CASE("dtypes of another kind have no such limits", "[tensor][type_info]") {
  CHECK_ERROR(finfo(kInt), TypeError, "finfo() requires a floating point input type. Use iinfo to handle 'int32'");
  CHECK_ERROR(iinfo(kFloat), TypeError, "iinfo() requires an integer input type. Use finfo to handle 'float32'");
  CHECK_ERROR(iinfo(kBool), TypeError, "bool is not supported by iinfo");
  CHECK_ERROR(finfo(kBool), TypeError, "finfo() requires a floating point input type. Use iinfo to handle 'bool'");
}
