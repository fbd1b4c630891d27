// One element read as a number or a truth, and assertions on it.
#include "support.hpp"

using namespace test;

TEST_CASE("an element is a number", "[ops][truth]") {
  CHECK(ops::_local_scalar_dense(tensor(3)).to_int() == 3);
  CHECK(ops::_local_scalar_dense(tensor(true)).is_boolean());
  CHECK(ops::_local_scalar_dense(tensor({{5.0, 6.0}}).t()).to_double() == 5);
  CHECK(ops::_local_scalar_dense(tensor(Complex<double>(2, 1))).to<Complex<double>>() == Complex<double>(2, 1));
  CHECK_ERROR(ops::_local_scalar_dense(ops::empty({0})), ValueError, "_local_scalar_dense: Empty tensor not supported");
  CHECK_THROWS_AS(ops::_local_scalar_dense(ops::empty({1}, "device"_a = kMeta)), NotImplementedError);
}

TEST_CASE("questions about a tensor are operators", "[ops][truth]") {
  Tensor x = counted({2, 3}).t();
  CHECK(ops::item(tensor({{7}})).to_int() == 7);
  CHECK_THROWS_AS(ops::item(x), ValueError);
  CHECK(ops::numel(x) == 6);
  CHECK(ops::sym_numel(x) == 6);
  CHECK(ops::dim(x) == 2);
  CHECK(ops::stride(x) == Ints{1, 3});
  CHECK(ops::stride(x, -1) == 3);
  CHECK(ops::is_floating_point(x));
  CHECK(ops::is_signed(x.to(kInt)));
  CHECK_FALSE(ops::is_signed(x.to(kByte)));
  CHECK(ops::is_complex(x.to(kComplexFloat)));
  CHECK(ops::_is_all_true(x > -1).is_nonzero());
  CHECK_FALSE(ops::_is_any_true(x > 5).is_nonzero());
  CHECK_THROWS_AS(ops::_is_all_true(x), TypeError);
}

TEST_CASE("one element is a truth, several are none", "[ops][truth]") {
  CHECK(tensor(3).is_nonzero());
  CHECK(ops::is_nonzero(tensor({{std::nan("")}})));
  CHECK(ops::is_nonzero(tensor(Complex<double>(0, 1))));
  CHECK_FALSE(ops::is_nonzero(tensor({0.0})));
  CHECK_FALSE(tensor(false).is_nonzero());
  CHECK_ERROR(tensor({1, 2}).is_nonzero(), ValueError, "Boolean value of Tensor with more than one value is ambiguous");
  CHECK_ERROR(ops::empty({0}).is_nonzero(), ValueError, "Boolean value of Tensor with no values is ambiguous");
}

TEST_CASE("assertions on elements hold or throw", "[ops][truth]") {
  CHECK_NOTHROW(ops::_assert_async(tensor(1)));
  CHECK_NOTHROW(ops::_assert_async(tensor(2.5), "said"));
  CHECK_ERROR(ops::_assert_async(tensor(0)), ValueError, "Expected Tensor with single nonzero value, but got zero");
  CHECK_ERROR(ops::_assert_async(tensor(0), "said"), ValueError, "said");
  CHECK_ERROR(ops::_assert_async(tensor(0), ""), ValueError, "Assertion is failed");
  CHECK_ERROR(ops::_assert_async(tensor({1, 1})), ValueError,
              "Boolean value of Tensor with more than one value is ambiguous");
  CHECK_NOTHROW(ops::_assert_async(ops::empty({2}, "device"_a = kMeta)));  // without data there is nothing to hold
  CHECK_NOTHROW(ops::_assert_scalar(1.5, "said"));
  CHECK_ERROR(ops::_assert_scalar(0, "said"), ValueError, "said");
  Tensor token = tensor({4.0});
  Tensor passed = ops::_functional_assert_async(tensor(1), "said", token);
  CHECK(values(passed) == Numbers{4});
  CHECK_FALSE(passed.storage() == token.storage());
  CHECK_ERROR(ops::_functional_assert_async(tensor(0), "said", token), ValueError, "said");
}

TEST_CASE("where of a condition alone is the places where it holds", "[ops]") {
  Tensor holds = ops::view(tensor({0, 1, 1, 1}), {2, 2});
  std::vector<Tensor> at = ops::where(holds);
  CHECK(at.size() == 2);
  CHECK(values(at[0]) == Numbers{0, 1, 1});
  CHECK(values(at[1]) == Numbers{1, 0, 1});
  CHECK(values(ops::where(tensor({1}).view(IntArrayRef()))[0]) == Numbers{0});
}
