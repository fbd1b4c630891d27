// What pointwise meta functions compute: broadcast shapes and the strides of fresh results.
#include "../ops/support.hpp"

using namespace test;

TEST_CASE("fresh results keep the layout that the operands agree on", "[structured][pointwise]") {
  Tensor nhwc = counted({2, 5, 7, 3}).permute({0, 3, 1, 2});
  REQUIRE(list(ops::add(nhwc, nhwc).strides()) == list(nhwc.strides()));
  REQUIRE(list(ops::exp(nhwc).strides()) == list(nhwc.strides()));
  REQUIRE(list(ops::add(nhwc, 1).strides()) == list(nhwc.strides()));
  Tensor t = counted({3, 4}).t();
  REQUIRE(list(ops::add(t, counted({4, 3})).strides()) == Ints{1, 4});
  REQUIRE(list(ops::add(counted({4, 3}), t).strides()) == Ints{3, 1});
  REQUIRE(list(ops::exp(counted({6, 4}).slice(1, 0, 4, 2)).strides()) == Ints{2, 1});
  REQUIRE(list(ops::exp(counted({3}).expand({4, 3})).strides()) == Ints{3, 1});
}

TEST_CASE("shapes broadcast, or are refused by both sizes", "[structured][pointwise]") {
  REQUIRE(list(ops::add(counted({4, 1, 3}), counted({5, 1})).sizes()) == Ints{4, 5, 3});
  REQUIRE(list(ops::add(counted({0}), counted({1})).sizes()) == Ints{0});
  REQUIRE_THROWS_TEXT(ops::add(counted({4, 3}), counted({4, 2})),
                      "The size of tensor a (3) must match the size of tensor b (2) at non-singleton dimension 1");
}
