// A function of any kind, kept for later.
#include <tenon/base/shared_function.hpp>

#include <memory>

#include <catch.hpp>

namespace {
using namespace tenon;

struct Counter {
  int* calls;
  int operator()(int by) { return *calls += by; }
};
int twice(int x) { return 2 * x; }
}  // namespace

TEST_CASE("a shared function calls what it was made of", "[base][shared_function]") {
  int calls = 0;
  SharedFunction<int(int)> f = Counter{&calls};
  CHECK(f(2) == 2);
  CHECK(f(3) == 5);
  f = &twice;
  CHECK(f(21) == 42);
  CHECK(calls == 5);
}

TEST_CASE("an empty shared function says so", "[base][shared_function]") {
  SharedFunction<void()> f;
  CHECK_FALSE(f);
  f = [] {};
  CHECK(f);
  f();
}

TEST_CASE("copies of a shared function share one object, which ends with the last", "[base][shared_function]") {
  auto alive = std::make_shared<int>(0);
  std::weak_ptr<int> seen = alive;
  {
    SharedFunction<int()> f = [alive = std::move(alive)] { return ++*alive; };
    SharedFunction<int()> g = f;
    CHECK(f() == 1);
    CHECK(g() == 2);
    f = {};
    CHECK(g() == 3);
    CHECK_FALSE(seen.expired());
  }
  CHECK(seen.expired());
}

TEST_CASE("a shared function takes what cannot be copied, and drops a result that nobody wants",
          "[base][shared_function]") {
  auto owned = std::make_unique<int>(7);
  int seen = 0;
  SharedFunction<void(int&)> f = [owned = std::move(owned)](int& to) { return to = *owned; };
  f(seen);
  CHECK(seen == 7);
  STATIC_REQUIRE_FALSE(std::is_constructible_v<SharedFunction<int(int)>, int>);
  STATIC_REQUIRE_FALSE(std::is_constructible_v<SharedFunction<int(int)>, int (*)(const char*)>);
}
