// A word that threads share.
#include <thread>
#include <vector>

#include <tenon/base/atomic.hpp>

#include <catch.hpp>

using namespace tenon;

TEST_CASE("a word keeps every change of several threads", "[base][atomic][threads]") {
  Atomic<int> added{0}, taken{40'000}, exchanged{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 10'000; ++i) {
        added.fetch_add(1, MemoryOrder::Relaxed);
        taken.fetch_sub(1, MemoryOrder::AcqRel);
        int seen = exchanged.load(MemoryOrder::Relaxed);
        while (!exchanged.compare_exchange_weak(seen, seen + 1)) {}
      }
    });
  for (auto& thread : threads) thread.join();
  CHECK(added.load() == 40'000);
  CHECK(taken.load() == 0);
  CHECK(exchanged.load() == 40'000);
}

TEST_CASE("what is released is seen by who acquires it", "[base][atomic][threads]") {
  int value = 0;
  Atomic<int*> published{nullptr};
  std::thread writer([&] {
    value = 7;
    published.store(&value, MemoryOrder::Release);
  });
  int* seen = nullptr;
  while (!(seen = published.load(MemoryOrder::Acquire))) std::this_thread::yield();
  CHECK(*seen == 7);
  writer.join();
}

TEST_CASE("an exchange returns what was there, a failed one what it found", "[base][atomic]") {
  enum class Colour : unsigned char { Red, Green };
  Atomic<Colour> colour{Colour::Green};
  CHECK(colour.exchange(Colour::Red) == Colour::Green);
  Colour expected = Colour::Green;
  CHECK_FALSE(colour.compare_exchange_strong(expected, Colour::Green));
  CHECK(expected == Colour::Red);
  CHECK(colour.compare_exchange_strong(expected, Colour::Green, MemoryOrder::AcqRel));
  CHECK(colour.load(MemoryOrder::Relaxed) == Colour::Green);
}
