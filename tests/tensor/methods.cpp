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
