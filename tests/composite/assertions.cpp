// Assertions of recorded graphs: what holds passes, what does not is told in PyTorch's words.
#include "../ops/support.hpp"

using namespace test;

TEST_CASE("a tensor's metadata is asserted as far as it is given", "[composite][assertions]") {
  Tensor x = counted({2, 3});
  const SymInt sizes[] = {2, 3}, others[] = {2, 4}, strides[] = {3, 1};
  ops::_assert_tensor_metadata(x);
  ops::_assert_tensor_metadata(x, SymIntArrayRef(sizes, 2), SymIntArrayRef(strides, 2), x.dtype(), "device"_a = kCPU,
                               "layout"_a = Layout::Strided);
  CHECK_ERROR(ops::_assert_tensor_metadata(x, SymIntArrayRef(others, 2)), ValueError,
              "Tensor sizes mismatch! Expected: [2, 4], Got: [2, 3]");
  CHECK_ERROR(ops::_assert_tensor_metadata(x, std::nullopt, SymIntArrayRef(others, 2)), ValueError,
              "Tensor strides mismatch! Expected: [2, 4], Got: [3, 1]");
  CHECK_ERROR(ops::_assert_tensor_metadata(x, std::nullopt, std::nullopt, kLong), TypeError,
              "Tensor dtype mismatch! Expected: int64, Got: float32");
  CHECK_ERROR(ops::_assert_tensor_metadata(x, "device"_a = kMeta), ValueError,
              "Tensor device mismatch! Expected: meta, Got: cpu");
}

TEST_CASE("ranges of sizes are asserted, by value and by token", "[composite][assertions]") {
  CHECK(ops::_make_dep_token().defined());
  Tensor token = ops::_make_dep_token("dtype"_a = kFloat);
  CHECK(token.dim() == 0);
  ops::sym_constrain_range(5, "min"_a = 1, "max"_a = 9);
  ops::sym_constrain_range_for_size(1);
  CHECK_ERROR(ops::sym_constrain_range(50, "min"_a = 1, "max"_a = 9), ValueError,
              "Invalid value range for 50 between [1, 9].");
  CHECK_ERROR(ops::sym_constrain_range(5, "min"_a = 9, "max"_a = 1), ValueError,
              "Max must be greater than or equal to min. Got min=9 max=1");
  CHECK_ERROR(ops::sym_constrain_range_for_size(1, "max"_a = 1), ValueError,
              "Max value to constrain_range_for_size must be greater than 2. got: 1");
  CHECK_ERROR(ops::sym_constrain_range_for_size(-1), ValueError,
              "Invalid value range for -1 between [0, 9223372036854775807].");
  Tensor one = tensor({1.f});
  CHECK(values(ops::_functional_assert_scalar(1, "holds", one)) == Numbers{1});
  CHECK(values(ops::_functional_sym_constrain_range(5, 1, 9, one)) == Numbers{1});
  CHECK(values(ops::_functional_sym_constrain_range_for_size(5, 1, 9, one)) == Numbers{1});
  CHECK_ERROR(ops::_functional_assert_scalar(0, "it does not hold", one), ValueError, "it does not hold");
}
