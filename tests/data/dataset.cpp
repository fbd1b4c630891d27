// Data sets and what is made of them.
#include <tenon/data.hpp>
#include <tenon/tenon.hpp>

#include "../catch.hpp"

using namespace tenon;
using namespace tenon::data;

namespace {
struct Squares {
  std::int64_t size() const { return 5; }
  std::int64_t get(std::int64_t i) const { return i * i; }
};
static_assert(dataset<Squares> && !random_dataset<Squares> && dataset<TensorDataset<2>>);
static_assert(!dataset<std::vector<int>>);

template <class D>
std::vector<sample_t<D>> samples_of(const D& d) {
  std::vector<sample_t<D>> found;
  for (std::int64_t i = 0; i < d.size(); ++i) found.push_back(get_sample(d, i));
  return found;
}
using Numbers = std::vector<std::int64_t>;
}  // namespace

TEST_CASE("anything with size and get is a data set, to be changed, chosen from and joined", "[data][transform]") {
  Squares squares;
  CHECK(samples_of(squares) == Numbers{0, 1, 4, 9, 16});
  CHECK(samples_of(map(squares, [](std::int64_t x) { return x + 1; })) == Numbers{1, 2, 5, 10, 17});
  CHECK(samples_of(Subset(squares, {4, 0, 4})) == Numbers{16, 0, 16});
  CHECK_ERROR(Subset(squares, {5}), IndexError, "Subset: index 5 is out of range for 5 samples");
  auto joined =
      data::concat(Subset(squares, {3}), Subset(squares, {}), map(squares, [](std::int64_t x) { return -x; }));
  CHECK(samples_of(joined) == Numbers{9, 0, -1, -4, -9, -16});
  CHECK_THROWS_AS(get_sample(joined, 6), IndexError);
  CHECK_THROWS_AS(get_sample(joined, -1), IndexError);
  CHECK(samples_of(ListDataset(std::vector<std::string>{"a", "b"})) == std::vector<std::string>{"a", "b"});
  CHECK(samples_of(FunctionDataset(3, [](std::int64_t i) { return 10 * i; })) == Numbers{0, 10, 20});
}

TEST_CASE("a change that draws gets the numbers of its sample, through other changes too", "[data][transform]") {
  auto noisy = map(Squares(), [](std::int64_t x, Random& random) { return x + random.integer(100, 999); });
  auto doubled = map(noisy, [](std::int64_t x) { return 2 * x; });
  static_assert(random_dataset<decltype(noisy)> && random_dataset<decltype(doubled)>);
  Random a(1, 0, 3), b(1, 0, 3), c(1, 1, 3);
  CHECK(doubled.get(3, a) == 2 * noisy.get(3, b));
  CHECK(noisy.get(3, c) != Random(1, 0, 3).integer(100, 999) + 9);
  Random d(1, 0, 3);
  CHECK(Subset(noisy, {3}).get(0, d) == Random(1, 0, 3).integer(100, 999) + 9);
}

TEST_CASE("a random split has every sample once", "[data][transform]") {
  auto parts = random_split(FunctionDataset(10, [](std::int64_t i) { return i; }), {7, 3}, 5);
  Numbers found = samples_of(parts[0]), rest = samples_of(parts[1]);
  CHECK(found.size() == 7);
  found.insert(found.end(), rest.begin(), rest.end());
  CHECK(found != Numbers{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  std::sort(found.begin(), found.end());
  CHECK(found == Numbers{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  CHECK_ERROR(random_split(Squares(), {2, 2}), ValueError,
              "random_split(): lengths [2, 2] do not sum to the size of the data set, 5");
  CHECK_THROWS_AS(random_split(Squares(), {6, -1}), ValueError);
}

TEST_CASE("tensors are a data set by their first dimension", "[data][tensor_dataset]") {
  Tensor x = ops::arange(6.0).view({3, 2}), y = ops::arange(3);
  TensorDataset both(x, y);
  CHECK(both.size() == 3);
  auto [a, b] = both.get(1);
  CHECK(ops::equal(a, tensor({2.0, 3.0})));
  CHECK(b.item<std::int64_t>() == 1);
  auto [images, classes] = both.get_batch({2, 0});
  CHECK(ops::equal(images, tensor({{4.0, 5.0}, {0.0, 1.0}})));
  CHECK(ops::equal(classes, tensor({2, 0})));
  CHECK(ops::equal(TensorDataset(x).get(0), tensor({0.0, 1.0})));
  CHECK_ERROR(TensorDataset(x, ops::arange(2)), ValueError,
              "TensorDataset: Size mismatch between tensors: tensor 0 has 3 samples, tensor 1 has 2");
  CHECK_THROWS_AS(both.get(3), IndexError);
  CHECK_THROWS_AS(both.get_batch({0, 3}), IndexError);
}

TEST_CASE("data sets stand side by side", "[data][transform]") {
  auto both = StackDataset(Squares(), ListDataset<std::string>({"a", "b", "c", "d", "e"}));
  CHECK(both.size() == 5);
  CHECK(get_sample(both, 2) == std::tuple<std::int64_t, std::string>(4, "c"));
  CHECK_ERROR_CONTAINS(StackDataset(Squares(), ListDataset<int>({1, 2})), ValueError,
                       "StackDataset: expected data sets of one size, got");
  CHECK_THROWS_AS(get_sample(both, 5), IndexError);
}

TEST_CASE("a data set is split by shares", "[data][transform]") {
  auto sizes = [](const auto& parts) {
    Numbers n;
    for (const auto& part : parts) n.push_back(part.size());
    return n;
  };
  // As PyTorch: what rounding down leaves goes to the first parts.
  CHECK(sizes(random_split(FunctionDataset(10, [](std::int64_t i) { return i; }), {0.3, 0.3, 0.4})) ==
        Numbers{3, 3, 4});
  CHECK(sizes(random_split(FunctionDataset(11, [](std::int64_t i) { return i; }), {0.3, 0.3, 0.4})) ==
        Numbers{4, 3, 4});
  CHECK(sizes(random_split(Squares(), {1, 4})) == Numbers{1, 4});
  auto half = random_split(Squares(), std::vector<double>{0.5, 0.5}, 3);
  Numbers all = samples_of(half[0]);
  for (std::int64_t x : samples_of(half[1])) all.push_back(x);
  std::sort(all.begin(), all.end());
  CHECK(all == Numbers{0, 1, 4, 9, 16});
  CHECK_ERROR(random_split(Squares(), {0.5, 0.6}), ValueError,
              "random_split(): expected shares that sum to 1, got 1.1");
  CHECK_ERROR(random_split(Squares(), {1.5, -0.5}), ValueError, "random_split(): expected shares in [0, 1], got 1.5");
}

TEST_CASE("a list of data sets of one type is one after the other", "[data][transform]") {
  std::vector<Subset<Squares>> parts = random_split(Squares(), {2, 0, 3}, 1);
  auto joined = data::concat(parts);
  CHECK(joined.size() == 5);
  CHECK(joined.cumulative_sizes() == Numbers{2, 2, 5});
  CHECK(joined.datasets().size() == 3);
  Numbers expected = samples_of(parts[0]), last = samples_of(parts[2]);
  expected.insert(expected.end(), last.begin(), last.end());
  CHECK(samples_of(joined) == expected);
  CHECK_ERROR(get_sample(joined, 5), IndexError, "Concat: index 5 is out of range for 5 samples");
  CHECK_THROWS_AS(get_sample(joined, -1), IndexError);
  auto noisy = map(Squares(), [](std::int64_t x, Random& random) { return x + random.integer(100, 999); });
  Random a(1, 0, 7), b(1, 0, 7);
  CHECK(data::concat(std::vector{noisy, noisy}).get(7, a) == noisy.get(2, b));
  CHECK_ERROR(data::concat(std::vector<Squares>()), ValueError, "concat(): datasets should not be an empty iterable");
  CHECK(data::concat(Squares(), parts[0]).cumulative_sizes() == Numbers{5, 7});
}
