// The lock of four bytes: its holder excludes others, who wait for it are woken.
#include <chrono>
#include <mutex>
#include <thread>
#include <type_traits>
#include <vector>

#include <tenon/base/mutex.hpp>

#include <catch.hpp>

using namespace tenon;

static_assert(sizeof(Mutex) == 4 && !std::is_copy_constructible_v<Mutex> && !std::is_copy_assignable_v<Mutex>);

TEST_CASE("a mutex lets one thread in at a time", "[base][mutex][threads]") {
  Mutex mutex;
  int inside = 0, most = 0;
  long long sum = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 20'000; ++i) {
        std::lock_guard lock(mutex);
        most = ++inside > most ? inside : most;
        sum += i;
        --inside;
      }
    });
  for (std::thread& t : threads) t.join();
  CHECK(most == 1);
  CHECK(sum == 4 * (20'000LL * 19'999 / 2));
}

TEST_CASE("all who wait for a mutex get it, also those that went to sleep", "[base][mutex][threads]") {
  Mutex mutex;
  int entered = 0;
  std::vector<std::thread> threads;
  {
    std::unique_lock lock(mutex);
    for (int t = 0; t < 3; ++t)
      threads.emplace_back([&] {
        std::lock_guard inner(mutex);
        ++entered;
      });
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    CHECK(entered == 0);
  }
  for (std::thread& t : threads) t.join();
  CHECK(entered == 3);
}

TEST_CASE("a mutex that is held cannot be had by trying", "[base][mutex]") {
  Mutex mutex;
  REQUIRE(mutex.try_lock());
  CHECK(!mutex.try_lock());
  mutex.unlock();
  CHECK(mutex.try_lock());
  mutex.unlock();
}
