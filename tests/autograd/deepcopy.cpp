// Copies of tensors that share nothing with what they were made from.
#include <tenon/autograd/deepcopy.hpp>

#include "support.hpp"

using namespace tenon;
using test::leaf;
using test::values;

TEST_CASE("a deep copy has the strides, the gradient and memory of its own", "[autograd][deepcopy]") {
  Tensor x = leaf({1, 2, 3, 4});
  ops::sum(ops::mul(x, x)).backward();
  Tensor copy = deepcopy(x);
  CHECK(copy.requires_grad());
  CHECK(copy.is_leaf());
  CHECK(values(copy) == values(x));
  CHECK(values(copy.grad()) == std::vector<double>{2, 4, 6, 8});
  CHECK_FALSE(copy.storage() == x.storage());
  CHECK_FALSE(copy.grad().storage() == x.grad().storage());
  Tensor turned = deepcopy(test::vector({1, 2, 3, 4, 5, 6}).view({2, 3}).t());
  CHECK(turned.strides() == IntArrayRef({1, 3}));
  CHECK(values(turned) == std::vector<double>{1, 4, 2, 5, 3, 6});
  CHECK_FALSE(deepcopy(Tensor()).defined());
}

TEST_CASE("what shares memory among copied tensors shares it among the copies", "[autograd][deepcopy]") {
  Tensor whole = test::vector({1, 2, 3, 4}), part = whole.narrow(0, 1, 2);
  DeepCopy copied;
  Tensor whole2 = copied(whole), part2 = copied(part);
  CHECK(copied(whole).is_same(whole2));
  part2.fill_(9);
  CHECK(values(whole2) == std::vector<double>{1, 9, 9, 4});
  CHECK(values(whole) == std::vector<double>{1, 2, 3, 4});
}

TEST_CASE("a result's history cannot be copied", "[autograd][deepcopy]") {
  Tensor x = leaf({1});
  CHECK_THROWS_AS(deepcopy(ops::mul(x, x)), ValueError);
}
