#include <array>

#include <tenon/boxing/each_tensor.hpp>
#include <tenon/boxing/replace_tensors.hpp>

#include <catch.hpp>

#include <tenon/tensor/create.hpp>

using namespace tenon;

namespace {
Tensor of_size(std::int64_t n) { return make_tensor({n}, {}, kFloat); }
template <class T>
std::vector<std::int64_t> sizes_in(T&& x) {
  std::vector<std::int64_t> out;
  detail::each_tensor(x, [&](const Tensor& t) { out.push_back(t.size(0)); });
  return out;
}
using Sizes = std::vector<std::int64_t>;
}  // namespace

TEST_CASE("the visitor finds tensors in every C++ type of an argument", "[boxing][each_tensor]") {
  CHECK(sizes_in(of_size(1)) == Sizes{1});
  CHECK(sizes_in(std::optional(of_size(2))) == Sizes{2});
  CHECK(sizes_in(std::optional<Tensor>()).empty());
  CHECK(sizes_in(std::vector{of_size(1), of_size(2)}) == Sizes{1, 2});
  CHECK(sizes_in(std::vector{std::optional(of_size(3)), {}}) == Sizes{3});
  CHECK(sizes_in(std::tuple(of_size(1), 7, std::array{of_size(2), of_size(3)})) == Sizes{1, 2, 3});
  CHECK(sizes_in(std::vector<std::int64_t>{1, 2}).empty());
  CHECK(sizes_in(std::string_view("text")).empty());
}

TEST_CASE("the visitor finds tensors in boxed values at any depth", "[boxing][each_tensor]") {
  Value list = Value::list({Value(of_size(1)), Value(), Value::list({Value(of_size(2)), Value(3.0)})});
  Value tuple = Value::tuple({list, Value("text"), Value(of_size(3))});
  Value dict = Value::dict({{Value("k"), tuple}, {Value(1), Value(of_size(4))}});
  CHECK(sizes_in(dict) == Sizes{1, 2, 3, 4});
  CHECK(sizes_in(std::as_const(dict)) == Sizes{1, 2, 3, 4});
  CHECK(sizes_in(std::vector<Value>{list, Value(of_size(5))}) == Sizes{1, 2, 5});
  CHECK(sizes_in(Value(7)).empty());
}

TEST_CASE("undefined tensors are passed over, boxed or not", "[boxing][each_tensor]") {
  CHECK(sizes_in(Tensor()).empty());
  CHECK(sizes_in(std::vector{Tensor(), of_size(1)}) == Sizes{1});
  CHECK(sizes_in(Value(Tensor())).empty());
  CHECK(sizes_in(Value::list({Value(Tensor()), Value(of_size(1))})) == Sizes{1});
}

TEST_CASE("the visitor may assign the tensors of what is not const", "[boxing][each_tensor]") {
  Value v = Value::list({Value(of_size(1))});
  detail::each_tensor(v, [](Tensor& t) { t = of_size(9); });
  CHECK(sizes_in(v) == Sizes{9});
  std::vector<Tensor> list{of_size(1)};
  detail::each_tensor(list, [](Tensor& t) { t = of_size(8); });
  CHECK(sizes_in(list) == Sizes{8});
}

TEST_CASE("tensors are replaced at any depth, and the caller's lists stay", "[boxing][each_tensor]") {
  Value tuple = Value::tuple({Value::list({Value(of_size(1)), Value()}), Value("text"), Value(of_size(2))});
  const Value given = Value::dict({{Value("k"), tuple}, {Value("n"), Value(7)}});
  Value v = given;
  detail::replace_tensors(v, [](Tensor& t) { t = of_size(t.size(0) + 10); });
  CHECK(sizes_in(v) == Sizes{11, 12});
  CHECK(sizes_in(given) == Sizes{1, 2});
}
