// Small calls whose operands lie in different orders: the results, and how they are laid out.
#include <vector>

#include <tenon/tenon.hpp>

#include <catch.hpp>

using namespace tenon;

namespace {

Tensor numbers(IntArrayRef sizes, ScalarType dtype) {
  return ops::remainder(ops::arange(count_elements(sizes), "dtype"_a = kLong), 11).add(1).view(sizes).to(dtype);
}
/// Of each order in which an operand of a shape may lie.
std::vector<Tensor> in_all_orders(const Tensor& t) {
  std::vector<Tensor> all{t};
  for (std::int64_t d = 1; d < t.dim(); ++d) all.push_back(t.transpose(0, d).contiguous().transpose(0, d));
  DimVector wide(t.sizes());
  for (std::int64_t& size : wide) size *= 2;
  Tensor gaps = ops::zeros(IntArrayRef(wide), "dtype"_a = t.dtype());
  for (std::int64_t d = 0; d < t.dim(); ++d) gaps = gaps.slice(d, 1, INT64_MAX, 2);
  all.push_back(gaps.copy_(t));
  return all;
}

}  // namespace

TEST_CASE("a small call over strides gives what dense operands give", "[cpu][pointwise_engine]") {
  for (ScalarType dtype : {kByte, kHalf, kFloat, kDouble, kLong, kComplexFloat, kComplexDouble})
    for (auto [left, right] : std::vector<std::pair<std::vector<std::int64_t>, std::vector<std::int64_t>>>{
             {{8, 8}, {8, 8}},
             {{3, 4, 5}, {3, 4, 5}},
             {{3, 4}, {4}},
             {{4}, {3, 4}},
             {{3, 4}, {3, 1}},
             {{2, 3, 4}, {3, 1}},
             {{3, 1}, {2, 3, 4}},
             {{4, 1}, {1, 4}},
             {{16, 16}, {16, 16}},
             {{2, 2, 2, 2, 2}, {2, 1, 2, 1, 2}},
             {{1, 5}, {5, 1}}}) {
      Tensor a = numbers(left, dtype), b = numbers(right, dtype);
      Tensor sum =
          ops::add(a.expand(ops::add(a, b).sizes()).contiguous(), b.expand(ops::add(a, b).sizes()).contiguous());
      for (const Tensor& x : in_all_orders(a))
        for (const Tensor& y : in_all_orders(b)) {
          CAPTURE(dtype, left, right, x.strides(), y.strides());
          CHECK(ops::equal(ops::add(x, y), sum));
          Tensor out = ops::empty(sum.sizes(), "dtype"_a = dtype);
          ops::add(x, y, "out"_a = out);
          CHECK(ops::equal(out, sum));
          if (x.sizes() == sum.sizes()) {
            Tensor own = x.clone();
            own.add_(y);
            CHECK(ops::equal(own, sum));
          }
        }
    }
}

TEST_CASE("a result that lies across an operand is refused, small as they are", "[cpu][pointwise_engine]") {
  Tensor a = numbers({8, 8}, kFloat), before = a.clone();
  CHECK_THROWS_AS(ops::add(a, a.t(), "out"_a = a), ValueError);
  CHECK_THROWS_AS(a.add_(a.t()), ValueError);
  CHECK(a.equal(before));
  // What is read into another tensor may overlap as it will.
  CHECK(ops::add(a, a.select(0, 3)).equal(ops::add(a, a.select(0, 3).clone())));
}

TEST_CASE("the first operand with an order lays out the result", "[cpu][pointwise_engine]") {
  Tensor a = numbers({6, 7}, kFloat), turned = numbers({7, 6}, kFloat).t(), row = numbers({7}, kFloat);
  using Strides = std::vector<std::int64_t>;
  auto strides = [](const Tensor& t) { return Strides(t.strides().begin(), t.strides().end()); };
  CHECK(strides(ops::add(a, turned)) == Strides{7, 1});
  CHECK(strides(ops::add(turned, a)) == Strides{1, 6});
  CHECK(strides(ops::add(row, a)) == Strides{7, 1});
  CHECK(strides(ops::add(row, turned)) == Strides{1, 6});
  CHECK(strides(ops::add(numbers({7, 1}, kFloat), numbers({6}, kFloat))) == Strides{6, 1});
}
