// Orders of samples, shares of processes and batches.
#include <tenon/data.hpp>

#include "../catch.hpp"

using namespace tenon;
using namespace tenon::data;

namespace {
Indices sorted(Indices i) {
  std::sort(i.begin(), i.end());
  return i;
}
}  // namespace

TEST_CASE("a random order has every sample once, and another in each epoch", "[data][sampler]") {
  RandomSampler random(100);
  Indices first = random.indices(1, 0), all = SequentialSampler(100).indices(1, 0);
  CHECK(all.front() == 0);
  CHECK(all.back() == 99);
  CHECK(sorted(first) == all);
  CHECK(first != all);
  CHECK(first == random.indices(1, 0));
  CHECK(first != random.indices(1, 1));
  CHECK(first != random.indices(2, 0));
  CHECK(RandomSampler(0).indices(1, 0).empty());
}

TEST_CASE("each order of three samples is equally likely", "[data][sampler]") {
  std::vector<int> counts(27);
  for (std::int64_t epoch = 0; epoch < 6000; ++epoch) {
    Indices i = RandomSampler(3).indices(0, epoch);
    ++counts[static_cast<std::size_t>(9 * i[0] + 3 * i[1] + i[2])];
  }
  int orders = 0;
  for (int c : counts)
    if (c > 0) {
      ++orders;
      CHECK(std::abs(c - 1000) < 145);  // five times sqrt(6000 * 1/6 * 5/6)
    }
  CHECK(orders == 6);
}

TEST_CASE("more or fewer draws than samples, with and without replacement", "[data][sampler]") {
  CHECK(RandomSampler(10, false, 4).indices(1, 0).size() == 4);
  Indices more = RandomSampler(4, false, 10).indices(1, 0);
  REQUIRE(more.size() == 10);
  CHECK(sorted({more.begin(), more.begin() + 4}) == Indices{0, 1, 2, 3});
  CHECK(sorted({more.begin() + 4, more.begin() + 8}) == Indices{0, 1, 2, 3});
  Indices again = RandomSampler(3, true, 300).indices(1, 0);
  CHECK(again.size() == 300);
  CHECK(std::count(again.begin(), again.end(), 2) > 60);
  CHECK_THROWS_AS(RandomSampler(-1), ValueError);
  CHECK_THROWS_AS(RandomSampler(0, true, 1), ValueError);
}

TEST_CASE("weights say how often a sample is drawn", "[data][sampler]") {
  Indices drawn = WeightedRandomSampler({1, 0, 3}, 4000).indices(1, 0);
  CHECK(std::count(drawn.begin(), drawn.end(), 1) == 0);
  CHECK(std::abs(std::count(drawn.begin(), drawn.end(), 2) - 3000) < 137);  // five times sqrt(4000 * 3/4 * 1/4)
  CHECK(sorted(WeightedRandomSampler({1, 0, 3}, 2, false).indices(1, 0)) == Indices{0, 2});
  int first = 0;
  for (std::int64_t epoch = 0; epoch < 1000; ++epoch)
    first += WeightedRandomSampler({1, 3}, 2, false).indices(1, epoch)[0] == 1;
  CHECK(std::abs(first - 750) < 69);
  CHECK_THROWS_AS(WeightedRandomSampler({1, -1}, 1), ValueError);
  CHECK_THROWS_AS(WeightedRandomSampler({0, 0}, 1), ValueError);
  CHECK_ERROR_CONTAINS(WeightedRandomSampler({1, 0, 3}, 3, false), ValueError, "at most 2 draws without replacement");
}

TEST_CASE("processes share an epoch, and the tail is dealt as said", "[data][sampler]") {
  auto shares = [](Tail tail) {
    std::vector<Indices> all;
    for (std::int64_t rank = 0; rank < 3; ++rank) {
      DistributedSampler sampler(SequentialSampler(8), rank, 3, tail);
      all.push_back(sampler.indices(0, 0));
      CHECK(sampler.size() == static_cast<std::int64_t>(all.back().size()));
    }
    return all;
  };
  CHECK(shares(Tail::Keep) == std::vector<Indices>{{0, 3, 6}, {1, 4, 7}, {2, 5}});
  CHECK(shares(Tail::Drop) == std::vector<Indices>{{0, 3}, {1, 4}, {2, 5}});
  CHECK(shares(Tail::Pad) == std::vector<Indices>{{0, 3, 6}, {1, 4, 7}, {2, 5, 0}});
  // More processes than samples.
  CHECK(DistributedSampler(SequentialSampler(2), 4, 5).indices(0, 0) == Indices{0});
  CHECK_ERROR(DistributedSampler(SequentialSampler(2), 3, 3), ValueError,
              "DistributedSampler: Invalid rank 3, rank should be in the interval [0, 2]");
}

TEST_CASE("some samples are drawn in an order of each epoch", "[data][sampler]") {
  SubsetRandomSampler some({3, 1, 4, 9});
  CHECK(some.size() == 4);
  Indices first = some.indices(5, 0), sorted = first;
  std::sort(sorted.begin(), sorted.end());
  CHECK(sorted == Indices{1, 3, 4, 9});
  CHECK(some.indices(5, 0) == first);
  bool moved = false;
  for (std::int64_t epoch = 1; epoch < 9; ++epoch) moved = moved || some.indices(5, epoch) != first;
  CHECK(moved);
  CHECK(SubsetRandomSampler({}).indices(0, 0).empty());
}

TEST_CASE("a batch sampler cuts an order", "[data][sampler]") {
  CHECK(BatchSampler(SequentialSampler(5), 2, false).batches(0, 0) == std::vector<Indices>{{0, 1}, {2, 3}, {4}});
  CHECK(BatchSampler(SequentialSampler(5), 2, true).batches(0, 0) == std::vector<Indices>{{0, 1}, {2, 3}});
  CHECK(BatchSampler(SequentialSampler(5), 2, false).size() == 3);
  CHECK(BatchSampler(SequentialSampler(5), 2, true).size() == 2);
}
