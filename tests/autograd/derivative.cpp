// Which results of a declared derivative require a gradient.
#include "support.hpp"

using namespace tenon;

namespace {
template <class... T>
std::string marks(const std::tuple<T...>& results) {
  return std::apply([](const auto&... t) { return (std::string() + ... + (t.requires_grad() ? '1' : '0')); }, results);
}
template <class R>
std::string marks_of(const R& results) {
  return marks(typename detail::without_names<R>::type(results));
}
}  // namespace

TEST_CASE("a result whose gradient no formula reads requires none", "[autograd][derivative]") {
  Tensor a = test::vector({4, 1, 0, 1, 3, 1, 0, 1, 2}).view({3, 3}), b = ops::ones({3, 1}, "dtype"_a = kDouble);
  a.set_requires_grad(true);
  CHECK(marks_of(ops::linalg_lu(a)) == "011");
  auto [lu, pivots] = ops::linalg_lu_factor(a);
  CHECK(marks_of(ops::lu_unpack(lu, pivots)) == "011");
  CHECK(marks_of(ops::linalg_lstsq(a, b)) == "1100");
  CHECK(marks_of(ops::_linalg_det(a)) == "100");
  CHECK(marks_of(ops::_linalg_slogdet(a)) == "1100");
  CHECK(marks_of(ops::_linalg_solve_ex(a, b)) == "1000");
  CHECK(marks_of(ops::log_sigmoid_forward(a)) == "10");
  // Where formulas read all of them, all do.
  CHECK(marks_of(ops::linalg_qr(a)) == "11");
  CHECK(marks_of(ops::std_mean(a)) == "11");
  Tensor p = std::get<0>(ops::linalg_lu(a));
  CHECK_FALSE(ops::mul(p, 2).requires_grad());
}

TEST_CASE("a comparison written in place has zeros for both its tensors", "[autograd][derivative]") {
  Tensor x = test::vector({1, 2}), y = test::leaf({2}), z = test::vector({1, 2});
  ops::lt_(x, y);
  REQUIRE(x.requires_grad());
  ops::sum(x).backward();
  CHECK(test::values(y.grad()) == std::vector<double>{0});
  CHECK(!ops::logical_and_(z, y).requires_grad());
  CHECK(!ops::lt(z, y).requires_grad());
}

TEST_CASE("what an operator writes to make its result is counted nowhere", "[autograd][derivative]") {
  Tensor x = test::vector({1, 2, 3, 4});
  CHECK(ops::round(x, "decimals"_a = 1).version() == 0);
  CHECK(ops::logsumexp(x, {0}).version() == 0);
  CHECK(ops::glu(x).version() == 0);
  ops::round_(x, "decimals"_a = 1);
  CHECK(x.version() == 1);
}
