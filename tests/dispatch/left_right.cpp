// Readers that never wait. Case numbers are those of the dispatcher's test cases.
#include <tenon/dispatch/left_right.hpp>

#include <algorithm>
#include <atomic>
#include <thread>

#include <stdexcept>
#include <vector>

#include "catch.hpp"

using tenon::LeftRight;

TEST_CASE("cases 225 and 226: what is written is there in every later read, and the writer's value is returned",
          "[dispatch][left_right][threads]") {
  LeftRight<std::vector<int>> v;
  for (int i = 0; i < 5; ++i) {
    CHECK(v.write([&](auto& list) {
      list.push_back(i);
      return i * 2;
    }) == i * 2);
    CHECK(v.read([](const auto& list) { return list.size(); }) == static_cast<std::size_t>(i) + 1);
  }
}
TEST_CASE("case 227: readers meet inside", "[dispatch][left_right][threads]") {
  LeftRight<int> v;
  std::atomic<int> inside{0};
  auto meet = [&] {
    v.read([&](int) {
      ++inside;
      while (inside < 2) std::this_thread::yield();
    });
  };
  std::thread other(meet);
  meet();
  other.join();
  CHECK(inside == 2);
}
TEST_CASE("case 228: a reader inside does not keep a writer from starting", "[dispatch][left_right][threads]") {
  LeftRight<int> v;
  std::atomic<bool> reading{false}, writing{false};
  std::thread reader([&] {
    v.read([&](int) {
      reading = true;
      while (!writing) std::this_thread::yield();
    });
  });
  while (!reading) std::this_thread::yield();
  v.write([&](int& x) {
    writing = true;
    x = 1;
  });
  reader.join();
  CHECK(v.read([](int x) { return x; }) == 1);
}
TEST_CASE("case 229: a reader sees the old state while a writer is inside", "[dispatch][left_right][threads]") {
  LeftRight<int> v;
  std::atomic<bool> read{false}, writing{false};
  std::thread writer([&] {
    v.write([&](int& x) {
      writing = true;
      while (!read) std::this_thread::yield();
      x = 1;
    });
  });
  while (!writing) std::this_thread::yield();
  CHECK(v.read([](int x) { return x; }) == 0);
  read = true;
  writer.join();
}
TEST_CASE("case 230: writers exclude each other", "[dispatch][left_right][threads]") {
  LeftRight<int> v;
  std::atomic<int> inside{0}, most{0};
  auto write = [&] {
    for (int i = 0; i < 100; ++i)
      v.write([&](int& x) {
        most = std::max(most.load(), ++inside);
        ++x;
        --inside;
      });
  };
  std::thread other(write);
  write();
  other.join();
  CHECK(most == 1);
  CHECK(v.read([](int x) { return x; }) == 200);
}
TEST_CASE("cases 231 to 234: exceptions pass and leave one state", "[dispatch][left_right][threads]") {
  LeftRight<std::vector<int>> v;
  v.write([](auto& list) { list.push_back(5); });
  CHECK_THROWS_AS(v.read([](const auto&) { throw std::runtime_error("read"); }), std::runtime_error);
  CHECK_THROWS_AS(v.write([](auto& list) {
    list.push_back(6);
    throw std::runtime_error("first");
  }),
                  std::runtime_error);
  CHECK(v.read([](const auto& list) { return list; }) == std::vector<int>{5});
  int calls = 0;
  CHECK_THROWS_AS(v.write([&](auto& list) {
    list.push_back(7);
    if (++calls == 2) throw std::runtime_error("second");
  }),
                  std::runtime_error);
  CHECK(v.read([](const auto& list) { return list; }) == std::vector<int>{5, 7});
  v.write([](auto& list) { list.clear(); });
  CHECK(v.read([](const auto& list) { return list.empty(); }));
}
