// Streams and what is made of them.
#include <algorithm>
#include <numeric>
#include <set>

#include <tenon/data.hpp>
#include <tenon/tenon.hpp>

#include "../catch.hpp"

using namespace tenon;
using namespace tenon::data;

namespace {
using Numbers = std::vector<std::int64_t>;

/// The numbers from `first` up to `end`.
struct Range {
  std::int64_t first, end;
  struct Reader {
    std::int64_t at, end;
    std::optional<std::int64_t> next() { return at < end ? std::optional(at++) : std::nullopt; }
  };
  Reader begin(std::uint64_t, std::int64_t) const { return {first, end}; }
};
static_assert(iterable_dataset<Range> && !dataset<Range> && !iterable_dataset<std::vector<int>>);
static_assert(std::is_same_v<item_t<Range>, std::int64_t> && std::is_same_v<stream_sample_t<Range>, std::int64_t>);

template <class S>
auto samples_of(const S& s, std::uint64_t seed = 0, std::int64_t epoch = 0) {
  std::vector<stream_sample_t<S>> found;
  auto reader = s.begin(seed, epoch);
  while (auto item = reader.next()) {
    Random random(seed, epoch, static_cast<std::int64_t>(found.size()));
    found.push_back(make_sample(s, *std::move(item), random));
  }
  return found;
}
}  // namespace

TEST_CASE("anything that begins readers is a stream, to be changed", "[data][stream]") {
  CHECK(samples_of(Range{2, 5}) == Numbers{2, 3, 4});
  CHECK(samples_of(map(Range{2, 5}, [](std::int64_t x) { return x * x; })) == Numbers{4, 9, 16});
  auto noisy = map(Range{0, 2}, [](std::int64_t x, Random& random) { return x + random.integer(10, 99); });
  auto twice = map(noisy, [](std::int64_t x) { return 2 * x; });
  CHECK(samples_of(twice, 4, 1) ==
        Numbers{2 * Random(4, 1, 0).integer(10, 99), 2 * (1 + Random(4, 1, 1).integer(10, 99))});
  auto texts = map(Range{7, 8}, [](std::int64_t x) { return std::to_string(x); });
  static_assert(std::is_same_v<item_t<decltype(texts)>, std::int64_t>);
  CHECK(samples_of(texts) == std::vector<std::string>{"7"});
}

TEST_CASE("a function that gives functions is a stream", "[data][stream]") {
  FunctionStream countdown(
      [] { return [left = std::int64_t{3}]() mutable { return left > 0 ? std::optional(left--) : std::nullopt; }; });
  CHECK(samples_of(countdown) == Numbers{3, 2, 1});
  CHECK(samples_of(countdown) == Numbers{3, 2, 1});
  FunctionStream epochs([](std::uint64_t seed, std::int64_t epoch) {
    return [value = std::optional(static_cast<std::int64_t>(seed) + epoch)]() mutable {
      return std::exchange(value, std::nullopt);
    };
  });
  CHECK(samples_of(epochs, 10, 3) == Numbers{13});
}

TEST_CASE("streams follow each other, each begun after the one before", "[data][stream_transform]") {
  int begun = 0;
  auto counted = FunctionStream([&begun] {
    ++begun;
    return [value = std::optional(std::int64_t{40})]() mutable { return std::exchange(value, std::nullopt); };
  });
  auto negated = map(Range{1, 3}, [](std::int64_t x) { return -x; });
  auto both = chain(Range{0, 2}, negated, Range{5, 5}, counted);
  CHECK(samples_of(both) == Numbers{0, 1, -1, -2, 40});
  auto reader = both.begin(0, 0);
  for (int i = 0; i < 4; ++i) CHECK(reader.next().has_value());
  CHECK(begun == 1);
  CHECK(reader.next().has_value());
  CHECK(begun == 2);
  CHECK_FALSE(reader.next().has_value());

  CHECK(samples_of(chain(std::vector{Range{0, 2}, Range{9, 9}, Range{4, 6}})) == Numbers{0, 1, 4, 5});
  CHECK(samples_of(chain(std::vector{negated, negated})) == Numbers{-1, -2, -1, -2});
  CHECK(samples_of(chain(std::vector<Range>())).empty());
  CHECK(samples_of(chain(chain(Range{0, 1}, Range{1, 2}), Range{2, 3})) == Numbers{0, 1, 2});
}

TEST_CASE("a shuffle buffer has every sample once, no earlier than it was read", "[data][stream_transform]") {
  auto mixed = shuffle(Range{0, 40}, 8);
  Numbers found = samples_of(mixed, 3, 0), sorted = found, all(40);
  std::iota(all.begin(), all.end(), 0);
  CHECK(found != all);
  std::sort(sorted.begin(), sorted.end());
  CHECK(sorted == all);
  // The sample handed out in place i is one of the first i + 8, the buffer's size, and one more that replaced it.
  for (std::size_t i = 0; i < found.size(); ++i) CHECK(found[i] < static_cast<std::int64_t>(i) + 8);
  CHECK(samples_of(mixed, 3, 0) == found);
  CHECK(samples_of(mixed, 3, 1) != found);
  CHECK(samples_of(mixed, 4, 0) != found);
  CHECK(samples_of(shuffle(Range{0, 40}, 8, 1), 3, 0) != found);
  CHECK(samples_of(shuffle(Range{0, 40}, 1)) == all);
  CHECK(samples_of(shuffle(Range{0, 0}, 5)).empty());
  CHECK(samples_of(shuffle(map(Range{0, 3}, [](std::int64_t) { return std::int64_t{7}; }), 2)) == Numbers{7, 7, 7});
  CHECK_ERROR(shuffle(Range{0, 3}, 0), ValueError, "shuffle(): expected a buffer_size of at least 1, got 0");
}

TEST_CASE("a buffer as long as the stream makes each order equally likely", "[data][stream_transform]") {
  std::map<Numbers, int> orders;
  auto three = shuffle(Range{0, 3}, 3);
  for (int epoch = 0; epoch < 6000; ++epoch) ++orders[samples_of(three, 1, epoch)];
  CHECK(orders.size() == 6);
  // Five deviations of a count of 6000 draws with chance 1 / 6: 5 * sqrt(6000 * 5 / 36) = 144.
  for (const auto& [order, count] : orders) CHECK(std::abs(count - 1000) < 144);
}

TEST_CASE("processes share a stream", "[data][stream_transform]") {
  auto tenfold = map(Range{0, 7}, [](std::int64_t x) { return 10 * x; });
  CHECK(samples_of(shard(tenfold, 0, 3)) == Numbers{0, 30, 60});
  CHECK(samples_of(shard(tenfold, 2, 3)) == Numbers{20, 50});
  CHECK_ERROR(shard(tenfold, 3, 3), ValueError,
              "DistributedSampler: Invalid rank 3, rank should be in the interval [0, 2]");
}
