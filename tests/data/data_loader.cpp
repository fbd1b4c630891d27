// The loader: the same batches for any number of threads, in order, through errors, stops and resumption.
#include <atomic>
#include <chrono>
#include <thread>

#include "loaders.hpp"

using namespace test;

namespace {

auto noisy(std::int64_t size) {
  return with_draws(FunctionDataset(size, [](std::int64_t i) { return i; }));
}

}  // namespace

TEST_CASE("batches are the same for any number of threads", "[data][data_loader][threads]") {
  Seen expected;
  for (int workers = 0; workers <= 8; ++workers)
    for (std::int64_t ahead : {1, 3}) {
      DataLoader loader(
          noisy(53), {.batch_size = 8, .shuffle = true, .num_workers = workers, .prefetch_factor = ahead, .seed = 3});
      CHECK(loader.size() == 7);
      Seen seen = epochs(loader, 3);
      REQUIRE(seen.size() == 21);
      CHECK(seen[6].size() == 5);
      if (workers == 0)
        expected = seen;
      else
        CHECK(seen == expected);
    }
  CHECK(expected[0] != expected[7]);
}

TEST_CASE("a data set that makes whole batches gives what stacked samples give", "[data][data_loader][threads]") {
  Tensor x = ops::arange(22.0).view({11, 2}), y = ops::arange(11);
  for (int workers : {0, 2}) {
    DataLoaderOptions options{.batch_size = 4, .shuffle = true, .num_workers = workers, .seed = 1};
    DataLoader whole(TensorDataset(x, y), options);
    DataLoader single(map(TensorDataset(x, y), [](auto sample) { return sample; }), options);
    auto other = single.begin();
    std::int64_t count = 0;
    for (auto& [a, b] : whole) {
      CHECK(ops::equal(a, std::get<0>(*other)));
      CHECK(ops::equal(b, std::get<1>(*other)));
      CHECK(ops::equal(a.select(1, 0), 2 * b));
      ++other;
      count += b.numel();
    }
    CHECK(count == 11);
    CHECK(other == single.end());
  }
}

TEST_CASE("the tail of an epoch is kept or left out", "[data][data_loader]") {
  auto sizes = [](bool drop_last) {
    std::vector<std::int64_t> found;
    DataLoader loader(noisy(7), {.batch_size = 3, .drop_last = drop_last});
    for (auto& batch : loader) found.push_back(batch.first.numel());
    CHECK(loader.size() == static_cast<std::int64_t>(found.size()));
    return found;
  };
  CHECK(sizes(false) == std::vector<std::int64_t>{3, 3, 1});
  CHECK(sizes(true) == std::vector<std::int64_t>{3, 3});
  DataLoader none(noisy(0), {.batch_size = 3, .num_workers = 2});
  CHECK(epochs(none, 1).empty());
}

TEST_CASE("an exception arrives in order, with the index of its sample, and the pass goes on",
          "[data][data_loader][threads]") {
  for (int workers : {0, 1, 4}) {
    DataLoader loader(broken(FunctionDataset(20, [](std::int64_t i) { return i; })),
                      {.batch_size = 4, .num_workers = workers});
    check_exceptions_arrive_in_order(loader);
  }
}

TEST_CASE("samples that cannot be joined name their batch", "[data][data_loader][threads]") {
  for (int workers : {0, 2}) {
    DataLoader loader(FunctionDataset(4, [](std::int64_t i) { return ops::zeros({i < 3 ? 1 : 2}); }),
                      {.batch_size = 2, .num_workers = workers});
    auto pass = loader.pass();
    CHECK(pass.next().has_value());
    nn::NamedTensors after_one = loader.state();
    CHECK_ERROR_CONTAINS((loader.load_state(after_one), loader.pass().next()), SampleError, "DataLoader: batch 1: ");
  }
}

TEST_CASE("a pass that is left early waits for one sample of each thread, and bounds what is made ahead",
          "[data][data_loader][threads]") {
  std::atomic<int> made{0};
  auto slow = FunctionDataset(1000, [&](std::int64_t i) {
    ++made;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    return i;
  });
  DataLoader loader(slow, {.batch_size = 10, .num_workers = 3, .prefetch_factor = 1});
  int before = 0;
  for ([[maybe_unused]] auto& batch : loader) {
    before = made;
    break;
  }
  // One batch was handed out; three may be in work, and each thread ends the sample that it is at.
  CHECK(made <= before + 3 + 3);
  CHECK(made <= 10 + 3 * 10);
  int after = made;
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  CHECK(made == after);

  auto pass = loader.pass();
  CHECK(pass.next().has_value());
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  CHECK(made - after <= 10 + 3 * 10);
}

TEST_CASE("a pass keeps the seed that it began with, whatever its loader is told meanwhile",
          "[data][data_loader][threads]") {
  auto make = [](int workers, std::uint64_t seed) {
    return DataLoader(noisy(29), {.batch_size = 3, .shuffle = true, .num_workers = workers, .seed = seed});
  };
  auto undisturbed = make(0, 5);
  Seen expected = epochs(undisturbed, 1);
  for (int workers : {0, 3}) {
    auto loader = make(workers, 5);
    Seen seen;
    for (auto& batch : loader) {
      seen.push_back(read(batch));
      loader.load_state(make(0, 99).state());
    }
    CHECK(seen == expected);
  }
}

TEST_CASE("a loader resumes in the middle of an epoch, for any number of threads", "[data][data_loader][threads]") {
  check_resumes_anywhere([](int workers, std::uint64_t seed) {
    return DataLoader(noisy(29), {.batch_size = 3, .shuffle = true, .num_workers = workers, .seed = seed});
  });
}

TEST_CASE("a pass that was left early is followed by the next epoch", "[data][data_loader]") {
  DataLoader loader(noisy(6), {.batch_size = 2, .shuffle = true});
  for ([[maybe_unused]] auto& batch : loader) break;
  CHECK(loader.position() == LoaderPosition{0, 1});
  Seen next = epochs(loader, 1);
  CHECK(next.size() == 3);
  CHECK(loader.position() == LoaderPosition{2, 0});
  loader.set_epoch(1);
  CHECK(epochs(loader, 1) == next);
}

TEST_CASE("a state of another data set is refused and changes nothing", "[data][data_loader]") {
  DataLoader loader(noisy(6), {.batch_size = 2}), other(noisy(7), {.batch_size = 2}),
      longer(noisy(6), {.batch_size = 1});
  loader.set_epoch(4);
  CHECK_ERROR(loader.load_state(other.state()), ValueError, "load_state(): the saved loader has 7 samples, this one 6");
  CHECK_ERROR(loader.load_state(longer.state()), ValueError,
              "load_state(): the saved loader has 6 batches an epoch, this one 3");
  auto state = loader.state();
  state.pop_back();
  CHECK_ERROR(loader.load_state(state), ValueError,
              "load_state(): expected one int64 named 'samples' for a DataLoader");
  CHECK(loader.position() == LoaderPosition{4, 0});
}

TEST_CASE("samplers, batch samplers and collate functions of one's own", "[data][data_loader]") {
  auto numbers = FunctionDataset(6, [](std::int64_t i) { return i; });
  DataLoader shard(numbers, DistributedSampler(SequentialSampler(6), 1, 4, Tail::Keep), {.batch_size = 4});
  CHECK(ops::equal(*shard.pass().next(), tensor({1, 5})));
  struct ByLength {
    std::int64_t size() const { return 2; }
    std::vector<Indices> batches(std::uint64_t, std::int64_t) const { return {{5}, {0, 2}}; }
  };
  DataLoader given(numbers, ByLength(), {.num_workers = 1});
  auto pass = given.pass();
  CHECK(ops::equal(*pass.next(), tensor({5})));
  CHECK(ops::equal(*pass.next(), tensor({0, 2})));
  CHECK_FALSE(pass.next().has_value());
  DataLoader sums(numbers, {.batch_size = 3}, [](const std::vector<std::int64_t>& s) { return s[0] + s[1] + s[2]; });
  CHECK(*sums.pass().next() == 3);

  CHECK_THROWS_WITH(DataLoader(numbers, SequentialSampler(6), {.shuffle = true}),
                    "DataLoader: sampler option is mutually exclusive with shuffle");
  CHECK_THROWS_AS(DataLoader(numbers, ByLength(), {.batch_size = 2}), ValueError);
  CHECK_THROWS_WITH(DataLoader(numbers, {.batch_size = 0}), "DataLoader: expected a batch_size of at least 1, got 0");
  CHECK_THROWS_AS(DataLoader(numbers, {.num_workers = -1}), ValueError);
  CHECK_THROWS_AS(DataLoader(numbers, {.prefetch_factor = 0}), ValueError);
}

TEST_CASE("samples are made without recording, in threads and without them", "[data][data_loader][threads]") {
  Tensor weight = ops::ones({2}).requires_grad_();
  for (int workers : {0, 1}) {
    DataLoader loader(FunctionDataset(2, [&](std::int64_t i) { return weight * i; }), {.num_workers = workers});
    for (auto& batch : loader) CHECK_FALSE(batch.requires_grad());
    CHECK(is_grad_enabled());
  }
}
