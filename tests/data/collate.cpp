// Samples of every kind joined into batches.
#include <tenon/data.hpp>
#include <tenon/tenon.hpp>

#include "../catch.hpp"

using namespace tenon;

namespace {
struct Pair {
  Tensor a, b;
  TENON_FIELDS(a, b)
};
struct PictureBatch {
  Tensor image, label;
  std::vector<std::string> name;
  TENON_FIELDS(image, label, name)
};
struct Picture {
  using batch_type = PictureBatch;
  Tensor image;
  int label;
  std::string name;
  TENON_FIELDS(image, label, name)
};
}  // namespace

TEST_CASE("numbers become tensors, texts lists, and tensors get a new dimension", "[data][collate]") {
  CHECK(ops::equal(data::collate(std::vector{1, 2, 3}), tensor({1, 2, 3})));
  CHECK(data::collate(std::vector{1.5f}).dtype() == kFloat);
  CHECK(data::collate(std::vector{1.5}).dtype() == kDouble);
  CHECK(ops::equal(data::collate(std::vector<bool>{true, false}), tensor({true, false})));
  CHECK(data::collate(std::vector<std::string>{"a", "b"}) == std::vector<std::string>{"a", "b"});
  CHECK(data::collate(std::vector{ops::zeros({2, 3}), ops::ones({2, 3})}).sizes() == IntArrayRef({2, 2, 3}));
  CHECK_THROWS_AS(data::collate(std::vector{ops::zeros({2}), ops::zeros({3})}), ValueError);
}

TEST_CASE("tuples, lists and structs are joined part by part", "[data][collate]") {
  auto [x, y] = data::collate(std::vector{std::tuple(tensor({1.0}), 4), std::tuple(tensor({2.0}), 5)});
  CHECK(ops::equal(x, tensor({{1.0}, {2.0}})));
  CHECK(ops::equal(y, tensor({4, 5})));
  auto pair = data::collate(std::vector{std::pair(1, std::string("a"))});
  CHECK(ops::equal(pair.first, tensor({1})));
  auto lists = data::collate(std::vector{std::vector{1, 2}, std::vector{3, 4}});
  CHECK(ops::equal(lists.at(1), tensor({2, 4})));
  CHECK_ERROR_CONTAINS(data::collate(std::vector{std::vector{1, 2}, std::vector{3}}), ValueError,
                       "each element in list of batch should be of equal size, got 2 and 1");
  auto arrays = data::collate(std::vector{std::array{1, 2}, std::array{3, 4}});
  CHECK(ops::equal(arrays[0], tensor({1, 3})));

  Pair both = data::collate(std::vector<Pair>{{tensor({1.0}), tensor(2)}, {tensor({3.0}), tensor(4)}});
  CHECK(ops::equal(both.b, tensor({2, 4})));
  PictureBatch batch = data::collate(std::vector<Picture>{{tensor({1.0}), 7, "x"}, {tensor({3.0}), 8, "y"}});
  CHECK(ops::equal(batch.label, tensor({7, 8})));
  CHECK(batch.name[1] == "y");
}

TEST_CASE("maps are joined key by key", "[data][collate]") {
  using Sample = std::map<std::string, std::pair<Tensor, int>>;
  auto batch = data::collate(std::vector<Sample>{{{"a", {tensor({1.0}), 2}}, {"b", {tensor({3.0}), 4}}},
                                                 {{"b", {tensor({7.0}), 8}}, {"a", {tensor({5.0}), 6}}}});
  CHECK(ops::equal(batch.at("b").first, tensor({{3.0}, {7.0}})));
  CHECK(ops::equal(batch.at("a").second, tensor({2, 6})));
  using Numbers = std::map<int, double>;
  CHECK_ERROR(data::collate(std::vector<Numbers>{{{1, 2.0}}, {{2, 2.0}}}), ValueError,
              "collate(): each map of a batch should have the same keys");
  CHECK_THROWS_AS(data::collate(std::vector<Numbers>{{{1, 2.0}}, {{1, 2.0}, {2, 3.0}}}), ValueError);
}
