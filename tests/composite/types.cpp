// Operators that say what dtype numbers and tensors have in common: the answers of torch 2.15.
#include <tenon/structured/promotion.hpp>

#include "../ops/support.hpp"

using namespace test;

TEST_CASE("operators and functions of one name say the same of dtypes", "[composite]") {
  const Tensor whole = tensor({1}), single = ops::ones({}, kDouble);
  CHECK(ops::result_type_Scalar(whole, 1.5) == kFloat);
  CHECK(result_type(whole, Scalar(1.5)) == kFloat);
  CHECK(ops::result_type_Scalar_Tensor(1, single) == kDouble);
  CHECK(result_type(Scalar(1), single) == kDouble);
  CHECK(ops::result_type_Scalar_Scalar(1, 1.5) == kFloat);
  CHECK(result_type(Scalar(true), Scalar(Complex<double>(0, 1))) == kComplexFloat);
  CHECK(ops::result_type_Scalar_Scalar(true, 2) == kLong);
  CHECK(ops::result_type_Tensor(whole, single) == kDouble);
  CHECK(ops::promote_types_base(kInt, kHalf) == kHalf);
  CHECK_FALSE(ops::can_cast_base(kFloat, kInt));
  CHECK(ops::can_cast_base(kInt, kFloat));
  // By name, as a program that is data calls them: the dtype's number.
  Stack stack{Value(std::int64_t{3}), Value(std::int64_t{5})};
  Registry::get().find_schema_or_throw("aten::promote_types", "").call_boxed(stack);
  CHECK(stack.at(0).to_int() == 5);
}
