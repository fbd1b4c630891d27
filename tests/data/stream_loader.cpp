// The loader of streams: the same batches for any number of threads, in order, through errors, stops and resumption.
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <thread>

#include "../test_data.hpp"
#include "loaders.hpp"

using namespace test;

namespace {

/// The numbers below `end`, and what else happens when one is read.
template <class F>
auto numbers(std::int64_t end, F when_read) {
  return FunctionStream([=] {
    return [=, at = std::int64_t{0}]() mutable -> std::optional<std::int64_t> {
      if (at == end) return std::nullopt;
      when_read(at);
      return at++;
    };
  });
}
auto numbers(std::int64_t end) {
  return numbers(end, [](std::int64_t) {});
}
auto noisy(std::int64_t size) { return with_draws(shuffle(numbers(size), 10)); }

/// The lines of a text file.
struct Lines {
  std::string path;
  struct Reader {
    std::ifstream file;
    std::optional<std::string> next() {
      std::string line;
      return std::getline(file, line) ? std::optional(line) : std::nullopt;
    }
  };
  Reader begin(std::uint64_t, std::int64_t) const { return {std::ifstream(path)}; }
};

}  // namespace

TEST_CASE("the lines of files, in a random order, changed on threads", "[data][stream_loader][threads]") {
  auto tests = std::filesystem::path(test_data("promotion.csv"));
  Lines lines{tests.string()};
  auto words = data::map(data::shuffle(data::chain(lines, lines), 1000),
                         [](std::string line) { return static_cast<std::int64_t>(line.size()); });
  data::DataLoader loader(words, {.batch_size = 32, .num_workers = 2, .seed = 1});
  std::int64_t bytes = 0, count = 0;
  for (auto& sizes : loader) {
    bytes += sizes.sum().item<std::int64_t>();
    count += sizes.numel();
  }
  CHECK(bytes + count == 2 * static_cast<std::int64_t>(std::filesystem::file_size(tests)));
}

TEST_CASE("batches of a stream are the same for any number of threads", "[data][stream_loader][threads]") {
  Seen expected;
  for (int workers = 0; workers <= 8; ++workers)
    for (std::int64_t ahead : {1, 3}) {
      DataLoader loader(noisy(53), {.batch_size = 8, .num_workers = workers, .prefetch_factor = ahead, .seed = 3});
      Seen seen = epochs(loader, 3);
      REQUIRE(seen.size() == 21);
      CHECK(seen[6].size() == 5);
      if (workers == 0)
        expected = seen;
      else
        CHECK(seen == expected);
    }
  CHECK(expected[0] != expected[7]);
  std::int64_t sum = 0;
  for (std::size_t b = 0; b < 7; ++b)
    for (auto [i, draw] : expected[b]) sum += i;
  CHECK(sum == 53 * 52 / 2);
  // The draws of a sample are those of its place in the stream.
  Random second(3, 1, 9);
  second.chance(0.1);
  CHECK(expected[8][1].second == second.uniform());
}

TEST_CASE("the tail of a stream is kept or left out", "[data][stream_loader][threads]") {
  for (int workers : {0, 1, 3}) {
    auto sizes = [&](std::int64_t size, bool drop_last) {
      std::vector<std::int64_t> found;
      DataLoader loader(numbers(size), {.batch_size = 3, .drop_last = drop_last, .num_workers = workers});
      for (auto& batch : loader) found.push_back(batch.numel());
      CHECK(loader.position() == LoaderPosition{1, 0});
      return found;
    };
    CHECK(sizes(7, false) == std::vector<std::int64_t>{3, 3, 1});
    CHECK(sizes(7, true) == std::vector<std::int64_t>{3, 3});
    CHECK(sizes(6, false) == std::vector<std::int64_t>{3, 3});
    CHECK(sizes(0, false).empty());
  }
}

TEST_CASE("a sample that cannot be made is told by its place, and the pass goes on", "[data][stream_loader][threads]") {
  for (int workers : {0, 1, 4}) {
    DataLoader loader(broken(numbers(18)), {.batch_size = 4, .num_workers = workers});
    check_exceptions_arrive_in_order(loader);
    // One in a tail that is left out is never seen.
    DataLoader whole(broken(numbers(18)), {.batch_size = 6, .drop_last = true, .num_workers = workers});
    auto others = whole.pass();
    CHECK(others.next().has_value());
    CHECK_THROWS_AS(others.next(), SampleError);
    CHECK_THROWS_AS(others.next(), SampleError);
    DataLoader tail(broken(numbers(18)), {.batch_size = 9, .drop_last = true, .num_workers = workers});
    tail.load_state(tail.state());
    auto first = tail.pass();
    CHECK(first.next().has_value());
    CHECK_THROWS_AS(first.next(), SampleError);
    DataLoader dropped(map(numbers(5), [](std::int64_t i) { return i == 4 ? throw 4 : i; }),
                       {.batch_size = 4, .drop_last = true, .num_workers = workers});
    auto only = dropped.pass();
    CHECK(only.next().has_value());
    CHECK_FALSE(only.next().has_value());
  }
}

TEST_CASE("an exception of reading ends the stream", "[data][stream_loader][threads]") {
  for (int workers : {0, 1, 4})
    for (bool drop_last : {false, true}) {
      auto broken = numbers(20, [](std::int64_t i) {
        if (i == 6) throw std::runtime_error("the disk is gone");
      });
      DataLoader loader(broken, {.batch_size = 4, .drop_last = drop_last, .num_workers = workers});
      auto pass = loader.pass();
      CHECK(ops::equal(*pass.next(), tensor({0, 1, 2, 3})));
      CHECK_THROWS_WITH(pass.next(), "DataLoader: sample 6 of batch 1: the disk is gone");
      auto saved = loader.state();
      CHECK_FALSE(pass.next().has_value());
      CHECK(loader.position() == LoaderPosition{1, 0});
      loader.load_state(saved);
      CHECK_FALSE(loader.pass().next().has_value());
    }
  auto unopened =
      FunctionStream([]() -> std::optional<std::int64_t> (*)() { throw FileError("words.txt: not there"); });
  DataLoader loader(unopened, {.num_workers = 2});
  CHECK_ERROR(loader.pass(), FileError, "words.txt: not there");
}

TEST_CASE("samples of a stream that cannot be joined name their batch", "[data][stream_loader][threads]") {
  for (int workers : {0, 2}) {
    auto unequal = map(numbers(6), [](std::int64_t i) { return ops::zeros({i != 3 ? 1 : 2}); });
    DataLoader loader(unequal, {.batch_size = 2, .num_workers = workers});
    auto pass = loader.pass();
    CHECK(pass.next().has_value());
    try {
      pass.next();
      FAIL("no exception");
    } catch (const SampleError& e) {
      CHECK(std::string(e.what()).rfind("DataLoader: batch 1: ", 0) == 0);
      CHECK(e.index() == -1);
    }
    CHECK(pass.next().has_value());
    CHECK_FALSE(pass.next().has_value());
  }
}

TEST_CASE("a pass over a stream without end is left early, and bounds what is made ahead",
          "[data][stream_loader][threads]") {
  std::atomic<int> made{0};
  auto endless = map(numbers(-1), [&](std::int64_t i) {
    ++made;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return i;
  });
  DataLoader loader(endless, {.batch_size = 10, .num_workers = 3, .prefetch_factor = 1});
  for ([[maybe_unused]] auto& batch : loader) break;
  int after = made;
  CHECK(after <= 10 + 3 * 10 + 3);
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  CHECK(made == after);
  auto pass = loader.pass();
  CHECK(pass.next().has_value());
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  CHECK(made - after <= 10 + 3 * 10);
}

TEST_CASE("one thread reads while others make samples", "[data][stream_loader][threads]") {
  std::atomic<int> reading{0}, most_reading{0}, making{0}, most_making{0};
  auto busy = [](std::atomic<int>& now, std::atomic<int>& most) {
    int n = ++now, seen = most;
    while (n > seen && !most.compare_exchange_weak(seen, n)) {}
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    --now;
  };
  auto slow = map(numbers(60,
                          [&](std::int64_t) {
                            int n = ++reading, seen = most_reading;
                            while (n > seen && !most_reading.compare_exchange_weak(seen, n)) {}
                            --reading;
                          }),
                  [&](std::int64_t i) {
                    busy(making, most_making);
                    return i;
                  });
  DataLoader loader(slow, {.batch_size = 5, .num_workers = 4});
  for ([[maybe_unused]] auto& batch : loader) {}
  CHECK(most_reading == 1);
  CHECK(most_making > 1);
}

TEST_CASE("a loader of a stream resumes in the middle of an epoch, for any number of threads",
          "[data][stream_loader][threads]") {
  auto make = [](int workers, std::uint64_t seed) {
    return DataLoader(noisy(29), {.batch_size = 3, .num_workers = workers, .seed = seed});
  };
  check_resumes_anywhere(make);
  DataLoader other(noisy(29), {.batch_size = 4});
  CHECK_ERROR(other.load_state(make(0, 5).state()), ValueError,
              "load_state(): the saved loader has batches of 3 samples, this one of 4");
  CHECK(other.position() == LoaderPosition{0, 0});
}

TEST_CASE("resuming makes no samples of the batches before", "[data][stream_loader]") {
  int made = 0;
  DataLoader loader(map(numbers(10), [&](std::int64_t i) { return ++made, i; }), {.batch_size = 2});
  for (auto& batch : loader)
    if (batch.data_ptr<std::int64_t>()[0] == 4) break;
  CHECK(made == 6);
  loader.load_state(loader.state());
  CHECK(ops::equal(*loader.pass().next(), tensor({6, 7})));
  CHECK(made == 8);
}

TEST_CASE("what a stream's loader cannot do is told", "[data][stream_loader]") {
  CHECK_ERROR(DataLoader(numbers(3), {.shuffle = true}), ValueError,
              "DataLoader with a stream: expected unspecified shuffle option, but got shuffle = true; use "
              "data::shuffle(stream, buffer_size)");
  CHECK_ERROR(DataLoader(numbers(3), {.batch_size = 0}), ValueError,
              "DataLoader: expected a batch_size of at least 1, got 0");
  CHECK_THROWS_AS(DataLoader(numbers(3), {.num_workers = -1}), ValueError);
}

TEST_CASE("samples are handed out one by one where they are not to be joined", "[data][stream_loader][collate]") {
  for (int workers : {0, 2}) {
    DataLoader words(map(numbers(3), [](std::int64_t i) { return std::string(static_cast<std::size_t>(i), 'x'); }),
                     {.num_workers = workers}, Unbatched());
    static_assert(std::is_same_v<decltype(words)::batch_type, std::string>);
    std::string all;
    for (auto& word : words) all += word + ".";
    CHECK(all == ".x.xx.");
    // Of a data set as of a stream, and changed on the way.
    DataLoader squares(TensorDataset(tensor({3, 1, 2})), {.num_workers = workers},
                       Unbatched([](const Tensor& x) { return x * x; }));
    std::int64_t sum = 0;
    for (auto& x : squares) {
      CHECK(x.dim() == 0);
      sum = 10 * sum + x.item<std::int64_t>();
    }
    CHECK(sum == 914);
  }
  DataLoader flags(ListDataset(std::vector<int>{1, 0}), {}, Unbatched([](int x) { return x == 1; }));
  CHECK(*flags.pass().next());
  CHECK_ERROR(DataLoader(numbers(3), {.batch_size = 2}, Unbatched()), ValueError,
              "DataLoader: expected no batch_size beside Unbatched, got 2");
  CHECK_ERROR(DataLoader(TensorDataset(tensor({1})), {.batch_size = 2}, Unbatched()), ValueError,
              "DataLoader: expected no batch_size beside Unbatched, got 2");
}
