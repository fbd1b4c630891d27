// Rows brought down to a norm: values and errors of torch 2.15.
#include <cmath>
#include <limits>

#include "../ops/support.hpp"

using namespace test;

TEST_CASE("rows that are looked up are brought down to a norm, each once", "[composite]") {
  auto table = [] { return counted({4, 3}, kDouble); };
  auto near = [](const Tensor& t, const Numbers& expected) {
    Numbers got = values(t);
    for (std::size_t i = 0; i < expected.size(); ++i)
      if (std::abs(got[i] - expected[i]) > 1e-4) return false;
    return got.size() == expected.size();
  };
  Tensor rows = table();
  CHECK(ops::embedding_renorm_(rows, tensor({1, 3, 1}), 2.0, 2.0).is_same(rows));
  CHECK(near(rows, {0, 1, 2, 0.8485, 1.1314, 1.4142, 6, 7, 8, 1.0358, 1.1509, 1.2660}));
  Tensor matrix = ops::embedding_renorm(table(), tensor({{1, 3}, {1, 0}}), 2.0, 1.0);
  CHECK(near(matrix, {0, 2.0 / 3, 4.0 / 3, 0.5, 2.0 / 3, 2.5 / 3, 6, 7, 8, 0.6, 2.0 / 3, 2.2 / 3}));
  Tensor out = ops::empty({0}, kDouble);
  ops::embedding_renorm(table(), tensor({1, 3}).to(kInt), 4.0, std::numeric_limits<double>::infinity(), "out"_a = out);
  CHECK(near(out, {0, 1, 2, 2.4, 3.2, 4, 6, 7, 8, 36.0 / 11, 40.0 / 11, 4}));
  rows = table();
  ops::embedding_renorm_(rows, ops::empty({0}, kLong), 2.0, 2.0);
  CHECK(values(rows) == values(table()));
  CHECK_ERROR(ops::embedding_renorm_(rows, tensor({1.0}), 2.0, 2.0), TypeError,
              "Expected tensor for argument #2 'indices' to have one of the following scalar types: Long, Int; but got "
              "float32 instead (while checking arguments for embedding_renorm_)");
  Tensor line = ops::ones({3});
  CHECK_ERROR(ops::embedding_renorm_(line, tensor({1}), 2.0, 2.0), ValueError,
              "Expected 2-dimensional tensor, but got 1-dimensional tensor for argument #1 'self' (while checking "
              "arguments for embedding_renorm_)");
  CHECK_THROWS_AS(ops::embedding_renorm_(rows, tensor({7}), 2.0, 2.0), IndexError);
}

TEST_CASE("gradients of embeddings are dense", "[composite][embedding]") {
  Tensor rows = tensor({0, 2}), grad = ops::ones({2, 3}), none = ops::empty({0}, "dtype"_a = kLong);
  CHECK(list(ops::embedding_backward(grad, rows, 4, -1, false, false).sizes()) == Ints{4, 3});
  CHECK_ERROR(ops::embedding_backward(grad, rows, 4, -1, false, true), NotImplementedError,
              "embedding_backward: sparse gradients are not supported; pass sparse=False");
  CHECK_ERROR(ops::_embedding_bag_backward(grad, rows, rows, rows, rows, none, 4, false, 0, true, std::nullopt),
              NotImplementedError, "embedding_bag: sparse gradients are not supported; pass sparse=False");
}

TEST_CASE("rows of a trained table may be written in place", "[composite][embedding]") {
  Tensor table = counted({4, 2}, kDouble).set_requires_grad(true);
  for (const Tensor& indices : {tensor({1, 3}), tensor({{1}, {3}})}) {
    Tensor rows = ops::embedding(table, indices);
    CHECK_FALSE(autograd::is_view(rows));
    rows.mul_(3);
    CHECK(values(rows) == Numbers{6, 9, 18, 21});
    CHECK(values(autograd::grad({rows.sum()}, {table})[0]) == Numbers{0, 0, 3, 3, 0, 0, 3, 3});
  }
}
