// The methods of Tensor that are operators: each has one, and calls it.
#include <tenon/tensor/methods.hpp>

#include <tenon/ops.hpp>

#include <catch.hpp>

namespace {
using namespace tenon;

// Incomplete where no header declares an operator of that name.
#define X(NAME) static_assert(sizeof(ops::NAME##_function) == 1);
TENON_FOR_EACH_METHOD(X)
TENON_FOR_EACH_METHOD_SELF_SECOND(X)
#undef X

template <class T>
constexpr bool has_where = requires(const T& x) {
  x.where(x, 1.0);
};

}  // namespace

TEST_CASE("a method takes what its function takes behind self", "[tensor][methods]") {
  STATIC_REQUIRE(has_where<Tensor>);
  STATIC_REQUIRE(std::is_same_v<decltype(std::declval<Tensor>().copysign_(std::declval<Tensor>())), Tensor&>);
  STATIC_REQUIRE(std::is_same_v<decltype(std::declval<Tensor>().polygamma(2)), Tensor>);
}

// Values of PyTorch 2.15.
TEST_CASE("methods take two braced lists, and one behind another argument", "[tensor][methods]") {
  Tensor x = ops::arange(6, kFloat).view({2, 3});
  CHECK(x.roll({1, 1}, {0, 1}).to_vector<float>() == std::vector<float>{5, 3, 4, 2, 0, 1});
  CHECK(x.roll(1, 0).to_vector<float>() == std::vector<float>{3, 4, 5, 0, 1, 2});
  Tensor y = ops::zeros({2, 3, 4});
  CHECK(y.movedim({0, 1}, {1, 2}).sizes() == IntArrayRef({4, 2, 3}));
  CHECK(y.moveaxis({0, 1}, {1, 0}).sizes() == IntArrayRef({3, 2, 4}));
  CHECK(x.as_strided({2, 2}, {1, 2}, 1).to_vector<float>() == std::vector<float>{1, 3, 2, 4});
  CHECK(x.new_empty_strided({2, 2}, {1, 2}).strides() == IntArrayRef({1, 2}));
  CHECK(x.norm(2, {0, 1}, true).item<float>() == 7.416198253631592f);
  CHECK(x.rot90(1, {0, 1}).to_vector<float>() == std::vector<float>{2, 5, 1, 4, 0, 3});
  CHECK(y.unflatten(2, {2, 2}).sizes() == IntArrayRef({2, 3, 2, 2}));
  x.as_strided_({3}, {2});
  CHECK(x.to_vector<float>() == std::vector<float>{0, 2, 4});
}

TEST_CASE("a tensor answers to the names of PyTorch's C++", "[tensor][methods]") {
  Tensor x = ops::ones({2, 3}, "dtype"_a = kDouble);
  CHECK(x.scalar_type() == kDouble);
  CHECK_FALSE(x.is_cuda());
  CHECK(x.get_device() == -1);
  CHECK(x.cpu().is_same(x));
  CHECK_THROWS_AS(x.cuda(), NotImplementedError);
  x.reset();
  CHECK_FALSE(x.defined());
}
