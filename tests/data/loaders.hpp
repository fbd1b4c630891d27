// What is true of a loader whatever it reads, a data set or a stream.
#pragma once
#include <cstdint>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <tenon/data.hpp>
#include <tenon/tenon.hpp>

#include "../catch.hpp"

namespace test {

using namespace tenon;
using namespace tenon::data;

/// Two numbers that say which sample, epoch and draw they come from, of what gives numbers.
template <class Numbers>
auto with_draws(Numbers numbers) {
  return map(std::move(numbers), [](std::int64_t i, Random& random) {
    if (random.chance(0.1)) std::this_thread::yield();
    return std::pair(i, random.uniform());
  });
}
using Seen = std::vector<std::vector<std::pair<std::int64_t, double>>>;
template <class Batch>
std::vector<std::pair<std::int64_t, double>> read(const Batch& batch) {
  std::vector<std::pair<std::int64_t, double>> items;
  for (std::int64_t i = 0; i < batch.first.numel(); ++i)
    items.emplace_back(batch.first.template data_ptr<std::int64_t>()[i], batch.second.template data_ptr<double>()[i]);
  return items;
}
template <class Loader>
Seen epochs(Loader& loader, int count) {
  Seen seen;
  for (int e = 0; e < count; ++e)
    for (auto& batch : loader) seen.push_back(read(batch));
  return seen;
}

/// Three of the numbers cannot be made, the last of them by what is no exception of the standard library.
template <class Numbers>
auto broken(Numbers numbers) {
  return map(std::move(numbers), [](std::int64_t i) {
    if (i == 9 || i == 11) throw std::runtime_error("no such picture");
    if (i == 17) throw 17;
    return i;
  });
}
/// A loader of the broken numbers from 0 to 17 at least and 19 at most, in batches of four.
template <class Loader>
void check_exceptions_arrive_in_order(Loader& loader) {
  auto pass = loader.pass();
  CHECK(ops::equal(*pass.next(), tensor({0, 1, 2, 3})));
  CHECK(ops::equal(*pass.next(), tensor({4, 5, 6, 7})));
  try {
    pass.next();
    FAIL("no exception");
  } catch (const SampleError& e) {
    CHECK(std::string(e.what()) == "DataLoader: sample 9 of batch 2: no such picture");
    CHECK(e.index() == 9);
    CHECK(e.batch() == 2);
    CHECK_THROWS_AS(e.rethrow_cause(), std::runtime_error);
  }
  CHECK(loader.position() == LoaderPosition{0, 3});
  CHECK(ops::equal(*pass.next(), tensor({12, 13, 14, 15})));
  CHECK_THROWS_WITH(pass.next(), "DataLoader: sample 17 of batch 4: an exception of another kind");
  CHECK_FALSE(pass.next().has_value());
  CHECK_FALSE(pass.next().has_value());
  CHECK(loader.position() == LoaderPosition{1, 0});
}

/// `make(workers, seed)` gives a loader of ten batches an epoch; a loader takes up where another of any number of
/// threads was stopped.
template <class Make>
void check_resumes_anywhere(Make make) {
  auto whole = make(0, 5);
  Seen expected = epochs(whole, 2);
  for (std::size_t stop = 0; stop <= 20; ++stop) {
    auto first = make(static_cast<int>(stop % 3), 5), second = make(static_cast<int>(stop % 4), 99);
    Seen seen;
    nn::NamedTensors saved = first.state();
    for (int e = 0; e < 2 && seen.size() < stop; ++e)
      for (auto& batch : first) {
        seen.push_back(read(batch));
        saved = first.state();
        if (seen.size() == stop) break;
      }
    second.load_state(saved);
    while (second.position().epoch < 2)
      for (auto& batch : second) seen.push_back(read(batch));
    REQUIRE(seen == expected);
  }
}

}  // namespace test
