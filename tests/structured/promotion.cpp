// Result dtypes against PyTorch's, recorded in tests/data/promotion.csv.
#include <fstream>
#include <sstream>
#include <string>

#include "../ops/support.hpp"
#include "../test_data.hpp"

using namespace test;

namespace {

ScalarType dtype_of(const std::string& name) {
  for (int i = 0; i < 32; ++i)
    if (auto type = static_cast<ScalarType>(i); std::string(to_string(type)) == name) return type;
  FAIL("unknown dtype " << name);
  return kFloat;
}
Scalar number_of(ScalarType type) {
  if (type == kBool) return true;
  if (is_complex_type(type)) return Complex<double>(1, 1);
  return is_floating_type(type) ? Scalar(1.0) : Scalar(1);
}

}  // namespace

TEST_CASE("results of two operands have the dtype that PyTorch gives them", "[structured][promotion]") {
  std::ifstream in(test_data("promotion.csv"));
  std::string line;
  std::getline(in, line);
  int lines = 0;
  while (std::getline(in, line)) {
    std::stringstream s(line);
    std::string kind, a, b, result;
    std::getline(s, kind, ',');
    std::getline(s, a, ',');
    std::getline(s, b, ',');
    std::getline(s, result, ',');
    if (result == "bcomplex32") continue;  // a dtype that this library does not have
    CAPTURE(line);
    PromotionState state;
    state.add(make_tensor(kind.rfind("tensor", 0) == 0 ? IntArrayRef({1}) : IntArrayRef(), {}, dtype_of(a)));
    std::string second = kind.substr(kind.find('-') + 1);
    if (second == "tensor")
      state.add(make_tensor({1}, {}, dtype_of(b)));
    else if (second == "zerodim")
      state.add(make_tensor({}, {}, dtype_of(b)));
    else if (b == "int")
      state.add(Scalar(1));
    else if (b == "float")
      state.add(Scalar(1.0));
    else if (b == "complex")
      state.add(Scalar(Complex<double>(1, 1)));
    else
      state.add(number_of(dtype_of(b)));
    REQUIRE(state.result() == dtype_of(result));
    ++lines;
  }
  REQUIRE(lines > 500);
}

TEST_CASE("the default dtype is what numbers bring to integers", "[structured][promotion]") {
  REQUIRE(result_type(counted({2}, kInt), Scalar(1.5)) == kFloat);
  set_default_dtype(kDouble);
  REQUIRE(result_type(counted({2}, kInt), Scalar(1.5)) == kDouble);
  set_default_dtype(kFloat);
  REQUIRE_THROWS_AS(set_default_dtype(kInt), TypeError);
}
